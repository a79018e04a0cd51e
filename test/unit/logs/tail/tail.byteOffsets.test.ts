import { assert } from 'chai';
import { event, type InMemoryControlPlane, type LogStream } from '../../../control-plane/inMemory';
import { scaled } from '../../../host/slowness';
import { covers } from '../../covers';
import { fakeClock } from '../../fakeClock';
import { isLong, shortOrLong } from '../../long';
import { ids, logServer } from '../logServer';
import { followed } from './followed';

/** Characters of one to four bytes, so that a cut can fall into each of them. */
const body = 'größer € 😀';
const endpoint = 'post_logs_tail';

interface Cut {
  /** The number of bytes that arrive. */
  readonly afterBytes: number;
  /** Whether the stream ends cleanly, or the connection breaks. */
  readonly kind: 'end' | 'cut';
}

/** Follows a stream of three events whose first connection is cut, and then two more records. */
async function follow(
  cut: Cut | undefined,
): Promise<{ shown: string[]; server: InMemoryControlPlane; events: string[] }> {
  const clock = fakeClock();
  const server = logServer({ clock, unkind: { streamPage: 1 } });
  const f = followed({ clock, server });
  const events: string[] = [];
  server.append(1, { body });
  if (cut !== undefined) server.admin.fault({ ...cut, endpoint });
  server.on.connect = () => {
    if (server.connects.length === 1) server.append(3, { body });
  };
  server.on.open = (stream: LogStream) => {
    for (const at of [1, 2, 3])
      events.push(event('records', JSON.stringify(stream.page(at, at + 1))));
  };
  f.tail.start();
  await clock.advance(3000);
  server.append(1, { body });
  const shown = await f.shown();
  f.tail.stop();
  await clock.advance(0);
  return { shown, server, events };
}

/**
 * In a full run all bytes; otherwise those around the ends of events and long characters, and some more.
 */
function offsets(bytes: Uint8Array): number[] {
  const near = (at: number): boolean =>
    bytes.subarray(Math.max(0, at - 2), at + 2).some((byte) => byte === 10 || byte >= 0xf0);
  const all = Array.from({ length: bytes.length + 1 }, (_, at) => at);
  return all.filter((at) => isLong || at < 3 || near(at) || at % 97 === 0);
}

describe('a tail', () => {
  for (const kind of ['end', 'cut'] as const) {
    it(`loses and repeats nothing after a disconnect at any byte of three events: ${kind === 'end' ? 'a clean end' : 'a break'} ${covers('F8, F16, F17', 'unit')}`, async function () {
      this.timeout(scaled(600_000));
      const whole = await follow(undefined);
      const bytes = Buffer.from(whole.events.join(''));
      const cuts = offsets(bytes);
      assert.isAbove(cuts.length, shortOrLong(50, 2000));
      for (const afterBytes of cuts) {
        const { shown, server } = await follow({ afterBytes, kind });
        assert.deepEqual(shown, ids(0, 5), `after ${afterBytes} of ${bytes.length} bytes`);
        assert.lengthOf(server.connects, 2);
        assert.lengthOf(server.open, 0);
      }
    });
  }
});
