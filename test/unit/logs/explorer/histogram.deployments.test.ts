import { assert } from 'chai';
import type { Deployment } from '../../../../src/api/types';
import type { CacheKey, CacheEntry } from '../../../../src/data/store';
import { DeploymentMarks } from '../../../../src/logs/explorer/histogram';
import { sampleRecord } from '../sampleRecord';

const minute = 60_000;
const start = Date.parse('2026-11-20T12:00:00Z');
const hour = { from: start, to: start + 60 * minute };
const idOf = (number: number): string =>
  `6c2b3f91-1d2e-4f30-9b4c-${String(number).padStart(12, '0')}`;
const recordOf = (number: number) =>
  sampleRecord({ workloadId: idOf(number), workloadName: `app ${number}` });
const deployed = (minutes: number): Deployment => ({
  id: idOf(1000 + minutes),
  createdAt: new Date(start + minutes * minute).toISOString(),
});

/** A store that answers at once, and what it was asked for. */
function marksWith(deployments: Readonly<Record<number, readonly Deployment[]>>, fails = false) {
  const asked: string[] = [];
  const entries = new Map<string, CacheEntry<{ deployments: Deployment[] }>>();
  let now = start;
  const store = {
    deployments: (id: string) => entries.get(id) ?? { isLoading: false, failures: 0 },
    refresh(key: CacheKey, priority: string) {
      assert.equal(priority, 'automatic');
      const id = key.kind === 'deployments' ? key.resourceId : assert.fail();
      asked.push(id);
      const number = Number(id.slice(-12));
      const value = { deployments: [...(deployments[number] ?? [])] };
      entries.set(id, {
        isLoading: false,
        failures: fails ? 1 : 0,
        triedAt: now,
        ...(fails ? {} : { value }),
      });
      return Promise.resolve();
    },
  };
  return {
    marks: new DeploymentMarks(store, { monotonic: () => now }),
    asked,
    pass: (ms: number) => void (now += ms),
  };
}

describe('deployments on the histogram', () => {
  it('are those of the workloads of the records and of the query, in the range', () => {
    const { marks } = marksWith({
      1: [deployed(50), deployed(10)],
      2: [deployed(70)],
      3: [deployed(20)],
    });
    marks.show(true);
    marks.replaced([recordOf(1), recordOf(2)], { workloadIds: [idOf(3)] });
    assert.deepEqual(
      marks.in(hour).map(({ at, workload }) => [(at - start) / minute, workload]),
      [
        [10, 'app 1'],
        [20, undefined],
        [50, 'app 1'],
      ],
    );
    marks.replaced([recordOf(2)], {});
    assert.deepEqual(marks.in(hour), []);
    assert.lengthOf(marks.in({ from: start, to: start + 80 * minute }), 1);
  });

  it('are not requested while the histogram is folded', () => {
    const { marks, asked } = marksWith({ 1: [deployed(10)] });
    marks.replaced([recordOf(1)], undefined);
    marks.added([recordOf(2)]);
    assert.deepEqual([asked, marks.in(hour)], [[], []]);
    marks.show(true);
    assert.sameMembers(asked, [idOf(1), idOf(2)]);
    assert.lengthOf(marks.in(hour), 1);
    marks.show(false);
    assert.deepEqual(marks.in(hour), []);
  });

  it('are requested once, and again for a later search', () => {
    const { marks, asked, pass } = marksWith({});
    marks.show(true);
    marks.replaced([recordOf(1)], undefined);
    marks.added([recordOf(1), recordOf(2)]);
    marks.added([recordOf(2)]);
    assert.deepEqual(asked.splice(0), [idOf(1), idOf(2)]);
    pass(2 * minute);
    marks.added([recordOf(1)]);
    assert.deepEqual(asked, []);
    marks.replaced([recordOf(1)], undefined);
    assert.deepEqual(asked, [idOf(1)]);
  });

  it('are not requested again after a refusal, nor for an id that is none', () => {
    const { marks, asked } = marksWith({}, true);
    marks.show(true);
    marks.replaced([recordOf(1), sampleRecord({ workloadId: '../x' })], undefined);
    marks.replaced([recordOf(1)], undefined);
    assert.deepEqual(asked, [idOf(1)]);
  });

  it('are bounded, in requests and in marks', () => {
    const many = Array.from({ length: 500 }, (_, index) => deployed(index / 10));
    const { marks, asked } = marksWith({ 39: many });
    marks.show(true);
    marks.replaced(
      Array.from({ length: 40 }, (_, index) => recordOf(index)),
      undefined,
    );
    assert.lengthOf(asked, 10);
    const shown = marks.in(hour);
    assert.lengthOf(shown, 50);
    assert.equal(shown.at(-1)?.at, start + 49.9 * minute);
  });
});
