import { assert } from 'chai';
import { hour, minute, second } from '../../../../src/base/clock';
import type { TailPosition } from '../../../../src/logs/tail/types';
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
 * What happens to a tail, one after the other; time passes only where it is written.
 *
 * - `10s`, `100ms`, `0`: so much time passes. `jump:8h`: of the wall clock only.
 * - `+3`: records arrive. `stamped:-2m`: one arrives with the time of two minutes ago.
 * - `start`, `stop`, `pause`, `resume`, `take`, `take:4`. `live`: it starts, and shows three records.
 * - `key:demo-logs` is the new key, and `told`: the tail is told of it. `nokey`; `lockedkey`: it cannot be
 *   read. `revoke:demo-full`, `deny:demo-full`: the server refuses a key, or all that it asks for.
 * - `end`, `cut`, `reset`, `hold`, `beat`, `comment`, `half`, `bad`, `odd`, `wish:20000`, `again:0-7` and
 *   `fail:410` happen to the open stream; `cut@5s` does so later.
 * - `connect:…` happens to the next connect that has nothing else to meet, `query:…` to a query, `open:…` to
 *   a stream; `connect*:…` to each until `connect*:ok`. Several are separated by commas. A status is a
 *   refusal with that code, `429/50` with a Retry-After, `400/bad_cursor` with a code of its own;
 *   `ECONNREFUSED` is no answer at all, and `hang` is none that ever comes.
 * - `html`, `nohtml`: connects are answered with pages. `partial:on`, `revision:2`: what pages say.
 * - `leave` and `return`: the window is reloaded.
 */
export type Script = string;

/** What there is to see, of which a test names what matters. */
export interface Seen {
  /** The records that were shown, by their numbers in the log: `0-4,7`; a moment passes before. */
  readonly shown: string;
  /** How many records were shown, if they are all there are, each once. */
  readonly all: number | undefined;
  /** How many were shown so far. */
  readonly taken: number;
  /** Its state, with the reason. */
  readonly now: string;
  readonly silent: boolean;
  /** Its states, what it showed between records, and the codes of its gaps. */
  readonly states: string;
  readonly parts: string;
  readonly gaps: string;
  /** Whether its failure names the request. */
  readonly namesRequest: boolean;
  readonly received: number;
  readonly streamed: number;
  readonly repeated: number;
  readonly connects: number;
  /** After how many records of the log each connect resumed. */
  readonly cursors: string;
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
  const [, status, more] = /^(\d{3})(?:\/(\w+))?$/.exec(text) ?? [];
  if (status === undefined) return /^E[A-Z]+$/.test(text) ? new NoAnswer(text) : undefined;
  if (more === undefined || /^\d+$/.test(more))
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

/** Runs scripts on a tail. */
export class ScriptedTail {
  f: Followed;
  private position: TailPosition | undefined;
  /** What earlier windows have shown. */
  private readonly before: string[] = [];
  private readonly next: Record<string, string[]> = { connect: [], query: [], open: [] };
  private readonly each: Record<string, string | undefined> = {};
  private page: { partial?: boolean; accessRevision?: string } = {};

  constructor(private readonly options: FollowedOptions = {}) {
    this.f = followed(options);
    const { on } = this.f.server;
    on.connect = () => this.meet('connect');
    on.query = () => this.meet('query');
    on.open = (stream) => void this.meet('open', stream);
    on.page = (page) => ({ ...page, ...this.page });
  }

  async run(script: Script): Promise<void> {
    for (const word of script.split(' ').filter(Boolean)) {
      const passes = time(word);
      if (passes !== undefined) await this.f.clock.advance(passes);
      else if (word === 'live') await this.run('+3 start 100ms');
      else await this.act(word, this.f.server.open[0]);
    }
  }

  async see(expected: Partial<Seen>): Promise<void> {
    const { f } = this;
    const { tail, server, states, outputs } = f;
    if (expected.shown !== undefined || expected.all !== undefined) await f.shown();
    const shown = [...this.before, ...f.ids()];
    const numbers = new Map(ids(0, server.log.length).map((id, index) => [id, index]));
    const { state, counters } = tail;
    const why = state.kind === 'reconnecting' && state.why ? ` ${state.why.code}` : '';
    const seen: Seen = {
      shown: runsOf(shown.map((id) => numbers.get(id) ?? NaN)),
      all:
        shown.length === server.log.length && new Set(shown).size === shown.length
          ? shown.length
          : undefined,
      taken: shown.length,
      now: state.kind === 'paused' ? `paused ${state.newRecords}` : outcome(f) + why,
      silent: state.kind === 'live' && state.silence !== undefined,
      states: states.map(({ kind }) => kind).join(' '),
      parts: f.parts().join(' '),
      gaps: outputs.flatMap((one) => (one.kind === 'gap' ? [one.error?.code] : [])).join(' '),
      namesRequest: state.kind === 'failed' && (state.why.error.requestId ?? '').startsWith('req_'),
      received: counters.received,
      streamed: counters.streamed,
      repeated: counters.repeated,
      connects: server.connects.length,
      cursors: server.connects.map(({ request }) => server.positionOf(request.cursor)).join(' '),
      keys: server.open.map(({ key }) => key).join(' '),
      most: server.mostOpen,
      queries: server.queries.length,
      limits: server.queries.map(({ limit }) => limit).join(' '),
      froms: new Set(server.queries.map(({ filters }) => filters.from)).size,
      timers: f.liveTimers,
    };
    const names = Object.keys(expected) as (keyof Seen)[];
    assert.deepEqual(Object.fromEntries(names.map((name) => [name, seen[name]])), expected);
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
    const acts: Readonly<Record<string, () => unknown>> = {
      start: () => tail.start(),
      stop: () => tail.stop(),
      pause: () => tail.pause(),
      resume: () => tail.resume(),
      take: () => f.take(value === '' ? undefined : Number(value)),
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
      stamped: () =>
        server.append(1, { timestamp: new Date(clock.now() + (time(value) ?? NaN)).toISOString() }),
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
      again: () => {
        const [from = 0, to = 0] = value.split('-').map(Number);
        stream?.send(stream.page(from, to));
      },
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
        this.f = followed({ ...this.options, takes: true, clock, server, ...position });
        this.f.tail.start();
      },
    };
    const [, kind = '', isEach] = /^(connect|query|open)(\*?)$/.exec(name) ?? [];
    if (isEach === '*') this.each[kind] = value;
    else if (isEach === '') this.next[kind]?.push(value);
    else if (word.startsWith('+')) server.append(Number(word));
    else await (acts[name] ?? assert.fail(`What is ${word}?`))();
  }
}
