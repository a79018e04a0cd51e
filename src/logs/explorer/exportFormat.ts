import type { LogRecord } from '../../api/types';
import { createFormatter, type FormatterOptions } from '../record/format';

/** How records are written into a file. */
export interface ExportFormat {
  /** Without the dot. */
  readonly extension: string;
  /** What the file begins with. */
  readonly head: string;
  /** A record, with the end of its line. */
  readonly record: (record: LogRecord) => string;
  /**
   * Says at the end of the file that something is missing, so that nobody takes it for all.
   *
   * @param timestamp ISO UTC.
   */
  readonly partial: (why: string, timestamp: string) => string;
}

/** One JSON object a line, as the server sent it. */
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
 * Comma-separated values as RFC 4180 has them, the attributes as JSON. What a spreadsheet would take for
 * a formula gets an apostrophe before it, since anybody can write into a log: at the beginning of a cell,
 * and behind what another spreadsheet takes for the end of one.
 */
export const csv: ExportFormat = {
  extension: 'csv',
  head: row([...columns, 'attributes']),
  record: (record) =>
    row([
      ...columns.map((name) => guarded(String(record[name] ?? ''))),
      // JSON has a way of its own to write what parts cells.
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

/** What begins a formula, in full width and small too. */
const sign = /^[=+\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]/;
/** What may be passed over before it, or parts cells: a whole run, so that each is looked at once. */
const run = /[\s;|\p{C}\p{Default_Ignorable_Code_Point}]+|^/gu;
const parting = /[;|\t\r\n]/;

function guarded(text: string): string {
  return text.replace(run, (found: string, start: number) => {
    const isFormula = sign.test(text.charAt(start + found.length));
    if (start === 0) return isFormula || /^[\t\r]/.test(found) ? `'${found}` : found;
    return isFormula && parting.test(found) ? `${found}'` : found;
  });
}
