import { type Clock, day } from '../../src/base/clock';
import type { LogRecord } from '../../src/api/types';
import { systemClock } from '../../src/vscode/systemClock';
import { type Admin, createAdmin } from './admin';
import { Cursors } from './cursors';
import type { Face } from './face';
import { faces, type Like } from './faces';
import { Faults } from './faults';
import { createGenerator, generateLive } from './generator';
import { createHandle } from './handle';
import { Journal } from './journal';
import { Keys } from './keys';
import type { ApiAnswer, ApiRequest, Parts } from './parts';
import { createRandom } from './random';
import type { Release } from './releases';
import { RecordStore } from './records';
import type { Unkindness } from './unkind';
import { createWorld } from './world';

export interface CoreOptions {
  /** Which face it has (document). */
  readonly like?: Like;
  /** The seed of all generated data (1). */
  readonly seed?: number;
  /** The clock of timestamps, of the Date header and of every wait of the server. */
  readonly clock?: Clock;
  /** How long a stream stays open, in seconds (300). */
  readonly streamSeconds?: number;
  /** Seconds between two heartbeat comments in a stream; 0, the default, for none, as in the document. */
  readonly heartbeatSeconds?: number;
  /** Whether records are generated as time passes, eight a second (true). */
  readonly live?: boolean;
  /** How many records of the last day exist at the start (20,000). */
  readonly historyRecords?: number;
  /** The most records to keep (1,000,000). */
  readonly maxRecords?: number;
  /** How many seconds an operation and each step of a deployment take (4). */
  readonly operationSeconds?: number;
  /** Commits of the demo workspace that are deployed everywhere, newest first; see `releasesOf`. */
  readonly releases?: readonly Release[];
  /** How long after a 429 other requests may still arrive that were on their way, in milliseconds (0). */
  readonly graceMs?: number;
  /** How the server is unkind at the start and after a reset. */
  readonly unkind?: Unkindness;
  /** Makes the secret part of a key (from the seed). */
  readonly newSecret?: () => string;
}

/** A control plane without a connection: the only place that decides what to answer. */
export interface Core extends Parts {
  readonly admin: Admin;
  /** Whether it answers requests of pages of other origins itself. */
  readonly answersPages: boolean;
  /** @throws NoAnswer, or an error of the control plane itself, which is reported. */
  handle(request: ApiRequest): Promise<ApiAnswer>;
  /** Adds records at intervals of ten milliseconds from the start on, with the ids of `idAt`. */
  readonly append: (count: number, changes?: Partial<LogRecord>) => LogRecord[];
  /** Stops to generate records as time passes. */
  readonly stopLive: () => void;
}

/** The id of the appended record at an index of the log. */
export function idAt(index: number): string {
  return `event-${index}`;
}

const logsPerSecond = 8;
const spacing = 10;

/** @param restart restarts the server of this core when an administrator asks for it. */
export function createCore(options: CoreOptions, restart: Parts['restart']): Core {
  const {
    clock: machine = systemClock,
    historyRecords = 20_000,
    operationSeconds: stepSeconds = 4,
    unkind: unkindAtStart = {},
  } = options;
  const unkind = { ...unkindAtStart };
  const clock: Clock = {
    now: () => machine.now() + (unkind.aheadSeconds ?? 0) * 1000,
    monotonic: () => machine.monotonic(),
    setTimer: (callback, ms) => machine.setTimer(callback, ms),
  };
  const random = createRandom(options.seed ?? 1);
  const world = createWorld(random.fork('world'), clock.now(), options.releases);
  const store = new RecordStore(options.maxRecords ?? 1_000_000);
  const kind = faces[options.like ?? 'document'];
  const keys = new Keys(random.fork('keys'), kind.permissions, options.newSecret);
  const generator = createGenerator(world, random.fork('logs'), (id) => face.running(id));
  const parts: Parts = {
    clock,
    world,
    store,
    generator,
    unkind,
    unkindAtStart,
    streamSeconds: options.streamSeconds ?? 300,
    heartbeatSeconds: options.heartbeatSeconds ?? 0,
    keys,
    // Cursors are valid for one run of one control plane only: the next has other records, also with the same keys.
    cursors: new Cursors(`${keys.named('demo-full').value} ${clock.now()}`, clock, unkind),
    faults: new Faults(),
    journal: new Journal(clock, options.graceMs ?? 0),
    unkindRandom: random.fork('unkind'),
    streams: new Set(),
    on: {
      query: () => undefined,
      connect: () => undefined,
      page: (page) => page,
      open: () => undefined,
    },
    restart,
  };
  const face: Face = kind.create(parts, { random, stepSeconds });
  if (historyRecords > 0) {
    store.append(generator.make(historyRecords, world.startedAt - day, world.startedAt));
  }
  const admin = createAdmin(parts, face);
  const isLive = options.live ?? true;
  const startedAt = clock.now();
  let template: LogRecord | undefined;
  return {
    ...parts,
    admin,
    answersPages: face.answersPages,
    handle: createHandle(parts, face),
    append(count, changes = {}) {
      const known = (template ??= generator.fill({}, clock.now()));
      const records = Array.from({ length: count }, (_, index): LogRecord => {
        const number = store.end + index;
        const timestamp = new Date(startedAt + number * spacing).toISOString();
        return { ...known, eventId: idAt(number), timestamp, ingestedAt: timestamp, ...changes };
      });
      store.append(records);
      return records;
    },
    stopLive: isLive
      ? generateLive(clock, random.fork('live'), logsPerSecond, (count) => admin.emit(count))
      : () => undefined,
  };
}
