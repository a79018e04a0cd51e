import type { LogRecord } from '../../../src/api/types';
import { pageOf } from './replayServer';

/** The most records of a page that the contract allows. */
const pageLength = 500;

/** The answers to one search, as prepared text. */
export interface ExplorerPages {
  /** The answer to a request with this body. */
  answer(body: unknown): string;
  /** The size of all records as JSON, in bytes. */
  readonly bytes: number;
}

/** A search with this many results: the records of a sample repeated with other ids and times. */
export function explorerPages(sample: readonly LogRecord[], count: number): ExplorerPages {
  const newest = Date.now();
  const pages: string[] = [];
  let bytes = 0;
  for (let from = 0; from < count; from += pageLength) {
    const records = Array.from({ length: Math.min(pageLength, count - from) }, (_, offset) =>
      recordAt(sample, from + offset, newest),
    );
    bytes += Buffer.byteLength(JSON.stringify(records));
    const next = from + pageLength < count ? String(pages.length + 1) : undefined;
    pages.push(JSON.stringify(pageOf(records, next)));
  }
  return {
    bytes,
    answer(body) {
      const { cursor = '0', direction } = body as { cursor?: string; direction?: string };
      // The first page has the newest.
      if (direction === 'newer') return JSON.stringify(pageOf([], undefined));
      return pages[Number(cursor)] ?? JSON.stringify(pageOf([], undefined));
    },
  };
}

/** One full page whose newest record has this body. */
export function onePage(sample: readonly LogRecord[], body: string): string {
  const newest = Date.now();
  const records = Array.from({ length: pageLength }, (_, index) => recordAt(sample, index, newest));
  const [first] = records;
  return JSON.stringify(pageOf([{ ...first!, body }, ...records.slice(1)], undefined));
}

/** @param index counted from the newest. */
function recordAt(sample: readonly LogRecord[], index: number, newest: number): LogRecord {
  const record = sample[sample.length - 1 - (index % sample.length)]!;
  const timestamp = new Date(newest - index * 10).toISOString();
  return { ...record, eventId: `explorer-${index}`, timestamp, ingestedAt: timestamp };
}
