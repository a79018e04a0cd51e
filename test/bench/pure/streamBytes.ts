import type { LogPage, LogRecord } from '../../../src/api/types';

/** Records in a page of a stream; `mix` is typical of a tail over a day. */
export type PageSize = 1 | 50 | 500 | 'mix';

/** A quarter of the records is in pages of each of these sizes. */
const mixed = [1, 5, 50, 500];

/** The body of a log stream with these records. */
export function streamBytes(records: readonly LogRecord[], size: PageSize): Uint8Array {
  const events: string[] = [];
  const turns = size === 'mix' ? mixed : [size];
  for (let index = 0, turn = 0; index < records.length; turn++) {
    const pageSize = turns[turn % turns.length] ?? 1;
    // Alternates between the sizes every five hundred records.
    const end = Math.min(records.length, index + Math.max(500, pageSize));
    for (; index < end; index += pageSize) {
      events.push(event(records.slice(index, Math.min(end, index + pageSize)), index));
    }
    index = end;
  }
  return new TextEncoder().encode(events.join(''));
}

function event(records: readonly LogRecord[], index: number): string {
  const page: LogPage = {
    accessRevision: '17',
    followCursor: `${String(index).padStart(12, '0')}${'c'.repeat(84)}`,
    records: [...records],
    nextCursor: null,
    hasMore: false,
    partial: false,
    snapshotAt: records.at(-1)?.ingestedAt ?? '',
  };
  return `event: records\ndata: ${JSON.stringify(page)}\n\n`;
}

/** Splits a body as a network does: into chunks of 16 to 64 KiB, always the same ones. */
export function networkChunks(bytes: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let state = 1;
  for (let at = 0; at < bytes.length;) {
    state = (state * 48_271) % 2_147_483_647;
    const length = 16_384 + (state % 49_153);
    // Copies: a real chunk owns its memory.
    chunks.push(bytes.slice(at, at + length));
    at += length;
  }
  return chunks;
}
