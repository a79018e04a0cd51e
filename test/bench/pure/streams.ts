import { createParser } from 'eventsource-parser';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { EventParser } from '../../../src/api/logStream';
import type { LogRecord } from '../../../src/api/types';
import { createFormatter } from '../../../src/logs/record/logLine';
import { ChannelLines } from '../../../src/logs/tail/channelLines';
import { figure, type Figure } from '../figures';
import { networkChunks, streamBytes, type PageSize } from '../streamBytes';
import { heapInMegabytes, interleave, milliseconds } from '../timing';
import { createBenchTail, endlessAnswer } from './benchTail';

const sizes: readonly [PageSize, string][] = [
  ['mix', 'lines: live mix of pages'],
  [1, 'lines: pages of 1 record'],
  [50, 'lines: pages of 50 records'],
  [500, 'lines: pages of 500 records'],
];

/** The length of a piece that the channel appends. */
const pieceLength = 64 * 1024;

/** Bytes of a stream to formatted lines, compared with the work that every client has to do. */
export async function lines(records: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [size, what] of sizes) {
    const bytes = streamBytes(records, size);
    const chunks = networkChunks(bytes);
    const speed = speedOf(bytes.length);
    const { floor, ours, stored } = await interleave(
      {
        floor: speed(() => parseEvents(chunks)),
        ours: speed(() => followChunks(chunks, records.length)),
        stored: speed(() => followChunks(chunks, records.length, new ChannelLines(20_000))),
      },
      { rounds, warmUp: 3 },
    );
    const against = ['floor', floor] as const;
    figures.push(figure(what, 'MB/s', ours, { against, by: 'ratio', goal: '≥ 0.7' }));
    if (size !== 'mix') continue;
    const kept = '…also kept for hovers and links';
    figures.push(figure(kept, 'MB/s', stored, { against, by: 'ratio' }));
  }
  return figures;
}

/**
 * Only the stream stage: bytes to events, whose data is not parsed. The events are not named
 * `records`, so our client takes them as heartbeats instead of parsing and validating pages.
 */
export async function events(records: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const text = new TextDecoder().decode(streamBytes(records, 'mix'));
  const bytes = new TextEncoder().encode(text.replaceAll('event: records\n', 'event: another\n'));
  const chunks = networkChunks(bytes);
  const speed = speedOf(bytes.length, text.split('event: records\n').length - 1);
  const { ours, streams } = await interleave(
    {
      ours: speed(() => readWithOurs(chunks)),
      streams: speed(() => readWithStreams(chunks)),
    },
    { rounds, warmUp: 5 },
  );
  const against = ['eventsource-parser/stream', streams] as const;
  const what = 'bytes to events, against streams';
  return [figure(what, 'MB/s', ours, { against, by: 'ratio', goal: '> 1' })];
}

/**
 * The heap after a million records and after a tenth of them, including the store of the visible
 * lines, with default limits. Once: it does not depend on the machine.
 */
export async function heap(records: readonly LogRecord[]): Promise<Figure[]> {
  const [early, late] = [100_000, 1_000_000];
  const format = createFormatter({ timeZone: 'local', showAttributes: false });
  const store = new ChannelLines(20_000);
  const sizes: number[] = [];
  let round = 0;
  const next = async (): Promise<Uint8Array | undefined> => {
    // A chunk from a socket arrives in its own turn of the event loop.
    await new Promise(setImmediate);
    if (round * records.length >= late) return undefined;
    const ids = records.map((record) => ({ ...record, eventId: `${round}-${record.eventId}` }));
    round++;
    return streamBytes(ids, 500);
  };
  let read = 0;
  await new Promise<void>((resolve) => {
    const tail = createBenchTail(
      () => Promise.resolve(endlessAnswer(next)),
      () => {
        for (const output of tail.read()) {
          if (output.kind !== 'records') continue;
          for (const record of output.records) store.append(record, format(record));
          read += output.records.length;
        }
        if (read === early || read === late) sizes.push(heapInMegabytes());
        if (read < late) return;
        tail.stop();
        resolve();
      },
    );
    tail.start();
  });
  const [afterEarly = NaN, afterLate = NaN] = sizes;
  const against = ['after 100,000', afterEarly] as const;
  const what = 'heap after 1,000,000 records';
  return [figure(what, 'MB', afterLate, { against, by: 'difference', goal: '≤ 5' })];
}

/** Measures MB/s of work that reads a stream and returns how much it found: this, or at least something. */
function speedOf(bytes: number, expected?: number) {
  return (work: () => number | Promise<number>) => async (): Promise<number> => {
    let found = 0;
    const time = await milliseconds(async () => void (found = await work()));
    if (found === 0 || found !== (expected ?? found)) {
      throw new Error(`${found} were read instead of ${expected ?? 'some'}.`);
    }
    return bytes / 1000 / time;
  };
}

function parseEvents(chunks: readonly Uint8Array[]): number {
  const decoder = new TextDecoder();
  let count = 0;
  const parser = createParser({
    onEvent({ data }) {
      if (typeof JSON.parse(data) === 'object') count++;
    },
  });
  for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
  return count;
}

/**
 * Follows a stream of these chunks and makes the text that the channel appends, in pieces of its
 * length, until all records are text; returns its length.
 *
 * @param store also takes the entries, as the channel's store does.
 */
async function followChunks(
  chunks: readonly Uint8Array[],
  records: number,
  store?: ChannelLines,
): Promise<number> {
  const format = createFormatter({ timeZone: 'local', showAttributes: false });
  let piece = '';
  let length = 0;
  let left = records;
  let isCut = false;
  const end = (): void => {
    // Reading a character makes the engine build the concatenated text.
    if (piece.charCodeAt(0) > 0) length += piece.length;
    if (isCut) length += store?.text().length ?? 0;
    isCut = false;
    piece = '';
  };
  let index = 0;
  await new Promise<void>((resolve) => {
    const tail = createBenchTail(
      () => Promise.resolve(endlessAnswer(() => chunks[index++])),
      // Once for all pages of a chunk, since no timer runs in between.
      () => queueMicrotask(flush),
    );
    const flush = (): void => {
      for (const output of tail.read()) {
        if (output.kind !== 'records') continue;
        for (const record of output.records) {
          const text = format(record);
          if (piece.length + text.length > pieceLength) end();
          if (store?.append(record, text) === false) isCut = true;
          piece += text;
        }
        left -= output.records.length;
      }
      if (left > 0) return;
      end();
      tail.stop();
      resolve();
    };
    tail.start();
  });
  return length;
}

/** A body of these chunks, as fast as they are read. */
function bodyOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let index = 0;
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks[index++];
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
  });
}

async function readWithOurs(chunks: readonly Uint8Array[]): Promise<number> {
  const parser = new EventParser('key');
  let count = 0;
  const reader = bodyOf(chunks).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return count;
    count += parser.push(value).length;
  }
}

/** As its documentation shows: one stream piped into the next. */
async function readWithStreams(chunks: readonly Uint8Array[]): Promise<number> {
  const events = bodyOf(chunks)
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  let count = 0;
  while (!(await events.read()).done) count++;
  return count;
}
