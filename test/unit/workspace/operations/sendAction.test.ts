import { assert } from 'chai';
import type { ControlPlaneClient } from '../../../../src/api/client';
import { createClient } from '../../../../src/api/createClient';
import type { Entry } from '../../../../src/workspace/operations/entries';
import type { Fault } from '../../../control-plane/faults';
import { inMemoryControlPlane, type InMemoryControlPlane } from '../../../control-plane/inMemory';
import { defaults } from '../../api/inMemoryServer';
import { fakeClock, type FakeClock } from '../../fakeClock';
import { seededRandom } from '../../logs/tail/seededRandom';
import { shortOrLong } from '../../long';
import { createDisk, openWindow, until, type Disk, type Window } from './windows';

/** What leaves open whether a request has come through: before it was carried out, and after. */
const lost: readonly Fault[] = [
  { kind: 'stall' },
  { kind: 'reset' },
  { kind: 'cut', afterBytes: 20 },
  { kind: 'malformedJson' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 500, accepted: true },
  { kind: 'status', status: 504, accepted: true },
];
/** Answers that say nothing of what was carried out. */
const open: readonly Fault[] = [
  { kind: 'status', status: 409, code: 'in_progress', accepted: true },
  { kind: 'status', status: 409, code: 'idempotency_key_reused', accepted: true },
  { kind: 'status', status: 422, code: 'unprocessable', accepted: true },
];

/** As many at once as a client may ask. */
const atOnce = 6;
const rounds = Math.ceil(shortOrLong(120, 1000) / atOnce);

const isOver = ({ progress }: Entry): boolean => progress.kind === 'over';

describe('a thousand ambiguous failures', () => {
  let clock: FakeClock;
  let server: InMemoryControlPlane;
  let disk: Disk;
  const random = seededRandom(20_261_120);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;

  beforeEach(() => {
    clock = fakeClock();
    server = inMemoryControlPlane({ clock });
    disk = createDisk();
  });
  afterEach(() => {
    const reports = server.admin.takeReports().map(({ kind, what }) => `${kind}: ${what}`);
    assert.deepEqual([...new Set(reports)], [], 'what a client must not do');
  });

  const client = (): ControlPlaneClient =>
    createClient({
      baseUrl: server.url,
      token: () => Promise.resolve(server.key),
      fetch: server.fetch,
      clock,
      random,
      settings: () => defaults,
    });

  /** A window whose person wants everything sent again that may be. */
  async function window(): Promise<Window> {
    const made = openWindow(clock, disk, client(), random);
    made.answer = 'send';
    await clock.run(made.open());
    return made;
  }

  const posts = (path: string) =>
    server.admin.requests().filter(({ method, url }) => method === 'POST' && url.endsWith(path));

  it('make a thousand clean-ups, each over, with the same key and bytes each time (F43, F45, F65)', async () => {
    const [target] = server.world.servers;
    let requests = 0;
    for (let round = 0; round < rounds; round++) {
      server.admin.unkind({ inProgress: round % 3 === 0, unsetTimes: 'zero' });
      for (let count = 0; count < atOnce * 2; count++) {
        const fault = pick([...lost, ...open, { kind: 'latency', latencyMs: 5000 } as const]);
        server.admin.fault({ ...fault, endpoint: 'post_servers_cleanup_orphans' });
      }
      const first = await window();
      const ids = await Promise.all(
        Array.from({ length: atOnce }, (_, index) =>
          first.activity.cleanUp({
            serverId: target!.id,
            serverName: target!.name,
            items: [`orphan-${round}-${index}`, '📦 "quoted"'],
          }),
        ),
      );
      let last = first;
      if (round % 2 === 1) {
        // The window is reloaded in the midst of it.
        await clock.advance(random() * 10_000);
        await clock.run(first.activity.close());
        last = await window();
      }
      for (const id of ids) await clock.run(until(last, id, isOver));
      await clock.run(last.activity.close());
      const sent = posts('/cleanup-orphans');
      requests += sent.length;
      const keys = new Set(sent.map(({ headers }) => headers['idempotency-key']));
      assert.lengthOf(keys, atOnce);
      assert.lengthOf(new Set(sent.map(({ body }) => body)), atOnce);
      server.admin.reset();
    }
    assert.lengthOf(server.admin.operations(), rounds * atOnce);
    assert.isAtLeast(requests, rounds * atOnce * 2, 'many were sent more than once');
  });

  it('send no sync twice by itself (F44)', async () => {
    const source = server.world.sources.find(({ disconnected }) => !disconnected)!;
    const { signal } = new AbortController();
    const sync = (from: Window): Promise<string | undefined> =>
      clock.run(
        from.activity.sync(
          {
            sourceId: source.id,
            environmentId: source.environmentId,
            names: () => ({ sourceName: source.name, environmentName: 'production' }),
          },
          signal,
        ),
      );
    for (const fault of lost) {
      server.admin.fault({ ...fault, endpoint: 'post_sources_environments_syncs' });
      const first = await window();
      const id = await sync(first);
      const { progress } = await clock.run(
        until(first, id!, (one) => one.progress.kind !== 'sending'),
      );
      assert.equal(progress.kind, 'unknown');
      await clock.run(first.activity.close());
      const second = await window();
      second.activity.sendAgain(id!);
      await clock.advance(60_000);
      await clock.run(second.activity.close());
    }
    assert.lengthOf(posts('/syncs'), lost.length);
  });
});
