import { assert } from 'chai';
import { reportingTrialKind } from '../../../../src/actions/kinds/reportingTrial';
import { isOfKind } from '../../../../src/activity/entryKind';
import { fakeClock } from '../../fakeClock';
import { createDisk, kinds, openedWindow, progressOf, until } from '../../activity/windows';

describe('a trial of preview reporting', () => {
  it('ends with the number of failures, and is read from its file', async () => {
    const clock = fakeClock();
    const disk = createDisk();
    const window = await openedWindow(clock, disk, {
      retryPreviewReporting: () => Promise.resolve({ attempted: 3, failed: 1 }),
    });
    const id = await clock.run(window.activity.start(reportingTrialKind, undefined));
    const entry = await clock.run(until(window, id, ({ progress }) => progress.kind !== 'sending'));
    assert.equal(progressOf(entry), 'over');
    await window.activity.close();
    const kept = kinds.read(await disk.read(id));
    assert(isOfKind(kept, reportingTrialKind));
    assert.equal(kept.failed, 1);
  });
});
