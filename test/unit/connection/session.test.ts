import { getEventListeners } from 'node:events';
import { syncKind } from '../../../src/actions/kinds/sync';
import { previewReportingKind } from '../../../src/actions/kinds/previewReporting';
import { cleanUpKind } from '../../../src/actions/kinds/cleanUp';
import { assert } from 'chai';
import { ConnectionEndedError } from '../../../src/api/errors';
import type { SignedInConnection } from '../../../src/connection/session';
import { checkConnection } from '../../../src/connection/checkConnection';
import { makeConnection, secretKeyOf } from '../../../src/connection/connections';
import { ExplorerModel } from '../../../src/logs/explorer/explorerModel';
import { fetchPages } from '../../../src/api/fetchPages';
import { exportRecords } from '../../../src/logs/explorer/exportRecords';
import { Tail } from '../../../src/logs/tail/tail';
import { Tails } from '../../../src/logs/tail/tails';
import { discover, recentWorkloads } from '../../../src/data/discovery/discovery';
import { Activity } from '../../../src/activity/activity';
import { findOrphanCandidates } from '../../../src/actions/orphans';
import { Polling } from '../../../src/data/polling';
import { Store, type CacheKey } from '../../../src/data/store';
import { usualStyle } from '../../../src/logs/record/recordStyle';
import { seededRandom } from '../../control-plane/random';
import { scaled } from '../../host/slowness';
import { failure } from '../api/cannedAnswers';
import { covers } from '../covers';
import { fakeClock, settle, type FakeClock } from '../fakeClock';
import { searchOf } from '../logs/explorer/explored';
import { shortOrLong } from '../long';
import { createDisk, kinds } from '../activity/windows';
import { uuid } from '../trees/treeText';
import { storageOf } from '../logs/tail/windowTails';
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

  it(`has the time of its control plane, as soon as that answers ${covers('F83', 'unit')}`, async () => {
    a.server.admin.unkind({ aheadSeconds: 1200 });
    b.server.admin.unkind({ aheadSeconds: -1200 });
    const ahead = (): number => window.session.serverNow() - clock.now();
    assert.equal(ahead(), 0);
    await clock.run(signedIn().client.listIntegrations({}, { signal, priority: 'person' }));
    assert.closeTo(ahead(), 1_200_000, 1000);
    const commit = clock.now() - 60_000;
    assert.equal(window.session.serverTimeOf(commit), window.session.serverNow() - 60_000);
    await clock.run(window.session.use(b.connection));
    assert.equal(ahead(), 0, 'another control plane has another clock');
    await clock.run(signedIn().client.listIntegrations({}, { signal, priority: 'person' }));
    assert.closeTo(ahead(), -1_200_000, 1000);
    await clock.run(window.session.use(undefined));
    assert.equal(ahead(), 0);
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

  it('asks a server no sooner than its Retry-After allows, whatever happened to the connection meanwhile', async () => {
    const key = planes.keyOf(a.connection);
    const leaves: readonly (() => Promise<void>)[] = [
      () => window.session.use(b.connection),
      () => window.session.signOut(),
    ];
    for (const leave of leaves) {
      a.server.admin.fault(refusal(20));
      const first = signedIn().client.listIntegrations({}, { signal, priority: 'person' });
      first.catch(() => undefined);
      await clock.advance(1000);
      const refusedAt = clock.now();
      await clock.run(leave());
      window.setKey(a.connection, key);
      await clock.run(window.session.use(a.connection));
      const asked = a.server.admin.requests().length;
      await clock.run(signedIn().client.listIntegrations({}, { signal, priority: 'person' }));
      const next = a.server.admin.requests()[asked];
      assert.isAtLeast((next?.at ?? 0) - refusedAt, 18_000);
    }
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
      const answering = failure(on.client.listIntegrations({}, { signal, priority: 'person' }));
      const sleeping = failure(on.client.listRepositories({}, { signal, priority: 'person' }));
      const read = on.readKey();
      await clock.advance(100);
      assert.equal(await read, planes.keyOf(a.connection));
      await leave();
      await settle();
      assert.isTrue(on.signal.aborted);
      const later = failure(on.client.listIntegrations({}, { signal, priority: 'person' }));
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
    await on.client.listIntegrations({}, { signal, priority: 'person' });
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
      await failure(on.client.listIntegrations({}, { signal, priority: 'person' })),
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

  it('uses a connection that is added if there is none', async () => {
    window.changeKnown([]);
    await settle();
    assert.deepEqual(window.session.state, { kind: 'none' });
    window.changeKnown([b.connection]);
    await settle();
    assert.deepEqual(window.session.state, { kind: 'signedOut', connection: b.connection });
    assert.deepEqual(window.failures, []);
  });

  it('stays ready if a sign-out fails', async () => {
    window.stuck = () => true;
    await failure(window.session.signOut());
    await window.session.ready;
    assert.equal(window.session.state.kind, 'signedIn');
  });

  it(`tells once that its connection is forgotten, after its key is gone ${covers('F79', 'unit')}`, async () => {
    await window.session.signOut({ forgets: true });
    assert.deepEqual(window.changes, ['connection', 'signedOut', 'forgotten']);
    assert.isFalse(window.secrets.has(secretKeyOf(a.connection)));
    window.setKey(a.connection, planes.keyOf(a.connection));
    await settle();
    await window.session.signOut();
    assert.deepEqual(window.changes.slice(3), ['signedIn', 'signedOut']);
    await clock.advance(1);
    await window.session.signOut({ forgets: true });
    assert.deepEqual(window.changes.slice(5), ['forgotten'], 'also if it is signed out');
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

/** Ids that exist in all control planes. */
function thingsOf({ server: { world } }: Plane) {
  const [server, source, workload] = [world.servers[0]!, world.sources[0]!, world.workloads[0]!];
  const topics: readonly CacheKey[] = [
    { kind: 'alerts', id: server.id },
    { kind: 'resources', id: source.id },
    { kind: 'secrets', id: source.id },
    { kind: 'deployments', id: workload.id },
    { kind: 'repositories', id: '' },
    { kind: 'integrations', id: '' },
  ];
  return { server, source, topics };
}

/** Everything that runs in a window for its connection, and what it shows. */
function everything(clock: FakeClock, window: SessionWindow, planes: Planes, random: () => number) {
  const { session } = window;
  const { server, source, topics } = thingsOf(planes.all[0]!);
  const outcomes: Promise<unknown>[] = [];
  const range = { from: '2026-11-20T11:00:00Z', to: '2026-11-20T13:00:00Z' };

  /** Where data of another connection is shown, and how many checks there were. */
  const foreign: string[] = [];
  let shown = 0;
  const show = (what: string, value: unknown): void => {
    const here = session.signedIn?.connection.baseUrl ?? 'nothing';
    for (const [url] of JSON.stringify(value ?? null).matchAll(
      /(?<="newMember":{"since":")[^"]+/g,
    )) {
      if (url !== here) foreign.push(`${what}: of ${url} on ${here}`);
      shown++;
    }
  };

  const store = new Store(clock);
  const polling = new Polling(store, clock, () => 30);
  polling.setFocused(true);
  polling.watch('tree', topics);
  const lookAtStore = (): void => topics.forEach((topic) => show(topic.kind, store.entry(topic)));
  store.onDidChange(lookAtStore);

  let entries = 0;
  const newId = (): string => uuid(1000 + entries++);
  const activity = new Activity(
    kinds,
    createDisk(),
    { store, polling, historyOf: () => undefined, logStyle: usualStyle, clock, random },
    () => new Promise(() => undefined),
    newId,
  );
  activity.onDidFail((error) => window.failures.push(error));
  activity.onDidChange(() => {
    const here = session.signedIn?.connection.baseUrl;
    for (const { connection } of activity.entries) {
      if (connection.baseUrl !== here) foreign.push(`activity: of ${connection.baseUrl}`);
    }
  });

  const tails = new Tails(
    clock,
    (filter, position) => {
      const { client, readKey } = session.signedIn!;
      return new Tail(
        { client, clock, random, readKey },
        { filter, initialLines: 10, ...(position && { position }) },
      );
    },
    () => 1000,
    storageOf(),
  );
  tails.onDidReceive(() => {
    let batch = tails.read(500);
    for (; batch !== undefined; batch = tails.read(500)) show('tail', batch.outputs);
  });

  const explorer = new ExplorerModel(
    () => session.signedIn,
    () => ({ now: clock.now(), timeZone: 'UTC' }),
    { clock, random },
  );
  explorer.onDidHappen((event) =>
    show('explorer', event.kind === 'changed' ? explorer.records : event.records),
  );

  // As the user interface does for each.
  window.listeners.push((change) => {
    if (change === 'connection' || change === 'signedOut') {
      tails.all.forEach((followed) => tails.remove(followed));
    }
    if (change === 'key') explorer.keyChanged();
    else explorer.clear();
    store.reset(session.signedIn?.client);
    const { signedIn } = session;
    void (signedIn === undefined
      ? activity.close()
      : activity.open(signedIn.connection, signedIn.client));
    lookAtStore();
  });
  store.reset(session.signedIn?.client);
  void activity.open(session.signedIn!.connection, session.signedIn!.client);

  /** Actions of a user, with the current connection. */
  const uses: Readonly<Record<string, (on: SignedInConnection, button: AbortSignal) => unknown>> = {
    check: ({ client }, signal) => checkConnection(client, clock, signal),
    discover: ({ client }, signal) =>
      discover(client, { sources: [source], servers: [server] }, signal),
    names: ({ client }, signal) => recentWorkloads(client, signal),
    text: ({ client }, signal) =>
      fetchPages({
        client,
        start: { filters: range, direction: 'older' },
        target: 100,
        signal,
        priority: 'person',
      }),
    async export({ client }, signal) {
      const all = exportRecords({ client, filters: range, maxRecords: 100, signal });
      for await (const records of all) assert.isNotEmpty(records);
    },
    orphans: ({ client }, signal) =>
      findOrphanCandidates({
        client,
        signal,
        serverId: server.id,
        known: { names: new Set(), nameless: new Set() },
      }),
    secrets: ({ client }, signal) =>
      client.listSecrets({ ownerId: source.id }, { signal, priority: 'person' }),
    refresh: () => Promise.all(topics.map((topic) => store.refresh(topic, 'person'))),
    follow: () => void tails.follow({}, 'everything'),
    search: () => explorer.run('last:1h', searchOf('last:1h', clock.now())),
    followSearch: () => explorer.follow(),
    cleanUp: ({ connection: { baseUrl } }) =>
      activity.start(cleanUpKind, { serverId: server.id, serverName: 's', items: [baseUrl] }),
    sync: () =>
      activity.start(syncKind, {
        ...{ sourceId: source.id, sourceName: 's' },
        ...{ environmentId: source.environmentId, environmentName: 'e' },
      }),
    report: () => activity.start(previewReportingKind, undefined),
  };

  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const use = (): void => {
    const { signedIn } = session;
    if (signedIn === undefined) return;
    const button = new AbortController();
    const [, begin] = pick(Object.entries(uses));
    outcomes.push(Promise.resolve(begin(signedIn, button.signal)).catch((error: unknown) => error));
    if (random() < 0.1) button.abort();
  };
  /** Every way to leave or to change a connection. */
  const changes: readonly ((plane: Plane) => unknown)[] = [
    ({ connection }) => session.use(connection),
    ({ connection }) => session.use(connection),
    () => session.signOut(),
    ({ connection }) => window.setKey(connection),
    ({ connection }) => window.setKey(connection, planes.keyOf(connection)),
    ({ connection }) => window.setKey(connection, planes.newKey(connection)),
    // If it exists already, it moves to this URL.
    ({ connection }) => {
      const others = window.known.filter(({ name }) => name !== connection.name);
      window.setKey(connection, planes.keyOf(connection));
      window.changeKnown([...others, connection]);
    },
    ({ connection }) =>
      window.changeKnown(window.known.filter(({ name }) => name !== connection.name)),
  ];
  return {
    foreign,
    use,
    get shown() {
      return shown;
    },
    change: () => pick(changes)(pick(planes.all)),
    outcomes,
    async end(): Promise<void> {
      session.dispose();
      polling.dispose();
      tails.dispose();
      explorer.dispose();
      store.reset(undefined);
      await activity.close();
      // Ends what was reading.
      await settle();
    },
  };
}

/** Makes a control plane slow, busy or unavailable at times. */
function addFaults({ server: { admin } }: Plane, random: () => number): void {
  for (let request = 0; request < 300; request++) {
    const latencyMs = random() < 0.5 ? 1 + Math.floor(random() * 20_000) : 0;
    const dice = random();
    const headers = { 'retry-after': String(Math.floor(random() * 60)) };
    if (dice < 0.3) admin.fault({ kind: 'status', status: 429, headers, latencyMs });
    else if (dice > 0.9) admin.fault({ kind: 'status', status: 503, latencyMs });
    else admin.fault({ kind: 'latency', latencyMs });
  }
}

describe('Control planes that differ only in their keys', () => {
  it(`never receive the key of another, nor a request after they were left, whatever runs during a switch ${covers('F63', 'unit')}`, async function () {
    this.timeout(scaled(shortOrLong(120_000, 600_000)));
    const asked = new Set<string>();
    let leftMidAir = 0;
    let shown = 0;
    for (let seed = 1; seed <= shortOrLong(20, 600); seed++) {
      const random = seededRandom(seed);
      const clock = fakeClock();
      const urls = ['https://a.example', 'https://b.example', 'https://a.example/team'];
      const planes = openPlanes(clock, urls);
      planes.all.forEach((plane) => addFaults(plane, random));
      const window = openWindow(clock, planes, random);
      await settle();
      const run = everything(clock, window, planes, random);
      for (let step = 0; step < 40; step++) {
        if (random() < 0.7) run.use();
        else void Promise.resolve(run.change()).catch((error: unknown) => error);
        planes.all.forEach(({ server }) => server.admin.emit([{}]));
        if (random() < 0.7) await clock.advance(Math.floor(random() * 30_000));
        else if (random() < 0.5) await Promise.resolve();
      }
      await run.end();
      const outcomes = await Promise.all(run.outcomes);
      leftMidAir += outcomes.filter((one) => one instanceof ConnectionEndedError).length;
      shown += run.shown;
      const where = `seed ${seed}`;
      // The test starts more at the same time than any user does, often the same requests.
      const many = /^(?:beforeRetryAfter|tooManyAtOnce) /;
      const reports = planes.takeReports().filter((one) => !many.test(one));
      assert.deepEqual(reports, [], where);
      let timers = clock.liveTimers;
      for (const { server } of planes.all) {
        timers -= server.liveTimers;
        for (const { method, url, body, isOver } of server.admin.requests()) {
          asked.add(
            `${method} ${url.replace(/^\/v1\/api|\?.*/g, '').replace(/[0-9a-f-]{36}/g, 'id')}`,
          );
          assert.isTrue(isOver, `${where}: ${url} is open at ${server.url}`);
          if (url.endsWith('/cleanup-orphans')) assert.include(body, `"${server.url}"`, where);
        }
      }
      assert.deepEqual(run.foreign, [], `${where}: data of another connection is shown`);
      assert.deepEqual(window.failures, [], where);
      assert.equal(timers, 0, `${where}: timers that still run`);
    }
    // The test was effective.
    assert.isAbove(leftMidAir, 20);
    assert.isAbove(shown, 1000);
    assert.deepEqual([...asked].sort(), [
      'GET /codehost-b/repositories',
      'GET /integrations',
      'GET /openapi.json',
      'GET /operations/id',
      'GET /resources/id/deployments',
      'GET /servers/id/monitor-alerts',
      'GET /sources/id/resources',
      'GET /sources/id/secrets',
      'POST /codehost-a/actions/retry-preview-reporting',
      'POST /logs/query',
      'POST /logs/tail',
      'POST /servers/id/actions/cleanup-orphans',
      'POST /sources/id/environments/id/syncs',
    ]);
  });

  it(`do not collect listeners for the requests of a connection ${covers('F39', 'unit')}`, async () => {
    const clock = fakeClock();
    const window = openWindow(clock, openPlanes(clock, ['https://a.example']));
    await settle();
    const { client, signal } = window.session.signedIn!;
    for (let count = 0; count < 50; count++) {
      await client.listIntegrations(
        {},
        { signal: new AbortController().signal, priority: 'person' },
      );
    }
    assert.lengthOf(getEventListeners(signal, 'abort'), 0);
  });
});
