import { assert } from 'chai';
import { hour, minute, second } from '../../../../src/base/clock';
import type { TailPosition } from '../../../../src/logs/tail/tailState';
import { event, Failure, NoAnswer, type LogStream } from '../../../control-plane/inMemory';
import { ids, refusal } from '../logServer';
import {
  followed,
  type Followed,
  type FollowedOptions,
  heartbeat,
  malformed,
  outcome,
} from './followed';

/**
 * Lines of what happens to a tail and, behind `->`, what there is to see then:
 * `live cut +2 1s -> shown 0-4; states connecting live reconnecting live`. Time passes only where it is
 * written.
 *
 * - `10s`, `100ms`, `0`: so much time passes. `jump:8h`: of the wall clock only.
 * - `+3`: records arrive. `stamped:-2m`: one arrives with the time of two minutes ago,
 *   `stamped:0/9`: nine with the time of now.
 * - `start`, `stop`, `pause`, `resume`, `take`, `take:4`. `live`: it starts, and shows three records.
 *   `start&stop`: nothing happens in between. `on:live:stop`: when it says that it is live, it is stopped;
 *   `on:records:stop` when it says that there are records.
 * - `key:demo-logs` is the new key, and `told`: the tail is told of it. `nokey`; `lockedkey`: it cannot be
 *   read. `revoke:demo-full`, `deny:demo-full`: the server refuses a key, or all that it asks for.
 * - `end`, `cut`, `reset`, `hold`, `beat`, `comment`, `half`, `bad`, `odd`, `wish:20000`, `again:0-7`,
 *   `again:0-2,2-3` (in one piece), `stuck:0-3` (with the cursor of before) and `fail:410` happen to the open
 *   stream; `cut@5s` does so later.
 * - `connect:…` happens to the next connect that has nothing else to meet, `query:…` to a query, `open:…` to
 *   a stream; `connect*:…` to each until `connect*:ok`. Several are separated by commas. A status is a
 *   refusal with that code, `429/50` with a Retry-After, `400/bad_cursor` with a code of its own;
 *   `ECONNREFUSED` is no answer at all, and `hang` is none that ever comes.
 * - `html`, `nohtml`: connects are answered with pages. `partial:on`, `revision:2`: what pages say.
 * - `leave` and `return`: the window is reloaded.
 * - `gone`: after its end, nothing of it is left, and nothing happens any more.
 */
export type Script = string;

/** What there is to see, of which a line names what matters. */
interface Seen {
  /** The records that were shown, by their numbers in the log: `0-4,7`; a moment passes before. */
  readonly shown: string;
  /** Whether all records were shown, each once. */
  readonly all: boolean;
  /** How many were shown so far, and how many left out. */
  readonly taken: number;
  readonly dropped: number;
  /** Its state, with the reason. */
  readonly now: string;
  readonly silent: boolean;
  /** Its states, what it showed between records, and the codes of its gaps. */
  readonly states: string;
  readonly parts: string;
  readonly gaps: string;
  /** Whether its failure names the request. */
  readonly namesRequest: boolean;
  /** How often it said that there are records to take. */
  readonly receipts: number;
  readonly received: number;
  readonly streamed: number;
  readonly repeated: number;
  readonly connects: number;
  /** The most connects in any minute. */
  readonly perMinute: number;
  /** After how many records of the log each connect resumed. */
  readonly cursors: string;
  /** How many different ranges were streamed. */
  readonly ranges: number;
  /** The keys of the open streams, and the most streams at one time. */
  readonly keys: string;
  readonly most: number;
  readonly queries: number;
  /** The limits of the queries, and how many different starts their ranges had. */
  readonly limits: string;
  readonly froms: number;
  readonly timers: number;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: second, m: minute, h: hour };

function time(text: string): number | undefined {
  if (text === '0') return 0;
  const [, number, unit = ''] = /^(-?\d+)(ms|s|m|h)$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * (units[unit] ?? NaN);
}

function errorOf(text: string): Error | undefined {
  const [, status, more] = /^(\d{3})(?:\/([\w.]+))?$/.exec(text) ?? [];
  if (status === undefined) return /^E[A-Z]+$/.test(text) ? new NoAnswer(text) : undefined;
  if (more === undefined || /^[\d.]+$/.test(more))
    return refusal(Number(status), more === undefined ? undefined : Number(more));
  return new Failure(Number(status), 'No.', more);
}

/** The numbers of sorted runs: `0-4,7`. */
function runsOf(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join();
}

/** The records `0-3` of the log: 0, 1 and 2. */
function pageOf(stream: LogStream, range: string) {
  const [from = 0, to = 0] = range.split('-').map(Number);
  return stream.page(from, to);
}

/** Runs a script on a tail. */
class ScriptedTail {
  private f: Followed;
  private position: TailPosition | undefined;
  /** What earlier windows have shown. */
  private readonly before: string[] = [];
  private readonly next: Record<string, string[]> = { connect: [], query: [], open: [] };
  private readonly each: Record<string, string | undefined> = {};
  private readonly onEvent: Record<string, string | undefined> = {};
  private page: { partial?: boolean; accessRevision?: string } = {};

  constructor(options: FollowedOptions) {
    this.options = {
      ...options,
      onState: ({ kind }) => this.receive(kind),
      onReceive: () => this.receive('records'),
    };
    this.f = followed(this.options);
    const { on } = this.f.server;
    on.connect = () => this.meet('connect');
    on.query = () => this.meet('query');
    on.open = (stream) => void this.meet('open', stream);
    on.page = (page) => ({ ...page, ...this.page });
  }

  private readonly options: FollowedOptions;

  async run(script: Script): Promise<void> {
    for (const line of script.split('\n')) {
      const [acts = '', seen] = line.split('->');
      for (const words of acts.split(' ').filter(Boolean)) await this.step(words);
      if (seen !== undefined) await this.see(seen);
    }
  }

  private async step(words: string): Promise<void> {
    const ends = time(words);
    if (ends !== undefined) await this.f.clock.advance(ends);
    else if (words === 'live') await this.run('+3 start 100ms');
    else if (words === 'gone') await this.assertGone();
    else await Promise.all(words.split('&').map((word) => this.act(word, this.f.server.open[0])));
  }

  private async see(line: string): Promise<void> {
    const expected = line.split(';').map((one) => {
      const [name = '', ...value] = one.trim().split(' ');
      return [name, value.join(' ')] as const;
    });
    if (expected.some(([name]) => name === 'shown' || name === 'all')) await this.f.shown();
    const seen = new Map(Object.entries(this.seen()));
    const found = expected.map(([name]) => {
      if (!seen.has(name)) assert.fail(`What is ${name}?`);
      const value = String(seen.get(name));
      return [name, value === '' ? 'none' : value] as const;
    });
    assert.deepEqual(Object.fromEntries(found), Object.fromEntries(expected), line.trim());
  }

  private seen(): Seen {
    const { f } = this;
    const { tail, server, states, outputs } = f;
    const { connects, queries } = server;
    const shown = [...this.before, ...f.ids()];
    const numbers = new Map(ids(0, server.log.length).map((id, index) => [id, index]));
    const { state, counters } = tail;
    const why = state.kind === 'reconnecting' && state.why ? ` ${state.why.code}` : '';
    return {
      shown: runsOf(shown.map((id) => numbers.get(id) ?? NaN)),
      all: shown.length === server.log.length && new Set(shown).size === shown.length,
      taken: shown.length,
      dropped: counters.dropped,
      now: state.kind === 'paused' ? `paused ${state.newRecords}` : outcome(f) + why,
      silent: state.kind === 'live' && state.silence !== undefined,
      states: states.map(({ kind }) => kind).join(' '),
      parts: f.parts().join(' '),
      gaps: outputs.flatMap((one) => (one.kind === 'gap' ? [one.error?.code] : [])).join(' '),
      namesRequest: state.kind === 'failed' && (state.why.error.requestId ?? '').startsWith('req_'),
      receipts: f.receipts,
      received: counters.received,
      streamed: counters.streamed,
      repeated: counters.repeated,
      connects: connects.length,
      perMinute: Math.max(
        ...connects.map(
          ({ at }) => connects.filter((one) => one.at >= at && one.at < at + minute).length,
        ),
      ),
      cursors: connects.map(({ request }) => server.positionOf(request.cursor)).join(' '),
      ranges: new Set(connects.map(({ request }) => request.filters.to)).size,
      keys: server.open.map(({ key }) => key).join(' '),
      most: server.mostOpen,
      queries: queries.length,
      limits: queries.map(({ limit }) => limit).join(' '),
      froms: new Set(queries.map(({ filters }) => filters.from)).size,
      timers: f.liveTimers,
    };
  }

  private async assertGone(): Promise<void> {
    const { f } = this;
    const calls = (): number[] => [f.states.length, f.receipts, f.server.connects.length];
    await f.shown();
    const before = calls();
    assert.deepEqual([f.server.open.length, f.liveTimers], [0, 0]);
    f.server.append(3);
    await f.clock.advance(10 * minute);
    assert.deepEqual(calls(), before);
  }

  private receive(event: string): void {
    const act = this.onEvent[event];
    if (act !== undefined) void this.act(act, undefined);
  }

  /** What a request or a stream meets now. */
  private async meet(what: string, stream?: LogStream): Promise<void> {
    const met = this.next[what]?.shift() ?? this.each[what];
    for (const word of met?.split(',') ?? []) {
      const error = errorOf(word);
      if (error !== undefined) throw error;
      await this.act(word, stream);
    }
  }

  private async act(word: string, stream: LogStream | undefined): Promise<void> {
    const [, later, delay] = /^(\w+)@(.*)$/.exec(word) ?? [];
    const { f } = this;
    const { server, clock, tail } = f;
    if (later !== undefined) {
      clock.setTimer(() => void this.act(later, stream), time(delay ?? '') ?? NaN);
      return;
    }
    const [name = '', value = ''] = word.split(/:(.*)/s);
    const timeIn = (text: string): string =>
      new Date(clock.now() + (time(text) ?? NaN)).toISOString();
    const acts: Readonly<Record<string, () => unknown>> = {
      start: () => tail.start(),
      stop: () => tail.stop(),
      pause: () => tail.pause(),
      resume: () => tail.resume(),
      take: () => f.read(value === '' ? undefined : Number(value)),
      told: () => tail.keyChanged(),
      key: () => (f.key = server.keys[value] ?? value),
      nokey: () => (f.key = undefined),
      lockedkey: () =>
        Object.defineProperty(f, 'key', {
          get() {
            throw new Error('locked');
          },
        }),
      revoke: () => server.admin.revokeKey(value),
      deny: () => server.admin.changeAccess(value, ['alert.read']),
      access: () => server.admin.changeAccess('demo-full'),
      jump: () => clock.jump(time(value) ?? NaN),
      stamped: () => {
        const [at = '', count = 1] = value.split('/');
        server.append(Number(count), { timestamp: timeIn(at) });
      },
      end: () => stream?.end(),
      cut: () => stream?.cut(),
      reset: () => stream?.reset(),
      hold: () => stream?.hold(),
      beat: () => stream?.send(heartbeat),
      comment: () => stream?.send(': still here\n'),
      half: () => stream?.send('event: rec'),
      bad: () => stream?.send(malformed),
      odd: () => stream?.send(event('records', '{"records":[]}')),
      wish: () => stream?.send(`retry: ${value}\n\n`),
      again: () => stream?.send(...value.split(',').map((one) => pageOf(stream, one))),
      stuck: () =>
        stream?.send({ ...pageOf(stream, value), followCursor: stream.request.cursor ?? '' }),
      fail: () => {
        const [status, code] = value.split('/');
        stream?.fail(Number(status), code);
      },
      ok: () => undefined,
      hang: () => new Promise<void>(() => undefined),
      html: () => server.admin.fault({ kind: 'html', endpoint: 'post_logs_tail', times: 1000 }),
      nohtml: () => server.admin.reset(),
      partial: () => (this.page = { ...this.page, partial: value === 'on' }),
      revision: () => (this.page = { ...this.page, accessRevision: value }),
      leave: () => {
        this.position = f.leave();
        this.before.push(...f.ids());
      },
      return: () => {
        const position = this.position && { position: this.position };
        this.f = followed({ ...this.options, reads: true, clock, server, ...position });
        this.f.tail.start();
      },
    };
    if (name === 'on') {
      const [event = '', act] = value.split(':');
      this.onEvent[event] = act;
      return;
    }
    const [, kind = '', isEach] = /^(connect|query|open)(\*?)$/.exec(name) ?? [];
    if (isEach === '*') this.each[kind] = value;
    else if (isEach === '') this.next[kind]?.push(value);
    else if (word.startsWith('+')) server.append(Number(word));
    else await (acts[name] ?? assert.fail(`What is ${word}?`))();
  }
}

/** The same part of a script again and again. */
export function each(count: number, part: (index: number) => Script): Script {
  return Array.from({ length: count }, (_, index) => part(index)).join(' ');
}

/** Tests of scripts by their titles, all with these options. */
export function scripts(
  tests: Readonly<Record<string, Script>>,
  options: FollowedOptions = {},
): void {
  for (const [title, script] of Object.entries(tests)) {
    it(title, () => new ScriptedTail(options).run(script));
  }
}
