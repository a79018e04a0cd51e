import { shortSha } from '../inventory/sources/deploymentNodes';
import { shortId } from '../inventory/targets';
import type { Texts } from '../inventory/tree/nodes';
import type { Translate } from '../text/textFormat';
import type { TimeFormat } from '../text/timeFormat';
import type { CheckedOutBranch, BranchEnvironment } from './branch';
import type { Position } from './commitFacts';
import type { DeployedCommit } from './deployed';
import type { MatchReason } from './sourceMatch';

/** What the words are made with. */
export interface BranchContext extends Texts {
  readonly moments: TimeFormat;
  /** How HEAD stands to a deployed commit; undefined while that is not known. */
  readonly positionOf: (sha: string) => Position | undefined;
  /** What the source is called. */
  readonly sourceLabel: string;
  /** Why something could not be had, in words. */
  readonly describe: (error: unknown) => string;
}

/** What the status bar says. All of it may hold the server's text, which is untrusted. */
export interface BranchWords {
  /** `production a1b2c3d 2↑ 1↓` */
  readonly text: string;
  /** The same as a sentence, for screen readers. */
  readonly label: string;
  readonly tooltip: readonly string[];
  /** Whether something is being deployed. */
  readonly isBusy: boolean;
}

/** More of a name pushes what matters out of the status bar. */
const maxName = 30;
/** More than these are told by their number. */
const maxNames = 5;

export function branchText(branch: CheckedOutBranch, context: BranchContext): BranchWords {
  const { t } = context;
  const [first, ...others] = branch.environments;
  const name = first === undefined ? '' : environmentName(first, t);
  const [newest, ...older] = first?.deployed.commits ?? [];
  const position = newest && context.positionOf(newest.sha);
  return {
    text: [
      name.length > maxName ? `${name.slice(0, maxName)}…` : name,
      newest && shortSha(newest.sha),
      older.length > 0 ? t('(mixed)') : undefined,
      position && positionSign(position, t),
      others.length > 0 ? t('+{0} more', others.length) : undefined,
    ]
      .filter((part) => part !== undefined)
      .join(' '),
    label: [
      newest === undefined
        ? t('Control plane: {0}', name)
        : t('Control plane: {0} runs {1}', name, shortSha(newest.sha) ?? ''),
      older.length > 0 ? t('and other commits') : undefined,
      position && positionText(position, context),
    ]
      .filter((part) => part !== undefined)
      .join(', '),
    tooltip: [
      relationWords(branch, t),
      ...branch.environments.flatMap((one) => environmentLines(one, context)),
      ...headLines(branch, t),
      sourceWords(branch.by, context),
    ],
    isBusy: branch.environments.some(({ deployed }) => deployed.coming.length > 0),
  };
}

/** What an environment is called where it stands alone. */
export function environmentName({ name, id }: BranchEnvironment, t: Translate): string {
  return name ?? (id === undefined ? t('No environment') : shortId(id));
}

/** The apps and jobs that run a commit, in one line. */
export function runsIn({ resources }: DeployedCommit, t: Translate): string {
  const shown = resources.slice(0, maxNames).join(', ');
  const more = resources.length - maxNames;
  return more > 0 ? t('{0} and {1} more', shown, more) : shown;
}

function positionSign(position: Position, t: Translate): string {
  if (position.kind === 'notFetched') return t('not fetched');
  const { ahead, behind } = position;
  if (ahead === 0 && behind === 0) return '✓';
  return [ahead > 0 ? `${ahead}↑` : '', behind > 0 ? `${behind}↓` : ''].filter(Boolean).join(' ');
}

/** How HEAD stands to a deployed commit, in words. */
export function positionText(position: Position, { t, counted }: Texts): string {
  if (position.kind === 'notFetched') return t('not fetched: this repository does not have it');
  const { ahead, behind } = position;
  if (ahead === 0 && behind === 0) return t('the commit that is checked out');
  const words = [
    counted(ahead, '{0} commit ahead', '{0} commits ahead'),
    counted(behind, '{0} commit behind', '{0} commits behind'),
  ].filter((_, index) => (index === 0 ? ahead : behind) > 0);
  return t('HEAD is {0}', words.join(', '));
}

function relationWords({ relation, head, environments }: CheckedOutBranch, t: Translate): string {
  const name = head.branch ?? '';
  switch (relation) {
    case 'own':
      return environments.length === 1
        ? t('The environment of the branch {0}:', name)
        : t('The environments of the branch {0}:', name);
    case 'preview':
      return t('The preview of the branch {0}:', name);
    case 'other':
      return head.branch === undefined
        ? t('No branch is checked out. To compare with:')
        : t('The branch {0} has no environment. To compare with:', name);
  }
}

function environmentLines(environment: BranchEnvironment, context: BranchContext): string[] {
  const { t, counted, describe } = context;
  const { deployed, branch, isDisconnected, lookedAt, resources, error } = environment;
  const about = [
    branch === undefined ? undefined : t('branch {0}', branch),
    isDisconnected ? t('disconnected') : undefined,
  ].filter((word) => word !== undefined);
  const name = environmentName(environment, t);
  const lines = [about.length === 0 ? name : `${name} (${about.join(', ')})`];
  const isMixed = deployed.commits.length > 1;
  if (isMixed) lines.push(`  ${t('Apps and jobs run different commits, the newest first:')}`);
  for (const commit of deployed.commits.slice(0, maxNames)) {
    lines.push(`  ${commitLine(commit, isMixed, context)}`);
  }
  const more = deployed.commits.length - maxNames;
  if (more > 0) lines.push(`  ${t('{0} more', more)}`);
  for (const sha of deployed.coming) lines.push(`  ${t('on its way: {0}', shortSha(sha) ?? sha)}`);
  if (error !== undefined) lines.push(`  ${describe(error)}`);
  else if (deployed.commits.length === 0) lines.push(`  ${t('No deployment is known.')}`);
  if (lookedAt < resources.length) {
    lines.push(
      `  ${counted(resources.length, '{1} of {0} app or job is looked at.', '{1} of {0} apps and jobs are looked at.', lookedAt)}`,
    );
  }
  return lines;
}

function commitLine(commit: DeployedCommit, isMixed: boolean, context: BranchContext): string {
  const { t, moments, positionOf } = context;
  const position = positionOf(commit.sha);
  const words = [
    shortSha(commit.sha),
    isMixed ? runsIn(commit, t) : undefined,
    commit.at === undefined ? undefined : moments.relativeTo(commit.at),
    position && positionText(position, context),
  ];
  return words.filter((word) => word !== undefined && word !== '').join(' · ');
}

function headLines({ head }: CheckedOutBranch, t: Translate): string[] {
  return head.commit === undefined
    ? [t('Nothing is committed here yet.')]
    : [t('What is not committed is not counted.')];
}

function sourceWords(by: MatchReason, { t, sourceLabel }: BranchContext): string {
  switch (by) {
    case 'choice':
      return t('Source: {0}, chosen for this folder', sourceLabel);
    case 'name':
      return t('Source: {0}, called like the repository', sourceLabel);
    case 'commit':
      return t('Source: {0}, whose commit is in this repository', sourceLabel);
    case 'resource':
      return t('Source: {0}, with an app or job called like the repository', sourceLabel);
  }
}
