import { createTail, type TailOptions, type TailServices } from '../../../../src/logs/follow/tail';
import type { Tail, TailOutput, TailPosition, TailState } from '../../../../src/logs/follow/types';
import {
  event,
  type InMemoryControlPlane,
  type InMemoryOptions,
} from '../../../control-plane/inMemory';
import { fakeClock, type FakeClock } from '../../fakeClock';
import { clientOf, logServer } from '../logServer';
import { seededRandom } from './seededRandom';

export interface FollowedOptions extends Partial<Omit<TailOptions, 'listener'>> {
  readonly clock?: FakeClock;
  readonly server?: InMemoryControlPlane;
  /** Where there is no server yet. */
  readonly plane?: Omit<InMemoryOptions, 'clock'>;
  readonly client?: TailServices['client'];
  readonly random?: () => number;
  readonly ahead?: () => number;
  /** False: what is received stays in the buffer until a test takes it. */
  readonly takes?: boolean;
  /** Milliseconds from when the listener is told to when it takes; 0 to `latest` by a seed. */
  readonly takesAfter?: () => number;
  /** Called when there is something to take. */
  readonly onReceive?: (followed: Followed) => void;
  readonly onState?: (state: TailState) => void;
}

/**
 * A tail on a control plane in this process, and all that it told. Its listener takes as the log
 * channel does: not when it is told, but a while later, once for all that it was told of until then,
 * and in pieces where there is much.
 */
export interface Followed {
  readonly clock: FakeClock;
  readonly server: InMemoryControlPlane;
  readonly tail: Tail;
  readonly states: TailState[];
  readonly outputs: TailOutput[];
  /** How often it was told that there is something to take. */
  readonly receipts: number;
  /** Timers that are the tail's. */
  readonly liveTimers: number;
  /** The API key; undefined: there is none. */
  key: string | undefined;
  /** Starts the tail, and lets it come as far as it does without any time. */
  readonly begin: () => Promise<void>;
  /** The ids of the records that were handed on by now, in order. */
  readonly ids: () => string[];
  /** The same once the listener had the time that it takes at most. */
  readonly shown: () => Promise<string[]>;
  /** The kinds of the states, in order. */
  readonly kinds: () => string[];
  /** What was handed on by now, in words: records that came one after the other are one. */
  readonly parts: () => string[];
  /** As a reload of the window does: ends it, and takes nothing more; where the next one goes on. */
  readonly leave: () => TailPosition | undefined;
  /** Takes what there is. */
  readonly take: (maxRecords?: number) => TailOutput[];
}

/** The log channel takes every 100 ms, pieces of 500 records, until its turn is over. */
const latest = 100;
const piece = 500;
const turnEnds = 0.2;

export function followed(options: FollowedOptions = {}): Followed {
  const clock = options.clock ?? fakeClock();
  const server = options.server ?? logServer({ clock, ...options.plane });
  const states: TailState[] = [];
  const outputs: TailOutput[] = [];
  const chance = seededRandom(2);
  let receipts = 0;
  let willTake = false;
  let hasLeft = false;
  const {
    takes = true,
    takesAfter = () => chance() * latest,
    onReceive,
    onState,
    client = clientOf(server, clock, { token: () => self.key }),
    random = seededRandom(1),
    ahead,
    ...rest
  } = options;

  const takeIn = (ms: number): void => {
    willTake = true;
    clock.setTimer(() => {
      willTake = false;
      if (hasLeft) return;
      while (self.take(piece).length > 0) {
        if (chance() >= turnEnds) continue;
        takeIn(0);
        return;
      }
    }, ms);
  };

  const tail = createTail(
    {
      client,
      clock,
      random,
      readKey: () => Promise.resolve(self.key),
      ...(ahead === undefined ? {} : { ahead }),
    },
    {
      filter: {},
      initialLines: 100,
      ...rest,
      listener: {
        onDidChangeState(state) {
          states.push(state);
          onState?.(state);
        },
        onDidReceive() {
          receipts++;
          if (takes && !willTake) takeIn(takesAfter());
          onReceive?.(self);
        },
      },
    },
  );
  const self: Followed = {
    clock,
    server,
    tail,
    states,
    outputs,
    get receipts() {
      return receipts;
    },
    get liveTimers() {
      return clock.liveTimers - server.liveTimers - (willTake ? 1 : 0);
    },
    key: server.key,
    async begin() {
      tail.start();
      await clock.advance(0);
    },
    ids: () => idsOf(outputs),
    async shown() {
      await clock.advance(latest);
      return self.ids();
    },
    kinds: () => states.map(({ kind }) => kind),
    parts: () =>
      outputs
        .map(({ kind }) => kind)
        .filter((kind, index) => kind !== 'records' || outputs[index - 1]?.kind !== 'records'),
    leave() {
      const { position } = tail;
      hasLeft = true;
      tail.stop();
      return position && (JSON.parse(JSON.stringify(position)) as TailPosition);
    },
    take(maxRecords) {
      const taken = tail.take(maxRecords);
      outputs.push(...taken);
      return taken;
    },
  };
  return self;
}

/** The ids of the records among what a tail handed on. */
export function idsOf(outputs: readonly TailOutput[]): string[] {
  return outputs.flatMap((output) =>
    output.kind === 'records' ? output.records.map(({ eventId }) => eventId) : [],
  );
}

/** A tail that is live and has shown three records. */
export async function liveTail(options: FollowedOptions = {}): Promise<Followed> {
  const f = followed(options);
  f.server.append(3);
  f.tail.start();
  await f.shown();
  return f;
}

/** Lets the connect of this number fail, and no other. */
export function refuseConnect(
  { on, connects }: InMemoryControlPlane,
  number: number,
  error: Error,
): void {
  on.connect = () => {
    if (connects.length === number) throw error;
  };
}

/** Why it failed, or its state. */
export function outcome({ tail: { state } }: Followed): string {
  return state.kind === 'failed' ? `${state.why.kind} ${state.why.error.code}` : state.kind;
}

/** What a stream may send besides pages. */
export const heartbeat = ': heartbeat\n\n';
export const malformed = event('records', '{"records":');
