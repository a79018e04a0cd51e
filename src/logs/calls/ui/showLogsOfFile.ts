import * as vscode from 'vscode';
import { day } from '../../../base/clock';
import {
  ensureConnection,
  type Session,
  type SignedInConnection,
} from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import { labelText } from '../../../base/plainText';
import { dotted } from '../../../base/textFormat';
import type { TimeFormat } from '../../../base/timeFormat';
import { registerCommand } from '../../../vscode/commands';
import { commands } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { withProgress } from '../../../vscode/notifications';
import { counted, number } from '../../../vscode/numbers';
import type { LogExplorer } from '../../explorer/ui/logExplorer';
import type { LogTexts } from '../../explorer/ui/openAsText';
import { unambiguousNames } from '../../query/print';
import { queryFilters } from '../../query/filter';
import { printSearch } from '../../query/searchQuery';
import { searchTime } from '../../query/ui/readSearch';
import { lookBudget, type SourceFiles } from '../../record/ui/sourceFiles';
import {
  allRecords,
  type FileSearch,
  type FileSearches,
  fileSearches,
  findFileRecords,
  type FoundRecords,
} from '../fileLogs';
import { findStatements } from '../findStatements';
import { describeTemplate } from '../statementTemplate';
import { isCode } from './documentStatements';
import { UserError } from '../../../vscode/errorMessages';

const { t } = vscode.l10n;

export interface FileLogsServices {
  readonly session: Session;
  readonly names: Names;
  readonly explorer: LogExplorer;
  readonly diagnostics: Diagnostics;
  /** The ids of the apps that are deployed from the folder, as far as they are known. */
  readonly folderApps: () => readonly string[];
  readonly files: SourceFiles;
  readonly texts: LogTexts;
  readonly timeFormat: TimeFormat;
}

/** How far back is searched, in milliseconds, and as in queries. */
const reach = day;
const range = { last: '1d' } as const;

/**
 * `showLogsOfFile`: the records of the last day whose stack frames or logging calls are in a file, by
 * default the one of the active editor. The API searches for one text at a time, so what was found is listed
 * by its text, and each entry opens in the Log Explorer.
 */
export function registerShowLogsOfFile(services: FileLogsServices): vscode.Disposable {
  const { session, diagnostics } = services;
  return registerCommand(
    commands.showLogsOfFile,
    async (argument) => {
      const document = await documentOf(argument);
      const signedIn = await ensureConnection(session);
      return signedIn !== undefined && showLogs(document, signedIn, services);
    },
    { diagnostics, failed: t('Could not show the logs of this file.') },
  );
}

/** @throws UserError */
async function documentOf(argument: unknown): Promise<vscode.TextDocument> {
  const active = vscode.window.activeTextEditor?.document;
  const uri = argument instanceof vscode.Uri ? argument : active?.uri;
  // Only files of the workspace are read.
  if (uri !== undefined && vscode.workspace.getWorkspaceFolder(uri) !== undefined) {
    const document = await vscode.workspace.openTextDocument(uri);
    if (isCode(document)) return document;
  }
  throw new UserError(
    t('Open a code file of the workspace, such as JavaScript, Python, Java or Go.'),
  );
}

async function showLogs(
  document: vscode.TextDocument,
  signedIn: SignedInConnection,
  services: FileLogsServices,
): Promise<boolean> {
  const { uri, languageId } = document;
  const path = vscode.workspace.asRelativePath(uri, false);
  const statements = findStatements(document.getText(), languageId, { prints: true });
  const planned = fileSearches(path, statements, services.folderApps());
  const found = await search(uri, planned, signedIn, services);
  const { explorer, names } = services;
  const open = ({ search: { filter } }: FoundRecords): void =>
    explorer.open(printSearch({ filter, range }, unambiguousNames(names)));
  const [first, ...more] = found;
  if (first === undefined) sayNone(path, planned);
  else if (more.length === 0) open(first);
  else {
    const chosen = await choose(path, found, planned, services.timeFormat);
    signedIn.signal.throwIfAborted();
    if (chosen === 'all') await openAsText(found, services);
    else if (chosen !== undefined) open(chosen);
    return chosen !== undefined;
  }
  return first !== undefined;
}

function rangeNow({ session }: FileLogsServices): { readonly from: string; readonly to: string } {
  const { now } = searchTime(session);
  return { from: new Date(now - reach).toISOString(), to: new Date(now).toISOString() };
}

async function search(
  uri: vscode.Uri,
  { searches }: FileSearches,
  { client, signal: lifetime }: SignedInConnection,
  services: FileLogsServices,
): Promise<readonly FoundRecords[]> {
  const budget = lookBudget();
  return withProgress(t('Searching for logs of this file…'), lifetime, (signal, report) =>
    findFileRecords({
      client,
      searches,
      ...rangeNow(services),
      isFile: async (path, workloadId) =>
        (await services.files.find(path, budget, workloadId))?.toString() === uri.toString(),
      signal,
      onProgress: (done) => report(t('{0} of {1} searches', number(done), number(searches.length))),
    }),
  );
}

/** Asks which of the records to show; undefined if the question is dismissed. */
async function choose(
  path: string,
  found: readonly FoundRecords[],
  planned: FileSearches,
  timeFormat: TimeFormat,
): Promise<FoundRecords | 'all' | undefined> {
  const items = found.map((one) => ({
    label: `$(${one.search.statement === undefined ? 'debug-stackframe' : 'output'}) ${labelText(nameOf(one.search))}`,
    description: dotted([
      one.search.statement && t('line {0}', one.search.statement.line + 1),
      countOf(one),
      timeFormat.relative(one.records[0]?.timestamp ?? ''),
    ]),
    chosen: one,
  }));
  const all = {
    label: `$(list-flat) ${t('All of these as text')}`,
    description: counted(allRecords(found).length, '{0} record', '{0} records'),
    chosen: 'all' as const,
  };
  const item = await vscode.window.showQuickPick<(typeof items)[number] | typeof all>(
    [...items, all],
    {
      title: t('Logs of {0} in the last 24 hours', labelText(path)),
      placeHolder: leftOut(planned) ?? t('Select what to show in the Log Explorer.'),
    },
  );
  return item?.chosen;
}

function nameOf({ statement }: FileSearch): string {
  return statement === undefined
    ? t('Stack frames in this file')
    : describeTemplate(statement.template);
}

function countOf({ records, hasMore }: FoundRecords): string {
  return hasMore
    ? t('{0}+ records', number(records.length))
    : counted(records.length, '{0} record', '{0} records');
}

/** What was not searched for; undefined if everything was. */
function leftOut({ leftOut: count }: FileSearches): string | undefined {
  if (count === 0) return undefined;
  return counted(
    count,
    'Left out {0} log statement with less text.',
    'Left out {0} log statements with less text.',
  );
}

async function openAsText(
  found: readonly FoundRecords[],
  services: FileLogsServices,
): Promise<void> {
  const { from, to } = rangeNow(services);
  const isAll = found.every(({ hasMore }) => !hasMore);
  const filters = queryFilters({}, from, to);
  await services.texts.openAsText({ filters, records: allRecords(found), isAll, isPartial: false });
}

function sayNone(path: string, planned: FileSearches): void {
  const none = t('No records of {0} were found in the last 24 hours.', labelText(path));
  const left = leftOut(planned);
  void vscode.window.showInformationMessage(left === undefined ? none : `${none} ${left}`);
}
