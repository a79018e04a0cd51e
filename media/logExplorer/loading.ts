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

export interface LoadingHost {
  /** Loads; rejects where that fails. */
  readonly ask: (end: End) => Promise<unknown>;
  /** How many rows there are. */
  readonly size: () => number;
  /** Is told why it failed. */
  readonly report: (error: unknown) => void;
}

export function createLoading({ ask, size, report }: LoadingHost): Loading {
  let view: View | undefined;
  let isAsking = false;
  /** The end that was asked for last, and how many rows there were: whether it brought anything. */
  let last: { readonly end: End; readonly size: number } | undefined;

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

  return {
    take: (next) => void (view = next),
    canLoad,
    reached(end) {
      // What failed, was cancelled or found nothing is not done again by itself.
      if (last?.end !== end || last.size !== size()) void load(end);
    },
    left: () => void (last = undefined),
    load: (end) => void load(end),
  };
}
