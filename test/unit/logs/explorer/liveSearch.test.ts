import { assert } from 'chai';
import { exportRecords } from '../../../../src/logs/explorer/exportRecords';
import { createProgressReporter, type LoadState } from '../../../../src/logs/explorer/liveSearch';
import type { Failure } from '../../../control-plane/inMemory';
import { failure } from '../../api/cannedAnswers';
import { covers } from '../../covers';
import { refusal } from '../logServer';
import { filters, searched } from './searched';

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
  const told: string[] = [];
  const words = ({ records, wait }: LoadState): string =>
    wait === undefined
      ? `${records}`
      : `${records}, ${wait.error.status} until ${new Date(wait.until).toISOString().slice(11, 19)}`;
  const start = clock.monotonic();
  const reporter = createProgressReporter((state) => {
    told.push(`${(clock.monotonic() - start) / 1000} s: ${words(state)}`);
  });
  const controller = new AbortController();
  async function run(): Promise<number> {
    const { signal } = controller;
    let written = 0;
    const all = exportRecords({ client, filters, maxRecords: 1000, signal, ...reporter });
    for await (const records of all) written += records.length;
    return written;
  }
  return { clock, server, told, run, abort: (reason: Error) => controller.abort(reason) };
}

describe('progress of a load', () => {
  it(`says how long the control plane asks to wait, and when loading continues ${covers('F23', 'unit')}`, async () => {
    const { clock, told, run } = exporting(refusal(429, 30), refusal(503, 5));
    assert.equal(await clock.run(run()), 2);
    // What is asked for, and half of the tenth more that a wait may have.
    assert.deepEqual(told, [
      '0 s: 1',
      '0 s: 1, 429 until 12:00:31',
      '31.5 s: 1',
      '31.5 s: 1, 503 until 12:00:36',
      '36.75 s: 1',
      '36.75 s: 2',
    ]);
    assert.strictEqual(clock.liveTimers, 0);
  });

  it('does not mention short waits', async () => {
    const { clock, told, run } = exporting(refusal(500));
    await clock.run(run());
    assert.deepEqual(told, ['0 s: 1', '0.25 s: 2']);
  });

  it('ends with the wait when cancelled, without further requests', async () => {
    const { clock, server, told, run, abort } = exporting(refusal(429, 60));
    const failed = failure(run());
    await clock.advance(1000);
    assert.lengthOf(server.queries, 2);
    const reason = new Error('Enough.');
    abort(reason);
    assert.strictEqual(await failed, reason);
    assert.strictEqual(clock.liveTimers, 0);
    await clock.advance(100_000);
    assert.lengthOf(server.queries, 2);
    assert.deepEqual(told, ['0 s: 1', '0 s: 1, 429 until 12:01:03']);
  });
});
