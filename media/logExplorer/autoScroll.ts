import type { View } from '../../src/logs/explorer/panel/view';

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
