import type { View } from '../../src/logs/explorer/panel/view';

type End = 'older' | 'newer';

/** Loads more records when the user gets near an end of the list. */
export interface Loading {
  take(view: View): void;
  /** Whether to show a button for it. */
  canLoad(end: End): boolean;
  /** The user is near an end. Loads nothing if the view says that it is only on request. */
  reached(end: End): void;
  /** The user is near neither end. */
  left(): void;
  /** The user asked to load. */
  load(end: End): void;
}

interface LoadingHost {
  /** Loads; rejects if that fails. */
  readonly ask: (end: End) => Promise<unknown>;
  /** The number of rows. */
  readonly size: () => number;
  /** Called with the error of a load. */
  readonly report: (error: unknown) => void;
  /** Calls back after this many milliseconds. */
  readonly after: (milliseconds: number, call: () => void) => void;
}

interface Asked {
  readonly end: End;
  /** The number of rows then. */
  readonly size: number;
}

/** The time after a view in which its rows arrive, in milliseconds. */
const rowsCome = 100;

export function createLoading({ ask, size, report, after }: LoadingHost): Loading {
  let view: View | undefined;
  let isAsking = false;
  /** The last request; the number of rows shows whether it brought anything. */
  let last: Asked | undefined;
  /** The end that the user reached while something was loading. */
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

  /** Loads because the user is near the end. */
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
      // A load that failed, was cancelled or found nothing is not repeated automatically.
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
