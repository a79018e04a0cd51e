import { assert } from 'chai';
import type { ControlPlaneClient } from '../../../../src/api/client';
import { exportRecords } from '../../../../src/logs/explorer/exportRecords';
import {
  createProgressReporter,
  LiveSearch,
  type LoadState,
} from '../../../../src/logs/explorer/liveSearch';
import { scopeOf } from '../../../../src/logs/query/searchQuery';
import { seededRandom } from '../../../control-plane/random';
import type { Failure } from '../../../control-plane/inMemory';
import { covers } from '../../covers';
import { refusal } from '../logServer';
import { searchOf } from './explored';
import { filters, numbers, numbersOf, searched } from './searched';

/**
 * An export of two records, a page for each, where the second is refused in these ways first; and
 * what it reports: how many records, and until when it waits for which status.
 */
function exporting(...refusals: Failure[]) {
  const { clock, server, client } = searched(2);
  server.admin.unkind({ queryPage: 1 });
  server.on.query = ({ cursor }) => {
    const error = cursor === undefined ? undefined : refusals.shift();
    if (error) throw error;
  };
  const states: string[] = [];
  const words = ({ records, wait }: LoadState): string =>
    wait === undefined
      ? `${records}`
      : `${records}, ${wait.error.status} until ${new Date(wait.until).toISOString().slice(11, 19)}`;
  const start = clock.monotonic();
  const reporter = createProgressReporter((state) => {
    states.push(`${(clock.monotonic() - start) / 1000} s: ${words(state)}`);
  });
  async function run(): Promise<number> {
    const { signal } = new AbortController();
    let written = 0;
    const all = exportRecords({ client, filters, maxRecords: 1000, signal, ...reporter });
    for await (const records of all) written += records.length;
    return written;
  }
  return { clock, states, run };
}

describe('progress of a load', () => {
  it(`says how long the control plane asks to wait, but nothing of short waits ${covers('F23', 'unit')}`, async () => {
    const { clock, states, run } = exporting(refusal(429, 30), refusal(503, 5), refusal(500));
    assert.equal(await clock.run(run()), 2);
    // What is asked for, and half of the tenth more that a wait may have.
    assert.deepEqual(states, [
      '0 s: 1',
      '0 s: 1, 429 until 12:00:31',
      '31.5 s: 1',
      '31.5 s: 1, 503 until 12:00:36',
      '36.75 s: 1',
      '37.25 s: 2',
    ]);
    assert.strictEqual(clock.liveTimers, 0);
  });
});

describe('a search that is followed while newer records load', () => {
  it('loads again what came between that request and the cursor of the stream', async () => {
    const { clock, server, client } = searched(5);
    const query = searchOf('last:1h');
    const scope = scopeOf(query, { now: clock.now(), timeZone: 'UTC' }) ?? assert.fail();
    /** Holds back the answer to the next request. */
    let hold: Promise<void> | undefined;
    const slow: ControlPlaneClient = {
      ...client,
      async queryLogs(...request) {
        const held = hold;
        hold = undefined;
        const page = await client.queryLogs(...request);
        await held;
        return page;
      },
    };
    const source = { client: slow, readKey: () => Promise.resolve(server.key) };
    const search = new LiveSearch({ clock, random: seededRandom(1) }, source, query, scope);
    await clock.run(search.load('older'));
    let release = (): void => undefined;
    hold = new Promise((resolve) => (release = resolve));
    const running = search.load('newer');
    await clock.advance(0);
    server.append(3);
    search.follow();
    await clock.advance(0);
    assert.isEmpty(server.connects, 'it waits for what is loading');
    release();
    await clock.run(running);
    await clock.advance(0);
    assert.equal(search.status.following?.state.kind, 'live');
    assert.deepEqual(numbersOf(search.records), numbers(0, 8));
    search.dispose();
  });
});
