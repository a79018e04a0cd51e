import type { LogRecord } from '../../api/types';
import { createFormatter, type FormatterOptions } from '../record/logLine';

/** The format of an exported file. */
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

/** One JSON object per line, as the server sent it. */
export const ndjson: ExportFormat = {
  extension: 'ndjson',
  head: '',
  record: (record) => `${JSON.stringify(record)}\n`,
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
 * characters that some spreadsheets take for the end of one.
 */
export const csv: ExportFormat = {
  extension: 'csv',
  head: row([...columns, 'attributes']),
  record: (record) =>
    row([
      ...columns.map((name) => guarded(String(record[name] ?? ''))),
      // JSON has its own escapes for the characters that separate cells.
      JSON.stringify(record.attributes).replace(/[;|]/g, escaped),
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
const run = /[\s;|"\p{C}\p{Default_Ignorable_Code_Point}]+|^/gu;
/** What may end a cell, so that the next one starts after the run. */
const parting = /[;|"\t\r\n]/;

function guarded(text: string): string {
  return text.replace(run, (found: string, start: number) => {
    const isFormula = sign.test(text.charAt(start + found.length));
    const isNextCell = isFormula && parting.test(found);
    const guardedRun = isNextCell ? `${found}'` : found;
    if (start > 0) return guardedRun;
    return (isFormula && !isNextCell) || /^[\t\r]/.test(found) ? `'${guardedRun}` : guardedRun;
  });
}
