import * as vscode from 'vscode';
import { day } from '../../../base/clock';
import { dotted } from '../../../base/textFormat';
import type { TimeFormat } from '../../../base/timeFormat';
import { labelText } from '../../../base/untrustedText';
import {
  ensureConnection,
  type Session,
  type SignedInConnection,
} from '../../../connection/ui/session';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { registerCommand } from '../../../vscode/commands';
import { commands } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { UserError } from '../../../vscode/errorMessages';
import { withProgress } from '../../../vscode/notifications';
import { counted, number } from '../../../vscode/numbers';
import type { ShownLogs } from '../../explorer/explorerModel';
import type { LogTexts } from '../../explorer/ui/exportLogs';
import type { LogExplorer } from '../../explorer/ui/logExplorer';
import { queryFilters } from '../../query/fields';
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
import { isCode } from './logStatements';

const { t } = vscode.l10n;

/** How far back is searched, in milliseconds, and as in queries. */
const reach = day;
const range = { last: '1d' } as const;

/** Finds the records whose stack frames or logging calls are in a file. */
export class FileLogs {
  /** @param folderApps the ids of the apps that are deployed from the folder, as far as they are known. */
  constructor(
    private readonly session: Session,
    private readonly files: SourceFiles,
    private readonly folderApps: () => readonly string[],
  ) {}

  plan(document: vscode.TextDocument): FileSearches {
    const statements = findStatements(document.getText(), document.languageId, { prints: true });
    return fileSearches(pathOf(document.uri), statements, this.folderApps());
  }

  find(
    uri: vscode.Uri,
    { searches }: FileSearches,
    { client, signal: lifetime }: SignedInConnection,
  ): Promise<readonly FoundRecords[]> {
    const budget = lookBudget();
    return withProgress(t('Searching for logs of this file…'), lifetime, (signal, report) =>
      findFileRecords({
        client,
        searches,
        ...this.range(),
        isFile: async (path, workloadId) =>
          (await this.files.fileOf(path, budget, workloadId))?.toString() === uri.toString(),
        signal,
        onProgress: (done) =>
          report(t('{0} of {1} searches', number(done), number(searches.length))),
      }),
    );
  }

  /** The range until now. */
  range(): { readonly from: string; readonly to: string } {
    const { now } = searchTime(this.session);
    return { from: new Date(now - reach).toISOString(), to: new Date(now).toISOString() };
  }
}

function pathOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri, false);
}

/**
 * `showLogsOfFile`: the records of the last day whose stack frames or logging calls are in a file, by
 * default the one of the active editor. The API searches for one text at a time, so what was found is listed
 * by its text, and each entry opens in the Log Explorer.
 */
export function registerShowLogsOfFile(
  fileLogs: FileLogs,
  { session, context: { timeFormat } }: ConnectionData,
  explorer: LogExplorer,
  texts: LogTexts,
  diagnostics: Diagnostics,
): vscode.Disposable {
  async function showLogs(
    document: vscode.TextDocument,
    signedIn: SignedInConnection,
  ): Promise<boolean> {
    const path = pathOf(document.uri);
    const planned = fileLogs.plan(document);
    const found = await fileLogs.find(document.uri, planned, signedIn);
    const open = ({ search: { filter } }: FoundRecords): void => explorer.search(filter, range);
    const [first, ...more] = found;
    if (first === undefined) sayNone(path, planned);
    else if (more.length === 0) open(first);
    else {
      const chosen = await choose(path, found, planned, timeFormat);
      signedIn.signal.throwIfAborted();
      if (chosen === 'all') await texts.openAsText(asLogs(found, fileLogs.range()));
      else if (chosen !== undefined) open(chosen);
      return chosen !== undefined;
    }
    return first !== undefined;
  }

  return registerCommand(
    commands.showLogsOfFile,
    async (argument) => {
      const document = await documentOf(argument);
      const signedIn = await ensureConnection(session);
      return signedIn !== undefined && showLogs(document, signedIn);
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

function asLogs(
  found: readonly FoundRecords[],
  { from, to }: ReturnType<FileLogs['range']>,
): ShownLogs {
  const isAll = found.every(({ hasMore }) => !hasMore);
  return {
    filters: queryFilters({}, from, to),
    records: allRecords(found),
    isAll,
    isPartial: false,
  };
}

function sayNone(path: string, planned: FileSearches): void {
  const none = t('No records of {0} were found in the last 24 hours.', labelText(path));
  const left = leftOut(planned);
  void vscode.window.showInformationMessage(left === undefined ? none : `${none} ${left}`);
}
