import type { View } from '../../src/panels/logExplorer/messages';

type End = 'older' | 'newer';

/** Loads more where somebody comes to an end of the list. */
export interface Loading {
  take(view: View): void;
  /** Rows came. */
  brought(): void;
  /** Whether a button for it makes sense. */
  canLoad(end: End): boolean;
  /** Somebody came near an end. */
  reached(end: End): void;
  /** Somebody left both ends. */
  left(): void;
  /** Somebody asks for it in so many words. */
  load(end: End): void;
}

/**
 * @param ask loads; rejects where that fails.
 * @param report is told why it failed.
 */
export function createLoading(
  ask: (end: End) => Promise<unknown>,
  report: (error: unknown) => void,
): Loading {
  let view: View | undefined;
  let isAsking = false;
  /** The end that was asked for last. */
  let asked: End | undefined;
  /** Where asking brought nothing, it is not done again by itself, as long as nobody leaves the end. */
  let vain: End | undefined;
  /** Whether rows came since loading began. */
  let hasBrought = false;

  const canLoad = (end: End): boolean =>
    view?.[end].canLoad === true && view.progress === undefined;

  async function load(end: End): Promise<void> {
    if (isAsking || !canLoad(end)) return;
    isAsking = true;
    asked = end;
    try {
      await ask(end);
    } catch (error) {
      vain = end;
      report(error);
    } finally {
      isAsking = false;
    }
  }

  return {
    take(next) {
      const [before, now] = [view?.progress, next.progress];
      if (before === undefined && now !== undefined) hasBrought = false;
      if (before !== undefined && now === undefined) vain = hasBrought ? undefined : asked;
      view = next;
    },
    brought() {
      hasBrought = true;
      vain = undefined;
    },
    canLoad,
    reached(end) {
      if (vain !== end) {
        vain = undefined;
        void load(end);
      }
    },
    left: () => void (vain = undefined),
    load: (end) => void load(end),
  };
}
