import type { PageState, View } from '../../src/logs/explorer/panel/messages';

/** What the page keeps, for the panel to bring back after a reload of the window. */
export interface SavedState {
  readonly wrap: boolean;
  /** The panel tells what it shows. */
  saw(view: View): void;
  /** The query, or how lines are shown, may be others now. */
  changed(query: string, wrap: boolean): void;
}

/** @param kept is what the page had before; undefined where it had nothing. */
export function createPageState(
  kept: PageState | undefined,
  keep: (state: PageState) => void,
): SavedState {
  let state: PageState = kept ?? { query: '', wrap: false, ran: false };
  const change = (next: PageState): void => {
    const isSame = next.query === state.query && next.wrap === state.wrap && next.ran === state.ran;
    if (isSame) return;
    state = next;
    keep(state);
  };
  return {
    get wrap() {
      return state.wrap;
    },
    saw({ state: shown, query }) {
      const hasRun = shown === 'loading' || shown === 'ready' || shown === 'failed';
      if (hasRun) change({ ...state, ran: query === state.query });
    },
    changed(query, wrap) {
      change({ query, wrap, ran: state.ran && query === state.query });
    },
  };
}
