import type { LogRecord } from '../../src/api/types';
import { createGenerator } from '../control-plane/generator';
import { createRandom } from '../control-plane/random';
import { createWorld } from '../control-plane/world';

/** Enough bytes for tenths of a second, and more ids than the tail remembers. */
const count = 20_000;
const perSecond = 1000;

/** Records like those that the embedded control plane generates, of the last seconds. */
export function sampleRecords(): LogRecord[] {
  const now = Date.now();
  const random = createRandom(1);
  const world = createWorld(random.fork('world'), now);
  const generator = createGenerator(world, random.fork('logs'));
  return generator.make(count, now - (count / perSecond) * 1000, now);
}

/** The records again and again, as new objects: what is computed of a record is kept with it. */
export function repeated(
  records: readonly LogRecord[],
  length: number,
  changed: (record: LogRecord, index: number) => Partial<LogRecord> = () => ({}),
): LogRecord[] {
  return Array.from({ length }, (_, index): LogRecord => {
    const record = records[index % records.length]!;
    return { ...record, ...changed(record, index) };
  });
}
