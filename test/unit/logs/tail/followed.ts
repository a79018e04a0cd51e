import { createTail, type TailOptions, type TailServices } from '../../../../src/logs/tail/tail';
import type { Tail, TailOutput, TailPosition, TailState } from '../../../../src/logs/tail/types';
import { fakeClock, type FakeClock } from '../../fakeClock';
import { seededRandom } from './seededRandom';
import { simulatedServer, type SimulatedServer } from './simulatedServer';

export interface FollowedOptions extends Partial<Omit<TailOptions, 'listener'>> {
  readonly clock?: FakeClock;
  readonly server?: SimulatedServer;
  readonly client?: TailServices['client'];
  readonly random?: () => number;
  readonly position?: TailPosition;
  /** False: what is received stays in the buffer until a test takes it. */
  readonly takes?: boolean;
  /** Called when there is something to take. */
  readonly onReceive?: (followed: Followed) => void;
}

/** A tail on a simulated server, and all that it told. */
export interface Followed {
  readonly clock: FakeClock;
  readonly server: SimulatedServer;
  readonly tail: Tail;
  readonly states: TailState[];
  readonly outputs: TailOutput[];
  /** How often there was something to take. */
  readonly receipts: number;
  /** The API key; undefined: there is none. */
  key: string | undefined;
  /** The ids of the records that were handed on, in order. */
  readonly ids: () => string[];
  /** The kinds of the states, in order. */
  readonly kinds: () => string[];
  /** Takes what there is. */
  readonly take: (maxRecords?: number) => TailOutput[];
}

export function followed(options: FollowedOptions = {}): Followed {
  const clock = options.clock ?? fakeClock();
  const server = options.server ?? simulatedServer(clock);
  const states: TailState[] = [];
  const outputs: TailOutput[] = [];
  let receipts = 0;
  const {
    takes = true,
    onReceive,
    client = server.client,
    random = seededRandom(1),
    ...rest
  } = options;
  const tail = createTail(
    { client, clock, random, readKey: () => Promise.resolve(self.key) },
    {
      filter: {},
      initialLines: 100,
      ...rest,
      listener: {
        onDidChangeState: (state) => void states.push(state),
        onDidReceive() {
          receipts++;
          if (takes) self.take();
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
    key: 'key-1',
    ids: () => idsOf(outputs),
    kinds: () => states.map(({ kind }) => kind),
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
  await f.clock.advance(0);
  return f;
}

/** Why it failed, or its state. */
export function outcome({ tail: { state } }: Followed): string {
  return state.kind === 'failed' ? `${state.why.kind} ${state.why.error.code}` : state.kind;
}
