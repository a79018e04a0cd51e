import {
  readAnswer,
  readPageState,
  readToPage,
  type Answer,
  type PageState,
  type Request,
  type ToPage,
  type ToPanel,
} from '../../src/logs/explorer/panel/messages';

type Listener = (message: Exclude<ToPage, { kind: 'answer' | 'refusal' }>) => void;
type RequestOf<Kind> = Extract<Request, { readonly kind: Kind }>;

/** The panel that the page belongs to. */
export interface Panel {
  /** What the page kept over a reload. */
  readonly state: PageState | undefined;
  keep(state: PageState): void;
  /** @throws with the panel's words for it, where it cannot be done. */
  ask<Kind extends Request['kind']>(
    kind: Kind,
    rest: Omit<RequestOf<Kind>, 'kind'>,
  ): Promise<Answer<Kind>>;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** What VS Code gives to a page, once. */
declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** Connects to the panel, which sends everything that there is to show from then on. */
export function connectPanel(listener: Listener): Panel {
  const api = acquireVsCodeApi();
  const pending = new Map<number, Pending>();
  let lastId = 0;
  const post = (message: ToPanel): void => api.postMessage(message);

  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = readToPage(data);
    if (message === undefined) return;
    if (message.kind !== 'answer' && message.kind !== 'refusal') {
      listener(message);
      return;
    }
    const waiting = pending.get(message.id);
    pending.delete(message.id);
    if (message.kind === 'answer') waiting?.resolve(message.value);
    else waiting?.reject(new Error(message.message));
  });
  post({ kind: 'ready' });

  return {
    get state() {
      return readPageState(api.getState());
    },
    keep: (state) => api.setState(state),
    async ask(kind, rest) {
      const id = ++lastId;
      const value = await new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        post({ kind: 'request', id, request: { kind, ...rest } as RequestOf<typeof kind> });
      });
      return readAnswer(kind, value);
    },
  };
}
