import { assert } from 'chai';
import { ApiError } from '../../../src/api/errors';
import { fetchPages } from '../../../src/api/fetchPages';
import { requestsPerMinute } from '../../../src/api/requestScheduler';
import { hour, minute, second } from '../../../src/base/clock';
import { type CacheKey, Store } from '../../../src/data/store';
import { Polling } from '../../../src/data/polling';
import { seededRandom } from '../../control-plane/random';
import type { Unkindness } from '../../control-plane/unkind';
import { scaled } from '../../host/slowness';
import { fakeClock } from '../fakeClock';
import { clientOf, logServer } from '../logs/logServer';
import { followed, idsOf } from '../logs/tail/followed';
import { shortOrLong } from '../long';

const seeds = shortOrLong(2, 100);

/** Some of the ways in which a server may be unkind, drawn by a seed. */
function drawn(random: () => number): Unkindness {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const ways: readonly (() => Unkindness)[] = [
    () => ({ perMinute: { key: pick([20, 60, 200]) } }),
    () => ({ perMinute: { key: 200, workspace: pick([30, 100]) } }),
    () => ({ cursorSeconds: pick([10, 120, 1000]) }),
    () => ({ fractions: pick(['none', 'any'] as const) }),
    () => ({ lateSeconds: pick([1, 20]) }),
    () => ({ latencyMs: pick([300, 10_000]) }),
    () => ({ drip: { bytes: pick([7, 1000, 100_000]), ms: pick([1, 200]) } }),
    () => ({ missing: pick([0.1, 0.5, 0.9]) }),
    () => ({ aheadSeconds: pick([-600, 600]) }),
    () => ({ unknownValues: true }),
    () => ({ extraMembers: true }),
    () => ({ unsetTimes: pick(['empty', 'zero'] as const) }),
    () => ({ noNextCursor: true }),
    () => ({ streamRevision: true }),
    () => ({ vagueCursors: true }),
    () => ({ refusesFollowCursors: true }),
    () => ({ queryPage: pick([1, 30]) }),
    () => ({ largestPage: pick([10, 100]) }),
    () => ({ streamPage: pick([1, 30]) }),
  ];
  return Object.assign({}, ...ways.filter(() => random() < 0.3).map((way) => way())) as Unkindness;
}

describe('A server that is unkind in many ways at once', () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const random = seededRandom(seed);
    const unkind = drawn(random);
    it(`loses and repeats nothing without a word, and is asked as it wants: seed ${seed}, ${JSON.stringify(unkind)}`, async function () {
      this.timeout(scaled(300_000));
      const clock = fakeClock();
      const server = logServer({ clock, unkind, maxRecords: 100_000 });
      const client = clientOf(server, clock, { random });
      const f = followed({ clock, server, client, random, initialLines: 50 });
      const store = new Store(clock);
      const polling = new Polling(store, clock, () => 30);
      store.reset(client);
      polling.setFocused(true);
      const { sources, servers, workloads } = server.world;
      polling.watch('all', [
        ...sources.map(({ id }): CacheKey => ({ kind: 'resources', id })),
        ...servers.map(({ id }): CacheKey => ({ kind: 'alerts', id })),
        ...workloads.map(({ id }): CacheKey => ({ kind: 'deployments', id })),
        { kind: 'integrations', id: '' },
        { kind: 'repositories', id: '' },
      ]);

      /** The ids of the records of the last hour, a page after the other, as a person asks for them. */
      async function search(): Promise<readonly string[]> {
        const now = client.serverNow();
        const filters = {
          from: new Date(now - hour).toISOString(),
          to: new Date(now).toISOString(),
        };
        const start = { filters, direction: 'older' } as const;
        const { signal } = new AbortController();
        const asked = { client, start, target: 300, signal, priority: 'person' } as const;
        const { records, end, partial } = await fetchPages(asked);
        const ids = records.map(({ eventId }) => eventId);
        assert.lengthOf(new Set(ids), ids.length, 'no record comes twice');
        if (unkind.noNextCursor && end !== 'end' && end !== 'target') assert.isTrue(partial);
        return ids;
      }
      const failures: unknown[] = [];

      await f.begin();
      const searches: Promise<unknown>[] = [];
      let isSearching = false;
      for (let round = 0; round < 20; round++) {
        const bodies = Array.from({ length: Math.floor(random() * 20) }, () => ({ body: 'x' }));
        server.admin.emit(bodies);
        if (!isSearching) {
          isSearching = true;
          searches.push(
            search()
              .catch((error: unknown) => failures.push(error))
              .finally(() => (isSearching = false)),
          );
        }
        await clock.advance(random() * 30 * second);
      }
      // What is missing comes as soon as the server is kind.
      for (const way of Object.keys(unkind)) {
        if (way !== 'aheadSeconds') server.admin.unkind({ [way]: undefined });
      }
      await clock.advance(20 * minute);
      await clock.run(Promise.all(searches));
      // An answer of some bytes a second takes longer than anyone waits.
      const isTooSlow = unkind.drip !== undefined && unkind.drip.bytes < unkind.drip.ms;
      const others = failures.filter(
        (one) => !(isTooSlow && one instanceof ApiError && one.kind === 'timeout'),
      );
      assert.isEmpty(others.map(String), 'a search finds records, whatever the server does');
      server.admin.emit([{ body: 'the last' }]);
      await clock.advance(minute);

      assert.include(await clock.run(search()), server.log.at(-1)?.eventId);

      const shown = await f.shown();
      assert.lengthOf(new Set(shown), shown.length, 'nothing is shown twice');
      assert.equal(f.tail.state.kind, 'live');
      const all = server.log.map(({ eventId }) => eventId);
      const isTold = f.outputs.some(({ kind }) => kind === 'gap' || kind === 'partial');
      // It began with the newest records of the time when the first answer came.
      const begun = all.slice(all.findIndex((id) => shown.includes(id)));
      if (!isTold) assert.sameMembers(shown, begun, 'nothing is missing without a word');
      else assert.include(shown, all.at(-1));
      for (const { id } of sources) assert.isUndefined(store.read('resources', id).error);
      for (const { id } of workloads) assert.isUndefined(store.read('deployments', id).error);

      const times = server.admin.requests().map(({ at }) => at);
      // Wall-clock times are exact to a thousandth of a millisecond only.
      const within = minute - 0.001;
      const most = Math.max(
        ...times.map((at) => times.filter((time) => time >= at && time < at + within).length),
      );
      assert.isAtMost(most, requestsPerMinute.person);
      assert.isAtLeast(idsOf(f.outputs).length, 1);

      f.tail.stop();
      polling.dispose();
      store.reset(undefined);
      await clock.advance(minute);
      assert.lengthOf(server.open, 0);
      assert.equal(clock.liveTimers, 0);
    });
  }
});
