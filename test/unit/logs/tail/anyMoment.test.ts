import { assert } from 'chai';
import { delay } from '../../../../src/api/clock';
import { ApiError } from '../../../../src/api/errors';
import type { TailPosition } from '../../../../src/logs/tail/types';
import { fakeClock } from '../../fakeClock';
import { shortOrLong } from '../../long';
import { followed, type Followed } from './followed';
import { seededRandom } from './seededRandom';
import {
  httpError,
  networkError,
  protocolError,
  simulatedServer,
  type Connection,
} from './simulatedServer';

const seeds = shortOrLong(12, 200);
const steps = shortOrLong(200, 500);
const hour = 3_600_000;

/** What a server may answer with instead of a stream or a page. */
const refusals: Readonly<Record<string, () => ApiError>> = {
  refused: () => networkError('refused'),
  notEventStream: () => protocolError('notEventStream'),
  ...Object.fromEntries(
    [400, 401, 403, 404, 408, 409, 410, 413, 422, 500, 503].map((status) => [
      String(status),
      () => httpError(status),
    ]),
  ),
  badCursor: () => httpError(400, { code: 'bad_cursor' }),
  rateLimited: () => httpError(429, { retryAfter: 2000 }),
};

const answers = [...Object.keys(refusals), 'hangs'];

/** What may become of a stream that is open. */
const mishaps: Readonly<Record<string, (connection: Connection) => void>> = {
  closes: (connection) => connection.close(),
  breaks: (connection) => connection.fail(networkError()),
  resets: (connection) => connection.reset(),
  hushes: (connection) => connection.hush(),
  isMalformed: (connection) => connection.fail(protocolError('notJson')),
  wishes: (connection) => connection.send({ kind: 'retry', ms: 700 }),
  beats: (connection) => connection.send({ kind: 'heartbeat' }),
  ...Object.fromEntries(
    ['cursor_expired', 'unauthorized', 'forbidden', 'not_found', 'rate_limited', 'internal'].map(
      (code) => [
        code,
        (connection: Connection) => connection.fail(httpError(0, { code, status: undefined })),
      ],
    ),
  ),
};

/** How often each thing happened that a run can meet, by its name. */
type Tally = Map<string, number>;

function untaken({ tail: { counters } }: Followed): number {
  return counters.received - counters.handedOn - counters.leftOut;
}

/** A tail that everything happens to, on a log that does not stop growing. */
function busy(seed: number, tally: Tally) {
  const random = seededRandom(seed);
  const upTo = (count: number): number => Math.floor(random() * count);
  const oneOf = <T>(values: readonly T[]): T => values[upTo(values.length)] ?? assert.fail();
  const met = (name: string): number => tally.get(name) ?? 0;
  const count = (name: string): void => void tally.set(name, met(name) + 1);
  const clock = fakeClock();
  const server = simulatedServer(clock);
  server.pageSize = 1 + upTo(7);
  server.queryPageSize = 300 + upTo(200);
  const shown: string[] = [];
  const story: string[] = [];
  let wallIsAheadBy = 0;
  let f = open();
  const note = (name: string): void => {
    count(name);
    story.push(`${name} at ${server.log.length}`);
  };

  const told = (): string => `seed ${seed}: ${story.join(', ')}`;

  function open(position?: TailPosition): Followed {
    return followed({ clock, server, random, initialLines: 5000, ...(position && { position }) });
  }

  const jump = (ms: number): void => {
    wallIsAheadBy += ms;
    clock.jump(ms);
  };

  /** Some records at one instant, which a position by time cannot tell apart. */
  const append = (): void => {
    const timestamp = new Date(clock.now() - wallIsAheadBy - hour).toISOString();
    server.append(upTo(3), { timestamp });
  };
  server.onConnect = server.onQuery = append;

  /** The next request of a kind is answered otherwise: as it was least often by now. */
  const refuseNext = (what: 'onConnect' | 'onQuery'): void => {
    const rarest = Math.min(...answers.map((name) => met(`${what} ${name}`)));
    const name = oneOf(answers.filter((one) => met(`${what} ${one}`) === rarest));
    server[what] = async () => {
      server[what] = append;
      note(`${what} ${name}`);
      if (name === 'hangs') {
        await delay(clock, 20_000, new AbortController().signal);
        throw new ApiError({ kind: 'timeout', code: 'timeout', message: 'No answer.' });
      }
      throw refusals[name]?.() ?? assert.fail();
    };
  };

  /** What was there before, as a server sends it that goes on from a little earlier. */
  const sendAgain = ({ send }: Connection, times: number): void => {
    const { filters } = server.connects.at(-1)!.request;
    const to = server.log.length;
    const page = server.page(Math.max(0, to - 5), to, filters);
    for (let time = 0; time < times; time++) send({ kind: 'page', page });
  };

  /** A stream that is open, at best the one that is read. */
  const onStream = (act: (connection: Connection) => void, name: string): void => {
    const [connection] = server.open;
    if (connection === undefined) return;
    note(`stream ${name}`);
    act(connection);
  };

  const actions: readonly (readonly [number, () => void])[] = [
    [
      6,
      () => {
        if (f.tail.state.kind === 'live' && untaken(f) > 0) count('pause before it was taken');
        note('pause');
        f.tail.pause();
      },
    ],
    [
      6,
      () => {
        note('resume');
        f.tail.resume();
      },
    ],
    [
      2,
      () => {
        if (untaken(f) > 0) count(`stop before it was taken, ${f.tail.state.kind}`);
        note('stop');
        f.tail.stop();
      },
    ],
    [
      6,
      () => {
        note('start');
        f.tail.start();
        if (random() < 0.3) f.tail.start();
      },
    ],
    [
      2,
      () => {
        if (untaken(f) > 0) count('reload before it was taken');
        note('reload');
        const isPaused = f.tail.state.kind === 'paused';
        const { key } = f;
        const position = f.leave();
        shown.push(...f.ids());
        f = open(position);
        f.key = key;
        f.tail.start();
        if (isPaused) f.tail.pause();
      },
    ],
    [
      2,
      () => {
        note('key');
        f.key = random() < 0.2 ? undefined : `key-${upTo(5)}`;
        f.tail.keyChanged();
      },
    ],
    [
      1,
      () => {
        note('access');
        server.accessRevision += '+';
      },
    ],
    [
      1,
      () => {
        note('partial');
        server.partial = !server.partial;
      },
    ],
    [
      1,
      () => {
        note('sleep');
        jump(upTo(hour));
      },
    ],
    [
      1,
      () => {
        note('clock');
        jump(wallIsAheadBy > 0 ? -24 * hour : 24 * hour);
      },
    ],
    [
      4,
      () => {
        const [name, act] = oneOf(Object.entries(mishaps));
        onStream(act, name);
      },
    ],
    [1, () => onStream((connection) => sendAgain(connection, 1), 'sendsAgain')],
    [1, () => onStream((connection) => sendAgain(connection, 4), 'isStuck')],
    [4, () => refuseNext('onConnect')],
    [4, () => refuseNext('onQuery')],
  ];
  const draw = actions.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));

  /** Lets time pass: none, less than the listener takes, or as much as a back-off does. */
  const wait = async (): Promise<void> => {
    const dice = random();
    const most = dice < 0.4 ? 0 : dice < 0.8 ? 150 : dice < 0.96 ? 10_000 : 120_000;
    for (let part = 0; part < 4; part++) {
      append();
      await clock.advance(upTo(most / 4));
    }
    if (random() < 0.2) await checkAllIsTaken();
  };

  /** What is received is shown a moment later, unless it is paused. */
  const checkAllIsTaken = async (): Promise<void> => {
    const { received } = f.tail.counters;
    await f.shown();
    const { kind } = f.tail.state;
    const { handedOn, leftOut } = f.tail.counters;
    if (kind !== 'paused') assert.isAtLeast(handedOn + leftOut, received, told());
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
    /** Nothing goes wrong any more, and nothing new comes: what is there has to be shown. */
    async end(): Promise<void> {
      server.onConnect = server.onQuery = () => undefined;
      f.key = 'key-9';
      f.tail.keyChanged();
      f.tail.resume();
      f.tail.start();
      await clock.advance(300_000);
      f.tail.start();
      await clock.advance(300_000);
      shown.push(...(await f.shown()));
      assert.equal(f.tail.state.kind, 'live', told());
      const first = server.log.findIndex(({ eventId }, index) => shown[index] !== eventId);
      assert.deepEqual([first, shown.length], [-1, server.log.length], told());
      assert.equal(server.mostOpen, 1, told());
      f.tail.stop();
      await f.shown();
      assert.lengthOf(server.open, 0, told());
    },
    clock,
  };
}

describe('A tail on a busy log', () => {
  it('shows every record, once and in order, whatever happens at any moment (F14, F16, F21, F34, F35, F48, F64)', async function () {
    this.timeout(shortOrLong(10_000, 600_000));
    const tally: Tally = new Map();
    for (let seed = 1; seed <= seeds; seed++) {
      const tail = busy(seed, tally);
      await tail.run();
      await tail.end();
    }
    const expected = [
      ...['pause', 'resume', 'stop', 'start', 'reload', 'key', 'access', 'partial', 'sleep'],
      ...['clock', 'stream sendsAgain', 'stream isStuck', 'pause before it was taken'],
      ...['stop before it was taken, live', 'stop before it was taken, paused'],
      'reload before it was taken',
      ...Object.keys(mishaps).map((name) => `stream ${name}`),
      ...answers.map((name) => `onConnect ${name}`),
      ...answers.map((name) => `onQuery ${name}`),
    ];
    assert.deepEqual(
      expected.filter((name) => !tally.has(name)),
      [],
      'what no seed has met',
    );
  });
});
