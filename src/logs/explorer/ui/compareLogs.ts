import * as vscode from 'vscode';
import type { Deployment, LogRecord } from '../../../api/types';
import { day, untilAborted } from '../../../base/clock';
import { membersOf } from '../../../base/json';
import { labelText } from '../../../base/untrustedText';
import {
  ensureConnection,
  type SignedInConnection,
  type Session,
} from '../../../connection/ui/session';
import {
  deploymentPair,
  type DeploymentPair,
  deploymentTime,
  hasRun,
  newestFirst,
  runsSince,
  shortSha,
} from '../../../data/deployments';
import type { Names } from '../../../data/knownNames';
import { isUuid, shortId } from '../../../data/targets';
import type { Views } from '../../../trees/ui/views';
import { registerCommand } from '../../../vscode/commands';
import { commands } from '../../../vscode/contributions';
import { UserError } from '../../../vscode/errorMessages';
import { Picks } from '../../../vscode/quickInput';
import type { LogFilter } from '../../query/fields';
import { parseSearch, runnable } from '../../query/searchQuery';
import type { When } from '../../query/timeExpression';
import { askForQuery } from '../../query/ui/queryItems';
import type { QueryMemory } from '../../query/ui/queryMemory';
import { readSearch, searchTime, queryNames } from '../../query/ui/readSearch';
import {
  type ComparedPair,
  type ComparedSearch,
  fixedSearch,
  type OtherTime,
  otherTimes,
  rangeBefore,
  rangesOfOther,
} from '../comparison';
import type { TimeSpan } from '../protocol/view';
import { type ComparisonState, readComparisonState } from '../protocol/comparisonMessages';
import { SavedPageState } from '../protocol/pageMessages';
import { type ComparisonServices, ComparisonPanel, type ShownComparison } from './comparisonPanel';
import { spanText } from './comparisonView';
import { OnePanel } from './pageDocument';

const { t } = vscode.l10n;

interface CompareServices extends Omit<ComparisonServices, 'files' | 'marked' | 'extensionUri'> {
  readonly comparison: LogComparison;
  readonly memory: QueryMemory;
  readonly views: Views;
}

/** How far back to search for the records of a deployment, in milliseconds. */
const reach = 7 * day;
/** The most workloads and deployments to choose from. */
const mostChoices = 50;

/**
 * `compareLogs`: compares the records of a query with others, which it asks for. Takes `{ query, other }`, of which
 * `other` can be missing, as well as `outer`, the query of a longer range; `{ query, at }`, for what it found since that
 * moment with what it found before; a row of a deployment; or by default the query of the Log Explorer. And `compareDeployments`: compares the errors of a deployment, of a row or of
 * `{ resourceId, deploymentId }`, with those of the previous one.
 */
export function registerCompareLogs(services: CompareServices): vscode.Disposable {
  const { session, diagnostics, views, data, comparison } = services;
  const failed = t('Could not compare the logs.');
  return vscode.Disposable.from(
    registerCommand(
      commands.compareLogs,
      async (argument) => {
        const on = await ensureConnection(session);
        if (on === undefined) return false;
        const pair = await pairOf(services, on, argument);
        if (pair === undefined || on.signal.aborted) return false;
        await comparison.open(pair);
        return true;
      },
      { diagnostics, failed },
    ),
    registerCommand(
      commands.compareDeployments,
      async (argument) => {
        const target = views.deploymentOf(argument);
        const on = target?.deploymentId && (await ensureConnection(session));
        if (target === undefined || !on) return false;
        const { resourceId } = target;
        if (resourceId !== undefined && deploymentPair(data.context, target) === undefined) {
          const key = { kind: 'deployments', id: resourceId } as const;
          await untilAborted(data.store.refresh(key, 'person'), on.signal);
        }
        const found = deploymentPair(data.context, target);
        const severities: LogFilter['severities'] = ['error', 'fatal'];
        const pair = found && ofDeployments(found, on.client.serverNow(), { severities });
        if (pair === undefined) {
          void vscode.window.showInformationMessage(
            t('There is no earlier deployment to compare with.'),
          );
          return false;
        }
        await comparison.open(pair);
        return true;
      },
      { diagnostics, failed },
    ),
  );
}

/** What to compare, by the argument of the command and the answers of the user. */
async function pairOf(
  services: CompareServices,
  on: SignedInConnection,
  argument: unknown,
): Promise<ComparedPair | undefined> {
  const { query, other, outer, at } = membersOf(argument);
  // One for all: the same query has the same range.
  const when = searchTime(services.session);
  const read = (text: string): Promise<ComparedSearch> => readFixed(services, on, text, when);
  if (typeof query === 'string') {
    const now = await read(query);
    if (typeof at === 'number' && Math.abs(at) < 8.64e15) return splitAt(now, at);
    const before = typeof other === 'string' ? await read(other) : undefined;
    if (before !== undefined) return checked({ now, before });
    return choose(services, on, now, typeof outer === 'string' ? await read(outer) : undefined);
  }
  if (argument === undefined) return choose(services, on, await read(services.explorer.query));
  const { target } = services.views.nodeOf(argument) ?? {};
  const found = target && deploymentPair(services.data.context, target);
  if (found === undefined) return undefined;
  const now = lifeOf(found.deployment, found.next, on.client.serverNow(), {});
  return now && choose(services, on, now, undefined, found);
}

/** @throws UserError */
async function readFixed(
  { session, names }: CompareServices,
  on: SignedInConnection,
  query: string,
  when: When,
): Promise<ComparedSearch> {
  const fixed = fixedSearch(await readSearch(query, session, names, on), when);
  if (fixed === undefined) throw new UserError(t('from is later than to.'));
  return fixed;
}

/** The part of a search since a moment, and the part before. */
function splitAt({ filter, range: { from, to } }: ComparedSearch, at: number): ComparedPair {
  return {
    now: { filter, range: { from: at, to: Math.max(at, to) } },
    before: { filter, range: { from: Math.min(from, at - 1), to: at - 1 } },
  };
}

/** @throws UserError if nothing would be left of the other side. */
function checked(pair: ComparedPair): ComparedPair {
  if (rangesOfOther(pair).length === 0) {
    throw new UserError(
      t('Both sides are the same records. Choose something else to compare with.'),
    );
  }
  return pair;
}

/** The records of a deployment while it was what ran: until the next one did. */
function lifeOf(
  deployment: Deployment,
  next: Deployment | undefined,
  now: number,
  filter: LogFilter,
): ComparedSearch | undefined {
  const { id } = deployment;
  const created = deploymentTime(deployment);
  if (!isUuid(id) || created === undefined) return undefined;
  const to = (next && (runsSince(next) ?? deploymentTime(next))) ?? now;
  const from = Math.max(created, to - reach);
  return {
    filter: { ...filter, deploymentIds: [id] },
    range: { from, to: Math.max(from, to) },
    runsSince: runsSince(deployment),
  };
}

function ofDeployments(
  { deployment, previous, next }: DeploymentPair,
  now: number,
  filter: LogFilter,
): ComparedPair | undefined {
  if (previous === undefined) return undefined;
  const of = lifeOf(deployment, next, now, filter);
  const before = lifeOf(previous, deployment, now, filter);
  return of && before && { now: of, before };
}

interface Choice extends vscode.QuickPickItem {
  /** Undefined if the user dismisses a further question. */
  readonly pair: () => ComparedPair | undefined | Promise<ComparedPair | undefined>;
}

/** Asks what to compare with. */
async function choose(
  services: CompareServices,
  on: SignedInConnection,
  now: ComparedSearch,
  outer?: ComparedSearch,
  ofRow?: DeploymentPair,
): Promise<ComparedPair | undefined> {
  const picks = new Picks(t('Compare With…'), on.signal);
  try {
    const chosen = await picks.choose(
      [
        ...deploymentChoices(services, on, now, ofRow),
        ...(outer === undefined ? [] : [restChoice(services, now, outer)]),
        ...timeChoices(services, now),
        ...environmentChoices(now),
        ...workloadChoices(services, picks, now),
        {
          label: t('Another Query…'),
          iconPath: new vscode.ThemeIcon('search'),
          pair: async () => {
            picks.dispose();
            const query = await askForQuery(t('Compare With…'), services, on);
            if (query === undefined) return undefined;
            const when = searchTime(services.session);
            return checked({ now, before: await readFixed(services, on, query, when) });
          },
        },
      ],
      t('Select what to compare with'),
    );
    return await chosen?.pair();
  } finally {
    picks.dispose();
  }
}

function rangeText({ data }: CompareServices, range: TimeSpan): string {
  return labelText(spanText(range, data.context.timeFormat));
}

function restChoice(services: CompareServices, now: ComparedSearch, outer: ComparedSearch): Choice {
  return {
    label: t('The Rest of the Range'),
    iconPath: new vscode.ThemeIcon('arrow-both'),
    description: rangeText(services, outer.range),
    pair: () => checked({ now, before: { ...now, range: outer.range } }),
  };
}

function timeChoices(services: CompareServices, now: ComparedSearch): Choice[] {
  const labels: Readonly<Record<OtherTime, string>> = {
    periodBefore: t('The Period Before'),
    dayBefore: t('The Same Time Yesterday'),
    weekBefore: t('The Same Time Last Week'),
  };
  const { timeZone } = searchTime(services.session);
  return otherTimes.flatMap((which) => {
    const range = rangeBefore(now.range, which, timeZone);
    if (range === undefined) return [];
    return [
      {
        label: labels[which],
        iconPath: new vscode.ThemeIcon('history'),
        description: rangeText(services, range),
        pair: () => ({ now, before: { ...now, range } }),
      },
    ];
  });
}

/** The deployment before, of a row or of the deployments of a workload. */
function deploymentChoices(
  { data }: CompareServices,
  { client }: SignedInConnection,
  { filter }: ComparedSearch,
  ofRow: DeploymentPair | undefined,
): Choice[] {
  const { deploymentIds = [], workloadIds = [], ...rest } = filter;
  const pairs = (): DeploymentPair[] => {
    if (ofRow !== undefined) return [ofRow];
    const [deploymentId, ...more] = deploymentIds;
    if (deploymentId !== undefined && more.length === 0) {
      return [deploymentPair(data.context, { deploymentId })].filter((one) => one !== undefined);
    }
    const [resourceId, ...others] = workloadIds;
    if (resourceId === undefined || others.length > 0 || deploymentIds.length > 0) return [];
    const known = data.store.read('deployments', resourceId).value?.deployments ?? [];
    return newestFirst(known.filter((one) => hasRun(one, known)))
      .slice(0, mostDeployments)
      .map(({ id = '' }) => deploymentPair(data.context, { deploymentId: id, resourceId }))
      .filter((one) => one !== undefined);
  };
  return pairs().flatMap((one) => {
    const pair = ofDeployments(one, client.serverNow(), rest);
    const { previous, deployment } = one;
    if (pair === undefined || previous === undefined) return [];
    return [
      {
        label: t('The Deployment Before'),
        iconPath: new vscode.ThemeIcon('git-commit'),
        description: labelText(`${nameOf(previous)} → ${nameOf(deployment)}`),
        pair: () => pair,
      },
    ];
  });
}

/** How many of the newest deployments of a workload to choose from. */
const mostDeployments = 3;

function nameOf({ id, commitSha }: Deployment): string {
  return shortSha(commitSha) ?? (id === undefined ? '' : shortId(id));
}

function environmentChoices(now: ComparedSearch): Choice[] {
  const [environment, ...more] = now.filter.environments ?? [];
  if (environment === undefined || more.length > 0) return [];
  const other = environment === 'production' ? 'preview' : 'production';
  const filter: LogFilter = { ...now.filter, environments: [other] };
  return [
    {
      label: t('Environment {0}', other),
      iconPath: new vscode.ThemeIcon('layers'),
      pair: () => ({ now, before: { ...now, filter } }),
    },
  ];
}

function workloadChoices({ names }: CompareServices, picks: Picks, now: ComparedSearch): Choice[] {
  const [workloadId, ...more] = now.filter.workloadIds ?? [];
  const others = names.all('workload').filter(({ id }) => id !== workloadId);
  if (workloadId === undefined || more.length > 0 || others.length === 0) return [];
  return [
    {
      label: t('Another Workload…'),
      iconPath: new vscode.ThemeIcon('server-process'),
      async pair() {
        const items = others.slice(0, mostChoices).map(({ id, name }) => ({
          label: labelText(name),
          description: shortId(id),
          id,
        }));
        const chosen = await picks.choose(items, t('Select a workload'));
        if (chosen === undefined) return undefined;
        const { deploymentIds, ...rest } = now.filter;
        return { now, before: { ...now, filter: { ...rest, workloadIds: [chosen.id] } } };
      },
    },
  ];
}

export class LogComparison implements vscode.Disposable {
  private readonly panel: OnePanel<ComparisonPanel>;
  private readonly savedPageState: SavedPageState<ComparisonState>;

  constructor(services: ComparisonServices, workspaceState: vscode.Memento) {
    const { session, names } = services;
    const page = 'logComparison';
    this.savedPageState = new SavedPageState(session, workspaceState, page, readComparisonState);
    this.panel = new OnePanel(
      page,
      t('Log Comparison'),
      services.extensionUri,
      (panel) => new ComparisonPanel(panel, services),
      async (opened, saved) => {
        const state = await this.savedPageState.restore(saved);
        const pair = state && readPair(session, names, state);
        if (pair !== undefined) void opened.compare(pair);
      },
    );
  }

  /** Shows a comparison. Resolves when it was read, or could not be. */
  async open(pair: ComparedPair): Promise<void> {
    const panel = this.panel.show();
    panel.reveal();
    this.savedPageState.remember();
    await panel.compare(pair);
  }

  /** What is shown, once it was read. */
  get shown(): ShownComparison | undefined {
    return this.panel.now?.shown;
  }

  /** The newest record of a shown pattern, by its key. */
  recordOf(key: string): LogRecord | undefined {
    return this.panel.now?.recordOf(key);
  }

  dispose(): void {
    this.panel.dispose();
  }
}

/** The comparison of two queries; undefined if one of them is not valid, or names what is not known. */
function readPair(
  session: Session,
  names: Names,
  queries: { readonly now: string; readonly before: string },
): ComparedPair | undefined {
  const { when, resolve } = queryNames(session, names);
  const read = (query: string): ComparedSearch | undefined => {
    const search = runnable(parseSearch(query, when, resolve));
    return search && fixedSearch(search, when);
  };
  const [now, before] = [read(queries.now), read(queries.before)];
  return now && before && { now, before };
}
