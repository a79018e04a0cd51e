import * as vscode from 'vscode';
import { joined } from '../../base/textFormat';
import { describe } from '../../vscode/errorMessages';
import { counted, number } from '../../vscode/numbers';
import type { Discovery, DiscoveryProgress, Unseen } from '../discovery/discovery';
import { foundByText, type DiscoveryOffer } from '../discovery/discoveryOffer';

const { t } = vscode.l10n;

/** The current step, its progress, and the number of sources and servers found so far. */
export function discoveryProgressText({
  step,
  done,
  total,
  sources,
  servers,
}: DiscoveryProgress): string {
  return `${stepWords(step, done, total)} (${countText(sources, servers)})`;
}

function stepWords(step: DiscoveryProgress['step'], done: number, total: number): string {
  switch (step) {
    case 'logs':
      return t('Reading recent logs, page {0}', done);
    case 'alerts':
      return counted(
        total,
        'Reading alert rules: {1} of {0} server',
        'Reading alert rules: {1} of {0} servers',
        number(done),
      );
    case 'resources':
      return counted(
        total,
        'Reading apps and jobs: {1} of {0} source',
        'Reading apps and jobs: {1} of {0} sources',
        number(done),
      );
    case 'deployments':
      return counted(
        total,
        'Reading deployments: {1} of {0} app or job',
        'Reading deployments: {1} of {0} apps and jobs',
        number(done),
      );
  }
}

/** Such as `1 source, 3 servers`, or `3 servers` without sources. */
export function countText(sources: number, servers: number): string {
  const sourceWords = counted(sources, '{0} source', '{0} sources');
  const serverWords = counted(servers, '{0} server', '{0} servers');
  if (sources === 0 && servers > 0) return serverWords;
  return servers === 0 ? sourceWords : joined([sourceWords, serverWords], ', ');
}

/** The number of sources and servers that are offered or chosen. */
export function offerText({
  sources,
  servers,
}: Pick<DiscoveryOffer, 'sources' | 'servers'>): string {
  return countText(sources.length, servers.length);
}

/** What could not be searched and why, a sentence for each. Empty if everything was searched. */
export function unseenSentences({ unseen, cut }: Discovery): readonly string[] {
  return [
    ...unseen.map(unseenSentence),
    ...(cut.length === 0
      ? []
      : [t('Not everything was checked: {0}.', cut.map((by) => foundByText(by, t)).join(', '))]),
  ];
}

function unseenSentence({ step, permission, why, count, error }: Unseen): string {
  const what = foundByText(step, t);
  if (why === 'refused') {
    return counted(count, '{1}: {0} request not allowed.', '{1}: {0} requests not allowed.', what);
  }
  return why === 'missing'
    ? t('{0} is missing. Not checked: {1}.', permission, what)
    : counted(
        count,
        '{1}: {0} request failed. {2}',
        '{1}: {0} requests failed. {2}',
        what,
        describe(error),
      );
}

/** What could not be searched, for one line of a quick pick. Undefined if everything was searched. */
export function unseenInShort({ unseen, cut }: Discovery): string | undefined {
  const missing = unseen.filter(({ why }) => why === 'missing').map(({ permission }) => permission);
  if (missing.length > 0) return t('Not everything was checked. Missing: {0}', missing.join(', '));
  return unseen.length + cut.length > 0 ? t('Not everything was checked') : undefined;
}
