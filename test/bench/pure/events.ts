import { EventSource } from 'eventsource';
import { getBytes, getLines, getMessages } from '@microsoft/fetch-event-source/lib/esm/parse';
import { createEventParser } from '../../../src/api/eventParser';
import type { LogRecord } from '../../../src/api/types';
import type { Figure } from '../figures';
import { interleave, median, medianRatio } from '../statistics';
import { networkChunks, streamBytes } from './streamBytes';

/**
 * The stream stage alone: bytes to events, whose data nobody reads. The events have another name than
 * `records`, so that ours takes them for signs of life instead of parsing and validating pages.
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
    if (read !== count) throw new Error(`${read} instead of ${count} events were read.`);
    return bytes.length / 1000 / elapsed;
  };
  const speeds = await interleave(
    {
      ours: () => speed(() => readWithOurs(chunks)),
      eventsource: () => speed(() => readWithEventSource(chunks, count)),
      fetchEventSource: () => speed(() => readWithFetchEventSource(chunks)),
    },
    { rounds, warmUp: 5 },
  );
  const figure = (name: string, others: readonly number[]): Figure => ({
    what: `bytes to events, against ${name}`,
    measure: 'MB/s',
    ours: median(speeds.ours),
    other: { name, value: median(others) },
    result: medianRatio(speeds.ours, others),
    unit: '×',
    goal: { is: '>', value: 1 },
  });
  return [
    figure('eventsource', speeds.eventsource),
    figure('fetch-event-source', speeds.fetchEventSource),
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

/** Through the same loop over a body that `eventsource` has, which cannot be left out there. */
async function readWithOurs(chunks: readonly Uint8Array[]): Promise<number> {
  const parser = createEventParser('key');
  let count = 0;
  const reader = bodyOf(chunks).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return count;
    count += parser.push(value).length;
  }
}

async function readWithEventSource(chunks: readonly Uint8Array[], count: number): Promise<number> {
  return new Promise((resolve) => {
    let read = 0;
    const source = new EventSource('http://127.0.0.1/', {
      fetch: () =>
        Promise.resolve(
          new Response(bodyOf(chunks), { headers: { 'content-type': 'text/event-stream' } }),
        ),
    });
    source.addEventListener('another', () => {
      if (++read < count) return;
      source.close();
      resolve(read);
    });
    source.addEventListener('error', () => {
      source.close();
      resolve(read);
    });
  });
}

async function readWithFetchEventSource(chunks: readonly Uint8Array[]): Promise<number> {
  let count = 0;
  const onMessage = (): void => {
    count++;
  };
  const nothing = (): void => undefined;
  await getBytes(bodyOf(chunks), getLines(getMessages(nothing, nothing, onMessage)));
  return count;
}
