import { EventSourceParserStream } from 'eventsource-parser/stream';
import { EventParser } from '../../../src/api/logStream';
import type { LogRecord } from '../../../src/api/types';
import type { Figure } from '../figures';
import { interleave, median, medianRatio } from '../statistics';
import { networkChunks, streamBytes } from './streamBytes';

/**
 * Only the stream stage: bytes to events, whose data is not parsed. The events are not named
 * `records`, so our client takes them as heartbeats instead of parsing and validating pages.
 */
export async function events(records: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const text = new TextDecoder().decode(streamBytes(records, 'mix'));
  const bytes = new TextEncoder().encode(text.replaceAll('event: records\n', 'event: another\n'));
  const chunks = networkChunks(bytes);
  const count = text.split('event: records\n').length - 1;
  const speed = async (work: () => number | Promise<number>): Promise<number> => {
    const start = performance.now();
    const read = await work();
    const elapsed = performance.now() - start;
    if (read !== count) throw new Error(`${read} events were read instead of ${count}.`);
    return bytes.length / 1000 / elapsed;
  };
  const speeds = await interleave(
    {
      ours: () => speed(() => readWithOurs(chunks)),
      streams: () => speed(() => readWithStreams(chunks)),
    },
    { rounds, warmUp: 5 },
  );
  return [
    {
      what: 'bytes to events, against streams',
      measure: 'MB/s',
      ours: median(speeds.ours),
      other: { name: 'eventsource-parser/stream', value: median(speeds.streams) },
      result: medianRatio(speeds.ours, speeds.streams),
      unit: '×',
      goal: { is: '>', value: 1 },
    },
  ];
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
