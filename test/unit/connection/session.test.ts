import { assert } from 'chai';
import { ConnectionEndedError } from '../../../src/api/errors';
import type { SignedInConnection } from '../../../src/connection/session';
import { checkConnection } from '../../../src/connection/checkConnection';
import { makeConnection, secretKeyOf } from '../../../src/connection/connections';
import { failure } from '../api/cannedAnswers';
import { covers } from '../covers';
import { fakeClock, settle, type FakeClock } from '../fakeClock';
import { openPlanes, type Plane, type Planes } from './planes';
import { openWindow, type SessionWindow } from './windowOf';

const refusal = (retryAfter: number) =>
  ({ kind: 'status', status: 429, headers: { 'retry-after': String(retryAfter) } }) as const;

describe('A session', () => {
  let clock: FakeClock;
  let planes: Planes;
  let a: Plane;
  let b: Plane;
  let window: SessionWindow;
  const { signal } = new AbortController();

  beforeEach(async () => {
    clock = fakeClock();
    planes = openPlanes(clock, ['https://a.example', 'https://b.example']);
    [a, b] = planes.all as [Plane, Plane];
    window = openWindow(clock, planes);
    await settle();
  });
  afterEach(() => assert.deepEqual(planes.takeReports(), []));

  /** The current signed-in connection. */
  function signedIn(): SignedInConnection {
    const found = window.session.signedIn;
    assert.isDefined(found);
    return found;
  }

  it('starts with the first connection, and reports it', () => {
    assert.deepEqual(window.changes, ['connection']);
    assert.deepEqual(window.session.state, { kind: 'signedIn', connection: a.connection });
    assert.equal(signedIn().connection, a.connection);
  });

  it(`never uses the key of the next connection for a check that waits ${covers('F63', 'unit')}`, async () => {
    a.server.admin.fault({ ...refusal(20), latencyMs: 50, times: 9 });
    // Only with the signal of the button, which stays unpressed.
    const check = checkConnection(signedIn().client, clock, signal);
    await clock.advance(1000);
    await window.session.use(b.connection);
    await clock.advance(300_000);
    assert.deepEqual(
      a.server.admin.requests().map(({ url }) => url),
      ['/v1/api/logs/query'],
    );
    assert.isFalse((await check).reachable);
    assert.isEmpty(b.server.admin.requests());
    assert.equal(clock.liveTimers, 0);
  });

  const ways: readonly (readonly [string, () => unknown])[] = [
    ['another connection', () => window.session.use(b.connection)],
    ['no connection', () => window.session.use(undefined)],
    ['a sign-out', () => window.session.signOut()],
    ['a sign-out in another window', () => window.setKey(a.connection)],
    ['the removal of the connection', () => window.changeKnown([b.connection])],
    [
      'another URL',
      () => window.changeKnown([makeConnection('a', 'https://elsewhere.example')!, b.connection]),
    ],
    [
      'another path of the URL',
      () => window.changeKnown([makeConnection('a', 'https://a.example/team')!, b.connection]),
    ],
    ['the end of the window', () => window.session.dispose()],
  ];
  for (const [way, leave] of ways) {
    it(`${way} ends all work: pending requests, waits, and everything later ${covers('F63', 'unit')}`, async () => {
      const on = signedIn();
      a.server.admin.fault({ kind: 'latency', latencyMs: 5000 });
      a.server.admin.fault(refusal(30));
      const answering = failure(on.client.listIntegrations({ signal, priority: 'person' }));
      const sleeping = failure(on.client.listRepositories({}, { signal, priority: 'person' }));
      const read = on.readKey();
      await clock.advance(100);
      assert.equal(await read, planes.keyOf(a.connection));
      await leave();
      await settle();
      assert.isTrue(on.signal.aborted);
      const later = failure(on.client.listIntegrations({ signal, priority: 'person' }));
      for (const ended of [answering, sleeping, later]) {
        assert.instanceOf(await ended, ConnectionEndedError);
      }
      assert.isUndefined(await on.readKey());
      assert.lengthOf(a.server.admin.requests(), 2);
      assert.equal(clock.liveTimers, 0);
      assert.deepEqual(window.failures, []);
    });
  }

  it(`has ended the old connection before it reports the new one ${covers('F63', 'unit')}`, async () => {
    const on = signedIn();
    const ended: boolean[] = [];
    window.listeners.push(() => ended.push(on.signal.aborted));
    await window.session.use(b.connection);
    assert.deepEqual(ended, [true]);
  });

  it('continues with a replaced key, and reports it once', async () => {
    const on = signedIn();
    a.server.admin.forbid(planes.keyOf(a.connection));
    window.setKey(a.connection, planes.newKey(a.connection));
    await settle();
    assert.deepEqual(window.changes, ['connection', 'key']);
    assert.equal(signedIn(), on);
    await on.client.listIntegrations({ signal, priority: 'person' });
  });

  it('is a new one after a sign-out and a sign-in', async () => {
    const on = signedIn();
    await window.session.signOut();
    assert.deepEqual(window.session.state, { kind: 'signedOut', connection: a.connection });
    assert.isUndefined(window.session.signedIn);
    window.setKey(a.connection, planes.keyOf(a.connection));
    await settle();
    assert.deepEqual(window.changes, ['connection', 'signedOut', 'signedIn']);
    assert.notEqual(signedIn(), on);
    assert.instanceOf(
      await failure(on.client.listIntegrations({ signal, priority: 'person' })),
      ConnectionEndedError,
    );
  });

  it('is notified of a key that arrives during the change to its connection', async () => {
    window.setKey(b.connection);
    await settle();
    const using = window.session.use(b.connection);
    window.setKey(b.connection, planes.keyOf(b.connection));
    await using;
    await settle();
    assert.equal(signedIn().connection, b.connection);
  });

  it('has the time zone of its own connection', async () => {
    assert.isUndefined(signedIn().timeZone);
    const on = signedIn();
    const filters = { from: '2026-11-20T12:00:00Z', to: '2026-11-20T13:00:00Z' };
    await on.client.queryLogs({ filters }, { signal, priority: 'person' });
    assert.equal(signedIn().timeZone, 'Europe/Berlin');
    await window.session.use(b.connection);
    assert.isUndefined(signedIn().timeZone);
  });

  it('stays ready if a sign-out fails', async () => {
    window.stuck = () => true;
    await failure(window.session.signOut());
    await window.session.ready;
    assert.equal(window.session.state.kind, 'signedIn');
  });

  describe('deletes the keys of removed connections', () => {
    const kept = (): string[] => [...window.secrets.keys()].map((key) => key.split(' ')[1]!);

    it(`after a removal, a new origin or a new name ${covers('F79', 'unit')}`, async () => {
      window.changeKnown([b.connection]);
      await settle();
      assert.deepEqual(kept(), ['https://b.example']);
      window.changeKnown([makeConnection('b', 'https://elsewhere.example')!]);
      await settle();
      assert.deepEqual(kept(), []);
      assert.equal(window.session.state.kind, 'signedOut');
      const named = makeConnection('c', 'https://elsewhere.example')!;
      window.setKey(window.known[0]!, 'key');
      window.changeKnown([named]);
      await settle();
      assert.deepEqual(kept(), []);
    });

    it(`but keeps the key of the same origin and name ${covers('F79', 'unit')}`, async () => {
      const moved = makeConnection('a', 'https://a.example/team')!;
      window.changeKnown([moved, b.connection]);
      await settle();
      assert.equal(window.secrets.get(secretKeyOf(moved)), planes.keyOf(moved));
      assert.equal(signedIn().connection, moved);
    });

    it(`after a removal while no window was open ${covers('F79', 'unit')}`, async () => {
      window.session.dispose();
      const { kept: stored } = window;
      window = openWindow(clock, planes);
      window.kept = stored;
      window.known = [b.connection];
      await settle();
      assert.deepEqual(kept(), ['https://b.example']);
      assert.deepEqual(window.kept, [{ name: 'b', baseUrl: 'https://b.example' }]);
    });

    it('tries a failed deletion again', async () => {
      window.stuck = ({ name }) => name === 'a';
      window.changeKnown([b.connection]);
      await settle();
      assert.lengthOf(kept(), 2);
      window.stuck = () => false;
      window.changeKnown([]);
      await settle();
      assert.deepEqual(kept(), []);
      assert.equal(window.session.state.kind, 'none');
    });

    it('ignores invalid stored data', async () => {
      window.kept = [null, 'a', { name: 'x' }, { name: 'a', baseUrl: 'ftp://a' }];
      window.changeKnown([a.connection]);
      await settle();
      assert.deepEqual(window.failures, []);
      assert.deepEqual(window.kept, [{ name: 'a', baseUrl: 'https://a.example' }]);
    });
  });
});
