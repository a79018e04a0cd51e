import type { View } from '../../src/logs/explorer/protocol/view';

type Following = View['following'];

/** Keeps the list at its newest end while following, and pauses following when the user scrolls away. */
interface AutoScroll {
  /** Whether to scroll to new rows. */
  readonly isOn: boolean;
  take(following: Following): void;
  /** The user scrolled. */
  scrolled(direction: 'forward' | 'backward' | null, isAtEnd: boolean): void;
  /** The user selected a row, which must stay in view. */
  hold(): void;
  /** Scrolls to the end and resumes. */
  resume(): void;
}

/** @param ask asks the panel to pause or resume following. */
export function createAutoScroll(ask: (what: 'pause' | 'follow') => void): AutoScroll {
  let state: NonNullable<Following>['state'] | undefined;
  let isAtEnd = true;
  /** Whether scrolling paused it, so that scrolling back resumes. */
  let pausedHere = false;
  /** The last request, until the state changes. */
  let asked: 'pause' | 'follow' | undefined;

  const isRunning = (): boolean => state === 'live' || state === 'waiting';

  function pause(): void {
    isAtEnd = false;
    if (!isRunning() || asked === 'pause') return;
    asked = 'pause';
    pausedHere = true;
    ask('pause');
  }

  function resume(): void {
    isAtEnd = true;
    pausedHere = false;
    if (state !== 'paused' || asked === 'follow') return;
    asked = 'follow';
    ask('follow');
  }

  return {
    get isOn() {
      return isAtEnd && isRunning();
    },
    take(following) {
      const next = following?.state;
      if (next === state) return;
      // After starting or resuming in the toolbar, new rows are shown.
      if (next === 'live' && asked !== 'pause') isAtEnd = true;
      if (next !== 'paused') pausedHere = false;
      state = next;
      asked = undefined;
    },
    scrolled(direction, reachedEnd) {
      if (direction === 'backward' && !reachedEnd) pause();
      else if (reachedEnd && direction === 'forward') {
        if (pausedHere) resume();
        else isAtEnd = true;
      }
    },
    hold: pause,
    resume,
  };
}

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
