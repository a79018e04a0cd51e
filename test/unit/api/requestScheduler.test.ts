import { assert } from 'chai';
import { ApiError } from '../../../src/api/errors';
import {
  type Priority,
  requestsPerMinute,
  RequestScheduler,
  type Scheduling,
  type Wait,
} from '../../../src/api/requestScheduler';
import { operations } from '../../../src/api/generated/operations';
import { hour, minute, second } from '../../../src/base/clock';
import { covers } from '../covers';
import { fakeClock, settle } from '../fakeClock';

type Options = Partial<Scheduling>;
type Rules = Parameters<RequestScheduler['run']>[0];

/** A scheduler whose requests a test answers by name. */
function scheduling(random = (): number => 0) {
  const clock = fakeClock();
  const scheduler = new RequestScheduler(clock, random);
  const open = new Map<string, { answer(): void; fail(error: unknown): void }>();
  const sent: string[] = [];
  return {
    clock,
    /** The names of the requests that were sent, in order. */
    sent,
    send(
      name: string,
      priority: Priority,
      operation: Rules = operations.queryLogs,
      more?: Options,
    ) {
      const { signal } = new AbortController();
      const promise = scheduler.run(operation, { signal, priority, ...more }, () => {
        sent.push(name);
        return new Promise<string>((resolve, reject) =>
          open.set(name, { answer: () => resolve(name), fail: reject }),
        );
      });
      // Whether it fails is looked at later, or is of no interest.
      promise.catch(() => undefined);
      return promise;
    },
    sendMany(names: string, count: number, priority: Priority, operation?: Rules): void {
      for (let n = 1; n <= count; n++) void this.send(`${names} ${n}`, priority, operation);
    },
    async answer(...names: string[]): Promise<void> {
      for (const name of names) open.get(name)?.answer();
      await settle();
    },
    async fail(name: string, error: unknown): Promise<void> {
      await settle();
      open.get(name)?.fail(error);
      await settle();
    },
    /** Sends and answers requests until the budget of a minute has room for no more. */
    async spend(count: number): Promise<void> {
      for (let n = 1; n <= count; n++) {
        void this.send(`spent ${n}`, 'person');
        await settle();
        await this.answer(`spent ${n}`);
      }
      sent.length = 0;
    },
  };
}

function limited(retryAfter?: number): ApiError {
  return new ApiError({
    ...{ kind: 'http', status: 429, code: 'rate_limited', message: 'Slow down.', retryAfter },
    requestId: 'r-1',
  });
}

const outage = (): ApiError =>
  new ApiError({ kind: 'http', status: 503, code: 'down', message: 'Down.' });

const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('RequestScheduler', () => {
  it('sends at most twelve requests at a time, of which four are not for a person', async () => {
    const s = scheduling();
    const { sent } = s;
    s.sendMany('poll', 6, 'automatic');
    await settle();
    assert.deepEqual(sent, ['poll 1', 'poll 2', 'poll 3', 'poll 4']);
    s.sendMany('person', 10, 'person');
    await settle();
    assert.lengthOf(sent, 12);
    assert.deepEqual(
      sent.slice(4),
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `person ${n}`),
    );
    await s.answer('person 1');
    assert.equal(sent.at(-1), 'person 9');
    await s.answer('poll 1');
    assert.equal(sent.at(-1), 'person 10', 'a person comes first');
    await s.answer('person 2');
    assert.equal(sent.at(-1), 'poll 5');
    await s.answer('poll 2');
    assert.equal(sent.at(-1), 'poll 6');
    assert.lengthOf(sent, 16);
  });

  it('sends what is more urgent first, and the rest in the order in which it came', async () => {
    const s = scheduling();
    s.sendMany('busy', 4, 'automatic');
    s.sendMany('poll', 2, 'automatic');
    s.sendMany('row', 2, 'awaited');
    await settle();
    s.sent.length = 0;
    await s.answer('busy 1', 'busy 2', 'busy 3', 'busy 4');
    assert.deepEqual(s.sent, ['row 1', 'row 2', 'poll 1', 'poll 2']);
  });

  it('takes no place for a stream, which stays open', async () => {
    const s = scheduling();
    s.sendMany('stream', 20, 'person', operations.openLogStream);
    s.sendMany('asked', 13, 'person');
    s.sendMany('late stream', 1, 'person', operations.openLogStream);
    await settle();
    assert.lengthOf(s.sent, 20 + 12 + 1);
    assert.equal(s.sent.at(-1), 'late stream 1');
  });

  it('sends a request as soon as a person waits for it, too', async () => {
    const s = scheduling();
    const raise = new AbortController();
    s.sendMany('busy', 4, 'automatic');
    void s.send('poll', 'automatic', operations.queryLogs, { raise: raise.signal });
    await settle();
    assert.notInclude(s.sent, 'poll');
    raise.abort();
    await settle();
    assert.equal(s.sent.at(-1), 'poll');
  });

  it('counts what was raised as for a person, so that others have the place', async () => {
    const s = scheduling();
    const raise = new AbortController();
    void s.send('raised', 'automatic', operations.queryLogs, { raise: raise.signal });
    s.sendMany('poll', 4, 'automatic');
    await settle();
    assert.notInclude(s.sent, 'poll 4');
    raise.abort();
    await s.answer('poll 1');
    s.sendMany('other', 1, 'automatic');
    await settle();
    assert.includeMembers(s.sent, ['poll 4', 'other 1']);
  });

  for (const [priority, count] of [
    ['awaited', requestsPerMinute.awaited],
    ['automatic', requestsPerMinute.automatic],
  ] as const) {
    it(`sends none that is ${priority} beyond ${count} requests in a minute`, async () => {
      const s = scheduling();
      await s.spend(count - 1);
      await s.clock.advance(10 * second);
      const last = s.send('last', priority);
      const late = s.send('late', priority);
      await settle();
      assert.deepEqual(s.sent, ['last']);
      await s.answer('last');
      await last;
      await s.clock.advance(50 * second - 1);
      assert.deepEqual(s.sent, ['last']);
      await s.clock.advance(1);
      assert.deepEqual(s.sent, ['last', 'late']);
      await s.answer('late');
      await late;
      assert.equal(s.clock.liveTimers, 0);
    });
  }

  it('holds back no first request of a person, but its retries', async () => {
    for (const error of [outage(), limited()]) {
      const s = scheduling();
      await s.spend(requestsPerMinute.person);
      const call = s.send('asked', 'person');
      await settle();
      assert.deepEqual(s.sent, ['asked']);
      await s.fail('asked', error);
      await s.clock.advance(59 * second);
      assert.deepEqual(s.sent, ['asked']);
      await s.clock.advance(second);
      assert.deepEqual(s.sent, ['asked', 'asked']);
      await s.answer('asked');
      assert.equal(await call, 'asked');
    }
  });

  it('has room for what is awaited after what is automatic has spent its part', async () => {
    const s = scheduling();
    await s.spend(requestsPerMinute.automatic);
    void s.send('poll', 'automatic');
    void s.send('row', 'awaited');
    await settle();
    assert.deepEqual(s.sent, ['row']);
  });

  it('tries again while a person waits, or if the caller says so: otherwise the next request is the retry', async () => {
    const triesOf = async (priority: Priority, more?: Options): Promise<number> => {
      const s = scheduling();
      const call = errorOf(s.send('asked', priority, operations.queryLogs, more));
      for (let tries = 0; tries < 3; tries++) {
        await s.fail('asked', outage());
        await s.clock.advance(0);
      }
      await call;
      return s.sent.length;
    };
    assert.equal(await triesOf('person'), 3);
    assert.equal(await triesOf('awaited'), 1);
    assert.equal(await triesOf('automatic'), 1);
    assert.equal(await triesOf('automatic', { raise: AbortSignal.abort() }), 3);
    assert.equal(await triesOf('awaited', { retries: true }), 3);
    assert.equal(await triesOf('person', { retries: false }), 1);
  });

  it('tells each wait and its end, and why', async () => {
    const s = scheduling(() => 0.5);
    const waits: (Wait | undefined)[] = [];
    const call = s.send('asked', 'person', operations.queryLogs, {
      onWait: (wait) => waits.push(wait),
    });
    await settle();
    assert.isEmpty(waits);
    const error = outage();
    await s.fail('asked', error);
    assert.deepEqual(waits, [{ ms: 250, until: s.clock.now() + 250, error }]);
    await s.clock.advance(250);
    assert.deepEqual(waits.slice(1), [undefined]);
    await s.answer('asked');
    assert.equal(await call, 'asked');
    assert.lengthOf(waits, 2);
  });

  it('throws what is no error of the API at once', async () => {
    const s = scheduling();
    const call = s.send('asked', 'person');
    await settle();
    const bug = new TypeError('a bug');
    await s.fail('asked', bug);
    assert.equal(await errorOf(call), bug);
    assert.lengthOf(s.sent, 1);
    assert.equal(s.clock.liveTimers, 0);
  });

  it('ends a wait when the call or the person stops, but no request under way', async () => {
    for (const which of ['signal', 'stop'] as const) {
      const s = scheduling(() => 0.5);
      const end = new AbortController();
      const waiting = s.send('waiting', 'person', operations.queryLogs, { [which]: end.signal });
      const under = s.send('under way', 'person', operations.queryLogs, { stop: end.signal });
      await settle();
      await s.fail('waiting', outage());
      end.abort(new Error('stopped'));
      assert.propertyVal(await errorOf(waiting), 'message', 'stopped');
      await s.answer('under way');
      assert.equal(await under, 'under way');
      assert.equal(s.clock.liveTimers, 0);
    }
  });

  it('sends nothing for a call that has ended, and gives its turn to the next', async () => {
    const s = scheduling();
    const end = new AbortController();
    s.sendMany('busy', 4, 'automatic');
    const ended = s.send('ended', 'automatic', operations.queryLogs, { signal: end.signal });
    void s.send('next', 'automatic');
    await settle();
    end.abort(new Error('ended'));
    assert.propertyVal(await errorOf(ended), 'message', 'ended');
    const dead = s.send('dead', 'person', operations.queryLogs, { signal: AbortSignal.abort() });
    assert.isDefined(await errorOf(dead));
    await s.answer('busy 1');
    assert.deepEqual(s.sent.slice(4), ['next']);
  });

  describe(`after a 429 with Retry-After ${covers('F23', 'unit')}`, () => {
    /** A call that was refused, and fails with that. */
    async function refused(
      s: ReturnType<typeof scheduling>,
      error: number | ApiError,
      operation: Rules = operations.queryLogs,
    ): Promise<void> {
      const call = s.send('refused', 'awaited', operation);
      await s.fail('refused', typeof error === 'number' ? limited(error) : error);
      assert.instanceOf(await errorOf(call), ApiError);
      s.sent.length = 0;
    }

    it('holds back its endpoints for that time and up to a tenth more, and no others', async () => {
      const s = scheduling(() => 0.5);
      await refused(s, 10_000);
      s.sendMany('held', 2, 'automatic');
      void s.send('other', 'automatic', operations.listIntegrations);
      void s.send('action', 'person', operations.syncEnvironment);
      await s.clock.advance(10_499);
      assert.deepEqual(s.sent, ['other', 'action']);
      assert.equal(s.clock.liveTimers, 1);
      await s.clock.advance(1);
      assert.deepEqual(s.sent, ['other', 'action', 'held 1', 'held 2']);
      assert.equal(s.clock.liveTimers, 0);
    });

    it('sends a call with its own rules as soon as the server allows it', async () => {
      const s = scheduling(() => 0.5);
      await refused(s, 10_000);
      await s.clock.advance(10_000);
      const waits: (Wait | undefined)[] = [];
      const onWait = (wait?: Wait): void => void waits.push(wait);
      void s.send('own rules', 'person', operations.queryLogs, { retries: false, onWait });
      void s.send('held', 'person');
      await settle();
      assert.deepEqual(s.sent, ['own rules']);
      assert.isEmpty(waits);
    });

    it('leaves no timer of a call that ends while it is held', async () => {
      const s = scheduling();
      await refused(s, 10_000);
      const end = new AbortController();
      const held = s.send('held', 'person', operations.queryLogs, { signal: end.signal });
      await settle();
      end.abort(new Error('ended'));
      assert.propertyVal(await errorOf(held), 'message', 'ended');
      assert.equal(s.clock.liveTimers, 0);
    });

    it('says nothing of it to a call that only waits for a place later', async () => {
      const s = scheduling();
      await refused(s, 10_000);
      await s.clock.advance(10_000);
      s.sendMany('busy', 4, 'automatic');
      const waits: (Wait | undefined)[] = [];
      void s.send('next', 'automatic', operations.queryLogs, {
        onWait: (wait) => waits.push(wait),
      });
      await settle();
      await s.answer('busy 1');
      assert.equal(s.sent.at(-1), 'next');
      assert.isEmpty(waits);
    });

    it('holds back nothing without Retry-After, or if the server is only down', async () => {
      const down = { kind: 'http', status: 503, code: 'down', message: 'Down.' } as const;
      for (const error of [limited(), new ApiError({ ...down, retryAfter: 10_000 })]) {
        const s = scheduling();
        await refused(s, error);
        void s.send('next', 'automatic');
        await settle();
        assert.deepEqual(s.sent, ['next']);
      }
    });

    it('fails a call at once that does not wait for so long', async () => {
      const s = scheduling();
      const call = s.send('asked', 'person', operations.queryLogs, { longestWait: 9999 });
      await s.fail('asked', limited(10_000));
      assert.deepInclude(await errorOf(call), { status: 429, retryAfter: 10_000 });
    });

    it('says how long a call waits, and that it ended', async () => {
      const s = scheduling();
      await refused(s, 10_000);
      const waits: (Wait | undefined)[] = [];
      void s.send('held', 'person', operations.queryLogs, { onWait: (wait) => waits.push(wait) });
      await settle();
      const [wait] = waits;
      assert.deepInclude(wait, { ms: 10_000, until: s.clock.now() + 10_000 });
      assert.equal(wait?.error.status, 429);
      await s.clock.advance(10_000);
      assert.deepEqual(waits.slice(1), [undefined]);
    });

    it('refuses a call that waits for less, with the rest of the time', async () => {
      const s = scheduling();
      await refused(s, 30_000);
      await s.clock.advance(10_000);
      const held = s.send('held', 'person', operations.queryLogs, { longestWait: 20_000 });
      for (const impatient of [
        s.send('shorter', 'person', operations.queryLogs, { longestWait: 19_999 }),
        s.send('own rules', 'person', operations.queryLogs, { retries: false }),
        s.send('stream', 'automatic', operations.openLogStream),
      ]) {
        const error = await errorOf(impatient);
        assert.instanceOf(error, ApiError);
        assert.deepInclude(error, {
          ...{ kind: 'http', status: 429, code: 'rate_limited', message: 'Slow down.' },
          ...{ requestId: 'r-1', retryAfter: 20_000 },
        });
      }
      assert.isEmpty(s.sent);
      await s.clock.advance(20_000);
      assert.deepEqual(s.sent, ['held']);
      s.sendMany('asked', 11, 'person');
      await settle();
      assert.lengthOf(s.sent, 12, 'those that were refused have no place');
      await s.answer('held');
      await held;
    });

    it('refuses a call for which the usual ten minutes are not enough', async () => {
      const s = scheduling();
      await refused(s, hour);
      assert.deepInclude(await errorOf(s.send('held', 'person')), { retryAfter: hour });
      await s.clock.advance(50 * minute);
      const held = s.send('held', 'person');
      await s.clock.advance(10 * minute);
      await s.answer('held');
      assert.equal(await held, 'held');
    });

    it('is not shortened by a later one', async () => {
      const s = scheduling();
      void s.send('first', 'awaited');
      void s.send('second', 'awaited');
      await settle();
      await s.fail('first', limited(10_000));
      await s.fail('second', limited(1000));
      void s.send('held', 'person');
      await s.clock.advance(9999);
      assert.notInclude(s.sent, 'held');
      await s.clock.advance(1);
      assert.include(s.sent, 'held');
    });

    it('holds back all endpoints once two were refused, until ten minutes after the end', async () => {
      const s = scheduling();
      await refused(s, 10_000);
      await refused(s, 20_000, operations.listIntegrations);
      void s.send('action', 'person', operations.syncEnvironment);
      void s.send('logs', 'person');
      await s.clock.advance(19_999);
      assert.isEmpty(s.sent, 'the longer of both counts');
      await s.clock.advance(1);
      assert.deepEqual(s.sent, ['action', 'logs']);
      await s.answer('action', 'logs');
      // One of both is of the past.
      await s.clock.advance(9 * minute + 50 * second);
      await refused(s, 5000);
      void s.send('action', 'person', operations.syncEnvironment);
      await settle();
      assert.isEmpty(s.sent, 'the other one is not');
      await s.clock.advance(5000);
      assert.deepEqual(s.sent, ['action']);
      await s.clock.advance(hour);
      await refused(s, 5000);
      void s.send('later', 'person', operations.syncEnvironment);
      await settle();
      assert.deepEqual(s.sent, ['later']);
    });
  });
  it('stays within what the server says it takes, and keeps a third of it for people', async () => {
    const clock = fakeClock();
    const scheduler = new RequestScheduler(clock, () => 0);
    const sent: Record<Priority | 'refused', number> = {
      ...{ person: 0, awaited: 0, automatic: 0, refused: 0 },
    };
    let [used, windowEnd] = [0, -1];
    /** Sends a request to a server that takes 60 a minute, from others behind the same address, too. */
    const send = async (priority: Priority): Promise<void> => {
      const { signal } = new AbortController();
      await scheduler.run(operations.listResources, { signal, priority, retries: false }, () => {
        if (clock.now() >= windowEnd) [used, windowEnd] = [10, clock.now() + minute];
        const isRefused = ++used > 60;
        sent[isRefused ? 'refused' : priority]++;
        const headers = new Headers({
          'X-RateLimit-Limit': '60',
          'X-RateLimit-Remaining': String(Math.max(0, 60 - used)),
          'X-RateLimit-Reset': String(Math.ceil(windowEnd / second)),
        });
        scheduler.serverLimit.update(headers, clock.now());
        return isRefused ? Promise.reject(limited(5000)) : Promise.resolve();
      });
    };
    for (let at = 0; at < 600; at++) {
      void send('automatic').catch(() => undefined);
      void send('awaited').catch(() => undefined);
      // Once a minute, a person opens several things at once.
      if (at % 60 === 50) for (let n = 0; n < 15; n++) void send('person').catch(() => undefined);
      await clock.advance(second);
    }
    assert.equal(sent.refused, 0);
    assert.equal(sent.person, 150);
    assert.isAbove(sent.automatic + sent.awaited, 250, 'of the 300 that are left for them');
  });
});
