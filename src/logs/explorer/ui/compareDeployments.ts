import * as vscode from 'vscode';
import { nameOfResource } from '../../../data/labels';
import type { ControlPlaneClient } from '../../../api/client';
import { day } from '../../../base/clock';
import { fetchPages } from '../../../api/fetchPages';
import type { Deployment, LogRecord, Severity } from '../../../api/types';
import { isCommit } from '../../../commits/commitFacts';
import { ensureConnection } from '../../../connection/ui/session';
import {
  deploymentPair,
  type DeploymentPair,
  deploymentTime,
  shortSha,
} from '../../../data/deployments';
import { isUuid, shortId } from '../../../data/targets';
import type { Views } from '../../../trees/ui/views';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { registerCommand } from '../../../vscode/commands';
import { commands, schemes } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { commandLink, fileLink } from '../../../vscode/markdown';
import { withProgress } from '../../../vscode/notifications';
import { ReadonlyDocuments } from '../../../vscode/readonlyDocuments';
import type { ErrorGroups } from '../../errors/errorGroups';
import type { Patterns } from '../../record/patterns';
import { createWorkspaceGroups } from '../../errors/ui/errors';
import type { MarkedFiles } from '../../errors/ui/markedFiles';
import { queryFilters } from '../../query/filter';
import { printSearch } from '../../query/searchQuery';
import { queryMark } from '../../query/ui/queryText';
import type { LookBudget } from '../../record/pathMapping';
import { lookBudget, type SourceFiles } from '../../record/ui/sourceFiles';
import { comparedPlaces } from '../comparedPlaces';
import { compareErrors } from '../compareErrors';
import { type ComparedErrors, comparisonText, placeMark, shownKinds } from './comparisonText';
import { UserError } from '../../../vscode/errorMessages';

const { t } = vscode.l10n;

interface CompareServices {
  readonly data: ConnectionData;
  readonly views: Views;
  readonly diagnostics: Diagnostics;
  readonly files: SourceFiles;
  readonly marked: MarkedFiles;
}

/** How many of the newest errors of each deployment are compared. */
const mostRecords = 5000;
/** How far back to search for the errors of a deployment, in milliseconds. */
const reach = 7 * day;

/** `compareDeployments`: compares the errors of a deployment with those of the previous one, as text. */
export function registerCompareDeployments(services: CompareServices): vscode.Disposable {
  const { data, views, diagnostics } = services;
  const reports = new ReadonlyDocuments(schemes.comparisons, () =>
    t('This comparison is no longer available.'),
  );
  const compareRow = async (argument: unknown): Promise<boolean> => {
    const { target } = views.nodeOf(argument) ?? {};
    const signedIn = target?.deploymentId && (await ensureConnection(data.session));
    if (target === undefined || !signedIn) return false;
    const pair = deploymentPair(data.context, target);
    if (pair?.previous === undefined || pair.time === undefined) {
      void vscode.window.showInformationMessage(
        t('There is no earlier deployment to compare with.'),
      );
      return false;
    }
    const { client, signal: lifetime } = signedIn;
    const text = await withProgress(t('Comparing errors…'), lifetime, (signal) =>
      compare(services, client, pair, signal),
    );
    lifetime.throwIfAborted();
    await reports.show(`${t('Errors')} ${nameOf(pair.deployment)}.txt`, text, lifetime);
    return true;
  };
  const command = registerCommand(commands.compareDeployments, compareRow, {
    diagnostics,
    failed: t('Could not compare the deployments.'),
  });
  return vscode.Disposable.from(
    reports,
    // Another key may have fewer permissions.
    data.session.onDidChange(() => reports.clear()),
    { dispose: () => void command.dispose() },
  );
}

async function compare(
  { data: { context }, files, marked }: CompareServices,
  client: Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'>,
  { resource, deployment, previous = {}, next, time }: DeploymentPair,
  signal: AbortSignal,
): Promise<string> {
  const now = client.serverNow();
  const start = time ?? now;
  const lives = {
    now: { from: start, to: (next && deploymentTime(next)) ?? now },
    before: { from: deploymentTime(previous) ?? start, to: start },
  };
  const groupsOf = async (
    records: readonly LogRecord[],
    patterns: Patterns,
  ): Promise<ErrorGroups> => {
    const groups = createWorkspaceGroups(files, patterns);
    await groups.add(records);
    signal.throwIfAborted();
    return groups;
  };
  const ofThis = await errorsOf(client, deployment, lives.now, signal);
  const ofPrevious = await errorsOf(client, previous, lives.before, signal);
  const comparison = await compareErrors(ofPrevious, ofThis, groupsOf);
  const places = await comparedPlaces(shownKinds(comparison), {
    commitOf({ deploymentId }) {
      const { commitSha } = deploymentId === deployment.id ? deployment : previous;
      return isCommit(commitSha) ? commitSha.toLowerCase() : undefined;
    },
    mappingOf: (file, sha) => marked.mappingOf(file, sha),
    pathOf: (file) => vscode.workspace.asRelativePath(vscode.Uri.parse(file)),
    t,
    signal,
  });
  return comparisonText({
    name: nameOfResource(resource),
    ...{ now: ofThis, before: ofPrevious, comparison, places },
    timeFormat: context.timeFormat,
  });
}

/** The newest errors of a deployment, and their range. */
async function errorsOf(
  client: Pick<ControlPlaneClient, 'queryLogs'>,
  deployment: Deployment,
  life: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): Promise<ComparedErrors> {
  const { id } = deployment;
  if (!isUuid(id)) throw new UserError(t('This deployment has no ID.'));
  const severities: Severity[] = ['error', 'fatal'];
  const filter = { deploymentIds: [id], severities };
  const from = Math.max(life.from, life.to - reach);
  const range = { from: new Date(from).toISOString(), to: new Date(life.to).toISOString() };
  const { records, partial, end } = await fetchPages({
    client,
    start: { filters: queryFilters(filter, range.from, range.to), direction: 'older' },
    target: mostRecords,
    signal,
    priority: 'person',
  });
  const isAll = end === 'end';
  const first = Date.parse(records[0]?.timestamp ?? '');
  const begin = isAll || Number.isNaN(first) ? from : first;
  return {
    name: nameOf(deployment),
    records,
    isAll,
    isPartial: partial,
    from: begin,
    to: life.to,
    length: life.to - begin,
    query: printSearch({ filter, range }),
  };
}

function nameOf({ id, commitSha }: Deployment): string {
  return shortSha(commitSha) ?? (id === undefined ? '' : shortId(id));
}

/** Links the queries in comparisons to the Log Explorer, and lines of the workspace to their files. */
export function registerComparisonLinks(files: SourceFiles): vscode.Disposable {
  return vscode.languages.registerDocumentLinkProvider(
    { scheme: schemes.comparisons },
    {
      async provideDocumentLinks(document, token) {
        const links: vscode.DocumentLink[] = [];
        const budget = lookBudget();
        for (let line = 0; line < document.lineCount; line++) {
          const { text, range } = document.lineAt(line);
          if (text.startsWith(queryMark)) links.push(queryLink(range, text));
          if (!text.startsWith(placeMark) || token.isCancellationRequested) continue;
          const link = await placeLink(files, range, text.slice(placeMark.length), budget);
          if (link !== undefined) links.push(link);
        }
        return links;
      },
    },
  );
}

async function placeLink(
  files: SourceFiles,
  range: vscode.Range,
  place: string,
  budget: LookBudget,
): Promise<vscode.DocumentLink | undefined> {
  // A note may follow.
  const [, path = '', line = ''] = /^(.+?):(\d+)(?: .+)?$/.exec(place) ?? [];
  const uri = path === '' ? undefined : await files.find(path, budget);
  if (uri === undefined) return undefined;
  return fileLink(range.with(range.start.translate(0, placeMark.length)), uri, line);
}

function queryLink(range: vscode.Range, text: string): vscode.DocumentLink {
  return commandLink(
    range.with(range.start.translate(0, queryMark.length)),
    commands.searchLogs,
    text.slice(queryMark.length),
    vscode.l10n.t('Show in the Log Explorer'),
  );
}
