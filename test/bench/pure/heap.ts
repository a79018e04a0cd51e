import type { LogRecord } from '../../../src/api/types';
import { createFormatter } from '../../../src/logs/record/logLine';
import { ChannelLines } from '../../../src/logs/tail/channelLines';
import type { Figure } from '../figures';
import { createBenchTail } from './followChunks';
import { streamBytes } from './streamBytes';

const early = 100_000;
const late = 1_000_000;

/**
 * The heap after a million records and after a tenth of them, including the store of the visible
 * lines, with default limits.
 */
export async function heap(records: readonly LogRecord[]): Promise<Figure[]> {
  // Once: the heap after a garbage collection does not depend on the machine.
  const [afterEarly, afterLate] = await follow(records);
  return [
    {
      what: 'heap after 1,000,000 records',
      measure: 'MB',
      ours: afterLate,
      other: { name: 'after 100,000', value: afterEarly },
      result: afterLate - afterEarly,
      unit: 'MB',
      goal: { is: '≤', value: 5 },
    },
  ];
}

/** Follows a million records; returns the heap in MB after a tenth of them and after all. */
async function follow(records: readonly LogRecord[]): Promise<[number, number]> {
  const format = createFormatter({ timeZone: 'local', showAttributes: false });
  const store = new ChannelLines(20_000);
  const sizes: number[] = [];
  let taken = 0;
  await new Promise<void>((resolve) => {
    const tail = createBenchTail(
      () => Promise.resolve(answer(records)),
      () => {
        for (const output of tail.take()) {
          if (output.kind !== 'records') continue;
          for (const record of output.records) store.append(record, format(record));
          taken += output.records.length;
        }
        if (taken === early || taken === late) sizes.push(heapInMegabytes());
        if (taken < late) return;
        tail.stop();
        resolve();
      },
    );
    tail.start();
  });
  return [sizes[0] ?? NaN, sizes[1] ?? NaN];
}

/** The sample repeated under other ids; each repetition is made when the previous one is read. */
function answer(records: readonly LogRecord[]): Response {
  let round = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // A chunk from a socket arrives in its own turn of the event loop.
        await new Promise(setImmediate);
        if (round * records.length >= late) return new Promise(() => undefined);
        const ids = records.map((record) => ({ ...record, eventId: `${round}-${record.eventId}` }));
        controller.enqueue(streamBytes(ids, 500));
        round++;
        return undefined;
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

function heapInMegabytes(): number {
  if (!globalThis.gc) throw new Error('Run this with --expose-gc.');
  for (let time = 0; time < 3; time++) globalThis.gc();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
