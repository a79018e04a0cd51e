import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { assert } from 'chai';
import { idAt } from '../../../control-plane/inMemory';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';
import { followed } from './followed';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const second = 1000;
const hours = shortOrLong(6, 24);
const mebibyte = 1024 * 1024;

/** The slope of the best fitting line through the points, by their index. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const above = values.reduce((sum, value, x) => sum + (x - middle) * (value - mean), 0);
  return above / values.reduce((sum, _, x) => sum + (x - middle) ** 2, 0);
}

describe('a day of a tail', () => {
  it(`leaves memory, timers and handles as they were, and loses nothing ${covers('F14, F38', 'unit')}`, async function () {
    this.timeout(60_000);
    let next = 0;
    const f = followed({
      // So that the server itself remembers little.
      plane: { maxRecords: 1000, heartbeatSeconds: 15 },
      takes: false,
      onReceive({ tail }) {
        for (const output of tail.take()) {
          if (output.kind !== 'records') assert.fail(output.kind);
          for (const { eventId } of output.records) {
            if (eventId !== idAt(next++)) assert.fail(`${eventId} instead of ${next - 1}`);
          }
        }
      },
    });
    await f.begin();

    const heap: number[] = [];
    const timers = new Set<number>();
    const handles: number[] = [];
    let made = 0;
    for (let hour = 0; hour < hours; hour++) {
      // Five records per second.
      for (let seconds = 0; seconds < 3600; seconds += 20) {
        made += f.server.append(100, { body: `${'x'.repeat(100)} ${made}` }).length;
        await f.clock.advance(20 * second);
      }
      f.server.admin.reset();
      collectGarbage();
      heap.push(process.memoryUsage().heapUsed / mebibyte);
      timers.add(f.liveTimers);
      handles.push(process.getActiveResourcesInfo().length);
    }

    // A stream lasts for five minutes.
    assert.isAtLeast(f.server.connects.length, 12 * hours - 2);
    assert.equal(made, 5 * 3600 * hours);
    assert.equal(next, made);
    assert.deepEqual(f.kinds(), ['connecting', 'live']);
    assert.isBelow(slopeOf(heap.slice(2)), 1, `MiB an hour, of ${heap.map(Math.round).join(' ')}`);
    // The watch over a stream, or the wait between two streams.
    assert.isAtMost(Math.max(...timers), 2);
    assert.isAtMost(Math.max(...handles.slice(2)), handles[0]!);
    f.tail.stop();
    await f.clock.advance(2 * second);
    assert.lengthOf(f.server.open, 0);
    assert.equal(f.liveTimers, 0);
  });
});
