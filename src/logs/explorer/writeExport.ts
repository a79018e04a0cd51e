import type { LogRecord } from '../../api/types';
import { lazyRegExp } from '../../base/textFormat';
import { clipboardText, sanitiseJson } from '../../base/untrustedText';
import { createFormatter, type FormatterOptions } from '../record/logLine';
import type { ExportEnd } from './exportRecords';

/** The target of an export. */
export interface ExportSink {
  /** Returns false, without writing anything, if there is no room. @throws if writing fails. */
  write(text: string): Promise<boolean>;
  /** Writes the last text, which always fits, and closes it. @throws if writing fails. */
  end(text: string): Promise<void>;
}

/** Why an export ended. All but `complete` are noted in the file. */
export type ExportOutcome =
  | ExportEnd
  /** The target has no more room. */
  | 'full'
  /** The user cancelled it. */
  | 'cancelled'
  | 'failed';

export interface Exported {
  readonly outcome: ExportOutcome;
  readonly records: number;
  /** The error if it failed. */
  readonly error?: unknown;
}

export interface WriteRequest {
  readonly format: ExportFormat;
  /** As returned by `exportRecords`. */
  readonly batches: AsyncGenerator<readonly LogRecord[], ExportEnd>;
  readonly sink: ExportSink;
  readonly signal: AbortSignal;
  /** The text at the end of an incomplete file. */
  readonly describe: (outcome: Exclude<ExportOutcome, 'complete'>, error: unknown) => string;
  /** ISO UTC. */
  readonly now: () => string;
}

/**
 * Writes records as they arrive. After a failure, the records that came before stay in the file, followed
 * by the reason.
 *
 * @throws what the sink throws: the file may then be damaged.
 */
export async function writeExport(request: WriteRequest): Promise<Exported> {
  const { format, batches, sink, signal, describe, now } = request;
  let records = 0;
  let ended: { readonly outcome: ExportOutcome; readonly error?: unknown } | undefined;
  await sink.write(format.head);
  // A batch whose text cannot be made has the records before the bad one.
  while (ended === undefined) {
    const { texts, ...rest } = await readNext(batches, format);
    ended = rest.ended;
    if (ended?.outcome === 'failed' && signal.aborted) ended = { outcome: 'cancelled' };
    if (texts.length === 0) continue;
    if (await sink.write(texts.join(''))) records += texts.length;
    else ended = { outcome: 'full' };
  }
  // After a full or unreadable batch, no more requests are needed.
  await batches.return('complete');
  const { outcome, error } = ended;
  await sink.end(outcome === 'complete' ? '' : format.partial(describe(outcome, error), now()));
  return { outcome, records, ...(outcome === 'failed' ? { error } : {}) };
}

/** The text of each of the next records, and why there are no more; errors of the sink are thrown. */
async function readNext(
  batches: WriteRequest['batches'],
  format: ExportFormat,
): Promise<{
  readonly texts: readonly string[];
  readonly ended?: { readonly outcome: ExportOutcome; readonly error?: unknown };
}> {
  const texts: string[] = [];
  try {
    const { done, value } = await batches.next();
    if (done === true) return { texts, ended: { outcome: value } };
    for (const record of value) texts.push(format.record(record));
    return { texts };
  } catch (error) {
    return { texts, ended: { outcome: 'failed', error } };
  }
}

/** The number of records that are formatted at once, which takes a few milliseconds. */
const atOnce = 1000;

/**
 * Returns loaded records like `exportRecords` returns those that it fetches.
 *
 * @param records oldest first.
 * @param isPartial whether the server left out records.
 * @param pause lets other tasks run.
 */
export async function* loadedRecords(
  records: readonly LogRecord[],
  isPartial: boolean,
  pause: () => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<readonly LogRecord[], ExportEnd> {
  for (let start = 0; start < records.length; start += atOnce) {
    signal.throwIfAborted();
    yield records.slice(start, start + atOnce);
    await pause();
  }
  return isPartial ? 'partial' : 'complete';
}

export interface ExportFormat {
  /** Without the dot. */
  readonly extension: string;
  /** The start of the file. */
  readonly head: string;
  /** A record as text, including the line break. */
  readonly record: (record: LogRecord) => string;
  /**
   * The last line of an incomplete file.
   *
   * @param timestamp ISO UTC.
   */
  readonly partial: (why: string, timestamp: string) => string;
}

/**
 * One JSON object per line, as the server sent it: control characters are JSON escapes, which a terminal or an editor
 * shows and a program reads back.
 */
export const ndjson: ExportFormat = {
  extension: 'ndjson',
  head: '',
  record: (record) => `${sanitiseJson(JSON.stringify(record))}\n`,
  partial: (why, timestamp) => `${JSON.stringify({ partial: true, why, timestamp })}\n`,
};

/** The lines of the output channel. */
export function textFormat(options: FormatterOptions): ExportFormat {
  const format = createFormatter(options);
  return {
    extension: 'log',
    head: '',
    record: format,
    partial: (text, timestamp) => format({ timestamp, level: 'warning', text }),
  };
}

const columns = [
  'timestamp',
  'severity',
  'workloadName',
  'service',
  'stream',
  'environment',
  'body',
  'traceId',
  'spanId',
  'workloadId',
  'serverId',
  'deploymentId',
  'previewId',
  'containerId',
  'eventId',
  'ingestedAt',
  'truncated',
] as const satisfies readonly (keyof LogRecord)[];

/**
 * Comma-separated values (RFC 4180), with the attributes as JSON. Log text is untrusted, so an apostrophe
 * is put before anything that a spreadsheet could take for a formula: at the start of a cell, and after
 * characters that some spreadsheets take for the end of one. Control characters are visible escapes.
 */
export const csv: ExportFormat = {
  extension: 'csv',
  head: row([...columns, 'attributes']),
  record: (record) =>
    row([
      ...columns.map((name) => guarded(clipboardText(String(record[name] ?? '')))),
      // JSON has its own escapes for the characters that separate cells.
      sanitiseJson(JSON.stringify(record.attributes)).replace(/[;|]/g, escaped),
    ]),
  partial: (why) => row([guarded(`PARTIAL: ${why}`), ...columns.map(() => '')]),
};

function row(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(text: string): string {
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function escaped(sign: string): string {
  return `\\u00${sign.charCodeAt(0).toString(16)}`;
}

/** The characters that start a formula, including full-width and small forms. */
const sign = /^[=+\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]/;
/** Characters that spreadsheets skip before a formula or take for separators or quotes, as a whole run. */
const run = lazyRegExp(String.raw`[\s;|"\p{C}\p{Default_Ignorable_Code_Point}]+|^`, 'gu');
/** What may end a cell, so that the next one starts after the run. */
const parting = /[;|"\t\r\n]/;

function guarded(text: string): string {
  return text.replace(run(), (found: string, start: number) => {
    const isFormula = sign.test(text.charAt(start + found.length));
    const isNextCell = isFormula && parting.test(found);
    const guardedRun = isNextCell ? `${found}'` : found;
    if (start > 0) return guardedRun;
    return (isFormula && !isNextCell) || /^[\t\r]/.test(found) ? `'${guardedRun}` : guardedRun;
  });
}
