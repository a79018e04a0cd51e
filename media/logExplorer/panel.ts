import {
  readAnswer,
  readPageState,
  readToPage,
  type AnswerOf,
  type PageState,
  type Request,
  type ToPage,
  type ToPanel,
} from '../../src/logs/explorer/panel/messages';

type Listener = (message: Exclude<ToPage, { kind: 'answer' | 'refusal' }>) => void;
type RequestOf<Kind> = Extract<Request, { readonly kind: Kind }>;

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
  resolve(value: unknown): void;
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
    save: (state) => api.setState(state),
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
