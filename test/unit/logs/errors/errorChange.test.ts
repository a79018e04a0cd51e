import { assert } from 'chai';
import { hour, minute } from '../../../../src/base/clock';
import type { Deployment, LogRecord } from '../../../../src/api/types';
import {
  errorChangeOf,
  type ComparedError,
  lastDeployment,
  seenDeployments,
  NewKinds,
} from '../../../../src/logs/errors/errorChange';
import { type ErrorChange, type ErrorKind, kindOf } from '../../../../src/logs/errors/errorKind';
import { ErrorGroups } from '../../../../src/logs/errors/errorGroups';
import { Patterns } from '../../../../src/logs/record/patterns';
import { covers } from '../../covers';
import { settle } from '../../fakeClock';
import { start, errorAt, filesAt, stackOf } from './errorRecords';

/** So many errors, one a minute from a time on. */
function errors(
  count: number,
  from: number,
  deploymentId: string | null = null,
  workloadId = 'web',
): ComparedError[] {
  return Array.from({ length: count }, (_, index) => ({
    record: { workloadId, deploymentId, previewId: null },
    at: from + index * minute,
  }));
}

const deployed = start + 2 * hour;
const web = { id: 'new', at: deployed, earlier: new Set(['old']) };

/** The change from two hours before the deployment to two hours after it. */
function change(all: readonly ComparedError[], deployments = { web }): string {
  const baseline = {
    since: start,
    now: start + 4 * hour,
    deployments: new Map(Object.entries(deployments)),
  };
  return errorChangeOf(all, baseline) ?? 'none';
}

describe('the change of a kind of error with the last deployment', () => {
  it('is new if it was not there before', () => {
    assert.strictEqual(change(errors(1, deployed + minute)), 'new');
    assert.strictEqual(change(errors(9, deployed)), 'new');
  });

  it('is none for an error that is rarer than what was looked at before is long', () => {
    const since = { ...web, at: start + 10 * minute };
    assert.strictEqual(change(errors(1, deployed), { web: since }), 'none');
    assert.strictEqual(change(errors(40, deployed), { web: since }), 'new');
  });

  it('is more from twice as often, and none for few', () => {
    assert.strictEqual(change([...errors(3, start), ...errors(6, deployed)]), 'more');
    assert.strictEqual(change([...errors(4, start), ...errors(6, deployed)]), 'none');
    assert.strictEqual(change([...errors(1, start), ...errors(3, deployed)]), 'none');
  });

  it('is none for a single error soon after the deployment, when clocks differ by more than that', () => {
    const now = { ...web, at: start + 4 * hour - 100 };
    assert.strictEqual(
      change([...errors(20, start), ...errors(1, start + 4 * hour)], { web: now }),
      'none',
    );
  });

  it('compares by the length of the periods', () => {
    const late = { ...web, at: start + 3 * hour };
    assert.strictEqual(
      change([...errors(6, start), ...errors(6, start + 3 * hour)], { web: late }),
      'more',
    );
  });

  it('is gone if it is missed, not if it may still come', () => {
    assert.strictEqual(change(errors(5, start)), 'gone');
    assert.strictEqual(change(errors(4, start)), 'none');
    const late = { ...web, at: start + 4 * hour - minute };
    assert.strictEqual(change(errors(60, start), { web: late }), 'none');
  });

  it('counts a record to its deployment while one replaces the other', () => {
    assert.strictEqual(change(errors(9, deployed, 'old')), 'gone');
    assert.strictEqual(change(errors(9, deployed - 5 * minute, 'new')), 'new');
    // A deployment after the last known one.
    assert.strictEqual(change(errors(9, deployed, 'newest')), 'new');
    assert.strictEqual(change(errors(9, deployed - hour, 'unknown')), 'gone');
  });

  it('is none if the deployment of a workload is unknown or before what was looked at', () => {
    assert.strictEqual(
      change([...errors(1, deployed), ...errors(1, start, null, 'worker')]),
      'none',
    );
    assert.strictEqual(change(errors(9, deployed), { web: { ...web, at: start - 1 } }), 'none');
  });

  it('adds up workloads with deployments of their own', () => {
    const worker = { id: 'w', at: start + hour, earlier: new Set<string>() };
    const both = [...errors(2, deployed), ...errors(2, start, null, 'worker')];
    assert.strictEqual(change(both, { web, worker } as { web: typeof web }), 'none');
    const after = [...errors(2, deployed), ...errors(2, start + hour, null, 'worker')];
    assert.strictEqual(change(after, { web, worker } as { web: typeof web }), 'new');
  });

  it('leaves previews out', () => {
    const preview = errors(9, start).map(({ record, at }) => ({
      record: { ...record, previewId: 'p' },
      at,
    }));
    assert.strictEqual(change(preview), 'none');
    assert.strictEqual(change([...preview, ...errors(1, deployed)]), 'new');
  });
});

describe('the last deployment of a workload', () => {
  const at = (time: number): string => new Date(start + time).toISOString();
  const deployment = (id: string, time: number, more: Deployment = {}): Deployment => ({
    id,
    state: 'succeeded',
    createdAt: at(time),
    ...more,
  });
  const idOf = (known: readonly Deployment[], seen: Record<string, number> = {}): string =>
    lastDeployment(known, new Map(Object.entries(seen)))?.id ?? 'none';

  it('is the newest that may have run and is no preview', () => {
    const all = [
      deployment('a', 1),
      deployment('b', 3),
      deployment('c', 4, { state: 'failed' }),
      deployment('d', 5, { environment: 'preview' }),
    ];
    assert.strictEqual(idOf(all), 'b');
    assert.deepEqual([...(lastDeployment(all, new Map())?.earlier ?? [])], ['a']);
  });

  it('is a newer one that records name before it is loaded', () => {
    assert.strictEqual(idOf([deployment('a', 1)], { a: start + 2, z: start + 5 }), 'z');
    assert.strictEqual(
      idOf([deployment('a', 1), deployment('f', 9, { state: 'failed' })], { f: start + 9 }),
      'a',
    );
  });

  it('is known from records alone only if another was before it', () => {
    assert.strictEqual(idOf([], { y: start, z: start + 5 }), 'z');
    assert.strictEqual(idOf([], { z: start + 5 }), 'none');
    assert.strictEqual(idOf([]), 'none');
  });

  it('is seen when it first wrote an error', () => {
    const seen = seenDeployments([...errors(2, start + hour, 'a'), ...errors(2, start, 'a')]);
    assert.strictEqual(seen.get('web')?.get('a'), start);
  });
});

function kind(body: string, change?: ErrorChange): ErrorKind {
  const pattern = new Patterns().add(body);
  const record = errorAt(1, body);
  const error = { record, severity: 'error' as const, at: 1, places: [], pattern, bytes: 1 };
  return { ...kindOf(body, [error]), change };
}

describe('new kinds of errors', () => {
  it('are those that became new since the last look, each once', () => {
    const news = new NewKinds();
    let time = 0;
    const keys = (...kinds: ErrorKind[]): string[] =>
      news.look(kinds, 1, (time += minute)).map(({ key }) => key);
    assert.isEmpty(keys(kind('old', 'new'), kind('other')));
    assert.deepEqual(keys(kind('old', 'new'), kind('a', 'new'), kind('b', 'more')), ['a']);
    assert.deepEqual(keys(kind('a', 'new'), kind('b', 'new')), ['b']);
    assert.isEmpty(keys(kind('a', 'new'), kind('b', 'new')));
  });

  it('are none whose pattern became more general', async () => {
    const news = new NewKinds();
    const groups = new ErrorGroups(settle, filesAt('a.ts', 'b.ts'));
    const asNew = (): ErrorKind[] => groups.kinds.map((one) => ({ ...one, change: 'new' }));
    const lost = (name: string, file: string): LogRecord =>
      errorAt(1, stackOf(`the ${name} of a cart is lost`, `${file}:1`));
    await groups.add([lost('price', 'a.ts')]);
    news.look(groups.kinds, 1, 0);
    const others = ['owner', 'tax', 'coupon', 'address'];
    await groups.add(others.map((name) => lost(name, 'a.ts')));
    assert.lengthOf(groups.kinds, 1);
    assert.isEmpty(news.look(asNew(), 1, hour));
    await groups.add([lost('tax', 'b.ts')]);
    assert.lengthOf(news.look(asNew(), 1, 2 * hour), 1);
  });

  it(`are also those that a known line with signs of patterns looks like ${covers('F106', 'unit')}`, () => {
    const news = new NewKinds();
    news.look([kind('<value> <value> <value> <value> <value>')], 1, 0);
    const lost = kind('Payment provider rejected the card', 'new');
    assert.deepEqual(news.look([lost], 1, hour), [lost]);
  });

  it('are none that were there when the first look began, even if their deployment is known later', () => {
    const news = new NewKinds();
    news.look([kind('old')], 1, 0);
    assert.isEmpty(news.look([kind('old', 'new')], 1, hour));
    // It was gone.
    news.look([], 1, 0);
    assert.lengthOf(news.look([kind('old', 'new')], 1, hour), 1);
  });

  it('are reported once, however many there are', () => {
    const news = new NewKinds();
    const many = Array.from({ length: 3000 }, (_, index) => kind(`${index}`, 'new'));
    news.look([], 1, 0);
    assert.lengthOf(news.look(many, 1, 0), 3000);
    assert.isEmpty(news.look(many, 1, hour));
  });

  it('are reported at most once a minute, those of the time between together', () => {
    const news = new NewKinds();
    const at = (time: number, ...keys: string[]): number =>
      news.look(
        keys.map((key) => kind(key, 'new')),
        1,
        time,
      ).length;
    assert.deepEqual(
      [at(0), at(1, 'a'), at(2, 'a', 'b'), at(3, 'a', 'b', 'c'), at(minute + 1, 'a', 'b', 'c')],
      [0, 1, 0, 0, 2],
    );
  });

  it('are none after another search', () => {
    const news = new NewKinds();
    news.look([], 1, 0);
    assert.isEmpty(news.look([kind('a', 'new')], 2, 0));
    assert.lengthOf(news.look([kind('a', 'new'), kind('b', 'new')], 2, 0), 1);
  });
});
