import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { assert } from 'chai';
import { TailStateNotifier } from '../../../../src/logs/tail/stateNotifier';
import type { LogRecord } from '../../../../src/api/types';
import type { LogFilter } from '../../../../src/logs/query/fields';
import type { ApiError } from '../../../../src/api/errors';
import type { TailState } from '../../../../src/logs/tail/tailState';
import { idAt } from '../../../control-plane/inMemory';
import { scaled } from '../../../host/slowness';
import { seededRandom } from '../../../control-plane/random';
import type { Unkindness } from '../../../control-plane/unkind';
import { covers } from '../../covers';
import { fakeClock, type FakeClock } from '../../fakeClock';
import { shortOrLong } from '../../long';
import { newCertificate, systemAuthority } from '../../api/certificates';
import { editorNetwork } from '../../api/editorNetwork';
import { createProxy, hostBehindProxy, loopbackServers, tunnel } from '../../api/loopbackServers';
import { fastClock } from '../../api/realClock';
import { testClient } from '../../api/testClient';
import { ids, logServer } from '../logServer';
import { filterOf } from '../query/queries';
import { followed, type Followed } from './followed';
import { each, scripts } from './tailScript';
import { loopbackTails, type LoopbackTail } from './loopbackTails';

/** What no script can say: see tail.scripts.test.ts. */

describe('a tail', () => {
  it('requests a week back and a week ahead, so that the filters outlive the cursor', async () => {
    const f = followed({ filter: { services: ['web'] } });
    await f.begin();
    assert.deepEqual(f.server.queries[0]?.filters, {
      services: ['web'],
      from: '2026-11-13T12:00:00.000Z',
      to: '2026-11-27T12:00:00.000Z',
    });
    assert.deepEqual(f.server.connects[0]?.request.filters, f.server.queries[0]?.filters);
  });

  it(`drops repeated records and keeps the order of the server ${covers('F26, F27', 'unit')}`, async () => {
    const f = followed();
    f.server.append(4);
    await f.begin();
    const [stream] = f.server.open;
    if (stream === undefined) assert.fail();
    stream.send(stream.page(2, 4));
    const late = stream.page(0, 1);
    const older = { ...late.records[0]!, timestamp: '2026-11-19T00:00:00Z', eventId: 'older' };
    const twin = { ...older, eventId: 'twin' };
    stream.send({ ...late, records: [...late.records, twin, older] });
    await f.clock.advance(0);
    assert.deepEqual(await f.shown(), [...ids(0, 4), 'twin', 'older']);
    assert.equal(f.tail.counters.repeated, 3);
  });

  it(`knows what it has shown, however many records its filter hides ${covers('F26', 'unit')}`, async () => {
    const f = followed({ filter: { stream: 'stderr' } });
    await f.begin();
    f.server.append(3, { stream: 'stderr' });
    f.server.append(12_000, { stream: 'stdout' });
    await f.clock.advance(1000);
    const [stream] = f.server.open;
    stream?.send(stream.page(0, 3));
    assert.deepEqual(await f.shown(), ids(0, 3));
    assert.equal(f.tail.counters.repeated, 3);
  });

  it('keeps records without a valid timestamp', async () => {
    const f = followed();
    f.server.append(2);
    await f.begin();
    const page = f.server.open[0]!.page(0, 1);
    const odd = { ...page.records[0]!, eventId: 'odd', timestamp: 'yesterday' };
    f.server.open[0]!.send({ ...page, records: [odd] });
    f.server.open[0]?.fail(410);
    f.server.append(1);
    await f.clock.advance(1000);
    assert.deepEqual(await f.shown(), [...ids(0, 2), 'odd', ...ids(2, 3)]);
    assert.deepEqual(f.parts(), ['records', 'gap', 'records']);
  });

  it('backs off at an unknown error', async () => {
    const fails = (): never => {
      throw new TypeError('a mistake');
    };
    const f = followed({
      client: { serverNow: () => 0, queryLogs: fails, openLogStream: fails },
    });
    await f.begin();
    const { state } = f.tail;
    assert.equal(state.kind === 'reconnecting' && state.why?.code, 'unexpected');
  });

  it(`connects at most ten times a minute while it is offline for an hour, and reports it once ${covers('F33', 'unit')}`, async () => {
    const clock = fakeClock();
    const states: string[] = [];
    const news = new TailStateNotifier(clock);
    news.onDidNotice(() => states.push(f.tail.state.kind));
    const f = followed({ clock, onState: (state) => news.changed('tail', state) });
    f.server.append(3);
    f.tail.start();
    await f.shown();
    f.server.unreachable = 'ENETUNREACH';
    f.server.open[0]?.reset();
    const tries: number[] = [];
    for (let second = 0; second < 3600; second++) {
      await clock.advance(1000);
      tries.push(f.tail.counters.connects);
    }
    // With full jitter up to 30 s, the mean is an attempt every 15 s.
    assert.isAbove(tries.at(-1)!, 120);
    assert.isBelow(tries.at(-1)!, 400);
    tries.slice(60).forEach((count, index) => assert.isAtMost(count - tries[index]!, 10));
    // In that hour only the time of the next attempt changes.
    assert.deepEqual([...new Set(f.kinds())], ['connecting', 'live', 'reconnecting']);
    const { state } = f.tail;
    assert.equal(state.kind === 'reconnecting' && state.why?.code, 'offline');
    assert.deepEqual(states, ['reconnecting']);
    f.server.unreachable = undefined;
    f.server.append(100);
    await clock.advance(30_000);
    assert.deepEqual(await f.shown(), ids(0, 103));
    assert.deepEqual(states, ['reconnecting', 'live']);
  });

  it('does nothing but look for a sleep of the machine every 1.5 s', async () => {
    let timers = 0;
    const clock = fakeClock();
    const counting: FakeClock = {
      ...clock,
      setTimer(callback, ms) {
        timers++;
        return clock.setTimer(callback, ms);
      },
    };
    const f = followed({ clock: counting, server: logServer({ clock: fakeClock() }) });
    await f.begin();
    const before = timers;
    await clock.advance(60_000);
    assert.equal(f.tail.state.kind, 'live');
    assert.equal(timers - before, 40);
  });
});

/** A filter, and the members of two records: of one that matches it, and of one that does not. */
const cases: [string, string | LogFilter, Partial<LogRecord>, Partial<LogRecord>][] = [
  [
    'what the server filters by',
    { severities: ['warn'], search: 'slow' },
    { severity: 'warn', body: 'How slow' },
    { severity: 'warn', body: 'How fast' },
  ],
  ['stream', 'stream:stderr', { stream: 'stderr' }, { stream: 'stdout' }],
  ['a condition', 'service^=check', { service: 'checkout' }, { service: 'shop' }],
  [
    'several at once',
    'severity:error stream:stderr (service=checkout or attr.user:*)',
    { severity: 'error', stream: 'stderr', attributes: { user: '42' } },
    { severity: 'info', stream: 'stderr', attributes: { user: '42' } },
  ],
];

describe('a tail of the embedded control plane', () => {
  for (const [title, asked, matching, other] of cases) {
    it(`filters by ${title}, in the history, live and after a reload`, async () => {
      const filter = typeof asked === 'string' ? filterOf(asked) : asked;
      const f = followed({ filter });
      const emit = (): string | undefined => {
        f.server.append(1, other);
        return f.server.append(1, matching)[0]?.eventId;
      };
      const before = emit();
      f.tail.start();
      assert.deepEqual(await f.shown(), [before]);
      const later = emit();
      assert.deepEqual(await f.shown(), [before, later]);
      assert.equal(f.tail.counters.received, 2);
      const { clock, server } = f;
      const position = f.leave();
      const next = followed({ filter, clock, server, ...(position && { position }) });
      const latest = emit();
      next.tail.start();
      assert.deepEqual(await next.shown(), [latest]);
      assert.deepEqual([...f.parts(), ...next.parts()], ['records', 'records'], 'without a gap');
    });
  }
});

describe('the end of a tail', () => {
  for (const [moment, script] of [
    ['as soon as it starts', 'start&stop'],
    ['while the key is read', 'start stop'],
    ['while the history is loaded', 'query:hang start 1s stop'],
    ['while it connects', 'connect:hang start 1s stop'],
    ['while it is live', 'start 1s stop'],
    ['while pages are on their way', 'start 1s +5&stop'],
    ['while it is paused', 'start 1s pause +1 0 stop'],
    ['in a back-off', 'connect:503/5 start 1s -> now reconnecting code_503\n stop'],
    ['while it waits for the rate', 'connect:429/5 start 1s -> now rateLimited\n stop'],
    ['when a stream has just closed', 'start 1s end&stop'],
    ...['connecting', 'live', 'reconnecting'].map((state): [string, string] => [
      `by the listener that hears that it is ${state}`,
      `on:${state}:stop start 1s cut 1s`,
    ]),
  ] as const) {
    scripts({
      [`leaves nothing behind ${moment} ${covers('F34', 'unit')}`]: `
        +2 ${script} -> now stopped
        gone on:connecting:ok on:live:ok on:reconnecting:ok start 1m -> now live; all true`,
    });
  }
  scripts(
    {
      [`leaves nothing behind by a listener for records, in the middle of a chunk ${covers('F34', 'unit')}`]: `
        on:records:stop +4 start 0 again:0-2,2-3 0 -> now stopped; received 2
        gone`,
    },
    { initialLines: 0 },
  );
  scripts({
    [`leaves one connection at most after 1,000 starts and stops in any order ${covers('F35', 'unit')}`]: `
      +10 ${each(1000, (round) => {
        const start = round % 3 === 0 ? `start ${round % 7}ms ` : 'start&';
        return `${start}${round % 5 === 0 ? 'start&' : ''}+1&stop`;
      })} -> keys none
      gone start 1m -> now live; most 1; connects 11`,
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const second = 1000;
const hours = shortOrLong(6, 24);
const mebibyte = 1024 * 1024;

/** The slope of the best fitting line through the points, by their index. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const above = values.reduce((sum, value, x) => sum + (x - middle) * (value - mean), 0);
  return above / values.reduce((sum, _, x) => sum + (x - middle) ** 2, 0);
}

describe('a day of a tail', () => {
  it(`leaves memory, timers and handles as they were, and loses nothing ${covers('F14, F38', 'unit')}`, async function () {
    this.timeout(scaled(60_000));
    let next = 0;
    const f = followed({
      // So that the server itself remembers little.
      plane: { maxRecords: 1000, heartbeatSeconds: 15 },
      reads: false,
      onReceive({ tail }) {
        for (const output of tail.read()) {
          if (output.kind !== 'records') assert.fail(output.kind);
          for (const { eventId } of output.records) {
            if (eventId !== idAt(next++)) assert.fail(`${eventId} instead of ${next - 1}`);
          }
        }
      },
    });
    await f.begin();

    const heap: number[] = [];
    const timers = new Set<number>();
    const handles: number[] = [];
    let made = 0;
    for (let hour = 0; hour < hours; hour++) {
      // Five records per second.
      for (let seconds = 0; seconds < 3600; seconds += 20) {
        made += f.server.append(100, { body: `${'x'.repeat(100)} ${made}` }).length;
        await f.clock.advance(20 * second);
      }
      f.server.admin.reset();
      collectGarbage();
      heap.push(process.memoryUsage().heapUsed / mebibyte);
      timers.add(f.liveTimers);
      handles.push(process.getActiveResourcesInfo().length);
    }

    // A stream lasts for five minutes.
    assert.isAtLeast(f.server.connects.length, 12 * hours - 2);
    assert.equal(made, 5 * 3600 * hours);
    assert.equal(next, made);
    assert.deepEqual(f.kinds(), ['connecting', 'live']);
    assert.isBelow(slopeOf(heap.slice(2)), 1, `MiB an hour, of ${heap.map(Math.round).join(' ')}`);
    // The watch over a stream, or the wait between two streams.
    assert.isAtMost(Math.max(...timers), 2);
    assert.isAtMost(Math.max(...handles.slice(2)), handles[0]!);
    f.tail.stop();
    await f.clock.advance(2 * second);
    assert.lengthOf(f.server.open, 0);
    assert.equal(f.liveTimers, 0);
  });
});

const speed = 500;
const clock = fastClock(speed);
/** Real seconds until headers arrive, even on a busy machine. */
const busyMachine = 5;

/** What a proxy holds back until an answer has ended. */
type HoldsBack = 'nothing' | 'bodies' | 'answers';

/** What the user is shown of a problem. */
function reasonOf(state: TailState): ApiError | undefined {
  if (state.kind === 'reconnecting') return state.why;
  return state.kind === 'live' ? state.silence : undefined;
}

describe(`a tail behind an inspecting proxy ${covers('F61', 'connection')}`, () => {
  const servers = loopbackServers();
  const loopback = loopbackTails(0.01);
  let holdsBack: HoldsBack;
  /** Real seconds, which pass fast on the clock of the tail. */
  let headersWithin: number;
  let recorded: LoopbackTail;

  function forward(request: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = request;
    const answered = async (answer: IncomingMessage): Promise<void> => {
      const held = holdsBack;
      if (held === 'answers') answer.pause();
      const body = held === 'nothing' ? undefined : buffer(answer);
      if (held === 'answers') await body;
      response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
      if (body === undefined) answer.pipe(response);
      else response.end(await body);
    };
    const target = new URL(url ?? '', loopback.server.url);
    // The control plane answers under a name of loopback only.
    const onward = httpRequest(target, { method, headers: { ...headers, host: target.host } });
    onward.on('response', (answer) => void answered(answer).catch(() => response.destroy()));
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }

  beforeEach(async () => {
    // Such a proxy has its own certificate for every host, from an authority that the system trusts.
    const network = editorNetwork();
    const { key, cert } = await newCertificate(await systemAuthority());
    const reader = createHttpsServer({ key, cert }, forward);
    await servers.listen(reader);
    const proxy = createProxy((socket) => tunnel(socket, reader));
    network.proxy = `http://127.0.0.1:${await servers.listen(proxy)}`;
    const client = testClient({
      baseUrl: `https://${hostBehindProxy}`,
      token: () => loopback.server.keys['demo-full'],
      fetch: network.fetch,
      clock,
      random: () => 0.5,
      settings: () => ({ timeoutSeconds: headersWithin * speed }),
    });
    recorded = loopback.follow({ client, clock });
  });

  afterEach(() => servers.close());

  const isSilent = (): boolean =>
    recorded.tail.state.kind === 'live' && recorded.tail.state.silence !== undefined;
  const hasAll = (): boolean =>
    recorded.ids.at(-1) === loopback.server.admin.emitted().eventIds.at(-1);

  it('notices by the idle limit that bodies are held back, and shows it until something arrives', async () => {
    holdsBack = 'bodies';
    headersWithin = busyMachine;
    loopback.server.admin.emit(3);
    recorded.tail.start();
    await recorded.until(isSilent);
    loopback.server.admin.emit(3);
    await recorded.until(
      () => recorded.states.filter(({ kind }) => kind === 'reconnecting').length === 3,
    );
    const [connecting, live, ...later] = recorded.states;
    assert.deepEqual([connecting, live], [{ kind: 'connecting' }, { kind: 'live' }]);
    for (const state of later) {
      assert.deepInclude(reasonOf(state), {
        kind: 'timeout',
        code: 'silentStream',
        message: 'The log stream sent nothing for 90 s.',
      });
    }
    assert.lengthOf(recorded.ids, 3);

    holdsBack = 'nothing';
    await recorded.until(() => recorded.tail.state.kind === 'live' && !isSilent());
    await recorded.until(hasAll);
    assert.deepEqual(recorded.ids, loopback.server.admin.emitted().eventIds);
  });

  it('shows a time-out if whole answers are held back', async () => {
    holdsBack = 'answers';
    // No headers arrive, and the test should not wait for them.
    headersWithin = 0.3;
    loopback.server.admin.emit(3);
    recorded.tail.start();
    await recorded.until(
      () => recorded.states.filter(({ kind }) => kind === 'reconnecting').length === 2,
    );
    const [connecting, ...later] = recorded.states;
    assert.deepEqual(connecting, { kind: 'connecting' });
    for (const state of later) {
      assert.deepInclude(reasonOf(state), { kind: 'timeout', code: 'timeout' });
    }
    holdsBack = 'nothing';
    headersWithin = busyMachine;
    loopback.server.admin.emit(3);
    await recorded.until(hasAll);
    assert.deepEqual(recorded.ids, loopback.server.admin.emitted().eventIds);
  });
});

const minute = 60 * second;
const hour = 60 * minute;
const ahead = (): number => hour;

/** Appends a record that a server stamped some time before it arrived. */
function arrive({ server, clock }: Followed, late: number): void {
  server.append(1, { timestamp: new Date(clock.now() - late).toISOString() });
}

function kindsOf({ outputs }: Followed): string[] {
  return [...new Set(outputs.map(({ kind }) => kind))];
}

/** The ends of the ranges that were streamed, each once. */
function ranges({ server }: Followed): string[] {
  return [...new Set(server.connects.map(({ request }) => request.filters.to))];
}

describe(`the range of a tail that ends and is renewed ${covers('F81', 'unit')}`, () => {
  const kinds: readonly (readonly [string, Unkindness, LogFilter])[] = [
    ['of a server', {}, {}],
    ['of one that takes no stream cursor for a search', { refusesFollowCursors: true }, {}],
    ['of one with small pages', { queryPage: 3, streamPage: 2 }, {}],
    ['with a filter of the client', {}, { stream: 'stdout' }],
  ];
  for (const [which, unkind, filter] of kinds) {
    it(`${which} loses and repeats no record that arrives late, in any order`, async function () {
      this.timeout(scaled(shortOrLong(60_000, 600_000)));
      for (let seed = 1; seed <= shortOrLong(2, 20); seed++) {
        const random = seededRandom(seed);
        const f = followed({ plane: { unkind, heartbeatSeconds: 15 }, ahead, filter, random });
        /** Three servers, each with its own delay. */
        const arrivals = (): void => {
          for (const latest of [0, minute, 10 * minute]) {
            if (random() < 0.5) arrive(f, random() * latest);
          }
        };
        await f.begin();
        // Also between two streams, and between any two requests of a renewal.
        f.server.on.query = f.server.on.connect = arrivals;
        while (ranges(f).length < 4) {
          arrivals();
          await f.clock.advance(random() < 0.9 ? random() * 3 * second : minute);
        }
        await f.clock.advance(minute);
        assert.sameMembers(await f.shown(), ids(0, f.server.log.length), `seed ${seed}`);
        assert.lengthOf(f.ids(), f.server.log.length, `seed ${seed}`);
        assert.deepEqual(kindsOf(f), ['records'], `seed ${seed}`);
        assert.equal(f.tail.state.kind, 'live');
      }
    });

    scripts(
      {
        [`${which} loses nothing if the machine slept beyond its end`]: `
          start 0 stamped:0 1m hold ${'jump:10m stamped:0 stamped:-20m '.repeat(18)} 2m
          stamped:0 1s -> all true; parts records`,
      },
      { plane: { unkind, heartbeatSeconds: 15 }, ahead, filter },
    );
  }

  scripts(
    {
      [`says that lines may be missing if more were stamped after its end than one search brings ${covers('F21', 'unit')}`]: `
        start 0 stamped:0 1m hold jump:3h stamped:0/10100 2m -> shown 0,101-10100; parts records gap records`,
      'is read to its end if more has arrived than one search brings': `
        start 0 stamped:0 1m hold stamped:0/12000 jump:55m 2m stamped:0 1s
        -> shown 0-12001; parts records; ranges 2`,
      [`keeps the order in which records arrived meanwhile ${covers('F27', 'unit')}`]:
        'start 40m query:stamped:-1m,stamped:-30m,stamped:0 20m -> shown 0-2; ranges 2',
      [`says that lines may be missing if the cursor is lost ${covers('F21', 'unit')}`]: `
        +1 start 100ms jump:55m connect:410 query:ok query:410 end stamped:0 2m
        -> shown 0-1; parts records gap records; now live`,
      ...Object.fromEntries(
        [404, 405].map((status) => [
          `is read to its end if a search from its cursor fails with ${status}`,
          `start 40m query:ok query:stamped:-1m,${status} query:stamped:-1m 20m
          -> ranges 2; all true; parts records; now live`,
        ]),
      ),
      ...Object.fromEntries(
        [0, 1, 2].map((before) => [
          `continues after an error at step ${before + 1}`,
          `start 40m ${'query:stamped:-1m '.repeat(before)} query:503 query*:stamped:-1m 20m
          -> ranges 2; all true; parts records`,
        ]),
      ),
    },
    { ahead },
  );
  scripts(
    {
      'is read to its end, which nothing marks if no record arrives':
        '+1 start 56m -> ranges 2; states connecting live; shown 0',
    },
    { ahead, plane: { unkind: { refusesFollowCursors: true }, heartbeatSeconds: 15 } },
  );
  scripts(
    {
      'is as long as a server allows, and new only when the old one is about to end': `start ${'stamped:0 1h '.repeat(60)} -> ranges 3; shown 0-59; now live`,
    },
    { ahead: () => 24 * hour, plane: { unkind: { longestRangeSeconds: 8 * 24 * 3600 } } },
  );
});
