import {
  type AnswerOf,
  type PageState,
  readPageState,
  type Request,
  type RequestOf,
  type ToPage,
  type ToPanel,
} from '../../src/logs/explorer/protocol/messages';
import type { View } from '../../src/logs/explorer/protocol/view';
import type { StringId } from '../../src/logs/explorer/ui/pageStrings';

type Listener = (message: Exclude<ToPage, { kind: 'answer' | 'refusal' }>) => void;

/** The panel of the page. */
export interface Panel {
  /** The saved state of the page. */
  readonly state: PageState | undefined;
  save(state: PageState): void;
  /** Sends a request. @throws Error with the message of the panel if it is refused. */
  ask<Kind extends Request['kind']>(
    kind: Kind,
    rest: Omit<RequestOf<Kind>, 'kind'>,
  ): Promise<AnswerOf<Kind>>;
}

interface Pending {
  resolve(value: never): void;
  reject(error: unknown): void;
}

/** Provided by VS Code; may be called only once. */
declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** Connects to the panel, which then sends everything to show. */
export function connectPanel(listener: Listener): Panel {
  const api = acquireVsCodeApi();
  const pending = new Map<number, Pending>();
  let lastId = 0;
  const post = (message: ToPanel): void => api.postMessage(message);

  // VS Code lets only the panel post messages to the page.
  window.addEventListener('message', ({ data: message }: MessageEvent<ToPage>) => {
    if (message.kind !== 'answer' && message.kind !== 'refusal') {
      listener(message);
      return;
    }
    const waiting = pending.get(message.id);
    pending.delete(message.id);
    // Answers are those of the panel for the kind that was asked.
    if (message.kind === 'answer') waiting?.resolve(message.value as never);
    else waiting?.reject(new Error(message.message));
  });
  post({ kind: 'ready' });

  return {
    get state() {
      return readPageState(api.getState());
    },
    save: (state) => api.setState(state),
    ask(kind, rest) {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        post({ kind: 'request', id, request: { kind, ...rest } as RequestOf<typeof kind> });
      });
    },
  };
}

/** The text for an id, with the values in place of `{0}`, `{1}`. */
export type Strings = (id: StringId, ...values: readonly (string | number)[]) => string;

/**
 * @param record of the message `start`; a missing text is shown as its id.
 * @param locale of the numbers.
 */
export function createStrings(record: Readonly<Record<string, string>>, locale: string): Strings {
  const numbers = new Intl.NumberFormat(locale);
  return (id, ...values) =>
    (record[id] ?? id).replaceAll(/\{(\d)\}/g, (hole, place: string) => {
      const value = values[Number(place)] ?? hole;
      return typeof value === 'number' ? numbers.format(value) : value;
    });
}

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
