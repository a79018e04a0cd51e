import type { PageState } from '../../src/logs/explorer/panel/messages';
import type { View } from '../../src/logs/explorer/panel/view';

/** The state of the page that survives a reload of the window. */
export interface SavedState {
  readonly wrap: boolean;
  /** Takes a view of the panel. */
  saw(view: View): void;
  /** Takes a change of the query, or of how lines are shown. */
  changed(query: string, wrap: boolean): void;
}

/** @param saved the state before the reload, if there is one. */
export function createPageState(
  saved: PageState | undefined,
  save: (state: PageState) => void,
): SavedState {
  let state: PageState = saved ?? { query: '', wrap: false, ran: false };
  const change = (next: PageState): void => {
    const isSame = next.query === state.query && next.wrap === state.wrap && next.ran === state.ran;
    if (isSame) return;
    state = next;
    save(state);
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
