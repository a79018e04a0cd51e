import type { LogRecord } from '../../../src/api/types';
import { sampleRecord } from '../logs/sampleRecord';

/** Reads a text as the product does. What it returns does not matter. */
export type Reader = (text: string) => unknown;

/** A record with a text in each place that a reader may look at. */
export function recordWith(text: string): LogRecord {
  return sampleRecord({
    ...{ body: text, severityText: text, workloadName: text, service: text, previewId: text },
    attributes: { 'exception.stacktrace': text, [text]: text },
  });
}

/** The JSON of a page with such a record. A longer cursor is refused. */
export function pageWith(text: string): unknown {
  const records = [{ ...recordWith(text), severity: text, attributes: { [text]: [text] } }];
  return { records, nextCursor: null, followCursor: text.slice(0, 8000) };
}
