import { assert } from 'chai';
import {
  type OtherTime,
  rangeBefore,
  comparedPeriod,
  Comparison,
  fixedSearch,
  queryOfSide,
  rangesOfOther,
  comparedPlaces,
} from '../../../../src/logs/explorer/comparison';
import { hour, minute } from '../../../../src/base/clock';
import { parseSearch } from '../../../../src/logs/query/searchQuery';
import type { ErrorKind } from '../../../../src/logs/errors/errorKind';
import { type LineMapping, mapLines, unknownMapping } from '../../../../src/commits/lineMapping';
import { covers } from '../../covers';
import { t } from '../../trees/treeText';
import { refusal } from '../logServer';
import { kindWith, spotAt } from '../errors/spottedKinds';
import { searched, startedAt } from './searched';

const pause = () => Promise.resolve();
const { signal } = new AbortController();
const ofAll = { filter: {} };
/** A range of the log, whose records follow every 10 ms. */
const range = (first: number, end: number) => ({
  from: startedAt + first * 10,
  to: startedAt + end * 10 - 1,
});

function setup(records: number, now = range(3000, 6000)) {
  const { clock, server, client } = searched(records);
  const before = { ...ofAll, range: rangeBefore(now, 'periodBefore', 'utc')! };
  const comparison = new Comparison(client, { now: { ...ofAll, range: now }, before }, pause);
  const read = () => clock.run(comparison.read({ signal }));
  return { clock, server, client, comparison, read };
}

describe('comparison', () => {
  it('reads the newest of both sides in five requests each, and more on request', async () => {
    const { server, comparison, read } = setup(6000);
    const first = await read();
    assert.lengthOf(server.queries, 10);
    assert.deepEqual(
      [first.now, first.before].map((side) => [side.records.length, side.isWhole, side.read]),
      [
        [2500, false, [range(3500, 6000)]],
        [2500, false, [range(500, 3000)]],
      ],
    );
    assert.closeTo(first.factor, 1, 0.01);
    assert.isTrue(comparison.canRead);
    const second = await read();
    assert.lengthOf(server.queries, 12);
    assert.deepEqual(
      [second.now, second.before].map((side) => [side.records.length, side.isWhole, side.read]),
      [
        [3000, true, [range(3000, 6000)]],
        [3000, true, [range(0, 3000)]],
      ],
    );
    assert.isFalse(comparison.canRead);
    assert.equal(comparison.result, second);
  });

  it('takes a side that is only sampled for no change', async () => {
    const { read } = setup(9000, range(8000, 9000));
    const { now, before, changes } = await read();
    assert.deepEqual([now.isWhole, before.isWhole], [true, true]);
    const sampled = setup(9000, range(4500, 9000));
    const { changes: ofSample } = await sampled.read();
    for (const { change } of [...changes, ...ofSample]) assert.equal(change, 'same');
  });

  it('compares a part with the rest around it, within the same bounds', async () => {
    const { clock, server, client } = searched(9000);
    const comparison = new Comparison(
      client,
      {
        now: { ...ofAll, range: range(4000, 4500) },
        before: { ...ofAll, range: range(0, 9000) },
      },
      pause,
    );
    const { now, before } = await clock.run(comparison.read({ signal }));
    assert.lengthOf(now.records, 500);
    assert.lengthOf(before.read, 2);
    assert.lengthOf(before.records, 2000);
    const ids = new Set([...now.records, ...before.records].map(({ eventId }) => eventId));
    assert.equal(ids.size, 2500);
    assert.isAtMost(server.queries.length, 2 + 5);
  });

  it(`counts the time in which a deployment ran: since its first record or its end ${covers('F102', 'unit')}`, async () => {
    const { client, clock } = searched(2000);
    const [begin, end] = [startedAt - 60_000, startedAt + 30_000];
    const first = startedAt;
    for (const [runsSince, from] of [
      [first - 5000, first - 5000],
      [first + 5000, first],
      [undefined, begin],
    ] as const) {
      const now = { ...ofAll, range: { from: begin, to: end }, runsSince };
      const before = { ...ofAll, range: rangeBefore(now.range, 'periodBefore', 'utc')! };
      const comparison = new Comparison(client, { now, before }, pause);
      const result = await clock.run(comparison.read({ signal }));
      assert.isAtMost(Math.abs((result.now.read[0]?.from ?? 0) - from), 10, String(runsSince));
    }
  });

  it('is partial if the control plane left out records of any part of a side', async () => {
    for (const which of ['first', 'second', 'none']) {
      const { clock, server, client } = searched(3000);
      const pair = {
        now: { ...ofAll, range: range(1000, 1500) },
        before: { ...ofAll, range: range(0, 3000) },
      };
      const [first, second] = rangesOfOther(pair).map(({ from }) => new Date(from).toISOString());
      server.on.page = (page, { filters }) => ({
        ...page,
        partial: filters.from === { first, second }[which],
      });
      const comparison = new Comparison(client, pair, pause);
      const { now, before } = await clock.run(comparison.read({ signal }));
      assert.deepEqual([now.isPartial, before.isPartial], [false, which !== 'none'], which);
    }
  });

  it('reads a side once more if the permissions changed while it was read', async () => {
    const { server, read } = setup(6000);
    let pages = 0;
    server.on.page = (page) => ({ ...page, accessRevision: ++pages > 3 ? 'new' : 'old' });
    const { now, before } = await read();
    assert.isAtLeast(now.records.length, 2000);
    assert.isAtLeast(before.records.length, 2000);
  });

  it('keeps its result if more cannot be read', async () => {
    const { server, comparison, read } = setup(6000);
    const first = await read();
    server.on.query = () => {
      throw refusal(403);
    };
    let failure: unknown;
    await read().catch((error: unknown) => (failure = error));
    assert.propertyVal(failure, 'status', 403);
    assert.equal(comparison.result, first);
  });

  it('finds what sets the records of a pattern apart from all others', async () => {
    const { clock, server, client } = searched();
    server.admin.emit(
      Array.from({ length: 200 }, (_, index) => ({
        body: index % 10 === 0 ? 'no route' : `charged ${index} EUR`,
        attributes: { region: index % 10 === 0 ? 'eu' : 'us' },
      })),
    );
    const to = clock.now();
    const now = { ...ofAll, range: { from: to - 60_000, to } };
    const before = { ...ofAll, range: rangeBefore(now.range, 'periodBefore', 'utc')! };
    const comparison = new Comparison(client, { now, before }, pause);
    const { changes } = await clock.run(comparison.read({ signal }));
    assert.deepEqual(
      changes.map(({ template, change }) => [change, template]),
      [
        ['new', 'charged <n> EUR'],
        ['new', 'no route'],
      ],
    );
    const { key = '' } = changes.find(({ template }) => template === 'no route') ?? {};
    assert.deepInclude(await comparison.apartOf(key), {
      field: 'attr.region',
      value: 'eu',
      share: 1,
      otherShare: 0,
    });
  });
});

describe('sides of a comparison', () => {
  it('are a period and the one before if both are an hour, a day or a week', () => {
    const periodOf = (from: number, to: number, otherFrom: number, otherTo: number) =>
      comparedPeriod({
        now: { ...ofAll, range: { from, to } },
        before: { ...ofAll, range: { from: otherFrom, to: otherTo } },
      });
    const at = startedAt;
    assert.equal(periodOf(at, at + hour, at - hour, at - 1), 'hour');
    assert.equal(periodOf(at, at + 24 * hour - 1, at - 24 * hour, at - 1), 'day');
    assert.equal(periodOf(at, at + 168 * hour, at - 168 * hour, at), 'week');
    assert.isUndefined(periodOf(at, at + hour, at - 2 * hour, at - hour), 'not right before');
    assert.isUndefined(periodOf(at, at + hour, at - 2 * hour, at), 'longer');
    assert.isUndefined(periodOf(at, at + 2 * hour, at - 2 * hour, at), 'another length');
  });

  const noon = Date.UTC(2026, 10, 20, 12);
  const when = { now: noon, timeZone: 'utc' };
  const range = (from: number, to: number) => ({ from: noon + from, to: noon + to });

  it('have a fixed range, also in the query that shares them', () => {
    const parsed = parseSearch('severity:error last:1h', when);
    const side = parsed.ok ? fixedSearch(parsed.query, when) : undefined;
    assert.deepEqual(side?.range, range(-hour, 0));
    const query = side && queryOfSide(side);
    assert.equal(query, 'severity:error from:2026-11-20T11:00:00.000Z to:2026-11-20T12:00:00.000Z');
    const later = { now: noon + hour, timeZone: 'utc' };
    const again = parseSearch(query ?? '', later);
    assert.deepEqual(again.ok && fixedSearch(again.query, later), side);
  });

  it('are as long as the one they are compared with, and do not overlap it', () => {
    const now = range(-hour, 0);
    const before = (of: typeof now, which: OtherTime) => rangeBefore(of, which, 'utc');
    assert.deepEqual(before(now, 'periodBefore'), range(-2 * hour - 1, -hour - 1));
    assert.deepEqual(before(now, 'dayBefore'), range(-25 * hour, -24 * hour));
    assert.deepEqual(before(now, 'weekBefore'), range(-169 * hour, -168 * hour));
    assert.isUndefined(before(range(-30 * hour, 0), 'dayBefore'));
    assert.isDefined(before(range(-30 * hour, 0), 'weekBefore'));
  });

  it('are at the same time of the clock if it was changed in between', () => {
    const from = Date.parse('2026-03-08T16:00:00Z');
    const noon = { from, to: from + hour };
    const before = rangeBefore(noon, 'dayBefore', 'America/New_York');
    assert.deepEqual(before, { from: from - 23 * hour, to: from - 22 * hour });
    const long = { from, to: from + 23.5 * hour };
    assert.isUndefined(rangeBefore(long, 'dayBefore', 'America/New_York'));
    assert.isDefined(rangeBefore(long, 'dayBefore', 'UTC'));
  });

  it('count a record once: a part is compared with the rest', () => {
    const filter = { severities: ['error' as const] };
    const now = { filter, range: range(-40 * minute, -30 * minute) };
    const of = (whole: ReturnType<typeof range>, other = filter) =>
      rangesOfOther({ now, before: { filter: other, range: whole } });
    assert.deepEqual(of(range(-hour, 0)), [
      range(-hour, -40 * minute - 1),
      range(-30 * minute + 1, 0),
    ]);
    assert.deepEqual(of(range(-35 * minute, 0)), [range(-30 * minute + 1, 0)]);
    assert.deepEqual(of(range(-39 * minute, -35 * minute)), []);
    assert.deepEqual(of(range(-hour, -50 * minute)), [range(-hour, -50 * minute)]);
    const others = { severities: ['error' as const, 'fatal' as const], search: '' };
    assert.deepEqual(of(range(-hour, 0), others as typeof filter), [range(-hour, 0)]);
  });
});

const old = 'a1b2c3d4'.repeat(5);
const now = ['first', 'second', 'third', 'changed'];
const deployed = ['second', 'third', 'fourth'];

/** The places of kinds, whose spots are of the commit that their deployments are named by. */
async function placesOf(
  kinds: readonly ErrorKind[],
  signal = new AbortController().signal,
): Promise<{ places: (readonly string[] | undefined)[]; mapped: string[] }> {
  const mapped: string[] = [];
  const spots = new Map(kinds.map((kind) => [kind.template, kind.spots]));
  const places = await comparedPlaces(spots, {
    commitOf: ({ deploymentId }) => deploymentId ?? undefined,
    mappingOf(file, sha): Promise<LineMapping> {
      mapped.push(`${file} ${sha ?? '-'}`);
      return Promise.resolve(sha === old ? mapLines(deployed, now) : unknownMapping(now.length));
    },
    pathOf: (file) => file.replace('file:///shop/', ''),
    t,
    signal,
  });
  return {
    places: kinds.map(({ template }) => places.get(template)?.map(({ text }) => text)),
    mapped,
  };
}

describe('the places of compared patterns', () => {
  it('are the lines as they are now, and say why one may be another', async () => {
    const before = { deploymentId: old };
    const kinds = [
      kindWith('moved', [spotAt(1, before)]),
      kindWith('changed', [spotAt(3, before)]),
      kindWith('unknown', [spotAt(2)]),
      kindWith('without a place', []),
    ];
    const { places, mapped } = await placesOf(kinds);
    assert.deepEqual(places, [
      ['src/cart.ts:2'],
      ['src/cart.ts:4 · changed since a1b2c3d'],
      ['src/cart.ts:2 · may have moved'],
      [],
    ]);
    assert.lengthOf(mapped, 2, 'each text is compared once');
  });

  it('are the first of a kind, each once', async () => {
    const spots = [4, 4, 3, 2, 1].map((line, index) => spotAt(line, { column: index }));
    const { places } = await placesOf([kindWith('deep', spots)]);
    assert.deepEqual(places, [[4, 3, 2].map((line) => `src/cart.ts:${line} · may have moved`)]);
  });

  it('are as they came for the files of a text that is made to have many', async () => {
    const kinds = Array.from({ length: 150 }, (_, index) =>
      kindWith(`${index}`, [spotAt(9, { file: `file:///shop/${index}.ts` })]),
    );
    const { places, mapped } = await placesOf(kinds);
    assert.lengthOf(mapped, 100);
    assert.deepEqual(places[0], ['0.ts:4 · may have moved']);
    assert.deepEqual(places[149], ['149.ts:9 · may have moved']);
  });

  it('end with the signal', async () => {
    const controller = new AbortController();
    controller.abort();
    const result = placesOf([kindWith('E', [spotAt(1)])], controller.signal);
    assert.equal(await result.catch((error: unknown) => (error as Error).name), 'AbortError');
  });
});
