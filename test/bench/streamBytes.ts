import type { LogQueryResponse, LogRecord } from '../../src/api/types';

/** Records in a page of a stream; `mix` is typical of a tail over a day. */
export type PageSize = 1 | 50 | 500 | 'mix';

/** A quarter of the records is in pages of each of these sizes. */
const mixed = [1, 5, 50, 500];

const localization: LogQueryResponse['localization'] = {
  dateFormat: 'year-month-day',
  timeFormat: '24-hour-seconds',
  timeZone: 'UTC',
  timestamps: {},
};

/** A log page, with the cursor of the next one. */
export function pageOf(
  records: readonly LogRecord[],
  { followCursor = 'start', nextCursor }: { followCursor?: string; nextCursor?: string } = {},
): LogQueryResponse {
  return {
    accessRevision: '17',
    followCursor,
    records: [...records],
    nextCursor: nextCursor ?? null,
    hasMore: nextCursor !== undefined,
    partial: false,
    snapshotAt: records.at(-1)?.ingestedAt ?? new Date().toISOString(),
    localization,
  };
}

/** The body of a log stream with these records. */
export function streamBytes(records: readonly LogRecord[], size: PageSize): Uint8Array {
  const events: string[] = [];
  const turns = size === 'mix' ? mixed : [size];
  for (let index = 0, turn = 0; index < records.length; turn++) {
    const pageSize = turns[turn % turns.length] ?? 1;
    // Alternates between the sizes every five hundred records.
    const end = Math.min(records.length, index + Math.max(500, pageSize));
    for (; index < end; index += pageSize) {
      const followCursor = `${String(index).padStart(12, '0')}${'c'.repeat(84)}`;
      const part = records.slice(index, Math.min(end, index + pageSize));
      const { localization: _, ...page } = pageOf(part, { followCursor });
      events.push(`event: records\ndata: ${JSON.stringify(page)}\n\n`);
    }
    index = end;
  }
  return new TextEncoder().encode(events.join(''));
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
