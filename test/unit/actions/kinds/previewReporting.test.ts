import { assert } from 'chai';
import { isOfKind } from '../../../../src/activity/entryKind';
import { previewReportingKind } from '../../../../src/actions/kinds/previewReporting';
import type { ActivityEntry } from '../../../../src/activity/activityEntry';
import { ApiError } from '../../../../src/api/errors';
import { fakeClock } from '../../fakeClock';
import { httpError } from '../../data/fakeClient';
import { createDisk, openedWindow, openWindow, progressOf, until } from '../../activity/windows';

interface Answer {
  readonly attempted?: number;
  readonly succeeded?: number;
  readonly failed?: number;
}

/** Runs a retry on a server with this response until it ends. */
async function retried(answer: () => Promise<Answer>) {
  const clock = fakeClock();
  const disk = createDisk();
  let requests = 0;
  const window = await openedWindow(clock, disk, {
    retryPreviewReporting() {
      requests++;
      assert.deepEqual(disk.log, ['write sending'], 'it is saved before it is sent');
      return answer();
    },
  });
  const id = await clock.run(window.activity.start(previewReportingKind, undefined));
  const entry = await clock.run(until(window, id, ({ progress }) => progress.kind !== 'sending'));
  return { clock, disk, window, entry, requests: () => requests };
}

const counts = (entry: ActivityEntry | undefined): unknown => {
  assert(isOfKind(entry, previewReportingKind));
  const { attempted, succeeded, failed } = entry;
  return { attempted, succeeded, failed };
};

describe('a retry of preview reporting', () => {
  it('ends with the response and shows its counts', async () => {
    const { entry, window } = await retried(() =>
      Promise.resolve({ attempted: 3, succeeded: 2, failed: 1 }),
    );
    assert.equal(progressOf(entry), 'over');
    assert.deepEqual(counts(entry), { attempted: 3, succeeded: 2, failed: 1 });
    assert.equal(window.activity.running, 0);
  });

  it('shows only the counts that the server sent', async () => {
    for (const answer of [{ attempted: 0 }, { succeeded: 0 }, { failed: 0 }, {}] as Answer[]) {
      const { entry } = await retried(() => Promise.resolve(answer));
      assert.equal(progressOf(entry), 'over');
      const { attempted, succeeded, failed } = answer;
      assert.deepEqual(counts(entry), { attempted, succeeded, failed });
      assert.sameMembers(
        Object.keys(entry).filter((key) => /attempted|succeeded|failed/.test(key)),
        Object.keys(answer),
      );
    }
  });

  it('shows why it was refused, and is sent once', async () => {
    const { entry, requests } = await retried(() => Promise.reject(httpError(403, 'forbidden')));
    assert(entry.progress.kind === 'refused');
    assert.equal(entry.progress.problem.code, 'forbidden');
    assert.equal(requests(), 1);
  });

  it('is unknown without a response, and never sent again, not even by the next window', async () => {
    const lost = new ApiError({ kind: 'network', code: 'reset', message: 'The connection broke.' });
    const { clock, disk, entry, requests } = await retried(() => Promise.reject(lost));
    assert.equal(progressOf(entry), 'unknown noAnswer');
    const next = openWindow(clock, disk, {});
    await clock.run(next.open());
    await clock.advance(60_000);
    assert.equal(progressOf(next.activity.find(entry.id)), 'unknown noAnswer');
    assert.equal(requests(), 1);
  });

  it('is unknown in the next window if its window closed before the response', async () => {
    const clock = fakeClock();
    const disk = createDisk();
    const first = await openedWindow(clock, disk, {
      retryPreviewReporting: (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    });
    const id = await clock.run(first.activity.start(previewReportingKind, undefined));
    await clock.advance(10);
    await clock.run(first.activity.close());
    const next = openWindow(clock, disk, {});
    await clock.run(next.open());
    await clock.advance(120_000);
    assert.equal(progressOf(next.activity.find(id)), 'unknown interrupted');
  });
});
