import { assert } from 'chai';
import {
  type ActionProgress,
  grantedPermission,
  type PreviewReportingEntry,
} from '../../../src/actions/activityEntry';
import { uuid } from '../trees/treeText';
import { connection } from './windows';

function entry(progress: ActionProgress): PreviewReportingEntry {
  return { id: uuid(1), connection, at: 0, kind: 'previewReporting', progress };
}

const sending = entry({ kind: 'sending' });
const refused = (status: number): ActionProgress => ({
  kind: 'refused',
  problem: { kind: 'http', status, message: '' },
});

describe('grantedPermission', () => {
  it('says whether the key has the permission when the response arrives', () => {
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
      const learnt = grantedPermission({ entry: entry(progress), previous: sending });
      assert.equal(learnt, expected, JSON.stringify(progress));
    }
  });

  it('is undefined for new and removed entries, and after the response', () => {
    const following = entry({ kind: 'following' });
    const over = entry({ kind: 'over' });
    assert.isUndefined(grantedPermission({ entry: over, previous: following }));
    assert.isUndefined(grantedPermission({ entry: sending, previous: undefined }));
    assert.isUndefined(grantedPermission({ entry: undefined, previous: sending }));
  });
});
