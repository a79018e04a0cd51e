import { assert } from 'chai';
import { second } from '../../../../src/base/clock';
import type { ErrorKind } from '../../../../src/logs/errors/errorKind';
import { newSince, Suspects, type Suspicion } from '../../../../src/logs/errors/errorSuspects';
import { fakeClock, settle } from '../../fakeClock';
import { gives, scene, uuid } from '../../trees/treeText';
import { errorAt } from './errorRecords';

function kindNamed(key: string, changes: Partial<ErrorKind> = {}): ErrorKind {
  const record = errorAt(0, key);
  const found = { first: record, last: record, records: [record], workloads: [], deployments: [] };
  const keys = { key, messages: [key], template: key, runs: [] };
  return {
    ...keys,
    ...{ severity: 'error', count: 1, spots: [], change: 'new' },
    ...found,
    ...changes,
  };
}

const none: Suspicion = { commits: [], tooLarge: [] };

/** Searches that end when the test says so. */
function searches() {
  const clock = fakeClock();
  const open = new Map<string, (found: Suspicion | undefined) => void>();
  const asked: string[] = [];
  const suspects = new Suspects(({ key }, signal) => {
    asked.push(key);
    return new Promise((resolve, reject) => {
      open.set(key, resolve);
      signal.addEventListener('abort', () => {
        open.delete(key);
        reject(signal.reason as Error);
      });
    });
  }, clock);
  return { clock, open, asked, suspects };
}

describe('Suspected commits', () => {
  const [one, two] = [kindNamed('one'), kindNamed('two')];

  it('are searched for new kinds with rows, one after the other, and told', async () => {
    const { suspects, open, asked } = searches();
    let changes = 0;
    suspects.onDidChange(() => changes++);
    suspects.want([kindNamed('old', { change: undefined }), one, two]);
    assert.deepEqual(asked, ['one']);
    open.get('one')?.(none);
    await settle();
    assert.deepEqual(asked, ['one', 'two']);
    assert.deepEqual(suspects.of(one), none);
    assert.isUndefined(suspects.of(two));
    assert.equal(changes, 1);
    suspects.want([one, two]);
    assert.lengthOf(asked, 2);
  });

  it('are not searched any more when the row is gone', async () => {
    const { suspects, open, asked } = searches();
    suspects.want([one]);
    suspects.want([two]);
    await settle();
    assert.isFalse(open.has('one'));
    assert.deepEqual(asked, ['one', 'two']);
    suspects.dispose();
    await settle();
    assert.isEmpty([...open]);
  });

  it('are searched for at most 1.5 seconds, and a few times again later', async () => {
    const { suspects, open, asked, clock } = searches();
    for (let time = 0; time < 10; time++) {
      suspects.want([one]);
      await clock.advance(1.5 * second);
      assert.isFalse(open.has('one'));
      suspects.want([one]);
      await clock.advance(10 * second);
    }
    assert.lengthOf(asked, 5);
  });

  it('are those of the first deployment that wrote the kind', async () => {
    const [before, now] = ['a'.repeat(40), 'B'.repeat(40)];
    const listed = [before, now, 'c'.repeat(40)].map((commitSha, index) => ({
      ...{ id: uuid(index), commitSha, state: 'superseded' },
      createdAt: `2026-11-20T0${index}:00:00Z`,
      startedAt: `2026-11-20T0${index}:00:00Z`,
      finishedAt: `2026-11-20T0${index}:01:00Z`,
    }));
    const { context, load } = scene({
      listDeployments: gives('DeploymentListing', { deployments: listed }),
    });
    const item = (number: number) => ({ id: uuid(number), name: '', count: 1 });
    const kind = kindNamed('one', { workloads: [item(9)], deployments: [item(2), item(1)] });
    assert.isUndefined(newSince(kind, context), 'nothing is loaded');
    await load({ kind: 'deployments', id: uuid(9) });
    assert.deepInclude(newSince(kind, context), { before, now: now.toLowerCase() });
    assert.isUndefined(newSince({ ...kind, change: 'more' }, context));
    assert.isUndefined(newSince({ ...kind, deployments: [item(0)] }, context), 'the first one');
  });
});
