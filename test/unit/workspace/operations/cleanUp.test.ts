import { assert } from 'chai';
import { cleanupText } from '../../../../src/api/cleanupBody';
import type { ControlPlaneClient } from '../../../../src/api/client';
import { ApiError } from '../../../../src/api/errors';
import type { CleanupResponse, Operation } from '../../../../src/api/types';
import type { CleanUpEntry, Entry } from '../../../../src/workspace/operations/entries';
import { fakeClock, settle, type FakeClock } from '../../fakeClock';
import { httpError } from '../fakeClient';
import {
  connection,
  createDisk,
  openWindow,
  operationId,
  progressOf,
  request,
  until,
  type CleanUpOrphansRequest,
  type Disk,
  type Window,
} from './windows';

const network = (): ApiError =>
  new ApiError({ kind: 'network', code: 'reset', message: 'read ECONNRESET' });
const nobodyThere = (): ApiError =>
  new ApiError({ kind: 'network', code: 'refused', message: 'connect ECONNREFUSED' });

/** A server that does what it is told with each clean-up, and tells each state in turn. */
function server(
  answers: readonly (CleanupResponse | ApiError | 'never')[],
  states: readonly (Operation | ApiError)[] = [],
) {
  const sent: CleanUpOrphansRequest[] = [];
  let polls = 0;
  const client: Partial<ControlPlaneClient> = {
    cleanUpOrphans(given, { signal }) {
      const answer = answers[Math.min(sent.length, answers.length - 1)];
      sent.push(given);
      if (answer === 'never') {
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      }
      return answer instanceof ApiError ? Promise.reject(answer) : Promise.resolve(answer ?? {});
    },
    getOperation() {
      const state = states[Math.min(polls++, states.length - 1)];
      return state instanceof ApiError ? Promise.reject(state) : Promise.resolve(state);
    },
  };
  return {
    client,
    sent,
    /** How often it was asked for an operation. */
    get polls() {
      return polls;
    },
  };
}

const accepted: CleanupResponse = {
  operation: { id: operationId, state: 'queued', phase: 'queued' },
  replayed: false,
};
const running: Operation = { id: operationId, state: 'running', phase: 'removing' };
const over: Operation = { id: operationId, state: 'succeeded', phase: 'done' };

const isOver = ({ progress }: Entry): boolean => progress.kind === 'over';
const isUnknown = ({ progress }: Entry): boolean => progress.kind === 'unknown';

describe('a clean-up', () => {
  let clock: FakeClock;
  let disk: Disk;

  beforeEach(() => {
    clock = fakeClock();
    disk = createDisk();
  });

  async function openOn(given: Partial<ControlPlaneClient>): Promise<Window> {
    const window = openWindow(clock, disk, given);
    await clock.run(window.open());
    return window;
  }

  /** Starts one and waits until it is as wanted. */
  async function start(window: Window, wanted: (entry: Entry) => boolean): Promise<CleanUpEntry> {
    const id = await clock.run(window.activity.cleanUp(request));
    const entry = await clock.run(until(window, id, wanted));
    assert(entry.kind === 'cleanUp');
    return entry;
  }

  it('is kept with its key and its body before it is sent (F44)', async () => {
    const kept: unknown[] = [];
    const { client } = server([accepted], [over]);
    const window = await openOn({
      ...client,
      cleanUpOrphans(given, options) {
        kept.push(...[...disk.files.values()].map((text) => JSON.parse(text) as unknown));
        return client.cleanUpOrphans!(given, options);
      },
    });
    const entry = await start(window, isOver);
    assert.lengthOf(kept, 1);
    const { id, idempotencyKey, at } = entry;
    assert.deepInclude(kept[0], {
      id,
      at,
      idempotencyKey,
      connection,
      kind: 'cleanUp',
      ...request,
      body: cleanupText(request.items),
      progress: { kind: 'sending' },
    });
    assert.notEqual(id, idempotencyKey);
  });

  it('is not sent where it cannot be kept', async () => {
    const { client, sent } = server([accepted]);
    const window = await openOn(client);
    disk.failing = 1;
    const failure = await window.activity.cleanUp(request).catch(String);
    assert.equal(failure, 'Error: The disk is full.');
    await clock.advance(60_000);
    assert.isEmpty(sent);
    assert.isEmpty(window.activity.entries);
  });

  it('is watched to its end, with what came meanwhile', async () => {
    const { client } = server([accepted], [running, { ...over, result: { exitCode: 0 } }]);
    const window = await openOn(client);
    const phases: (string | undefined)[] = [];
    window.activity.onDidChange((change) => {
      if (change?.entry?.kind === 'cleanUp') phases.push(change.entry.operation?.phase);
    });
    const entry = await start(window, isOver);
    await settle();
    assert.deepEqual(entry.operation?.result, { exitCode: 0 });
    assert.deepEqual([...new Set(phases)], [undefined, 'queued', 'removing', 'done']);
    const [text] = [...disk.files.values()];
    assert.include(text, '"state":"succeeded"');
    assert.equal(window.activity.running, 0);
    assert.equal(clock.liveTimers, 0);
  });

  for (const [name, failure] of [
    ['a reset', network()],
    ['a time-out', new ApiError({ kind: 'timeout', code: 'timeout', message: 'slow' })],
    ['a 500', httpError(500, 'internal_error')],
    ['a 408', httpError(408, 'timeout')],
  ] as const) {
    it(`after ${name} is sent again with the same key and the same items (F43)`, async () => {
      const { client, sent } = server([failure, failure, { ...accepted, replayed: true }], [over]);
      const window = await openOn(client);
      const entry = await start(window, isOver);
      assert.lengthOf(sent, 3);
      assert.lengthOf(new Set(sent.map((one) => JSON.stringify(one))), 1);
      assert.isTrue(entry.replayed);
      assert.isEmpty(window.asked);
    });
  }

  it('asks after three tries, and sends the same again only if that is wanted (F43)', async () => {
    const { client, sent } = server([network(), network(), network(), accepted], [over]);
    const window = await openOn(client);
    const entry = await start(window, isUnknown);
    await clock.advance(3_600_000);
    assert.lengthOf(sent, 3, 'nobody has answered');
    assert.deepEqual(
      window.asked.map(({ id }) => id),
      [entry.id],
    );
    await window.activity.close();

    const next = openWindow(clock, disk, client);
    await clock.run(next.open());
    await clock.advance(60_000);
    assert.isEmpty(next.asked, 'asked once');
    next.activity.sendAgain(entry.id);
    await clock.run(until(next, entry.id, isOver));
    assert.lengthOf(sent, 4);
    assert.lengthOf(new Set(sent.map((one) => JSON.stringify(one))), 1);
  });

  it('that never reached anybody is refused, not unknown', async () => {
    const { client, sent } = server([nobodyThere()]);
    const window = await openOn(client);
    const entry = await start(window, ({ progress }) => progress.kind === 'refused');
    assert.lengthOf(sent, 3);
    assert.equal(progressOf(entry), 'refused');
  });

  it('refused after a try that may have come through is unknown', async () => {
    const { client } = server([network(), httpError(403, 'forbidden')]);
    const window = await openOn(client);
    assert.equal(progressOf(await start(window, isUnknown)), 'unknown noAnswer');
  });

  it('whose key stands for another request stops there (F45)', async () => {
    const { client, sent } = server([httpError(409, 'idempotency_key_reused')]);
    const window = await openOn(client);
    const entry = await start(window, ({ progress }) => progress.kind === 'conflict');
    await clock.advance(60_000);
    window.activity.sendAgain(entry.id);
    await clock.advance(60_000);
    assert.lengthOf(sent, 1);
    assert.isEmpty(window.asked);
  });

  it('says which permission is missing, and is not sent again', async () => {
    const { client, sent } = server([httpError(403, 'forbidden')]);
    const window = await openOn(client);
    const entry = await start(window, ({ progress }) => progress.kind === 'refused');
    assert.deepEqual(entry.progress, {
      kind: 'refused',
      problem: {
        kind: 'http',
        status: 403,
        code: 'forbidden',
        message: 'forbidden',
        requestId: 'r-1',
      },
    });
    assert.lengthOf(sent, 1);
  });

  it('waits as long as the server says, and no shorter, after a 429', async () => {
    const busy = new ApiError({
      kind: 'http',
      status: 429,
      code: 'rate_limited',
      message: '',
      retryAfter: 40_000,
    });
    const { client, sent } = server([busy, accepted], [over]);
    const window = await openOn(client);
    const id = await window.activity.cleanUp(request);
    await clock.advance(39_999);
    assert.lengthOf(sent, 1);
    await clock.run(until(window, id, isOver));
    assert.lengthOf(sent, 2);
  });

  it('goes on in a new window where it was accepted (F44)', async () => {
    const first = server([accepted], [running]);
    const window = await openOn(first.client);
    const entry = await start(window, ({ progress }) => progress.kind === 'following');
    const second = server([accepted], [over]);
    const next = openWindow(clock, disk, second.client);
    await window.activity.close();
    await clock.run(next.open());
    await clock.run(until(next, entry.id, isOver));
    assert.isEmpty(second.sent);
    assert.isEmpty(next.asked);
  });

  it('whose window ended on the way asks before it is sent again, with the same key (F44)', async () => {
    const first = server(['never']);
    const window = await openOn(first.client);
    const entry = await start(window, ({ progress }) => progress.kind === 'sending');
    await window.activity.close();
    assert.equal(progressOf(window.activity.find(entry.id)), 'gone');

    const second = server([{ ...accepted, replayed: true }], [over]);
    const next = openWindow(clock, disk, second.client);
    await clock.run(next.open());
    await clock.run(until(next, entry.id, isUnknown));
    await clock.advance(600_000);
    assert.isEmpty(second.sent, 'nobody has answered');
    await next.activity.close();

    const third = openWindow(clock, disk, second.client);
    third.answer = 'send';
    await clock.run(third.open());
    await clock.run(until(third, entry.id, isOver));
    assert.deepEqual(second.sent, first.sent);
    assert.deepEqual(second.sent[0]?.idempotencyKey, entry.idempotencyKey);
  });

  it('that is asked about can be sent again, or taken off the list, from its row', async () => {
    const failures = [network(), network(), network()];
    const { client, sent } = server([...failures, accepted, ...failures], [over]);
    const window = await openOn(client);
    const first = await start(window, isUnknown);
    await settle();
    window.activity.sendAgain(first.id);
    await clock.run(until(window, first.id, isOver));
    assert.lengthOf(sent, 4);
    const second = await start(window, isUnknown);
    await settle();
    await clock.run(window.activity.remove(second.id));
    assert.lengthOf(window.activity.entries, 1);
    await clock.advance(60_000);
    assert.lengthOf(sent, 7);
  });

  it('that a person leaves as it is stays unknown, and is not asked about again', async () => {
    const first = server(['never']);
    const window = await openOn(first.client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'sending');
    await window.activity.close();
    for (const expected of [1, 0]) {
      const next = openWindow(clock, disk, first.client);
      next.answer = 'leave';
      await clock.run(next.open());
      await clock.advance(60_000);
      assert.lengthOf(next.asked, expected);
      assert.equal(progressOf(next.activity.find(id)), 'unknown noAnswer');
      await next.activity.close();
    }
    assert.lengthOf(first.sent, 1);
  });

  it('is sent and watched by one of two windows', async () => {
    const all = server([accepted], [running, running, running, over]);
    const one = await openOn(all.client);
    const other = await openOn(all.client);
    const id = await clock.run(one.activity.cleanUp(request));
    await clock.run(until(one, id, ({ progress }) => progress.kind === 'following'));
    await clock.run(other.activity.refresh());
    assert.isFalse(other.activity.isHere(id));
    assert.equal(other.activity.running, 1, 'both count it');
    await clock.run(until(one, id, isOver));
    await clock.run(until(other, id, isOver));
    assert.lengthOf(all.sent, 1);
    assert.equal(all.polls, 4);
    assert.isEmpty(other.asked);
  });

  it('left off is taken up by one of two windows that come at the same time', async () => {
    const first = server(['never']);
    const window = await openOn(first.client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'sending');
    await window.activity.close();
    const second = server([accepted], [over]);
    const pair = [openWindow(clock, disk, second.client), openWindow(clock, disk, second.client)];
    pair.forEach((next) => (next.answer = 'send'));
    await clock.run(Promise.all(pair.map((next) => next.open())));
    await Promise.all(pair.map((next) => clock.run(until(next, id, isOver))));
    assert.lengthOf(second.sent, 1);
    assert.lengthOf(
      pair.flatMap(({ asked }) => asked),
      1,
    );
  });

  it('of a window that crashed is taken over once that is silent', async () => {
    const all = server([accepted], [running]);
    const window = await openOn(all.client);
    const entry = await start(window, ({ progress }) => progress.kind === 'following');
    const text = disk.files.get(entry.id)!;
    await window.activity.close();
    // As it lay on the disk when the process was killed, with its lease.
    disk.files.set(entry.id, text);
    const next = await openOn(server([], [over]).client);
    assert.isFalse(next.activity.isHere(entry.id));
    await clock.run(until(next, entry.id, isOver));
  });

  it('stays with its connection, which goes on with it when it is opened again', async () => {
    const all = server([accepted], [running, over]);
    const window = await openOn(all.client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'following');
    const elsewhere = { name: 'elsewhere', baseUrl: 'https://elsewhere.example' };
    await clock.run(window.activity.open(elsewhere, server([]).client as ControlPlaneClient));
    assert.isEmpty(window.activity.entries);
    await clock.advance(60_000);
    assert.equal(all.polls, 0, 'nobody asks the other connection');
    await clock.run(window.activity.open(connection, window.client));
    await clock.run(until(window, id, isOver));
  });

  it('is not started on a connection that went away while it was kept', async () => {
    const all = server([accepted]);
    const window = await openOn(all.client);
    const starting = window.activity.cleanUp(request).then(
      () => 'started',
      () => 'aborted',
    );
    await window.activity.close();
    assert.equal(await starting, 'aborted');
    await clock.advance(60_000);
    assert.isEmpty(all.sent);
    assert.isEmpty([...disk.files]);
  });

  it('no longer watched goes on at the server, and can be watched again', async () => {
    const all = server([accepted], [running, over]);
    const window = await openOn(all.client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'following');
    window.activity.stop(id);
    const left = await clock.run(until(window, id, ({ progress }) => progress.kind === 'left'));
    assert.equal(progressOf(left), 'left stopped');
    await clock.advance(60_000);
    assert.equal(all.polls, 0);
    await settle();
    window.activity.watchAgain(id);
    await clock.run(until(window, id, isOver));
  });

  it('on a server that cannot be asked is accepted, and that is found out once (F46)', async () => {
    const noEndpoint = httpError(404, 'noErrorObject');
    const all = server([accepted], [noEndpoint]);
    const window = await openOn(all.client);
    const isLeft = ({ progress }: Entry): boolean => progress.kind === 'left';
    assert.equal(progressOf(await start(window, isLeft)), 'left noPolling');
    assert.equal(all.polls, 3);
    assert.equal(progressOf(await start(window, isLeft)), 'left noPolling');
    assert.equal(all.polls, 3);
  });

  it('may be forgotten by hand, but not while it goes on', async () => {
    const window = await openOn(server([accepted], [running, over]).client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'following');
    await window.activity.remove(id);
    assert.lengthOf(window.activity.entries, 1);
    await clock.run(until(window, id, isOver));
    await settle();
    await window.activity.remove(id);
    assert.isEmpty(window.activity.entries);
    assert.isEmpty([...disk.files]);
  });

  it('is one of 200 that are kept', async () => {
    const window = await openOn(server([httpError(403, 'forbidden')]).client);
    for (let count = 0; count < 203; count++) {
      await start(window, ({ progress }) => progress.kind === 'refused');
      await clock.advance(1);
    }
    assert.lengthOf(window.activity.entries, 200);
    assert.lengthOf([...disk.files], 200);
  });

  it('is kept beyond those while it goes on, and no longer', async () => {
    let refuse: ((error: ApiError) => void) | undefined;
    const window = await openOn({
      cleanUpOrphans: () =>
        refuse
          ? Promise.reject(httpError(403, 'forbidden'))
          : new Promise((_, reject) => (refuse = reject)),
    });
    const first = await start(window, ({ progress }) => progress.kind === 'sending');
    for (let count = 0; count < 200; count++) {
      await clock.advance(1);
      await start(window, ({ progress }) => progress.kind === 'refused');
    }
    assert.exists(window.activity.find(first.id));
    assert.lengthOf([...disk.files], 201);
    refuse?.(httpError(403, 'forbidden'));
    await settle();
    assert.notExists(window.activity.find(first.id));
    assert.lengthOf([...disk.files], 200);
  });

  it('that a file describes wrongly is not there', async () => {
    const window = await openOn(server(['never']).client);
    const { id } = await start(window, ({ progress }) => progress.kind === 'sending');
    const text = disk.files.get(id)!;
    await window.activity.close();
    disk.files.set(id, text.replace('old-api', 'new-api'));
    disk.files.set('x', '{"kind":');
    const next = await openOn(server([accepted]).client);
    assert.isEmpty(next.activity.entries, 'its body is not that of its items');
  });
});
