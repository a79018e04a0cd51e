import { Tail, type TailOptions, type TailServices } from '../../../../src/logs/tail/tail';
import type { TailOutput, TailPosition, TailState } from '../../../../src/logs/tail/tailState';
import {
  event,
  type InMemoryControlPlane,
  type InMemoryOptions,
} from '../../../control-plane/inMemory';
import { seededRandom } from '../../../control-plane/random';
import { fakeClock, type FakeClock } from '../../fakeClock';
import { clientOf, logServer } from '../logServer';

export interface FollowedOptions extends Partial<TailOptions> {
  readonly clock?: FakeClock;
  readonly server?: InMemoryControlPlane;
  /** Used if there is no server yet. */
  readonly plane?: Omit<InMemoryOptions, 'clock'>;
  readonly client?: TailServices['client'];
  readonly random?: () => number;
  readonly ahead?: () => number;
  /** False: received records stay in the buffer until the test takes them. */
  readonly reads?: boolean;
  /**
   * Milliseconds from the notification of the listener until it takes records; default: 0 to
   * `latest` by a seed.
   */
  readonly takesAfter?: () => number;
  /** Called when there are records to take. */
  readonly onReceive?: (followed: Followed) => void;
  readonly onState?: (state: TailState) => void;
}

/**
 * A tail on a control plane in this process, and everything it reported. Its listener takes records
 * as the log channel does: some time after the first notification, for all of them at once, and in
 * pieces if there are many.
 */
export interface Followed {
  readonly clock: FakeClock;
  readonly server: InMemoryControlPlane;
  readonly tail: Tail;
  readonly states: TailState[];
  readonly outputs: TailOutput[];
  /** How often it was notified of new records. */
  readonly receipts: number;
  /** Timers of the tail. */
  readonly liveTimers: number;
  /** The API key; undefined: none. */
  key: string | undefined;
  /** Starts the tail, and lets it do what needs no time. */
  readonly begin: () => Promise<void>;
  /** The ids of the records passed on so far, in order. */
  readonly ids: () => string[];
  /** The same after the longest delay of the listener. */
  readonly shown: () => Promise<string[]>;
  /** The kinds of the states, in order. */
  readonly kinds: () => string[];
  /** What was passed on so far, as text: consecutive records are one part. */
  readonly parts: () => string[];
  /**
   * As a reload of the window does: ends the tail and takes nothing more; returns the position to
   * resume at.
   */
  readonly leave: () => TailPosition | undefined;
  /** Takes what is available. */
  readonly read: (maxRecords?: number) => TailOutput[];
}

/** The log channel takes records every 100 ms, in pieces of 500. */
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
    reads = true,
    takesAfter = () => chance() * latest,
    onReceive,
    onState,
    client = clientOf(server, clock, { token: () => self.key }),
    random = seededRandom(1),
    ahead,
    ...rest
  } = options;

  const readIn = (ms: number): void => {
    willTake = true;
    clock.setTimer(() => {
      willTake = false;
      if (hasLeft) return;
      while (self.read(piece).length > 0) {
        if (chance() >= turnEnds) continue;
        readIn(0);
        return;
      }
    }, ms);
  };

  const tail = new Tail(
    {
      client,
      clock,
      random,
      readKey: () => Promise.resolve(self.key),
      ...(ahead === undefined ? {} : { ahead }),
    },
    { filter: {}, initialLines: 100, ...rest },
  );
  tail.onDidChange((what) => {
    if (what === 'state') {
      const { state } = tail;
      states.push(state);
      onState?.(state);
    }
    if (what !== 'records') return;
    receipts++;
    if (reads && !willTake) readIn(takesAfter());
    onReceive?.(self);
  });
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
    read(maxRecords) {
      const output = tail.read(maxRecords);
      tail.markRead();
      outputs.push(...output);
      return output;
    },
  };
  return self;
}

/** The ids of the records among the output of a tail. */
export function idsOf(outputs: readonly TailOutput[]): string[] {
  return outputs.flatMap((output) =>
    output.kind === 'records' ? output.records.map(({ eventId }) => eventId) : [],
  );
}

/** The reason of its failure, or its state. */
export function outcome({ tail: { state } }: Followed): string {
  return state.kind === 'failed' ? `${state.why.kind} ${state.why.error.code}` : state.kind;
}

/** What a stream may send besides pages. */
export const heartbeat = ': heartbeat\n\n';
export const malformed = event('records', '{"records":');
