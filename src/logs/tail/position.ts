import type { TailPosition } from './types';

/** The range of time that a follow's filters ask for; one as long as its cursors live. */
export interface LogWindow {
  /** ISO UTC. */
  readonly from: string;
  /** ISO UTC. */
  readonly to: string;
}

/** A cursor together with what it was issued for. */
export interface Anchor {
  readonly window: LogWindow;
  readonly cursor: string;
}

/** What a position has to know of a record. */
export interface PassedRecord {
  readonly eventId: string;
  readonly timestamp: string;
}

/** As many as a tail remembers, so that a position never outgrows it. */
const maxIds = 10_000;

/** Follows what is handed on, to say where a later start goes on. */
export interface PositionKeeper {
  readonly value: TailPosition | undefined;
  /** These records of the arrival that is next behind the cursor were handed on. */
  pass(records: readonly PassedRecord[]): void;
  /** All of the arrival was handed on, or gave way. */
  moveTo(anchor: Anchor): void;
}

export function createPositionKeeper(start: TailPosition | undefined): PositionKeeper {
  let anchor: Anchor | undefined = start && {
    window: { from: start.from, to: start.to },
    cursor: start.cursor,
  };
  let lastTimestamp = start?.lastTimestamp;
  let inherited = start?.seen ?? [];
  /** Of the arrival before the cursor too: a server may send it again. */
  let before: (readonly PassedRecord[])[] = [];
  let passed: (readonly PassedRecord[])[] = [];
  return {
    get value() {
      if (anchor === undefined) return undefined;
      const ids = [...before, ...passed].flatMap((records) => records.map(idOf));
      const seen = [...inherited, ...ids].slice(-maxIds);
      return { ...anchor.window, cursor: anchor.cursor, lastTimestamp, seen };
    },
    pass(records) {
      const last = records.at(-1);
      if (last === undefined) return;
      passed.push(records);
      lastTimestamp = last.timestamp;
    },
    moveTo(next) {
      anchor = next;
      if (passed.length === 0) return;
      inherited = [];
      before = passed;
      passed = [];
    },
  };
}

function idOf({ eventId }: PassedRecord): string {
  return eventId;
}
