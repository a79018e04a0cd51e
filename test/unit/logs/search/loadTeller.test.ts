import { assert } from 'chai';
import type { LogRecord } from '../../../../src/api/types';
import { exportRecords, type ExportEnd } from '../../../../src/logs/search/exportRecords';
import { createLoadTeller, type LoadState } from '../../../../src/logs/search/loadTeller';
import {
  failure,
  filters,
  harness,
  json,
  queryAnswer,
  refusal,
  type Handler,
  type Harness,
} from '../../api/cannedAnswers';
import { sampleRecord } from '../sampleRecord';

/** A page with one record, behind which there are more. */
function page(number: number, rest: object = { hasMore: true, nextCursor: `c${number}` }): Handler {
  const record = sampleRecord({ eventId: String(number) });
  return json({ ...queryAnswer, records: [record], ...rest });
}
const last = (number: number): Handler => page(number, {});

/** An export, and what is told of it: how many records, and until when it waits for which status. */
function exporting({ client, clock, signal }: Harness) {
  const told: string[] = [];
  const written: LogRecord[] = [];
  const words = ({ records, wait }: LoadState): string =>
    wait === undefined
      ? `${records}`
      : `${records}, ${wait.error.status} until ${new Date(wait.until).toISOString().slice(11, 19)}`;
  const start = clock.monotonic();
  const teller = createLoadTeller((state) => {
    told.push(`${(clock.monotonic() - start) / 1000} s: ${words(state)}`);
  });
  async function run(): Promise<ExportEnd> {
    const all = exportRecords({ client, filters, maxRecords: 1000, signal, ...teller });
    for (;;) {
      const { done, value } = await all.next();
      if (done === true) return value;
      written.push(...value);
    }
  }
  return { told, written, run };
}

describe('what is told of a load', () => {
  it('is for how long the control plane asks to wait, and that it goes on (F23)', async () => {
    const server = harness([
      page(1),
      refusal(429, { 'retry-after': '30' }),
      refusal(503, { 'retry-after': '5' }),
      last(2),
    ]);
    const { told, written, run } = exporting(server);
    assert.equal(await server.clock.run(run()), 'complete');
    assert.lengthOf(written, 2);
    // What is asked for, and half of the tenth more that a wait may have.
    assert.deepEqual(told, [
      '0 s: 1',
      '0 s: 1, 429 until 12:00:31',
      '31.5 s: 1',
      '31.5 s: 1, 503 until 12:00:36',
      '36.75 s: 1',
      '36.75 s: 2',
    ]);
    assert.strictEqual(server.clock.liveTimers, 0);
  });

  it('is nothing of waits that are over before anybody has read of them', async () => {
    const server = harness([page(1), refusal(500), last(2)]);
    const { told, run } = exporting(server);
    await server.clock.run(run());
    assert.deepEqual(told, ['0 s: 1', '0.25 s: 2']);
  });

  it('ends with the wait where it is cancelled, and nothing is asked for any more', async () => {
    const server = harness([page(1), refusal(429, { 'retry-after': '60' }), last(2)]);
    const { told, run } = exporting(server);
    const failed = failure(run());
    await server.clock.advance(1000);
    assert.lengthOf(server.received, 2);
    const reason = new Error('Enough.');
    server.abort(reason);
    assert.strictEqual(await failed, reason);
    assert.strictEqual(server.clock.liveTimers, 0);
    await server.clock.advance(100_000);
    assert.lengthOf(server.received, 2);
    assert.deepEqual(told, ['0 s: 1', '0 s: 1, 429 until 12:01:03']);
  });
});
