import { assert } from 'chai';
import type { ActivityEntry } from '../../../src/actions/activityEntry';
import { ApiError } from '../../../src/api/errors';
import { covers } from '../covers';
import { fakeClock, type FakeClock, settle } from '../fakeClock';
import { httpError } from '../data/fakeClient';
import { accepted, cleanUpServer, network, over } from './cleanUpServer';
import {
  createDisk,
  type Disk,
  isOver,
  openedWindow,
  progressOf,
  startedCleanUp,
  until,
  type Window,
} from './windows';

const isUnknown = ({ progress }: ActivityEntry): boolean => progress.kind === 'unknown';

/** Responses that leave open whether a clean-up with this idempotency key is running. */
const open = [
  httpError(409, 'request_in_progress'),
  httpError(409, 'idempotency_key_reused'),
  httpError(409, 'invalid_idempotency_key'),
  httpError(422, 'unprocessable'),
  httpError(423, 'locked'),
];

describe('a clean-up whose response leaves its outcome open', () => {
  let clock: FakeClock;
  let disk: Disk;

  beforeEach(() => {
    clock = fakeClock();
    disk = createDisk();
  });

  const start = (window: Window, wanted: (entry: ActivityEntry) => boolean) =>
    startedCleanUp(clock, window, wanted);

  for (const error of open) {
    const name = `${error.status} ${error.code}`;

    it(`is looked up with the same key after ${name} ${covers('F45', 'unit')}`, async () => {
      const { client, sent } = cleanUpServer([error, error, accepted], [over]);
      const window = await openedWindow(clock, disk, client);
      await start(window, isOver);
      assert.lengthOf(sent, 3);
      assert.lengthOf(new Set(sent.map((one) => JSON.stringify(one))), 1);
      assert.isEmpty(window.asked);
    });

    it(`is asked about, never shown as refused, after a lost response and ${name} ${covers('F45, F65', 'unit')}`, async () => {
      const { client, sent } = cleanUpServer([network(), error]);
      const window = await openedWindow(clock, disk, client);
      const reported: string[] = [];
      window.activity.onDidChange((change) => {
        if (change?.entry) reported.push(progressOf(change.entry));
      });
      const from = clock.monotonic();
      const { id, progress } = await start(window, isUnknown);
      assert.isAtLeast(clock.monotonic() - from, 30_000, 'it may be in progress');
      assert.isAtMost(clock.monotonic() - from, 60_000);
      assert.deepInclude('problem' in progress ? progress.problem : {}, { code: error.code });
      assert.deepEqual([...new Set(reported)], ['sending', 'unknown noAnswer']);
      assert.lengthOf(window.asked, 1);
      const tries = sent.length;
      await clock.advance(3_600_000);
      assert.lengthOf(sent, tries, 'until the user decides');
      window.activity.sendAgain(id);
      await clock.advance(60_000);
      assert.isAbove(sent.length, tries);
      assert.lengthOf(new Set(sent.map((one) => JSON.stringify(one))), 1);
    });
  }

  it('is not looked up before Retry-After', async () => {
    const busy = new ApiError({
      kind: 'http',
      status: 409,
      code: 'in_progress',
      message: '',
      retryAfter: 20_000,
    });
    const { client, sent } = cleanUpServer([busy, accepted], [over]);
    const window = await openedWindow(clock, disk, client);
    const id = await window.activity.start('cleanUp', {
      serverId: 'a',
      serverName: 'a',
      items: ['tmp'],
    });
    await clock.advance(19_999);
    assert.lengthOf(sent, 1);
    await clock.run(until(window, id, isOver));
    assert.lengthOf(sent, 2);
  });

  it('is left to the user if Retry-After is long', async () => {
    const busy = { kind: 'http', status: 409, code: 'in_progress', message: '' } as const;
    const { client, sent } = cleanUpServer([new ApiError({ ...busy, retryAfter: 3_600_000 })]);
    await start(await openedWindow(clock, disk, client), isUnknown);
    assert.lengthOf(sent, 1);
  });

  for (const [step, failure] of [
    ['looked up', httpError(409, 'in_progress')],
    ['tried again', network()],
  ] as const) {
    it(`that is stopped while it is ${step} is unknown, and asked about at once ${covers('F87', 'unit')}`, async () => {
      const { client, sent } = cleanUpServer([failure, accepted], [over]);
      const window = await openedWindow(clock, disk, client);
      const { id } = await start(window, ({ progress }) => progress.kind === 'sending');
      await settle();
      window.activity.stop(id);
      const stopped = await clock.run(until(window, id, isUnknown));
      assert.equal(progressOf(stopped), 'unknown stopped');
      assert.lengthOf(sent, 1);
      await settle();
      assert.deepEqual(
        window.asked.map((entry) => progressOf(entry)),
        ['unknown stopped'],
      );
      // The next start asks in the same words: the window was not closed meanwhile.
      await window.activity.close();
      const next = await openedWindow(clock, disk, client);
      await clock.advance(60_000);
      assert.deepEqual(
        next.asked.map((entry) => progressOf(entry)),
        ['unknown stopped'],
      );
    });
  }

  it(`that was stopped is sent again with its key if the user wants it, and can be stopped again ${covers('F87', 'unit')}`, async () => {
    const { client, sent } = cleanUpServer([network(), network(), accepted], [over]);
    const window = await openedWindow(clock, disk, client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'sending');
    await settle();
    window.activity.stop(id);
    await clock.run(until(window, id, isUnknown));
    window.activity.sendAgain(id);
    await settle();
    assert.lengthOf(sent, 2);
    window.activity.stop(id);
    await clock.run(until(window, id, isUnknown));
    window.activity.sendAgain(id);
    await clock.run(until(window, id, isOver));
    assert.lengthOf(sent, 3);
    assert.lengthOf(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)), 1);
  });

  for (const error of [
    httpError(422, 'validation_failed'),
    httpError(409, 'invalidItems'),
    httpError(422, 'malformed-body'),
    httpError(400, 'bad_request'),
  ]) {
    it(`is refused by ${error.status} ${error.code}`, async () => {
      const { client, sent } = cleanUpServer([error]);
      const window = await openedWindow(clock, disk, client);
      await start(window, ({ progress }) => progress.kind === 'refused');
      assert.lengthOf(sent, 1);
    });
  }
});
