import { assert } from 'chai';
import { syncKind } from '../../../src/actions/kinds/sync';
import { cleanUpKind } from '../../../src/actions/kinds/cleanUp';
import { type ActivityEntry, isUnsettled } from '../../../src/activity/activityEntry';
import { cancelled, errorOf, problemOf } from '../../../src/activity/problems';
import {
  oneAtATime,
  sendAction,
  failureMeaning,
  type FailureMeaning,
} from '../../../src/actions/sendAction';
import type { ControlPlaneClient } from '../../../src/api/client';
import {
  ApiError,
  type ApiErrorKind,
  InvalidRequestError,
  localizableMessage,
} from '../../../src/api/errors';
import { RequestScheduler } from '../../../src/api/requestScheduler';
import { operations } from '../../../src/api/generated/operations';
import type { Fault } from '../../control-plane/faults';
import { inMemoryControlPlane, type InMemoryControlPlane } from '../../control-plane/inMemory';
import { seededRandom } from '../../control-plane/random';
import { testClient } from '../api/testClient';
import { covers } from '../covers';
import { fakeClock, type FakeClock } from '../fakeClock';
import { shortOrLong } from '../long';
import {
  createDisk,
  type Disk,
  openWindow,
  progressOf,
  until,
  type Window,
} from '../activity/windows';

/** Faults that leave open whether a request arrived: before it ran, and after. */
const lost: readonly Fault[] = [
  { kind: 'stall' },
  { kind: 'reset' },
  { kind: 'cut', afterBytes: 20 },
  { kind: 'malformedJson' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 500, accepted: true },
  { kind: 'status', status: 504, accepted: true },
];
/** Responses that do not say whether a request ran. */
const open: readonly Fault[] = [
  { kind: 'status', status: 409, code: 'in_progress', accepted: true },
  { kind: 'status', status: 409, code: 'idempotency_key_reused', accepted: true },
  { kind: 'status', status: 422, code: 'unprocessable', accepted: true },
];

/** How many requests run at once. */
const atOnce = 6;
const rounds = Math.ceil(shortOrLong(120, 1000) / atOnce);

const isOver = ({ progress }: ActivityEntry): boolean => progress.kind === 'over';

describe('sendAction', () => {
  type Answer = ApiError | 'done';

  /** The result with these responses in turn, and the time of each try in seconds. */
  async function send(
    rule: 'idempotent' | 'unsafe',
    answers: readonly Answer[],
    { stopAfter, isAgain }: { stopAfter?: number; isAgain?: boolean } = {},
  ) {
    const clock = fakeClock();
    const begin = clock.monotonic();
    const at: number[] = [];
    const stop = new AbortController();
    const cancelStop = clock.setTimer(() => stop.abort(), stopAfter ?? 1e8);
    const random = (): number => 0.5;
    const scheduler = new RequestScheduler(clock, random);
    const operation =
      rule === 'idempotent' ? operations.cleanUpOrphans : operations.syncEnvironment;
    const sent = await clock.run(
      sendAction(
        rule,
        (options) =>
          scheduler.run(operation, options, () => {
            assert.notEqual(options.signal, stop.signal, 'a running request is not stopped');
            const answer = answers[Math.min(at.length, answers.length - 1)]!;
            at.push((clock.monotonic() - begin) / 1000);
            return answer === 'done' ? Promise.resolve(answer) : Promise.reject(answer);
          }),
        {
          clock,
          random,
          lifetime: new AbortController().signal,
          stop: stop.signal,
        },
        isAgain,
      ),
    );
    cancelStop();
    assert.equal(clock.liveTimers, 0);
    const progress = sent.kind === 'failed' ? sent.progress : undefined;
    const code = progress && 'problem' in progress ? (progress.problem?.code ?? '') : '';
    const why = progress?.kind === 'unknown' ? progress.why : '';
    const words = progress ? [progress.kind, why, code] : ['answered'];
    return { result: words.filter((word) => word !== '').join(' '), at, progress };
  }

  const http = (status: number, code = `code_${status}`, retryAfter?: number): ApiError =>
    new ApiError({ kind: 'http', status, code, message: code, retryAfter });
  const reset = new ApiError({ kind: 'network', code: 'reset', message: '' });
  const gone = new ApiError({ kind: 'network', code: 'refused', message: '' });

  it('is refused if the first response says so', async () => {
    for (const rule of ['idempotent', 'unsafe'] as const) {
      for (const status of [400, 401, 403, 404, 405, 413, 415]) {
        const { result, at } = await send(rule, [http(status)]);
        assert.equal(result, `refused code_${status}`);
        assert.lengthOf(at, 1);
      }
    }
    assert.equal((await send('unsafe', [http(409)])).result, 'refused code_409');
  });

  it('is refused at once if the server is not in the state for it, unless an earlier try may have arrived', async () => {
    const stale = failure('http', 409, 'ORPHAN_SNAPSHOT_STALE');
    const { result, at } = await send('idempotent', [stale]);
    assert.equal(result, 'refused ORPHAN_SNAPSHOT_STALE');
    assert.lengthOf(at, 1);
    assert.equal((await send('idempotent', [http(429), stale])).result, result);
    for (const [answers, options] of [
      [[reset, stale], {}],
      [[http(409), stale], {}],
      [[stale], { isAgain: true }],
    ] as const) {
      const again = await send('idempotent', answers, options);
      assert.equal(again.result, 'unknown noAnswer ORPHAN_SNAPSHOT_STALE');
    }
    assert.equal((await send('unsafe', [stale])).result, 'refused ORPHAN_SNAPSHOT_STALE');
  });

  it('is unknown if an earlier try may have arrived', async () => {
    assert.equal(
      (await send('idempotent', [reset, http(403)])).result,
      'unknown noAnswer code_403',
    );
    const again = await send('idempotent', [http(403)], { isAgain: true });
    assert.equal(again.result, 'unknown noAnswer code_403');
    assert.equal((await send('unsafe', [reset])).result, 'unknown noAnswer reset');
  });

  it('is refused if it never reached a server', async () => {
    const { result, at } = await send('idempotent', [gone]);
    assert.equal(result, 'refused refused');
    assert.lengthOf(at, 3);
  });

  it('tries three times, and waits after up to ten 429 responses', async () => {
    assert.lengthOf((await send('idempotent', [http(503)])).at, 3);
    const busy = await send('unsafe', [http(429, 'busy', 1000)]);
    assert.equal(busy.result, 'refused busy');
    assert.lengthOf(busy.at, 10);
    const mixed = [http(429), http(429), http(429), reset, reset, 'done'] as const;
    assert.equal((await send('idempotent', mixed)).result, 'answered');
  });

  it('looks an open outcome up five times, at fixed intervals', async () => {
    const { result, at } = await send('idempotent', [http(409)]);
    assert.equal(result, 'unknown noAnswer code_409');
    const waits = at.slice(1).map((time, index) => time - at[index]!);
    [1, 2, 4, 8, 15].forEach((wait, index) => assert.approximately(waits[index]!, wait, wait / 10));
    const mixed = [http(409), http(409), reset, reset, 'done'] as const;
    assert.equal(
      (await send('idempotent', mixed)).result,
      'answered',
      'look-ups do not count as outages',
    );
  });

  it('waits for Retry-After before a look-up, up to ten minutes', async () => {
    const { at } = await send('idempotent', [http(409, 'busy', 600_000), 'done']);
    assert.isAtLeast(at[1]!, 600);
    assert.lengthOf((await send('idempotent', [http(409, 'busy', 600_001)])).at, 1);
  });

  it('is cancelled if it is stopped before it can have arrived, otherwise unknown with the last error', async () => {
    const held = await send('idempotent', [http(429, 'busy', 60_000)], { stopAfter: 1000 });
    assert.deepEqual(held.progress, { kind: 'refused', problem: cancelled });
    const open = await send('idempotent', [http(409)], { stopAfter: 500 });
    assert.equal(open.result, 'unknown stopped code_409');
    const early = await send('idempotent', ['done'], { stopAfter: 0, isAgain: true });
    assert.equal(early.result, 'answered');
  });

  it('sends nothing if it is stopped before the first try', async () => {
    const stop = AbortSignal.abort();
    const context = {
      clock: fakeClock(),
      random: () => 0.5,
      lifetime: new AbortController().signal,
      stop,
    };
    const never = (): Promise<never> => assert.fail('it is sent');
    for (const isAgain of [false, true]) {
      assert.deepEqual(await sendAction('idempotent', never, context, isAgain), {
        kind: 'failed',
        progress: isAgain
          ? { kind: 'unknown', why: 'stopped' }
          : { kind: 'refused', problem: cancelled },
      });
    }
  });

  it('ends with its lifetime', async () => {
    const lifetime = new AbortController();
    const context = {
      clock: fakeClock(),
      random: () => 0.5,
      lifetime: lifetime.signal,
      stop: lifetime.signal,
    };
    const reason = new Error('the connection was left');
    const sending = sendAction(
      'idempotent',
      () => {
        lifetime.abort(reason);
        return Promise.reject(reset);
      },
      context,
    ).catch((error: unknown) => error);
    assert.equal(await sending, reason);
  });
});

describe('a thousand ambiguous failures', () => {
  let clock: FakeClock;
  let server: InMemoryControlPlane;
  let disk: Disk;
  const random = seededRandom(20_261_120);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;

  beforeEach(() => {
    clock = fakeClock();
    server = inMemoryControlPlane({ clock });
    disk = createDisk();
  });
  afterEach(() => {
    const reports = server.admin.takeReports().map(({ kind, what }) => `${kind}: ${what}`);
    assert.deepEqual([...new Set(reports)], [], 'what a client must not do');
  });

  const client = (): ControlPlaneClient =>
    testClient({
      baseUrl: server.url,
      token: () => server.key,
      fetch: server.fetch,
      clock,
      random,
    });

  /** A window whose user always selects Send Again. */
  async function window(): Promise<Window> {
    const made = openWindow(clock, disk, client(), random);
    made.answer = 'send';
    await clock.run(made.open());
    return made;
  }

  const posts = (path: string) =>
    server.admin.requests().filter(({ method, url }) => method === 'POST' && url.endsWith(path));

  it(`end in a thousand clean-ups, each with the same key and bytes in all tries ${covers('F43, F45, F65', 'unit')}`, async () => {
    const [target] = server.world.servers;
    let requests = 0;
    for (let round = 0; round < rounds; round++) {
      server.admin.unkind({ inProgress: round % 3 === 0, unsetTimes: 'zero' });
      for (let count = 0; count < atOnce * 2; count++) {
        const fault = pick([...lost, ...open, { kind: 'latency', latencyMs: 5000 } as const]);
        server.admin.fault({ ...fault, endpoint: 'post_servers_cleanup_orphans' });
      }
      const first = await window();
      const ids = await Promise.all(
        Array.from({ length: atOnce }, (_, index) =>
          first.activity.start(cleanUpKind, {
            serverId: target!.id,
            serverName: target!.name,
            items: [`orphan-${round}-${index}`, '📦 "quoted"'],
          }),
        ),
      );
      let last = first;
      if (round % 2 === 1) {
        // Reloads the window meanwhile.
        await clock.advance(random() * 10_000);
        await clock.run(first.activity.close());
        last = await window();
      }
      for (const id of ids) await clock.run(until(last, id, isOver));
      await clock.run(last.activity.close());
      const sent = posts('/cleanup-orphans');
      requests += sent.length;
      const keys = new Set(sent.map(({ headers }) => headers['idempotency-key']));
      assert.lengthOf(keys, atOnce);
      assert.lengthOf(new Set(sent.map(({ body }) => body)), atOnce);
      server.admin.reset();
    }
    assert.lengthOf(server.admin.operations(), rounds * atOnce);
    assert.isAtLeast(requests, rounds * atOnce * 2, 'many were sent more than once');
  });

  const endpoint = 'post_servers_cleanup_orphans';
  const reused = (status: number): Fault => ({
    ...{ kind: 'status', status, code: 'idempotency_key_reused', endpoint, times: 50 },
  });
  for (const [name, begin] of [
    ['in progress', () => server.admin.unkind({ inProgress: true })],
    ['409', () => server.admin.fault(reused(409))],
    ['422', () => server.admin.fault(reused(422))],
  ] as const) {
    it(`are asked about and run once if a response is lost and the next ones are ${name} ${covers('F45, F65', 'unit')}`, async () => {
      server = inMemoryControlPlane({ clock, operationSeconds: 600 });
      server.admin.fault({ kind: 'reset', endpoint });
      begin();
      const made = openWindow(clock, disk, client(), random);
      await clock.run(made.open());
      const reported = new Set<string>();
      made.activity.onDidChange((change) => {
        if (change?.entry) reported.add(progressOf(change.entry));
      });
      const { id: serverId, name: serverName } = server.world.servers[0]!;
      const id = await made.activity.start(cleanUpKind, { serverId, serverName, items: ['tmp'] });
      await clock.run(until(made, id, ({ progress }) => progress.kind === 'unknown'));
      assert.deepEqual([...reported], ['sending', 'unknown noAnswer']);
      assert.lengthOf(made.asked, 1);
      const sent = [...posts('/cleanup-orphans')];
      assert.lengthOf(sent, 7, 'the lost request and six look-ups');

      server.admin.reset();
      await clock.advance(1_200_000);
      assert.isEmpty(posts('/cleanup-orphans'), 'until the user decides');
      made.activity.sendAgain(id);
      await clock.run(until(made, id, isOver));
      sent.push(...posts('/cleanup-orphans'));
      assert.lengthOf(new Set(sent.map(({ headers }) => headers['idempotency-key'])), 1);
      assert.lengthOf(new Set(sent.map(({ body }) => body)), 1);
      assert.lengthOf(server.admin.operations(), 1);
    });
  }

  it(`never send a sync twice automatically ${covers('F44', 'unit')}`, async () => {
    const source = server.world.sources.find(({ disconnected }) => !disconnected)!;
    const sync = (from: Window): Promise<string> =>
      clock.run(
        from.activity.start(syncKind, {
          sourceId: source.id,
          sourceName: source.name,
          environmentId: source.environmentId,
          environmentName: 'production',
        }),
      );
    for (const fault of lost) {
      server.admin.fault({ ...fault, endpoint: 'post_sources_environments_syncs' });
      const first = await window();
      const id = await sync(first);
      const { progress } = await clock.run(until(first, id, (one) => !isUnsettled(one)));
      assert.equal(progress.kind, 'unknown');
      await clock.run(first.activity.close());
      const second = await window();
      second.activity.sendAgain(id);
      await clock.advance(60_000);
      await clock.run(second.activity.close());
    }
    assert.lengthOf(posts('/syncs'), lost.length);
  });
});

describe('oneAtATime', () => {
  it('runs once for two calls, and again only after it ended', async () => {
    const once = oneAtATime<number>();
    const ends: ((value: number) => void)[] = [];
    const act = () => new Promise<number>((resolve) => ends.push(resolve));
    const both = [once('shop', act), once('shop', act)];
    const other = once('store', act);
    assert.lengthOf(ends, 2);
    ends[0]?.(1);
    ends[1]?.(2);
    assert.deepEqual(await Promise.all([...both, other]), [1, 1, 2]);
    void once('shop', act);
    assert.lengthOf(ends, 3);
  });

  it('can run again after a failure', async () => {
    const once = oneAtATime<number>();
    const failing = once('shop', () => Promise.reject(new Error('no')));
    assert.equal(await failing.catch((error: unknown) => String(error)), 'Error: no');
    assert.equal(await once('shop', () => Promise.resolve(7)), 7);
  });
});

const invalid = new InvalidRequestError(
  'items',
  localizableMessage('is empty'),
  localizableMessage('1 to 100'),
);

function failure(kind: ApiErrorKind, status?: number, code = 'some_code'): ApiError {
  const by = status === undefined ? {} : { status };
  return new ApiError({ kind, code, message: 'Why.', requestId: 'r-1', ...by });
}

function network(code: string): ApiError {
  return new ApiError({ kind: 'network', code, message: 'No.' });
}

describe('failureMeaning', () => {
  const cases: readonly (readonly [FailureMeaning, string, unknown])[] = [
    ['refused', 'an invalid value', invalid],
    ['refused', 'no key', failure('signedOut')],
    ['unknown', 'a time-out', failure('timeout')],
    ['unknown', 'a redirect', failure('redirect')],
    ['unknown', 'a response that violates the contract', failure('protocol')],
    ['unknown', 'an error of this client', new Error('What?')],
    ['unknown', 'a text', 'thrown'],
    ['refused', 'a port without a listener', network('refused')],
    ['refused', 'a name without an address', network('dns')],
    ['refused', 'an expired certificate', network('certificateExpired')],
    ['unknown', 'a reset connection', network('reset')],
    ...[400, 401, 403, 404, 405, 406, 411, 413, 414, 415, 429, 431].map(
      (status) => ['refused', `status ${status}`, failure('http', status)] as const,
    ),
    ...[408, 500, 502, 503, 504].map(
      (status) => ['unknown', `status ${status}`, failure('http', status)] as const,
    ),
    ...[402, 409, 410, 422, 451].map(
      (status) => ['open', `status ${status}`, failure('http', status)] as const,
    ),
    ...['invalid_items', 'validationFailed', 'malformed-body', 'UNSUPPORTED.item'].map(
      (code) => ['refused', `422 ${code}`, failure('http', 422, code)] as const,
    ),
    ...['ORPHAN_SNAPSHOT_STALE', 'conflict', 'SERVER_SETUP_PENDING', 'serverNotReady'].map(
      (code) => ['conflict', `409 ${code}`, failure('http', 409, code)] as const,
    ),
    ...[
      'IDEMPOTENCY_CONFLICT',
      'pending',
      'not_already',
      'invalid_idempotency_key',
      'invalidated',
      'in_progress',
      '',
    ].map((code) => ['open', `422 ${code}`, failure('http', 422, code)] as const),
  ];
  for (const [meaning, what, error] of cases) {
    it(`is ${meaning} for ${what}`, () => assert.equal(failureMeaning(error), meaning));
  }
});

describe('problemOf and errorOf', () => {
  it('keep everything that the server sent', () => {
    for (const kind of [
      'http',
      'network',
      'timeout',
      'redirect',
      'protocol',
      'signedOut',
    ] as const) {
      const problem = problemOf(failure(kind, 418));
      assert.deepEqual(problem, {
        ...{ kind, status: 418, code: 'some_code' },
        ...{ message: 'Why.', requestId: 'r-1' },
      });
      const again = errorOf(problem);
      assert.instanceOf(again, ApiError);
      assert.deepEqual(problemOf(again), problem);
    }
  });

  it('add no members', () => {
    const bare = new ApiError({ kind: 'network', code: 'reset', message: '' });
    assert.hasAllKeys(problemOf(bare), ['kind', 'code', 'message']);
    assert.deepEqual(problemOf(new Error('Full.')), { kind: 'other', message: 'Full.' });
    assert.deepEqual(problemOf('full'), { kind: 'other', message: 'full' });
    assert.equal(problemOf(invalid).kind, 'invalid');
  });

  it('keep the message of any other error', () => {
    const error = errorOf({ kind: 'other', message: 'Full.' });
    assert.notInstanceOf(error, ApiError);
    assert.equal(error.message, 'Full.');
    assert.propertyVal(errorOf({ kind: 'http', message: '' }), 'code', '');
  });
});
