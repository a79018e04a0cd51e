import { assert } from 'chai';
import { followed, type Followed } from './followed';
import { httpError, ids } from './simulatedServer';

/** A tail on a server that knows one key, which it asks for when a stream opens and later. */
async function live(serverKey: { value: string }): Promise<Followed> {
  const f = followed();
  const check = (): void => {
    if (f.key !== serverKey.value) throw httpError(401);
  };
  f.server.onConnect = check;
  f.server.onQuery = check;
  f.server.append(2);
  f.tail.start();
  await f.shown();
  return f;
}

function failure({ tail: { state } }: Followed): string | undefined {
  return state.kind === 'failed' ? `${state.why.kind} ${state.why.error.code}` : undefined;
}

describe('A tail and the API key', () => {
  it('is signed out without one, and asks nothing (F19)', async () => {
    const f = followed();
    f.key = undefined;
    f.tail.start();
    await f.clock.advance(1000);
    assert.equal(failure(f), 'signedOut noKey');
    assert.lengthOf(f.server.queries, 0);
  });

  it('is signed out where the store fails (F49)', async () => {
    const f = followed();
    Object.defineProperty(f, 'key', {
      get() {
        throw new Error('locked');
      },
    });
    f.tail.start();
    await f.clock.advance(1000);
    assert.equal(failure(f), 'signedOut noKey');
  });

  it('is signed out at 401 where the key is still the same (F19)', async () => {
    const serverKey = { value: 'key-1' };
    const f = await live(serverKey);
    serverKey.value = 'key-2';
    f.server.open[0]?.fail(httpError(401));
    await f.clock.advance(60_000);
    assert.equal(failure(f), 'signedOut code_401');
    assert.lengthOf(f.server.connects, 1);
  });

  it('tries once more at 401 where the key has changed (F19)', async () => {
    const serverKey = { value: 'key-1' };
    const f = await live(serverKey);
    serverKey.value = 'key-2';
    f.key = 'key-2';
    f.server.open[0]?.fail(httpError(401));
    await f.clock.advance(0);
    assert.equal(f.tail.state.kind, 'live');
    f.key = 'key-3';
    f.server.open[0]?.fail(httpError(401));
    await f.clock.advance(60_000);
    assert.equal(failure(f), 'signedOut code_401');
    assert.lengthOf(f.server.connects, 3);
  });

  it('ends at once where the key is gone in another window (F48)', async () => {
    const f = await live({ value: 'key-1' });
    f.key = undefined;
    f.tail.keyChanged();
    await f.clock.advance(0);
    assert.equal(failure(f), 'signedOut noKey');
    assert.lengthOf(f.server.open, 0);
    assert.equal(f.clock.liveTimers, 0);
  });

  it('goes on with a new key at once, and lets an old one be (F48)', async () => {
    const serverKey = { value: 'key-1' };
    const f = await live(serverKey);
    f.tail.keyChanged();
    f.tail.keyChanged();
    await f.clock.advance(1000);
    assert.lengthOf(f.server.connects, 1);
    serverKey.value = f.key = 'key-2';
    f.tail.keyChanged();
    f.tail.keyChanged();
    f.server.append(1);
    await f.clock.advance(1000);
    assert.lengthOf(f.server.connects, 2);
    assert.equal(f.server.mostOpen, 1);
    assert.deepEqual(await f.shown(), ids(0, 3));
    assert.deepEqual(f.kinds(), ['connecting', 'live']);
  });

  it('does not wait for a back-off with a new key', async () => {
    const f = await live({ value: 'key-1' });
    f.server.onConnect = () => Promise.reject(httpError(503, { retryAfter: 25_000 }));
    f.server.open[0]?.close();
    await f.clock.advance(1000);
    f.server.onConnect = () => undefined;
    f.key = 'key-2';
    f.tail.keyChanged();
    await f.clock.advance(0);
    assert.equal(f.tail.state.kind, 'live');
  });

  for (const [status, kind] of [
    [401, 'signedOut'],
    [403, 'missingPermission'],
  ] as const) {
    it(`starts again with a new key where the old one ended it with ${status}`, async () => {
      const f = await live({ value: 'key-1' });
      f.server.open[0]?.fail(httpError(status));
      f.server.onConnect = () => undefined;
      await f.clock.advance(0);
      assert.equal(failure(f), `${kind} code_${status}`);
      f.tail.keyChanged();
      await f.clock.advance(0);
      assert.equal(failure(f), `${kind} code_${status}`);
      f.key = 'key-2';
      f.server.append(1);
      f.tail.keyChanged();
      await f.clock.advance(1000);
      assert.equal(f.tail.state.kind, 'live');
      assert.deepEqual(await f.shown(), ids(0, 3));
    });
  }

  it('does not start again what has stopped, failed otherwise or was never started', async () => {
    const f = await live({ value: 'key-1' });
    f.server.open[0]?.fail(httpError(404));
    await f.clock.advance(0);
    f.key = 'key-2';
    f.tail.keyChanged();
    await f.clock.advance(1000);
    assert.equal(failure(f), 'notFound code_404');
    f.tail.stop();
    f.key = 'key-3';
    f.tail.keyChanged();
    await f.clock.advance(1000);
    assert.equal(f.tail.state.kind, 'stopped');
    f.tail.keyChanged();
    f.tail.start();
    f.tail.stop();
    await f.clock.advance(1000);
    assert.lengthOf(f.server.connects, 1);
  });
});
