import { assert } from 'chai';
import type { Clock } from '../../../../src/base/clock';
import { countTimers } from '../../../control-plane/countTimers';
import { event, type LogStream } from '../../../control-plane/inMemory';
import { seededRandom } from '../../../control-plane/random';
import { type Fault, idAt } from '../../../control-plane/server';
import { scaled } from '../../../host/slowness';
import type { FaultAction } from '../../../control-plane/faults';
import { fastClock, realClock } from '../../api/realClock';
import { testClient } from '../../api/testClient';
import { covers } from '../../covers';
import { settle } from '../../fakeClock';
import { shortOrLong } from '../../long';
import { ids } from '../logServer';
import { loopbackTails, type LoopbackTail } from './loopbackTails';

/** Waits for a condition that the tail does not report. */
async function until(what: string, holds: () => boolean): Promise<void> {
  const start = performance.now();
  while (!holds()) {
    if (performance.now() - start > 20_000) assert.fail(`It never was so: ${what}.`);
    await settle();
  }
}

describe('a tail on loopback', () => {
  const random = seededRandom(2);
  const endpoint = 'post_logs_tail';
  const loopback = loopbackTails();
  let recorded: LoopbackTail;

  function follow(clock: Clock): void {
    recorded = loopback.follow({ clock, random });
    recorded.tail.start();
  }

  it(`treats an HTML page, 204 and an empty stream as failures, backs off and resumes ${covers('F12', 'connection')}`, async () => {
    const faults: Fault[] = Array.from({ length: 4 }, () => [
      { kind: 'html' as const, endpoint },
      { kind: 'noContent' as const, endpoint },
      { kind: 'end' as const, endpoint },
    ]).flat();
    const { server } = loopback;
    for (const fault of faults) server.admin.fault(fault);
    const clock = fastClock(500);
    const start = clock.monotonic();
    follow(clock);
    server.append(5);
    await recorded.until(
      () => recorded.ids.length === 5 && recorded.tail.counters.connects === faults.length + 1,
    );
    assert.deepEqual(recorded.ids, ids(0, 5));
    assert.isAtLeast(clock.monotonic() - start, 60_000, 'ten connects a minute at most');
    const reasons = recorded.states.flatMap((state) =>
      state.kind === 'reconnecting' ? [state.why?.code] : [],
    );
    // An empty stream has no error to show.
    assert.sameMembers([...new Set(reasons)], ['notEventStream', 'emptyAnswer', undefined]);
  });

  it(`reports an unknown host name, and backs off ${covers('F18', 'connection')}`, async () => {
    const clock = fastClock(500);
    const client = testClient({
      // A label that is too long for DNS, so no name server is asked.
      baseUrl: `https://${'x'.repeat(64)}.invalid`,
      clock,
      random,
      settings: () => ({ timeoutSeconds: 10_000 }),
    });
    recorded = loopback.follow({ clock, random, client });
    recorded.tail.start();
    await recorded.until(
      () => recorded.states.filter(({ kind }) => kind === 'reconnecting').length === 3,
    );
    for (const state of recorded.states.slice(1)) {
      assert.deepInclude(state.kind === 'reconnecting' ? state.why : undefined, { code: 'dns' });
    }
  });

  const isAsked = (path: string): boolean =>
    loopback.server.admin.requests().some(({ url }) => url.endsWith(path));
  const state = (): string => recorded.tail.state.kind;

  /** What the server does, and when the tail is stopped. */
  const moments: [string, Fault | ((stream: LogStream) => void), () => boolean][] = [
    [
      'before its history comes',
      { kind: 'stall', endpoint: 'post_logs_query' },
      () => isAsked('/logs/query'),
    ],
    ['before there are headers', { kind: 'stall', endpoint }, () => isAsked('/logs/tail')],
    ['before there is a byte', (stream) => stream.hold(), () => state() === 'live'],
    [
      'in the middle of an event',
      (stream) => {
        stream.hold();
        loopback.server.append(6);
        const half = event('records', JSON.stringify(stream.page(3, 6))).slice(0, 500);
        stream.send(stream.page(0, 3), half);
      },
      () => recorded.ids.length === 3,
    ],
    ['in a back-off', { kind: 'status', status: 503, endpoint }, () => state() === 'reconnecting'],
  ];
  for (const [moment, act, isReached] of moments) {
    it(`leaves no request, timer or callback if it is stopped ${moment} ${covers('F34', 'connection')}`, async () => {
      const clock = countTimers(realClock);
      const { server } = loopback;
      if (typeof act === 'function') server.on.open = act;
      else server.admin.fault(act);
      follow(clock);
      await until(moment, isReached);
      recorded.tail.stop();
      const requests = server.admin.requests();
      await until('all requests are over', () => requests.every(({ isOver }) => isOver));
      const before = [recorded.states.length, recorded.ids.length, requests.length];
      for (let count = 0; count < 20; count++) await settle();
      assert.equal(clock.liveTimers, 0);
      assert.equal(recorded.states.at(-1)?.kind, 'stopped');
      assert.deepEqual([recorded.states.length, recorded.ids.length, requests.length], before);
      assert.equal(server.admin.streams(), 0);
    });
  }
});

/**
 * Lets tails on real connections meet all these faults of streams, in this order, while records arrive.
 * Asserts that each shows every record, once and in order. Resolves with the number of connects.
 *
 * @param speed how many times faster than real time the clock of the tails runs.
 */
async function survive(
  loopback: ReturnType<typeof loopbackTails>,
  faults: readonly Fault[],
  { tails, speed, random }: { tails: number; speed: number; random: () => number },
): Promise<number> {
  const { server } = loopback;
  const clock = fastClock(speed);
  // Headers take real time, which passes fast here.
  const options = { clock, random, timeoutSeconds: 5 * speed, initialLines: 1000 };
  const followed = Array.from({ length: tails }, () => loopback.follow(options));
  for (const fault of faults) server.admin.fault({ ...fault, endpoint: 'post_logs_tail' });
  const emitting = setInterval(() => server.admin.emit(1 + Math.floor(random() * 4)), 4);
  try {
    for (const { tail } of followed) tail.start();
    await Promise.race(
      followed.map(({ until }) => until(() => server.admin.pendingFaults() === 0)),
    );
  } finally {
    clearInterval(emitting);
  }
  server.admin.emit(1);
  const { eventIds } = server.admin.emitted();
  await Promise.all(followed.map(({ ids, until }) => until(() => ids.at(-1) === eventIds.at(-1))));
  for (const { tail, ids } of followed) {
    assert.deepEqual(ids, eventIds);
    assert.equal(tail.counters.dropped, 0);
  }
  assert.isAtMost(server.admin.streams(), tails + 100);
  return followed.reduce((sum, { tail }) => sum + tail.counters.connects, 0);
}

/** The same items in an order by the random source. */
function shuffled<T>(all: readonly T[], random: () => number): T[] {
  const keyed = all.map((one) => ({ one, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ one }) => one);
}

/** A full run has 1,000 faults and five restarts. */
const share = shortOrLong(1 / 20, 1);
const statuses = [408, 429, 500, 502, 503];

describe('disconnects on loopback', () => {
  const loopback = loopbackTails();

  it(`lose and repeat nothing: ${share * 300} resets, ${share * 300} cut, ${share * 200} clean, ${share * 100} stalls, ${share * 100} errors, and restarts ${covers('F15, F16, F18, F24', 'connection')}`, async function () {
    this.timeout(scaled(120_000));
    const random = seededRandom(3);
    const upTo = (count: number): number => Math.floor(random() * count);
    const many = (count: number, make: () => FaultAction): FaultAction[] =>
      Array.from({ length: Math.ceil(share * count) }, make);
    const body = (kind: 'reset' | 'cut' | 'end' | 'stall') => (): FaultAction => ({
      kind,
      afterBytes: upTo(4000),
    });
    const faults = [
      ...many(300, body('reset')),
      ...many(300, body('cut')),
      ...many(200, body('end')),
      ...many(100, body('stall')),
      ...many(100, () => ({ kind: 'status', status: statuses[upTo(statuses.length)] ?? 500 })),
      ...many(5, () => ({ kind: 'restart', downMs: 20 })),
    ];
    const connects = await survive(loopback, shuffled(faults, random), {
      tails: 4,
      speed: 250,
      random,
    });
    assert.isAtLeast(connects, share * 1000);
  });
});

const ofEach = shortOrLong(10, 40);

describe('compressed streams on loopback', () => {
  const loopback = loopbackTails();

  it(`lose and repeat nothing if they are cut anywhere, stall or are invalid ${covers('F13', 'connection')}`, async function () {
    this.timeout(scaled(240_000));
    const random = seededRandom(5);
    const part = (then: 'cut' | 'end' | 'stall') => (): FaultAction => ({
      kind: 'gzip',
      flushed: random() < 0.7,
      afterBytes: Math.floor(random() * 3000),
      then,
    });
    const fates = [part('cut'), part('end'), part('stall'), () => ({ kind: 'notGzip' as const })];
    const faults = fates.flatMap((fate) => Array.from({ length: ofEach }, fate));
    // The last one is complete.
    const all = [...shuffled(faults, random), { kind: 'gzip' as const, flushed: true }];
    // A stalled stream is given up after 90 s. A busy machine must be able to send its bytes before that;
    // and there are at most ten connects per minute.
    const connects = await survive(loopback, all, { tails: 1, speed: 400, random });
    assert.isAtLeast(connects, all.length);
  });
});

const bufferRecords = 50_000;
const seconds = shortOrLong(2, 10);
const quiet = shortOrLong(1, 60);

describe('a burst over a real connection', () => {
  const loopback = loopbackTails();
  let followed: LoopbackTail;
  let appended: number;
  let isAppending: boolean;
  let shown: number;
  let dropped: number;
  let markers: number;
  /** The most records that waited in the buffer. */
  let most: number;
  let onReceive: () => void;

  beforeEach(() => {
    appended = shown = dropped = markers = most = 0;
    isAppending = false;
    onReceive = () => undefined;
  });

  /** Resolves when there is a stream. */
  async function follow(clock: Clock = realClock): Promise<void> {
    followed = loopback.follow({ clock, reads: false });
    const { tail } = followed;
    tail.onDidChange((what) => {
      if (what === 'records') onReceive();
    });
    const opened = new Promise<void>((resolve) => (loopback.server.on.open = () => resolve()));
    tail.start();
    await opened;
  }

  /** Writes this many records every tenth of a second. */
  async function append(records: number, seconds: number): Promise<void> {
    isAppending = true;
    const start = performance.now();
    for (let tenth = 0; tenth < seconds * 10; tenth++) {
      appended += loopback.server.append(records).length;
      await wait(start + (tenth + 1) * 100 - performance.now());
    }
    isAppending = false;
  }

  const hasAll = (): boolean => !isAppending && followed.tail.counters.received === appended;
  const untaken = (): number => {
    const { received, read, dropped: gone } = followed.tail.counters;
    return received - read - gone;
  };
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  /** Takes records. Each must follow all that were shown or dropped before. */
  function read(maxRecords?: number): void {
    for (const output of followed.tail.read(maxRecords)) {
      if (output.kind === 'dropped') {
        dropped += output.count;
        markers++;
      }
      if (output.kind !== 'records') continue;
      for (const { eventId } of output.records) {
        if (eventId !== idAt(shown + dropped)) assert.fail(`${eventId} at ${shown + dropped}`);
        shown++;
      }
    }
  }

  function assertAllAccountedFor(): void {
    assert.equal(shown + dropped, appended);
    const { received, read, dropped: counted, connects } = followed.tail.counters;
    assert.deepEqual([received, read, counted, connects], [appended, shown, dropped, 1]);
    assert.deepEqual(
      followed.states.map(({ kind }) => kind),
      ['connecting', 'live'],
    );
  }

  it(`is shown as far as the reader can follow 100,000 records a second, with an exact count of dropped ones ${covers('F36', 'connection')}`, async function () {
    this.timeout(scaled(120_000));
    await follow();
    const goesOn = append(10_000, seconds);
    // Takes its time, like a channel that formats the records.
    while (!hasAll()) {
      await wait(5);
      read(100);
      most = Math.max(most, untaken());
    }
    await goesOn;
    assert.equal(appended, seconds * 100_000);
    assert.isAbove(dropped, appended / 2);
    assert.isAbove(markers, 1);
    assert.isAtMost(most, bufferRecords);
    read();
    assertAllAccountedFor();
  });

  it(`is read to its end, within limits, while no records are taken for ${quiet} s ${covers('F37', 'connection')}`, async function () {
    this.timeout(scaled(120_000));
    let notified = 0;
    onReceive = () => notified++;
    await follow();
    const goesOn = append(shortOrLong(10_000, 1000), quiet);
    while (!hasAll()) {
      await wait(5);
      most = Math.max(most, untaken());
    }
    await goesOn;
    assert.isAtMost(most, bufferRecords);
    assert.isAbove(notified, 0);
    read();
    assert.equal(markers, 1);
    assert.equal(shown, bufferRecords);
    assertAllAccountedFor();
  });

  it(`does not count as silence while the event loop is blocked ${covers('F37', 'connection')}`, async () => {
    const speed = 500;
    await follow(fastClock(speed));
    // Longer than a stream may be silent.
    const blocked = Math.ceil(100_000 / speed);
    for (let round = 0; round < 5; round++) {
      appended += loopback.server.append(500).length;
      // The server writes it, and it is not read yet.
      for (let turn = 0; turn < 100; turn++) await new Promise((go) => process.nextTick(go));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blocked);
      await new Promise<void>((resolve) => {
        onReceive = () => {
          read();
          if (shown === appended) resolve();
        };
        onReceive();
      });
    }
    assertAllAccountedFor();
  });
});
