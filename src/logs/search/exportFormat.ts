import type { LogRecord } from '../../api/types';
import { createFormatter, type FormatterOptions } from '../lines/format';

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
 * Comma-separated values as RFC 4180 has them, the attributes as JSON. A cell that a spreadsheet would
 * take for a formula gets an apostrophe before it, since anybody can write into a log.
 */
export const csv: ExportFormat = {
  extension: 'csv',
  head: row([...columns, 'attributes']),
  record: (record) =>
    row([...columns.map((name) => String(record[name] ?? '')), JSON.stringify(record.attributes)]),
  partial: (why) => row([`PARTIAL: ${why}`, ...columns.map(() => '')]),
};

function row(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
