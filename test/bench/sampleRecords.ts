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
