import { assert } from 'chai';
import { covers } from '../../covers';
import { refusal } from '../logServer';
import { numbers } from './searched';
import { endStreams, explored, followingOf, type Explored } from './explored';

/** An explorer that shows the last five of twelve records, and follows them: the last came on the stream. */
async function following(): Promise<Explored> {
  const e = explored(11);
  await e.run();
  await e.after(() => e.explorer.follow());
  await e.after(() => e.server.append(1));
  e.events.length = 0;
  return e;
}

describe('explorer session when permissions change', () => {
  it(`removes its records at once and loads the permitted ones ${covers('F30', 'unit')}`, async () => {
    for (const end of ['older', 'newer'] as const) {
      const e = explored(12);
      await e.run();
      e.events.length = 0;
      e.server.admin.changeAccess('demo-full');
      await e.after(() => e.explorer.load(end));
      assert.deepEqual(e.events, ['replace -', 'replace 7-11'], end);
      assert.isTrue(e.explorer.state.accessChanged);
      assert.equal(e.explorer.state.epoch, 3);
      await e.run();
      assert.isFalse(e.explorer.state.accessChanged);
    }
  });

  it(`removes its records while following, and follows again ${covers('F30', 'unit')}`, async () => {
    const e = await following();
    e.server.admin.changeAccess('demo-full');
    await e.after(() => e.server.append(2));
    assert.deepEqual(e.events, ['replace -', 'replace 9-13']);
    assert.equal(followingOf(e), 'live');
    await e.after(() => e.server.append(2));
    assert.deepEqual(e.numbers(), numbers(9, 16));
    assert.isTrue(e.explorer.state.accessChanged);
  });

  it(`removes its records during a pause and when the stream starts again ${covers('F30', 'unit')}`, async () => {
    const e = await following();
    e.explorer.pause();
    e.server.admin.changeAccess('demo-full');
    await e.after(() => e.server.append(2));
    assert.deepEqual(e.events.splice(0), ['replace -', 'replace 9-13']);
    await e.after(() => e.server.append(1));
    e.events.length = 0;
    endStreams(e);
    e.server.admin.changeAccess('demo-full');
    await e.clock.advance(60_000);
    await e.after(() => e.server.append(1));
    assert.deepEqual(e.events, ['replace -', 'replace 11-15']);
    assert.equal(followingOf(e), 'live');
  });

  it('stops loading when the server changes permissions all the time', async () => {
    const e = explored(12);
    await e.run();
    e.server.on.page = (page) => {
      e.server.admin.changeAccess('demo-full');
      return page;
    };
    for (let times = 0; times < 10; times++) await e.after(() => e.explorer.load('older'));
    assert.isAtMost(e.server.queries.length, 40);
    assert.isTrue(e.explorer.state.accessChanged);
    await e.clock.advance(60_000);
    const { length } = e.server.queries;
    await e.after(() => e.explorer.follow());
    assert.isAtMost(e.server.queries.length, length + 20);
    assert.deepEqual([followingOf(e), e.numbers()], ['none', []]);
  });

  it('removes its records and shows why when the server refuses a load', async () => {
    for (const status of [401, 403]) {
      for (const end of ['older', 'newer'] as const) {
        const e = explored(12);
        await e.run();
        e.refuse(status);
        await e.after(() => e.explorer.load(end));
        assert.deepEqual(e.events, ['replace 7-11', 'replace -']);
        assert.propertyVal(e.explorer.state.failure, 'status', status);
        e.accept();
        await e.after(() => e.explorer.load('older'));
        assert.deepEqual(e.numbers(), numbers(7, 12));
        assert.isUndefined(e.explorer.state.failure);
      }
    }
  });

  it('removes its records when the server refuses one of many pages', async () => {
    const e = explored(40, { pageTarget: { first: 5, more: 20 } });
    await e.run();
    let pages = 0;
    e.server.on.query = (request) => {
      request.limit = 2;
      if (++pages === 4) throw refusal(403);
    };
    await e.after(() => e.explorer.load('older'));
    assert.deepEqual([e.numbers(), pages], [[], 4]);
  });

  it('removes the records of an earlier search when the server refuses a new one', async () => {
    const e = explored(12);
    await e.run();
    e.refuse(403);
    await e.run('severity:error');
    assert.deepEqual(e.events, ['replace 7-11', 'replace -']);
    assert.propertyVal(e.explorer.state.failure, 'status', 403);
  });

  it('removes its records when the server refuses the stream', async () => {
    for (const status of [401, 403]) {
      const e = await following();
      e.server.on.connect = () => {
        throw refusal(status);
      };
      endStreams(e);
      await e.clock.advance(5000);
      assert.deepEqual(e.events, ['replace -']);
      assert.propertyVal(e.explorer.state.failure, 'status', status);
      assert.equal(followingOf(e), 'none');
    }
  });
});

describe('explorer session when the API key changes', () => {
  it('shows nothing without a key, and everything again with one', async () => {
    const e = await following();
    e.key = undefined;
    await e.after(() => e.explorer.keyChanged());
    assert.deepEqual(e.events.splice(0), ['replace -']);
    assert.propertyVal(e.explorer.state.failure, 'kind', 'signedOut');
    assert.equal(e.server.open.length, 0);
    e.key = e.server.keys['demo-readonly'];
    await e.after(() => e.explorer.keyChanged());
    assert.deepEqual(e.events.splice(0), ['replace 7-11']);
    assert.equal(followingOf(e), 'live');
    assert.isUndefined(e.explorer.state.failure);
    // What was stopped meanwhile stays so.
    e.key = undefined;
    await e.after(() => e.explorer.keyChanged());
    e.explorer.stopFollowing();
    e.key = e.server.keys['demo-readonly'];
    await e.after(() => e.explorer.keyChanged());
    assert.equal(followingOf(e), 'none');
  });

  it('loads again with another key, once for each change', async () => {
    const e = await following();
    e.key = e.server.keys['demo-readonly'];
    await e.after(() => {
      e.explorer.keyChanged();
      e.explorer.keyChanged();
    });
    assert.deepEqual(e.events, ['replace -', 'replace 7-11']);
    assert.isTrue(e.explorer.state.accessChanged);
    assert.equal(followingOf(e), 'live');
  });

  it('asks again with another key for what has not come yet', async () => {
    const e = explored(12);
    let answer: (() => void) | undefined;
    e.server.on.query = () => {
      e.accept();
      return new Promise((resolve) => (answer = resolve));
    };
    await e.run();
    e.key = e.server.keys['demo-readonly'];
    await e.after(() => e.explorer.keyChanged());
    await e.after(() => answer?.());
    assert.deepEqual(
      e.server.admin.requests().map(({ key }) => key),
      ['demo-full', 'demo-readonly'],
    );
    assert.lengthOf(e.numbers(), 5);
  });

  it('changes nothing when the key is the same', async () => {
    const e = await following();
    await e.after(() => e.explorer.keyChanged());
    assert.deepEqual([e.events, followingOf(e)], [[], 'live']);
  });
});
