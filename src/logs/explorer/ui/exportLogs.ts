import type { FileHandle } from 'node:fs/promises';
import * as vscode from 'vscode';
import { fetchPages } from '../../../api/fetchPages';
import type { Disposable } from '../../../base/event';
import type { TimeFormat } from '../../../base/timeFormat';
import type { SignedInConnection, Session } from '../../../connection/ui/session';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { pause } from '../../../vscode/systemClock';
import { commands, schemes } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { describe } from '../../../vscode/errorMessages';
import { nodeFiles, ownerOnly } from '../../../vscode/extensionHost';
import { showFailure, withProgress } from '../../../vscode/notifications';
import { counted, number } from '../../../vscode/numbers';
import { Picks } from '../../../vscode/quickInput';
import { ReadonlyDocuments } from '../../../vscode/readonlyDocuments';
import { logSettings, maxExportRecords, logTimeZone } from '../../../vscode/settings';
import { type QueryCommandServices, registerQueryCommand } from '../../query/ui/queryItems';
import {
  createFormatter,
  createTimestampFormat,
  endOfRange,
  isRecord,
  type LogLine,
} from '../../record/logLine';
import { joinRecords, entryRecords } from '../../record/joinRecords';
import { logText } from '../../record/readLogText';
import { signedOutError } from '../../tail/tail';
import type { ShownLogs } from '../explorerModel';
import { loadPinned, pinLines, type ReadPin } from '../pinLines';
import type { Pins } from '../pins';
import { exportRecords } from '../exportRecords';
import { createProgressReporter } from '../liveSearch';
import {
  csv,
  type ExportFormat,
  ndjson,
  textFormat,
  type Exported,
  type ExportOutcome,
  loadedRecords,
  writeExport,
  type WriteRequest,
  type ExportSink,
} from '../writeExport';
import { loadProgressText } from './pageView';
import { isPinSection } from './pinRows';

const { t } = vscode.l10n;

/** `exportLogs`: asks for a query, or takes one as an argument, and writes the records to a file. */
export function registerExportLogs(services: QueryCommandServices): vscode.Disposable {
  return registerQueryCommand(commands.exportLogs, services, {
    title: t('Export Logs'),
    failed: t('Could not export the logs.'),
    run: (on, filters) => exportLogs(on, { filters, records: [], isAll: false, isPartial: false }),
  });
}

/** Exports the logs of the Log Explorer. Shows its own errors. */
export async function exportShownLogs(
  { session, diagnostics }: Pick<QueryCommandServices, 'session' | 'diagnostics'>,
  logs: ShownLogs,
): Promise<void> {
  try {
    const { signedIn } = session;
    if (signedIn === undefined) throw signedOutError();
    await exportLogs(signedIn, logs);
  } catch (error) {
    void showFailure(diagnostics, t('Could not export the logs.'), error);
  }
}

async function exportLogs(signedIn: SignedInConnection, logs: ShownLogs): Promise<void> {
  const what = await askWhat(logs, signedIn.signal);
  if (what === undefined) return;
  const { source, form } = what;
  const uri = await vscode.window.showSaveDialog({
    title: t('Export Logs'),
    saveLabel: t('Export'),
    filters: { [form.label]: [form.format.extension] },
    ...defaultUri(logs, form.format),
  });
  if (uri === undefined) return;
  // The user may have signed out while the dialog was open.
  if (signedIn.signal.aborted) {
    void vscode.window.showInformationMessage(t('The export was cancelled.'));
    return;
  }
  showOutcome(uri, await write(signedIn, logs, source, form.format, uri));
}

async function write(
  { client, signal: lifetime }: SignedInConnection,
  { filters, records, isPartial }: ShownLogs,
  source: Source,
  format: ExportFormat,
  uri: vscode.Uri,
): Promise<Exported> {
  return withProgress(t('Exporting logs'), lifetime, async (signal, report) => {
    const { onProgress, onWait } = createProgressReporter((state) =>
      report(loadProgressText(state)),
    );
    const fetched = (): WriteRequest['batches'] => {
      const maxRecords = maxExportRecords();
      return exportRecords({ client, filters, maxRecords, signal, onProgress, onWait });
    };
    const batches =
      source === 'loaded' ? loadedRecords(records, isPartial, pause, signal) : fetched();
    return writeExport({
      format,
      batches,
      sink: await openExportFile(uri),
      signal,
      describe: whyPartial,
      now: () => new Date(client.serverNow()).toISOString(),
    });
  });
}

/** Which records are exported. */
type Source = 'loaded' | 'everything';

/** Asks what to export and in which format, while the connection lasts. */
async function askWhat(
  logs: ShownLogs,
  lifetime: AbortSignal,
): Promise<{ readonly source: Source; readonly form: Form } | undefined> {
  const picks = new Picks(t('Export Logs'), lifetime);
  try {
    const source = await chooseSource(picks, logs);
    const form = source && (await chooseForm(picks));
    return form && { source, form };
  } finally {
    picks.dispose();
  }
}

async function chooseSource(
  picks: Picks,
  { records, isAll }: ShownLogs,
): Promise<Source | undefined> {
  if (isAll) return 'loaded';
  if (records.length === 0) return 'everything';
  const chosen = await picks.choose(
    [
      {
        label: t('Records in the list'),
        description: counted(records.length, '{0} record', '{0} records'),
        source: 'loaded' as const,
      },
      {
        label: t('All records in the range'),
        description: counted(
          maxExportRecords(),
          'up to {0} record, loaded again',
          'up to {0} records, loaded again',
        ),
        source: 'everything' as const,
      },
    ],
    t('Which records?'),
  );
  return chosen?.source;
}

interface Form extends vscode.QuickPickItem {
  readonly format: ExportFormat;
}

function chooseForm(picks: Picks): Promise<Form | undefined> {
  const { showAttributes, severity } = logSettings();
  const forms: readonly Form[] = [
    {
      label: 'NDJSON',
      description: t('one record per line, as sent by the server'),
      format: ndjson,
    },
    {
      label: t('Text'),
      description: t('the lines of the log channel, in UTC'),
      format: textFormat({ timeZone: 'utc', showAttributes, severity }),
    },
    { label: 'CSV', description: t('for spreadsheets'), format: csv },
  ];
  return picks.choose(forms, t('Which format?'));
}

/** A file in the workspace that is named after the range. */
function defaultUri(
  { filters: { from, to } }: ShownLogs,
  { extension }: ExportFormat,
): { defaultUri?: vscode.Uri } {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const stamp = (iso: string): string => iso.slice(0, 19).replaceAll(/[-:]/g, '');
  const name = `logs-${stamp(from)}Z-${stamp(to)}Z.${extension}`;
  return folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) };
}

/** Why a file is not complete. */
function whyPartial(outcome: Exclude<ExportOutcome, 'complete'>, error: unknown): string {
  switch (outcome) {
    case 'bound':
      return t(
        'There are more records: controlPlane.logs.maxExportRecords allows {0}.',
        number(maxExportRecords()),
      );
    case 'partial':
      return t('The control plane left out some records.');
    case 'unsure':
      return t(
        'Older records may be missing: the control plane may not have started at the oldest.',
      );
    case 'accessChanged':
      return t('The permissions of the API key changed during the export.');
    case 'stuck':
      return t('The control plane sent no more pages.');
    case 'repeated':
      return t('The control plane sent the same pages again.');
    case 'full':
      return t(
        'There are more records: files are limited to {0} MB here.',
        heldLimit / 1024 / 1024,
      );
    case 'cancelled':
      return t('The export was cancelled.');
    case 'failed':
      return describe(error);
  }
}

function showOutcome(uri: vscode.Uri, { outcome, records, error }: Exported): void {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  const shown =
    outcome === 'complete'
      ? vscode.window.showInformationMessage(
          counted(
            records,
            '{0} record was exported to {1}.',
            '{0} records were exported to {1}.',
            name,
          ),
          t('Open File'),
        )
      : vscode.window.showWarningMessage(
          counted(
            records,
            '{1} is incomplete. It contains {0} record: {2}',
            '{1} is incomplete. It contains {0} records: {2}',
            name,
            whyPartial(outcome, error),
          ),
          t('Open File'),
        );
  // The editor itself reports files that are too large.
  void shown.then(async (chosen) => {
    if (chosen !== undefined) await vscode.commands.executeCommand('vscode.open', uri);
  });
}

/**
 * The maximum size in bytes of a file that must be written in one piece: it is in memory twice, here and
 * in the editor.
 */
const heldLimit = 128 * 1024 * 1024;

/**
 * Opens a file for writing in pieces. On the local disk, Node.js appends to the file. Other file systems
 * can only write whole files, so the file is collected in memory.
 *
 * @throws if it cannot be opened.
 */
export async function openExportFile(uri: vscode.Uri, limit = heldLimit): Promise<ExportSink> {
  const files = nodeFiles(uri);
  return files ? appended(await files.open(uri.fsPath, 'w', ownerOnly)) : held(uri, limit);
}

function appended(file: FileHandle): ExportSink {
  return {
    async write(text) {
      try {
        await file.appendFile(text);
      } catch (error) {
        await file.close();
        throw error;
      }
      return true;
    },
    async end(text) {
      try {
        await file.appendFile(text);
      } finally {
        await file.close();
      }
    },
  };
}

function held(uri: vscode.Uri, limit: number): ExportSink {
  // Unlike an array, browsers can store these on disk.
  const pieces: Blob[] = [];
  let bytes = 0;
  const add = (piece: Blob): void => {
    bytes += piece.size;
    pieces.push(piece);
  };
  return {
    write(text) {
      const piece = new Blob([text]);
      const hasRoom = bytes + piece.size <= limit;
      if (hasRoom) add(piece);
      return Promise.resolve(hasRoom);
    },
    async end(text) {
      add(new Blob([text]));
      const whole = await new Blob(pieces).arrayBuffer();
      await vscode.workspace.fs.writeFile(uri, new Uint8Array(whole));
    },
  };
}

/** The number of records that `openLogsAsText` loads. */
const newest = 10_000;

/** In characters. VS Code does not hand much larger documents to extensions, such as those that fold. */
const maxLength = 20 * 1024 * 1024;

/** `openLogsAsText`: asks for a query, or takes one as an argument, and shows its newest records. */
export function registerOpenAsText(
  services: QueryCommandServices,
  texts: LogTexts,
  pins: Pins,
  data: ConnectionData,
): vscode.Disposable {
  return registerQueryCommand(commands.openLogsAsText, services, {
    title: t('Open Logs as Text'),
    failed: t('Could not open the logs as text.'),
    async run(on, filters) {
      const logs = await load(on, filters);
      on.signal.throwIfAborted();
      if (logs.records.length > 0) await texts.openAsText(logs);
      else void vscode.window.showInformationMessage(t('No records match the query.'));
    },
    async runForRow(on, argument) {
      if (!isPinSection(argument)) return false;
      const lines = await readPinLines(pins, on, data.context.timeFormat);
      await texts.openLines(lines, `${t('Pins')}.log`);
      return true;
    },
  });
}

/** Reads the pinned records again. */
async function readPinLines(
  { all }: Pins,
  { client, signal: lifetime }: SignedInConnection,
  time: TimeFormat,
): Promise<readonly LogLine[]> {
  return withProgress(t('Loading logs'), lifetime, async (signal, report) => {
    const read: ReadPin[] = [];
    for (const pin of all) {
      read.push([pin, await loadPinned(client, pin, signal)]);
      report(counted(read.length, '{0} record', '{0} records'));
    }
    return pinLines(read, time, t);
  });
}

async function load(
  { client, signal: lifetime }: SignedInConnection,
  filters: ShownLogs['filters'],
): Promise<ShownLogs> {
  return withProgress(t('Loading logs'), lifetime, async (signal, report) => {
    const { onProgress, onWait } = createProgressReporter((state) =>
      report(loadProgressText(state)),
    );
    const {
      records,
      partial: isPartial,
      end,
    } = await fetchPages({
      client,
      start: { filters, direction: 'older' },
      target: newest,
      signal,
      priority: 'person',
      onProgress,
      onWait,
    });
    return { filters, records, isAll: end === 'end', isPartial };
  });
}

/** Shows records as documents, which are emptied when the connection or the API key changes. */
export class LogTexts implements Disposable {
  private readonly documents = new ReadonlyDocuments(
    schemes.logs,
    () => t('These logs are no longer available. Run the search again.'),
    true,
  );
  private readonly subscription: Disposable;

  constructor(
    private readonly session: Session,
    private readonly diagnostics: Diagnostics,
  ) {
    // Another key may have fewer permissions.
    this.subscription = session.onDidChange(() => this.documents.clear());
  }

  /** Shows records as a read-only document. Shows its own errors. */
  async openAsText(logs: ShownLogs): Promise<void> {
    try {
      await this.show(logs);
    } catch (error) {
      void showFailure(this.diagnostics, t('Could not open the logs as text.'), error);
    }
  }

  dispose(): void {
    this.subscription.dispose();
    this.documents.dispose();
  }

  private async show({ records }: ShownLogs): Promise<void> {
    const entries = joinRecords(records, logSettings().joinLines);
    await this.openLines(entries, nameOf(records, logTimeZone(this.session)));
  }

  /** @param name the title of the tab, with the extension of the language `log`. */
  async openLines(lines: readonly LogLine[], name: string): Promise<void> {
    const lifetime = this.session.signedIn?.signal ?? AbortSignal.abort();
    const format = createFormatter({ timeZone: logTimeZone(this.session), ...logSettings() });
    const leftOut = (count: number): LogLine => ({
      timestamp: lines[count]?.timestamp ?? '',
      level: 'warning',
      text: counted(
        lines.slice(0, count).flatMap((line) => (isRecord(line) ? entryRecords(line) : [])).length,
        '{0} older record does not fit into the document. Export the logs to get it.',
        '{0} older records do not fit into the document. Export the logs to get them.',
      ),
    });
    const text = await logText(lines, format, maxLength, leftOut, pause);
    await this.documents.show(name, text, lifetime);
  }
}

/** The title of the tab: its range, with the extension of the language `log`. */
function nameOf(records: ShownLogs['records'], timeZone: string): string {
  const format = createTimestampFormat(timeZone);
  const [first, last] = [records[0], records.at(-1)].map((record) =>
    record === undefined ? undefined : format(record.timestamp)?.slice(0, -4),
  );
  if (first === undefined || last === undefined) return `${t('Logs')}.log`;
  return `${t('Logs')} ${first} – ${endOfRange(first, last)}.log`;
}
