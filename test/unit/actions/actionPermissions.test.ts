import { assert } from 'chai';
import {
  type ActionProgress,
  learntOfPermission,
  type PreviewReportingEntry,
} from '../../../src/actions/activityEntry';
import { uuid } from '../inventory/treeText';
import { connection } from './windows';

function entry(progress: ActionProgress): PreviewReportingEntry {
  return { id: uuid(1), connection, at: 0, kind: 'previewReporting', progress };
}

const sending = entry({ kind: 'sending' });
const refused = (status: number): ActionProgress => ({
  kind: 'refused',
  problem: { kind: 'http', status, message: '' },
});

describe('what a step of an action says of its permission', () => {
  it('is that the key has it, or lacks it, where its request was answered', () => {
    for (const [progress, expected] of [
      [refused(403), false],
      [{ kind: 'over' }, true],
      [{ kind: 'following' }, true],
      [{ kind: 'left', why: 'noPolling' }, true],
      [refused(400), undefined],
      [refused(401), undefined],
      [{ kind: 'unknown', why: 'noAnswer' }, undefined],
      [{ kind: 'sending' }, undefined],
    ] as const) {
      const learnt = learntOfPermission({ entry: entry(progress), previous: sending });
      assert.equal(learnt, expected, JSON.stringify(progress));
    }
  });

  it('is nothing where it was answered before, has just begun, or is gone', () => {
    const following = entry({ kind: 'following' });
    const over = entry({ kind: 'over' });
    assert.isUndefined(learntOfPermission({ entry: over, previous: following }));
    assert.isUndefined(learntOfPermission({ entry: sending, previous: undefined }));
    assert.isUndefined(learntOfPermission({ entry: undefined, previous: sending }));
  });
});
