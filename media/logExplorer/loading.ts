import type { View } from '../../src/logs/explorer/panel/messages';

type End = 'older' | 'newer';

/** Loads more where somebody comes to an end of the list. */
export interface Loading {
  take(view: View): void;
  /** Whether a button for it makes sense. */
  canLoad(end: End): boolean;
  /** Somebody came near an end; nothing is loaded where the view says that somebody is to ask. */
  reached(end: End): void;
  /** Somebody left both ends. */
  left(): void;
  /** Somebody asks for it in so many words. */
  load(end: End): void;
}

interface LoadingHost {
  /** Loads; rejects where that fails. */
  readonly ask: (end: End) => Promise<unknown>;
  /** How many rows there are. */
  readonly size: () => number;
  /** Is told why it failed. */
  readonly report: (error: unknown) => void;
  /** Calls back after so many milliseconds. */
  readonly after: (milliseconds: number, call: () => void) => void;
}

interface Asked {
  readonly end: End;
  /** How many rows there were. */
  readonly size: number;
}

/** Rows that a view tells of are there after this time, in milliseconds. */
const rowsCome = 100;

export function createLoading({ ask, size, report, after }: LoadingHost): Loading {
  let view: View | undefined;
  let isAsking = false;
  /** What was asked for last: the rows say whether it brought anything. */
  let last: Asked | undefined;
  /** What somebody reached while something else was loading. */
  let due: Asked | undefined;

  const canLoad = (end: End): boolean =>
    view?.[end].canLoad === true && view.progress === undefined;

  async function load(end: End): Promise<void> {
    if (isAsking || !canLoad(end)) return;
    isAsking = true;
    last = { end, size: size() };
    try {
      await ask(end);
    } catch (error) {
      report(error);
    } finally {
      isAsking = false;
    }
  }

  /** Loads for nothing but that somebody is there. */
  const loadUnasked = (end: End): void => {
    if (view?.[end].isOnRequest !== true) void load(end);
  };

  const isAsIs = (asked: Asked | undefined, end: End): boolean =>
    asked?.end === end && asked.size === size();

  return {
    take(next) {
      view = next;
      const reached = due;
      if (reached === undefined || next.progress !== undefined) return;
      due = undefined;
      after(rowsCome, () => {
        if (isAsIs(reached, reached.end)) loadUnasked(reached.end);
      });
    },
    canLoad,
    reached(end) {
      // What failed, was cancelled or found nothing is not done again by itself.
      if (isAsIs(last, end)) return;
      if (view?.progress !== undefined) due = { end, size: size() };
      else loadUnasked(end);
    },
    left() {
      last = undefined;
      due = undefined;
    },
    load: (end) => void load(end),
  };
}
