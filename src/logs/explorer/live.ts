import type { StreamCursor } from '../../api/cursors';
import type { LogRecord } from '../../api/types';
import type { LogFilter } from '../query/filter';
import { createTail, type TailServices } from '../follow/tail';
import type { TailFailure, TailOutput, TailPosition, TailState } from '../follow/types';

export interface LiveOptions {
  readonly services: TailServices;
  readonly filter: LogFilter;
  readonly from: StreamCursor;
  /** The newest records that are there, oldest first. */
  readonly newest: readonly LogRecord[];
  /** What could be seen when they came. */
  readonly accessRevision: string | undefined;
  readonly listener: LiveListener;
}

/** Told synchronously, and never once it was stopped. */
export interface LiveListener {
  didChangeState(): void;
  /** Something came: records, and what is to be known of them. */
  didTake(taken: Taken): void;
  /** All that was shown must go. */
  didChangeAccess(): void;
}

/** What the stream brought, all at once. */
export interface Taken {
  readonly records: readonly LogRecord[];
  /** Records that were left out, exactly. */
  readonly leftOut: number;
  readonly partial: boolean;
  /** The position was lost: some may be missing. */
  readonly hasGap: boolean;
}

/** What follows a search. */
export interface Live {
  readonly state: TailState;
  readonly failure: TailFailure | undefined;
  start(): void;
  pause(): void;
  resume(): void;
  /** Ends it; what was not taken yet has to be searched for. */
  stop(): void;
}

/** As many as a tail remembers. */
const remembered = 10_000;

/** What follows behind the newest record of a search, not started. */
export function createLive({ services, listener, ...options }: LiveOptions): Live {
  const { filter, newest, accessRevision } = options;
  const { filters, text: cursor } = options.from;
  let isStopped = false;
  const position: TailPosition = {
    from: filters.from,
    to: filters.to,
    cursor,
    // Where the cursor is refused, it begins at the last record, and never before the range.
    lastTimestamp: newest.at(-1)?.timestamp ?? filters.from,
    seen: newest.slice(-remembered).map(({ eventId }) => eventId),
  };
  const tail = createTail(services, {
    filter,
    initialLines: 0,
    position,
    ...(accessRevision === undefined ? {} : { accessRevision }),
    listener: {
      onDidChangeState() {
        if (!isStopped) listener.didChangeState();
      },
      onDidReceive() {
        if (!isStopped) listener.didTake(takenOf(tail.take()));
      },
      onDidChangeAccess() {
        if (!isStopped) listener.didChangeAccess();
      },
    },
  });

  return {
    get state() {
      return tail.state;
    },
    get failure() {
      return tail.state.kind === 'failed' ? tail.state.why : undefined;
    },
    start: () => tail.start(),
    pause: () => tail.pause(),
    resume: () => tail.resume(),
    stop() {
      isStopped = true;
      tail.stop();
    },
  };
}

function takenOf(outputs: readonly TailOutput[]): Taken {
  let leftOut = 0;
  for (const output of outputs) if (output.kind === 'leftOut') leftOut += output.count;
  return {
    records: outputs.flatMap((output) => (output.kind === 'records' ? output.records : [])),
    leftOut,
    partial: outputs.some(({ kind }) => kind === 'partial'),
    hasGap: outputs.some(({ kind }) => kind === 'gap'),
  };
}
