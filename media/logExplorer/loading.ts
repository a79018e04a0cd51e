import type { View } from '../../src/panels/logExplorer/messages';

type End = 'older' | 'newer';

/** Loads more where somebody comes to an end of the list. */
export interface Loading {
  take(view: View): void;
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
  /** What failed is not asked for again by itself, as long as nobody leaves the end. */
  let hasFailed = false;

  const canLoad = (end: End): boolean =>
    view?.[end].canLoad === true && view.progress === undefined;

  async function load(end: End): Promise<void> {
    if (isAsking || !canLoad(end)) return;
    isAsking = true;
    try {
      await ask(end);
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      report(error);
    } finally {
      isAsking = false;
    }
  }

  return {
    take: (next) => void (view = next),
    canLoad,
    reached(end) {
      if (!hasFailed) void load(end);
    },
    left: () => void (hasFailed = false),
    load: (end) => void load(end),
  };
}
