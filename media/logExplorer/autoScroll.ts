import type { View } from '../../src/logs/explorer/panel/messages';

type Following = View['following'];

/** Whether the list stays at its newest end while it follows, and what it asks of the panel for that. */
interface AutoScroll {
  /** Whether new rows are to be brought into view. */
  readonly sticks: boolean;
  take(following: Following): void;
  /** Somebody scrolled. */
  scrolled(direction: 'forward' | 'backward' | null, isAtEnd: boolean): void;
  /** Somebody looks at a row, which must not run away. */
  hold(): void;
  /** Goes to the end and on from there. */
  resume(): void;
}

/** @param ask asks the panel to pause or to resume. */
export function createAutoScroll(ask: (what: 'pause' | 'resume') => void): AutoScroll {
  let state: NonNullable<Following>['state'] | undefined;
  let sticks = true;
  /** Whether it was paused by scrolling, so that scrolling back resumes. */
  let pausedHere = false;
  /** What was asked for and has not come to be yet. */
  let asked: 'pause' | 'resume' | undefined;

  const isRunning = (): boolean => state === 'live' || state === 'waiting';

  function pause(): void {
    sticks = false;
    if (!isRunning() || asked === 'pause') return;
    asked = 'pause';
    pausedHere = true;
    ask('pause');
  }

  function resume(): void {
    sticks = true;
    pausedHere = false;
    if (state !== 'paused' || asked === 'resume') return;
    asked = 'resume';
    ask('resume');
  }

  return {
    get sticks() {
      return sticks && isRunning();
    },
    take(following) {
      const next = following?.state;
      if (next === state) return;
      // Who starts to follow, or resumes in the toolbar, wants to see what comes.
      if (next === 'live' && asked !== 'pause') sticks = true;
      if (next !== 'paused') pausedHere = false;
      state = next;
      asked = undefined;
    },
    scrolled(direction, isAtEnd) {
      if (direction === 'backward' && !isAtEnd) pause();
      else if (isAtEnd && direction === 'forward') {
        if (pausedHere) resume();
        else sticks = true;
      }
    },
    hold: pause,
    resume,
  };
}
