import { assert } from 'chai';
import { getEventListeners } from 'node:events';
import { RequestScheduler } from '../../../src/api/requestScheduler';
import { fakeClock, settle } from '../fakeClock';

describe('RequestScheduler', () => {
  it('leaves no listeners on the signal that many calls share, waiting or sent', async () => {
    const scheduler = new RequestScheduler(fakeClock(), () => 0);
    const connection = new AbortController();
    const { signal } = connection;
    let sent = 0;
    const calls = Array.from({ length: 100 }, () =>
      scheduler.run('listResources', { signal, priority: 'automatic' }, () => {
        sent++;
        return new Promise<never>(() => undefined);
      }),
    );
    await settle();
    const results = Promise.allSettled(calls.slice(sent));
    assert.isAbove(calls.length, sent, 'some wait');
    assert.lengthOf(getEventListeners(signal, 'abort'), 0);
    const why = new Error('The connection ended.');
    connection.abort(why);
    for (const result of await results) {
      assert.strictEqual((result as PromiseRejectedResult).reason, why);
    }
  });
});
