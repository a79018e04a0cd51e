import { assert } from 'chai';
import { getEventListeners } from 'node:events';
import { covers } from '../covers';
import {
  bodyOf,
  broken,
  canary,
  failure,
  harness,
  json,
  refusal,
  silent,
  type Handler,
} from './cannedAnswers';

describe('an abort of the client', () => {
  const reason = new Error('the view was closed');

  const moments: [string, Handler, number][] = [
    ['before the headers', silent, 0],
    ['in the body', broken(bodyOf(['{'], 'stall')), 0],
    ['in the body of an error', broken(bodyOf(['{'], 'stall'), { status: 404 }), 0],
    ['between two tries', refusal(429, { 'retry-after': '60' }), 30_000],
    ['if fetch ignores it', () => new Promise(() => undefined), 0],
  ];
  for (const [when, handler, after] of moments) {
    for (const whose of ['its own signal', 'the lifetime of the client'] as const) {
      it(`ends the call with its reason and leaves nothing ${when}, by ${whose} ${covers('F34, F39, F63', 'unit')}`, async () => {
        const life = new AbortController();
        const own = harness(handler, { lifetime: life.signal });
        const { client, clock, received, signal } = own;
        const end = failure(client.listIntegrations({ signal, priority: 'person' }));
        await clock.advance(after);
        (whose === 'its own signal' ? own : life).abort(reason);
        assert.strictEqual(await end, reason);
        assert.strictEqual(clock.liveTimers, 0);
        assert.lengthOf(getEventListeners(life.signal, 'abort'), 0);
        assert.lengthOf(getEventListeners(signal, 'abort'), 0);
        assert.lengthOf(received, 1);
        assert.isTrue(received[0]?.request.signal.aborted);
      });
    }
  }

  it(`ends all calls that wait, which leave no listener on a signal of them all ${covers('F39', 'unit')}`, async () => {
    const { client, clock, received, signal, abort } = harness(silent);
    const calls = Array.from({ length: 100 }, () =>
      failure(client.listIntegrations({ signal, priority: 'automatic' })),
    );
    await clock.advance(0);
    assert.isBelow(received.length, calls.length, 'some wait');
    assert.lengthOf(getEventListeners(signal, 'abort'), 0);
    abort(reason);
    for (const end of await Promise.all(calls)) assert.strictEqual(end, reason);
  });

  it('sends nothing before the call', async () => {
    const { client, received, entries, signal, abort } = harness(json({}));
    abort(reason);
    assert.strictEqual(
      await failure(client.listIntegrations({ signal, priority: 'person' })),
      reason,
    );
    assert.lengthOf(received, 0);
    assert.lengthOf(entries, 0);
  });

  it('sends nothing while the key is read', async () => {
    const { client, received, entries, signal, abort } = harness(json({}), {
      token: () => {
        abort(reason);
        return Promise.resolve(canary);
      },
    });
    assert.strictEqual(
      await failure(client.listIntegrations({ signal, priority: 'person' })),
      reason,
    );
    assert.lengthOf(received, 0);
    assert.lengthOf(entries, 0);
  });

  it('is reported to the diagnostics', async () => {
    const { client, clock, entries, signal, abort } = harness(silent);
    const end = failure(client.listIntegrations({ signal, priority: 'person' }));
    await clock.advance(0);
    abort(reason);
    await end;
    assert.deepEqual(
      entries.map((entry) => [entry.status, entry.failure]),
      [[undefined, 'aborted']],
    );
  });
});
