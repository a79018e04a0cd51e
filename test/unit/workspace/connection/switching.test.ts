import { assert } from 'chai';
import { getEventListeners } from 'node:events';
import { createExplorer } from '../../../../src/logs/explorer/explorer';
import { fetchPages } from '../../../../src/api/fetchPages';
import { exportRecords } from '../../../../src/logs/search/exportRecords';
import { createTail } from '../../../../src/logs/tail/tail';
import { createTails } from '../../../../src/logs/tail/tails';
import {
  ConnectionLeftError,
  type SignedInConnection,
} from '../../../../src/workspace/connection/signedIn';
import { checkConnection } from '../../../../src/workspace/connectionCheck';
import { makeConnection } from '../../../../src/workspace/connections';
import { discover } from '../../../../src/workspace/discovery';
import { createActivity } from '../../../../src/workspace/operations/activity';
import { findOrphanCandidates } from '../../../../src/workspace/operations/orphanCandidates';
import { createPolling } from '../../../../src/workspace/polling';
import { seenLately } from '../../../../src/workspace/seenLately';
import { createStore } from '../../../../src/workspace/store';
import type { Topic } from '../../../../src/workspace/topics';
import { fakeClock, settle, type FakeClock } from '../../fakeClock';
import { searchOf } from '../../logs/explorer/explored';
import { seededRandom } from '../../logs/tail/seededRandom';
import { shortOrLong } from '../../long';
import { createDisk } from '../operations/windows';
import { uuid } from '../treeText';
import { ids, strictPlanes, type StrictPlane, type StrictPlanes } from './strictPlanes';
import { openWindow, type SessionWindow } from './windowOf';

const topics: readonly Topic[] = [
  { kind: 'alerts', serverId: ids.server },
  { kind: 'resources', sourceId: ids.source },
  { kind: 'secrets', sourceId: ids.source },
  { kind: 'deployments', resourceId: ids.resource },
  { kind: 'repositories', search: '' },
  { kind: 'integrations' },
];

/** All that runs in a window for its connection, and what of it is on the screen. */
function everything(clock: FakeClock, window: SessionWindow, random: () => number) {
  const { session } = window;
  const outcomes: Promise<unknown>[] = [];
  let keyNumber = 0;
  const range = { from: '2026-11-20T11:00:00Z', to: '2026-11-20T13:00:00Z' };

  /** Where what is shown is not of the connection that is signed in. */
  const foreign: string[] = [];
  const show = (what: string, names: unknown): void => {
    const letter = session.signedIn?.connection.name;
    for (const [name] of JSON.stringify(names ?? null).matchAll(/(?<=")[a-z]-web(?=")/g)) {
      if (letter === undefined || !name.startsWith(letter)) {
        foreign.push(`${what}: ${name} on ${letter ?? 'nothing'}`);
      }
    }
  };

  const store = createStore({ clock, random });
  const polling = createPolling({ store, clock, intervalSeconds: () => 30 });
  polling.setFocused(true);
  polling.watch('tree', topics);
  const lookAtStore = (): void => topics.forEach((topic) => show(topic.kind, store.known(topic)));
  store.onDidChange(lookAtStore);

  let entries = 0;
  const activity = createActivity({
    clock,
    random,
    newId: () => uuid(1000 + entries++),
    window: uuid(999),
    entries: createDisk(),
    workspace: { store, polling },
    ask: () => new Promise(() => undefined),
    onStoreFailure: (error) => window.failures.push(error),
  });
  activity.onDidChange(() => {
    const name = session.signedIn?.connection.name;
    for (const entry of activity.entries) {
      if (entry.connection.name !== name) foreign.push(`activity: ${entry.connection.name}`);
    }
  });

  const tails = createTails({
    createTail(filter, position, listener) {
      const { client, readKey } = session.signedIn!;
      const position_ = position === undefined ? {} : { position };
      return createTail(
        { client, clock, random, readKey },
        { filter, initialLines: 10, ...position_, listener },
      );
    },
    monotonic: () => clock.monotonic(),
    onDidChange: () => undefined,
    onDidReceive: () => tails.all.forEach(({ tail }) => show('tail', tail.take())),
  });

  const explorer = createExplorer(
    {
      source: () => session.signedIn,
      clock,
      random,
      when: () => ({ now: clock.now(), timeZone: 'UTC' }),
    },
    {
      onDidChange: () => show('explorer', explorer.records),
      onDidReplace: (records) => show('explorer', records),
      onDidAdd: (_, records) => show('explorer', records),
    },
  );

  // As the editor's part of each does it.
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

  /** What a person begins; each is given the connection of then. */
  const uses: Readonly<Record<string, (on: SignedInConnection, button: AbortSignal) => unknown>> = {
    check: ({ client }, signal) => checkConnection(client, clock, signal),
    discover: ({ client }, signal) =>
      discover({ client, clock, signal, sources: [ids.source], servers: [ids.server] }),
    names: ({ client }, signal) => seenLately(client, clock, signal),
    text: ({ client }, signal) =>
      fetchPages({ client, start: { filters: range, direction: 'older' }, target: 100, signal }),
    async export({ client }, signal) {
      const all = exportRecords({ client, filters: range, maxRecords: 100, signal });
      for await (const records of all) assert.isNotEmpty(records);
    },
    orphans: ({ client }, signal) =>
      findOrphanCandidates({
        client,
        clock,
        signal,
        serverId: ids.server,
        known: { names: new Set(), nameless: new Set() },
      }),
    secrets: ({ client }, signal) => client.listSecrets({ sourceId: ids.source }, { signal }),
    refresh: () => Promise.all(topics.map((topic) => store.refresh(topic))),
    follow: () => void tails.follow({}, 'everything'),
    search: () => explorer.run(searchOf('last:1h', clock.now())),
    followSearch: () => explorer.follow(),
    cleanUp: () => activity.cleanUp({ serverId: ids.server, serverName: 's', items: ['x'] }),
    sync: (_, signal) =>
      activity.sync(
        { sourceId: ids.source, environmentId: ids.environment, names: () => names },
        signal,
      ),
    report: () => activity.retryPreviewReporting(),
  };
  const names = { sourceName: 's', environmentName: 'e' };

  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const use = (): void => {
    const { signedIn } = session;
    if (signedIn === undefined) return;
    const button = new AbortController();
    const [, begin] = pick(Object.entries(uses));
    outcomes.push(Promise.resolve(begin(signedIn, button.signal)).catch((error: unknown) => error));
    if (random() < 0.1) button.abort();
  };
  /** Everything that leaves a connection, and comes to one. */
  const changes: readonly ((plane: StrictPlane) => unknown)[] = [
    ({ connection }) => session.use(connection),
    ({ connection }) => session.use(connection),
    () => session.signOut(),
    ({ connection }) => window.setKey(connection),
    ({ connection, keys }) => window.setKey(connection, keys.at(-1)),
    ({ connection, keys, letter }) => {
      keys.push(`key-${++keyNumber}-of-${letter}`);
      window.setKey(connection, keys.at(-1));
    },
    ({ letter }) => {
      const moved = makeConnection(letter, `https://${letter}.example/path-${++keyNumber}`)!;
      window.changeKnown(window.known.map((one) => (one.name === letter ? moved : one)));
    },
    ({ connection }) =>
      window.changeKnown(window.known.filter(({ name }) => name !== connection.name)),
    ({ connection, keys }) => {
      if (window.known.some(({ name }) => name === connection.name)) return;
      window.setKey(connection, keys.at(-1));
      window.changeKnown([...window.known, connection]);
    },
  ];
  return {
    foreign,
    use,
    change: (planes: readonly StrictPlane[]) => pick(changes)(pick(planes)),
    outcomes,
    async end(): Promise<void> {
      session.dispose();
      polling.dispose();
      tails.all.forEach((followed) => tails.remove(followed));
      explorer.dispose();
      store.reset(undefined);
      await activity.close();
      // What was reading hears of its end.
      await settle();
    },
  };
}

/** Sometimes slow, sometimes busy, sometimes down. */
function moods(random: () => number): StrictPlanes['mood'] {
  return () => {
    const dice = random();
    return {
      ...(random() < 0.5 ? { latency: 1 + Math.floor(random() * 20_000) } : {}),
      ...(dice < 0.3 ? { retryAfter: Math.floor(random() * 60) } : {}),
      isDown: dice > 0.9,
    };
  };
}

describe('Two strict control planes', () => {
  it('F63 never see the key of the other, whatever was begun on one and is under way on a switch', async function () {
    this.timeout(shortOrLong(120_000, 600_000));
    const asked = new Set<string>();
    let leftMidAir = 0;
    for (let seed = 1; seed <= shortOrLong(30, 600); seed++) {
      const random = seededRandom(seed);
      const clock = fakeClock();
      const planes = strictPlanes(clock, ['a', 'b']);
      planes.mood = moods(random);
      const window = openWindow(clock, planes, random);
      await settle();
      /** Where a request was made for a connection that nobody is on. */
      const strays: string[] = [];
      planes.onRequest = (plane, what) => {
        asked.add(what.replace(/[0-9a-f-]{36}/g, 'id'));
        const { signedIn } = window.session;
        if (signedIn?.connection.origin !== plane.connection.origin) {
          strays.push(`${what} at ${plane.letter}`);
        }
      };
      const run = everything(clock, window, random);
      for (let step = 0; step < 40; step++) {
        if (random() < 0.7) run.use();
        else void Promise.resolve(run.change(planes.planes)).catch((error: unknown) => error);
        if (random() < 0.7) await clock.advance(Math.floor(random() * 30_000));
        else if (random() < 0.5) await Promise.resolve();
      }
      await run.end();
      const outcomes = await Promise.all(run.outcomes);
      leftMidAir += outcomes.filter((one) => one instanceof ConnectionLeftError).length;
      const where = `seed ${seed}`;
      for (const { reports, open, letter } of planes.planes) {
        assert.deepEqual(reports, [], `${where}: keys at ${letter}`);
        assert.equal(open.size, 0, `${where}: requests that are open at ${letter}`);
      }
      assert.deepEqual(strays, [], `${where}: requests of a connection that was left`);
      assert.deepEqual(run.foreign, [], `${where}: what is shown of another connection`);
      assert.deepEqual(window.failures, [], where);
      assert.equal(clock.liveTimers, 0, `${where}: sleeps that went on`);
    }
    // That it was about something.
    assert.isAbove(leftMidAir, 20);
    assert.deepEqual([...asked].sort(), [
      'GET /codehost-b/repositories',
      'GET /integrations',
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

  it('F39 a connection collects no listeners of the requests that were made on it', async () => {
    const clock = fakeClock();
    const window = openWindow(clock, strictPlanes(clock, ['a']));
    await settle();
    const { client, signal } = window.session.signedIn!;
    for (let count = 0; count < 500; count++) {
      await client.listIntegrations({ signal: new AbortController().signal });
    }
    assert.lengthOf(getEventListeners(signal, 'abort'), 0);
  });
});
