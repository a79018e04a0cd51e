import type { LogRecord } from '../../../src/api/types';
import { RecordJoiner } from '../../../src/logs/record/joinRecords';
import { bodyText } from '../../../src/logs/record/readableBody';
import { figure, type Figure } from '../figures';
import { repeated } from '../sampleRecords';
import { interleave } from '../timing';

const count = 50_000;
/** Records of a read of the channel. */
const atOnce = 500;

/** What plain records cost, compared with parsing them as JSON, which every client has to do: in processor time. */
export async function bodies(records: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const lines = [
    (n: number) => `GET /api/orders/${n} 200 ${n % 300} ms`,
    (n: number) => `cart ${n} of user ${n % 77} has been handled`,
    (n: number) => `retrying payment after ${n % 30} s: connection reset by peer`,
    (n: number) => `INFO worker: started queue (${n % 10} workers)`,
  ];
  const [sample] = records;
  if (sample === undefined) throw new Error('There are no records.');
  const plain = repeated([sample], count, (record, index) => ({
    body: lines[index % lines.length]?.(index) ?? record.body,
    containerId: String(index % 20).padStart(64, 'a'),
  }));
  const texts = plain.map((record) => JSON.stringify(record));
  const { parse, read, join } = await interleave(
    {
      parse: () => processorTime(() => texts.forEach((text) => void JSON.parse(text))),
      read: () => processorTime(() => plain.forEach((record) => bodyText(record, 'readable'))),
      join: () => processorTime(() => joinAll(plain)),
    },
    { rounds, warmUp: 3 },
  );
  const against = ['JSON.parse', parse] as const;
  return [
    figure('50,000 plain bodies read', 'ms', read, { against, by: 'ratio', goal: '≤ 0.4' }),
    figure('…and joined to entries', 'ms', join, { against, by: 'ratio', goal: '≤ 0.25' }),
  ];
}

function joinAll(records: readonly LogRecord[]): void {
  const joiner = new RecordJoiner();
  for (const [index, record] of records.entries()) {
    joiner.add(record, index);
    if (index % atOnce === atOnce - 1) joiner.read(index);
  }
  joiner.readAll();
}

function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
