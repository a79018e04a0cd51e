import { assert } from 'chai';
import type { TailPosition } from '../../../../src/logs/tail/tailState';
import { Failure, NoAnswer, type LogStream } from '../../../control-plane/inMemory';
import { seededRandom } from '../../../control-plane/random';
import { scaled } from '../../../host/slowness';
import { covers } from '../../covers';
import { fakeClock } from '../../fakeClock';
import { shortOrLong } from '../../long';
import { logServer, refusal } from '../logServer';
import { followed, heartbeat, malformed, type Followed } from './followed';

const seeds = shortOrLong(6, 100);
const steps = shortOrLong(150, 500);
const disconnects = shortOrLong(100, 500);
const hour = 3_600_000;
/** Characters of one to four bytes, so that a cut can fall into each of them. */
const body = 'größer € 😀';
const validKeys = ['demo-full', 'demo-readonly', 'demo-logs'];

/** What can happen to a request. */
const answers: Readonly<Record<string, () => unknown>> = {
  refused: () => new NoAnswer('ECONNREFUSED'),
  breaks: () => new NoAnswer(),
  ...Object.fromEntries(
    [400, 401, 403, 404, 408, 409, 410, 413, 422, 500, 503].map((status) => [
      String(status),
      () => refusal(status),
    ]),
  ),
  badCursor: () => new Failure(400, 'No.', 'bad_cursor'),
  rateLimited: () => refusal(429, 3),
  /** Until the client gives up. */
  hangs: () => undefined,
};

/** What can happen to an open stream. */
const mishaps: Readonly<Record<string, (stream: LogStream) => void>> = {
  ends: (stream) => stream.end(),
  breaks: (stream) => stream.cut(),
  breaksLater: (stream) => stream.cut(700),
  resets: (stream) => stream.reset(),
  hushes: (stream) => stream.hold(),
  isMalformed: (stream) => stream.send(malformed),
  wishes: (stream) => stream.send('retry: 700\n\n'),
  beats: (stream) => stream.send(heartbeat),
  ...Object.fromEntries(
    ['cursor_expired', 'unauthorized', 'forbidden', 'not_found', 'rate_limited', 'internal'].map(
      (code) => [code, (stream: LogStream) => stream.fail(500, code)],
    ),
  ),
};

/** What can happen to a stream as it is opened: it ends after any byte, or is none. */
const faults = ['end', 'cut', 'reset', 'html', 'noContent'] as const;

/** How often each event of a run has happened, by its name. */
type Tally = Map<string, number>;

function untaken({ tail: { counters } }: Followed): number {
  return counters.received - counters.read - counters.dropped;
}

/** A tail that meets every event, on a log that keeps growing. */
function busy(seed: number, tally: Tally) {
  const random = seededRandom(seed);
  const upTo = (count: number): number => Math.floor(random() * count);
  const oneOf = <T>(values: readonly T[]): T => values[upTo(values.length)] ?? assert.fail();
  const met = (name: string): number => tally.get(name) ?? 0;
  const count = (name: string): void => void tally.set(name, met(name) + 1);
  const clock = fakeClock();
  const server = logServer({
    clock,
    // Pieces of all sizes.
    ...(seed % 2 === 0 && { chunk: () => 1 + upTo(3000) }),
    unkind: { streamPage: 1 + upTo(7), queryPage: 300 + upTo(200) },
  });
  const shown: string[] = [];
  const story: string[] = [];
  let appended = 0;
  const hushed = new WeakSet<LogStream>();
  const onStreams: typeof mishaps = {
    ...mishaps,
    sendsAgain: (stream) => sendAgain(stream, 1),
    isStuck: (stream) => sendAgain(stream, 4),
  };
  let wallIsAheadBy = 0;
  let limitedUntil = 0;
  let f = open();
  const remember = (name: string): void => {
    count(name);
    story.push(`${name} at ${appended}`);
  };

  const storyText = (): string => `seed ${seed}: ${story.join(', ')}`;

  function open(position?: TailPosition): Followed {
    return followed({ clock, server, random, initialLines: 5000, ...(position && { position }) });
  }

  const jump = (ms: number): void => {
    wallIsAheadBy += ms;
    clock.jump(ms);
  };

  /** Several records with the same time, which a position by time cannot tell apart. */
  const append = (): void => {
    const timestamp = new Date(clock.now() - wallIsAheadBy - hour).toISOString();
    appended += server.append(upTo(3), { timestamp, body }).length;
  };
  server.on.connect = server.on.query = append;
  let isPartial = false;
  server.on.page = (page) => ({ ...page, partial: isPartial });

  /** The event of these that has happened least often so far. */
  const rarest = <T extends string>(what: string, names: readonly T[]): T => {
    const times = (name: string): number => met(`${what} ${name}`);
    const least = Math.min(...names.map(times));
    return oneOf(names.filter((name) => times(name) === least));
  };

  /** The next request of a kind gets another answer. */
  const spoilNext = (what: 'connect' | 'query'): void => {
    const name = rarest(what, Object.keys(answers));
    server.on[what] = async () => {
      server.on[what] = append;
      remember(`${what} ${name}`);
      if (name === 'rateLimited') limitedUntil = clock.monotonic() + 3000;
      const error = answers[name]?.();
      if (error === undefined) await new Promise(() => undefined);
      throw error as Error;
    };
  };

  const spoilNextStream = (): void => {
    if (server.admin.pendingFaults() > 0) return;
    const kind = rarest('open', faults);
    remember(`open ${kind}`);
    server.admin.fault({ kind, endpoint: 'post_logs_tail', afterBytes: upTo(8000) });
  };

  /** Earlier records, because a server may resume slightly before the cursor. */
  const sendAgain = (stream: LogStream, times: number): void => {
    const page = stream.page(Math.max(0, appended - 5), appended);
    const cursor = stream.request.cursor ?? page.followCursor;
    for (let time = 0; time < times; time++) {
      stream.send(times > 1 ? { ...page, followCursor: cursor } : page);
    }
  };

  const onStream = (name: string): void => {
    const [stream] = server.open;
    // A silent stream does not send what follows the records that it holds back.
    if (stream === undefined || hushed.has(stream)) return;
    remember(`stream ${name}`);
    if (name === 'hushes') hushed.add(stream);
    onStreams[name]?.(stream);
  };

  const spoilStream = (): void => onStream(rarest('stream', Object.keys(onStreams)));

  const pause = (): void => {
    if (f.tail.state.kind === 'live' && untaken(f) > 0) count('pause before it was taken');
    f.tail.pause();
  };
  const stop = (): void => {
    if (untaken(f) > 0) count(`stop before it was taken, ${f.tail.state.kind}`);
    f.tail.stop();
  };
  const start = (): void => {
    f.tail.start();
    if (random() < 0.3) f.tail.start();
  };
  const reload = (): void => {
    // The wait that the server asked for is not saved for the next start.
    if (clock.monotonic() < limitedUntil) return;
    if (untaken(f) > 0) count('reload before it was taken');
    const isPaused = f.tail.state.kind === 'paused';
    const { key } = f;
    const position = f.leave();
    shown.push(...f.ids());
    f = open(position);
    f.key = key;
    f.tail.start();
    if (isPaused) f.tail.pause();
  };
  const changeKey = (): void => {
    f.key = random() < 0.2 ? undefined : server.keys[oneOf(validKeys)];
    f.tail.keyChanged();
  };

  const continueWithKey = (): void => {
    f.key = server.key;
    f.tail.keyChanged();
    f.tail.resume();
  };

  /** The events with their weights. */
  const acts: Readonly<Record<string, readonly [number, () => void]>> = {
    pause: [6, pause],
    resume: [6, () => f.tail.resume()],
    stop: [2, stop],
    start: [6, start],
    reload: [2, reload],
    key: [2, changeKey],
    access: [1, () => server.admin.changeAccess(oneOf(validKeys))],
    partial: [1, () => (isPartial = !isPartial)],
    sleep: [1, () => jump(upTo(hour))],
    clock: [1, () => jump(wallIsAheadBy > 0 ? -24 * hour : 24 * hour)],
  };
  const draw: readonly (() => void)[] = [
    ...Object.entries(acts).flatMap(([name, [weight, act]]) =>
      Array.from({ length: weight }, () => () => {
        remember(name);
        act();
      }),
    ),
    ...Array.from({ length: 6 }, () => spoilStream),
    ...Array.from({ length: 4 }, () => () => spoilNext('connect')),
    ...Array.from({ length: 4 }, () => () => spoilNext('query')),
    ...Array.from({ length: 6 }, () => spoilNextStream),
  ];

  /** Lets time pass: none, less than the listener takes, or as long as a back-off. */
  const wait = async (): Promise<void> => {
    const dice = random();
    const most = dice < 0.4 ? 0 : dice < 0.8 ? 150 : dice < 0.96 ? 10_000 : 120_000;
    for (let part = 0; part < 4; part++) {
      append();
      await clock.advance(upTo(most / 4));
    }
    if (random() < 0.2) await checkAllIsTaken();
  };

  /** Received records are shown a moment later, unless the tail is paused. */
  const checkAllIsTaken = async (): Promise<void> => {
    if (f.tail.state.kind === 'paused') return;
    const { received } = f.tail.counters;
    await f.shown();
    const { read, dropped } = f.tail.counters;
    assert.isAtLeast(read + dropped, received, storyText());
  };

  return {
    async run(): Promise<void> {
      append();
      f.tail.start();
      for (let step = 0; step < steps; step++) {
        oneOf(draw)();
        await wait();
      }
    },
    /** One disconnect after the other, and a person who does nothing but start it again. */
    async disconnect(): Promise<void> {
      const enough = server.connects.length + disconnects;
      server.on.open = () => {
        if (random() < 0.2) spoilNextStream();
        if (random() < 0.2) spoilNext('connect');
        clock.setTimer(spoilStream, upTo(500));
      };
      continueWithKey();
      while (server.connects.length < enough) {
        f.tail.start();
        append();
        await clock.advance(upTo(30_000));
        await checkAllIsTaken();
      }
      server.on.open = () => undefined;
    },
    /** No more failures and no more records: everything must be shown in the end. */
    async end(): Promise<void> {
      server.on.connect = server.on.query = () => undefined;
      continueWithKey();
      f.tail.start();
      await clock.advance(300_000);
      f.tail.start();
      await clock.advance(300_000);
      shown.push(...(await f.shown()));
      assert.equal(f.tail.state.kind, 'live', storyText());
      const first = server.log.findIndex(({ eventId }, index) => shown[index] !== eventId);
      assert.deepEqual([first, shown.length], [-1, appended], storyText());
      assert.equal(server.mostOpen, 1, storyText());
      assert.deepEqual(server.admin.reports(), [], storyText());
      f.tail.stop();
      await f.shown();
      assert.lengthOf(server.open, 0, storyText());
      assert.equal(f.liveTimers, 0, storyText());
    },
    expected: [
      ...Object.keys(acts),
      ...Object.keys(onStreams).map((name) => `stream ${name}`),
      ...faults.map((name) => `open ${name}`),
      ...Object.keys(answers).flatMap((name) => [`connect ${name}`, `query ${name}`]),
      ...['pause', 'stop', 'reload'].map((name) => `${name} before it was taken`),
    ],
  };
}

describe('a tail on a busy log', () => {
  it(`shows every record, once and in order, whatever happens at any time ${covers('F14, F16, F17, F18, F21, F24, F26, F27, F34, F35, F48, F64', 'unit')}`, async function () {
    this.timeout(scaled(shortOrLong(600_000, 1_800_000)));
    const tally: Tally = new Map();
    let expected: readonly string[] = [];
    for (let seed = 1; seed <= seeds; seed++) {
      const tail = busy(seed, tally);
      ({ expected } = tail);
      await tail.run();
      await tail.disconnect();
      await tail.end();
    }
    const names = [...tally.keys()];
    const missing = expected.filter((name) => !names.some((one) => one.startsWith(name)));
    assert.deepEqual(missing, [], 'what no seed has met');
  });
});
