import { assert } from 'chai';
import { covers } from '../../covers';
import { ids, refusal } from '../logServer';
import { followed, liveTail, outcome } from './followed';

describe('a tail and the API key', () => {
  it(`is signed out without a key, and sends nothing ${covers('F19', 'unit')}`, async () => {
    const f = followed();
    f.key = undefined;
    f.tail.start();
    await f.clock.advance(1000);
    assert.equal(outcome(f), 'signedOut noKey');
    assert.lengthOf(f.server.queries, 0);
  });

  it(`is signed out if the storage fails ${covers('F49', 'unit')}`, async () => {
    const f = followed();
    Object.defineProperty(f, 'key', {
      get() {
        throw new Error('locked');
      },
    });
    f.tail.start();
    await f.clock.advance(1000);
    assert.equal(outcome(f), 'signedOut noKey');
  });

  it(`is signed out at 401 if the key is still the same ${covers('F19', 'unit')}`, async () => {
    const f = await liveTail();
    f.server.admin.revokeKey('demo-full');
    await f.clock.advance(60_000);
    assert.equal(outcome(f), 'signedOut unauthorized');
    assert.lengthOf(f.server.connects, 1);
  });

  it(`tries again at 401 if the key has changed ${covers('F19', 'unit')}`, async () => {
    const f = await liveTail();
    f.key = f.server.keys['demo-readonly'];
    f.server.admin.revokeKey('demo-full');
    f.server.append(1);
    await f.clock.advance(1000);
    assert.equal(f.tail.state.kind, 'live');
    assert.deepEqual(await f.shown(), ids(0, 4));
    f.key = 'unknown-key';
    const { length } = f.server.connects;
    f.server.admin.revokeKey('demo-readonly');
    await f.clock.advance(60_000);
    assert.equal(outcome(f), 'signedOut unauthorized');
    assert.isAtMost(f.server.connects.length, length + 1);
  });

  it(`ends at once if the key is removed in another window ${covers('F48', 'unit')}`, async () => {
    const f = await liveTail();
    f.key = undefined;
    f.tail.keyChanged();
    await f.clock.advance(0);
    assert.equal(outcome(f), 'signedOut noKey');
    assert.lengthOf(f.server.open, 0);
    assert.equal(f.liveTimers, 0);
  });

  it(`continues with a new key at once, and ignores the same key ${covers('F48', 'unit')}`, async () => {
    const f = await liveTail();
    f.tail.keyChanged();
    f.tail.keyChanged();
    await f.clock.advance(1000);
    assert.lengthOf(f.server.connects, 1);
    f.server.admin.revokeKey('demo-full');
    f.key = f.server.keys['demo-readonly'];
    f.tail.keyChanged();
    f.tail.keyChanged();
    f.server.append(1);
    await f.clock.advance(1000);
    assert.deepEqual(f.kinds(), ['connecting', 'live']);
    assert.deepEqual(
      f.server.open.map(({ key }) => key),
      ['demo-readonly'],
    );
    assert.equal(f.server.mostOpen, 1);
    assert.deepEqual(await f.shown(), ids(0, 4));
  });

  it(`accepts any number of new keys, though each invalidates the cursor ${covers('F48', 'unit')}`, async () => {
    const f = await liveTail();
    for (const name of ['demo-readonly', 'demo-logs', 'demo-full', 'demo-logs']) {
      f.key = f.server.keys[name];
      f.tail.keyChanged();
      await f.clock.advance(100);
    }
    f.server.append(2);
    await f.clock.advance(61_000);
    assert.equal(outcome(f), 'live');
    assert.deepEqual(await f.shown(), ids(0, 5));
  });

  it('does not wait for a back-off after a new key', async () => {
    const f = await liveTail();
    f.server.on.connect = () => Promise.reject(refusal(503, 25));
    f.server.open[0]?.end();
    await f.clock.advance(1000);
    f.server.on.connect = () => undefined;
    f.key = f.server.keys['demo-readonly'];
    f.tail.keyChanged();
    await f.clock.advance(0);
    assert.equal(f.tail.state.kind, 'live');
  });

  it('starts again with a new key after a 401', async () => {
    const f = await liveTail();
    f.server.admin.revokeKey('demo-full');
    await f.clock.advance(0);
    assert.equal(outcome(f), 'signedOut unauthorized');
    f.tail.keyChanged();
    await f.clock.advance(0);
    assert.equal(outcome(f), 'signedOut unauthorized');
    f.key = f.server.keys['demo-readonly'];
    f.server.append(1);
    f.tail.keyChanged();
    assert.deepEqual(await f.shown(), ids(0, 4));
    assert.equal(outcome(f), 'live');
  });

  it('starts again with a new key after a missing permission', async () => {
    const f = await liveTail();
    f.server.admin.changeAccess('demo-full', ['alert.read']);
    await f.clock.advance(0);
    assert.equal(outcome(f), 'missingPermission forbidden');
    f.key = f.server.keys['demo-readonly'];
    f.server.append(1);
    f.tail.keyChanged();
    assert.deepEqual(await f.shown(), ids(0, 4));
    assert.equal(outcome(f), 'live');
  });

  it('does not start again if it was stopped, failed otherwise or was never started', async () => {
    const f = await liveTail();
    f.server.open[0]?.fail(404);
    await f.clock.advance(0);
    f.key = f.server.keys['demo-readonly'];
    f.tail.keyChanged();
    await f.clock.advance(1000);
    assert.equal(outcome(f), 'notFound not_found');
    f.tail.stop();
    f.key = f.server.keys['demo-logs'];
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
