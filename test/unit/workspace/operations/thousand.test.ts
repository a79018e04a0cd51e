import { defaultMaxListeners, setMaxListeners } from 'node:events';
import { assert } from 'chai';
import type { ControlPlaneClient } from '../../../../src/api/client';
import { createClient } from '../../../../src/api/createClient';
import type { Entry } from '../../../../src/workspace/operations/entries';
import type { ControlPlane, Fault } from '../../../control-plane/server';
import { defaults } from '../../api/inMemoryServer';
import { realClock } from '../../api/realClock';
import { Harness } from '../../control-plane/harness';
import { shortOrLong } from '../../long';
import { createDisk, openWindow, until, type Window } from './windows';

/** How long the client waits for an answer, in seconds; one that takes longer is one more failure. */
const patience = 0.3;

const cleanUps = shortOrLong(60, 1000);
/** So many at once; the window is reloaded in the midst of every other batch. */
const batch = shortOrLong(30, 100);
const syncs = shortOrLong(10, 40);
/** So many entries of one connection are kept. */
const most = 200;

function clientOf(server: ControlPlane): ControlPlaneClient {
  return createClient({
    baseUrl: server.url,
    token: () => Promise.resolve(server.keys['demo-full']),
    fetch,
    clock: realClock,
    random: () => 0.2,
    // What became of an operation is not the question here.
    settings: () => ({ ...defaults, timeoutSeconds: patience, operationPath: '' }),
  });
}

/** Each is met only once the request was carried out. */
const ambiguous: readonly Fault[] = [
  { kind: 'stall' },
  { kind: 'reset' },
  { kind: 'cut', afterBytes: 20 },
  { kind: 'status', status: 500, accepted: true },
  { kind: 'status', status: 504, accepted: true },
];

/** Answers that say nothing of it, once it was carried out. */
const open: readonly Fault[] = [
  { kind: 'status', status: 409, code: 'in_progress', accepted: true },
  { kind: 'status', status: 422, code: 'unprocessable', accepted: true },
];

/** What was asked about is sent again, so that each comes to an answer in the end, and is left then. */
const isAnswered = (entry: Entry): boolean =>
  entry.kind === 'cleanUp' && entry.operationId !== undefined && entry.progress.kind === 'left';

function posts({ admin }: ControlPlane, path: string) {
  return admin.requests().filter(({ method, url }) => method === 'POST' && url.endsWith(path));
}

describe('ambiguous failures', function () {
  this.timeout(240_000);
  let harness: Harness;

  // So many at once listen to the end of one window.
  before(() => setMaxListeners(0));
  after(() => setMaxListeners(defaultMaxListeners));
  beforeEach(async () => {
    harness = await Harness.start();
  });
  afterEach(() => harness.server.close());

  /** Windows whose person wants everything sent again that may be. */
  function window(disk: ReturnType<typeof createDisk>): Window {
    const made = openWindow(realClock, disk, clientOf(harness.server), () => 0.2);
    made.answer = 'send';
    return made;
  }

  it('make as many clean-ups as were asked for, no more and no fewer (F43, F44, F65)', async () => {
    const { server } = harness;
    const [target] = server.world.servers;
    const disk = createDisk();
    let requests = 0;
    for (let round = 0; round < cleanUps / batch; round++) {
      const first = window(disk);
      await first.open();
      // Some meet several in a row, and then a person is asked.
      for (let count = 0; count < batch * 1.5; count++) {
        const faults = count % 10 === 0 ? open : ambiguous;
        const fault = faults[Math.floor(count / 10) % faults.length]!;
        server.admin.fault({ ...fault, endpoint: 'post_servers_cleanup_orphans' });
      }
      const ids = await Promise.all(
        Array.from({ length: batch }, (_, index) =>
          first.activity.cleanUp({
            serverId: target!.id,
            serverName: target!.name,
            items: [`orphan-${round}-${index}`, 'tmp'],
          }),
        ),
      );
      await server.admin.restart(20);
      let last = first;
      if (round % 2 === 1) {
        await first.activity.close();
        last = window(disk);
        await last.open();
      }
      await Promise.all(ids.map((id) => until(last, id, isAnswered)));
      await last.activity.close();
      requests += posts(server, '/cleanup-orphans').length;
      server.admin.reset();
    }
    const entries = [...disk.files.values()].map((text) => JSON.parse(text) as Entry);
    const kept = entries.flatMap((entry) => (entry.kind === 'cleanUp' ? [entry] : []));
    const ids = new Set(server.admin.operations().map(({ id }) => id));
    assert.equal(ids.size, cleanUps);
    assert.isAtLeast(requests, cleanUps * 2, 'many were sent more than once');
    assert.lengthOf(kept, Math.min(cleanUps, most));
    for (const { operationId } of kept)
      assert.isTrue(ids.has(operationId), 'each has its operation');
  });

  it('are sent again with the same bytes', async () => {
    const { server } = harness;
    const [target] = server.world.servers;
    const one = window(createDisk());
    await one.open();
    for (const fault of ambiguous) {
      server.admin.fault({ ...fault, endpoint: 'post_servers_cleanup_orphans' });
    }
    const id = await one.activity.cleanUp({
      serverId: target!.id,
      serverName: target!.name,
      items: ['b', 'a', '📦 "quoted"', '[x](command:go)'],
    });
    await until(one, id, isAnswered);
    await one.activity.close();
    const sent = posts(server, '/cleanup-orphans');
    assert.isAtLeast(sent.length, ambiguous.length + 1);
    assert.lengthOf(new Set(sent.map(({ body }) => body)), 1);
    assert.lengthOf(new Set(sent.map(({ headers }) => headers['idempotency-key'])), 1);
    assert.lengthOf(server.admin.operations(), 1);
  });

  it('make as many syncs as were asked for: none is sent twice by itself', async () => {
    const { server } = harness;
    const source = server.world.sources.find(({ disconnected }) => !disconnected)!;
    const disk = createDisk();
    for (let count = 0; count < syncs; count++) {
      const fault = ambiguous[count % ambiguous.length]!;
      server.admin.fault({ ...fault, endpoint: 'post_sources_environments_syncs' });
    }
    const { signal } = new AbortController();
    const first = window(disk);
    await first.open();
    const sync = ({ activity }: Window): Promise<string | undefined> =>
      activity.sync(
        {
          sourceId: source.id,
          environmentId: source.environmentId,
          names: () => ({ sourceName: source.name, environmentName: 'production' }),
        },
        signal,
      );
    const ids = await Promise.all(Array.from({ length: syncs }, () => sync(first)));
    await Promise.all(
      ids.map((id) => until(first, id!, ({ progress }) => progress.kind !== 'sending')),
    );
    await first.activity.close();
    const second = window(disk);
    await second.open();
    ids.forEach((id) => second.activity.sendAgain(id!));
    // What would have been sent again is on its way before one that a person wants.
    const wanted = await sync(second);
    await until(second, wanted!, ({ progress }) => progress.kind !== 'sending');
    await second.activity.close();
    assert.lengthOf(posts(server, '/syncs'), syncs + 1);
    for (const id of ids) assert.include(disk.files.get(id!), '"kind":"unknown"');
  });
});
