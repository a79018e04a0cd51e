import {
  type Answers,
  handleMessage,
  type HandlersOf,
  type PageState,
  type Reply,
  type Request,
  type ToPage,
  type ToPanel,
} from '../../src/logs/explorer/protocol/messages';
import type { View } from '../../src/logs/explorer/protocol/view';
import type { StringId } from '../../src/logs/explorer/ui/pageStrings';

/** What a page and its panel tell each other. */
interface Protocol {
  readonly request: { readonly kind: string };
  /** By the kind of the request. */
  readonly answers: object;
  /** What the panel tells without being asked. */
  readonly message: { readonly kind: string };
  /** What the page saves. */
  readonly state: unknown;
}

/** The panel of a page. */
export interface PanelOf<P extends Protocol> {
  /** The saved state of the page. */
  readonly state: P['state'] | undefined;
  save(state: P['state']): void;
  /** Sends a request. @throws Error with the message of the panel if it is refused. */
  ask<Kind extends P['request']['kind']>(
    kind: Kind,
    rest: Omit<Extract<P['request'], { readonly kind: Kind }>, 'kind'>,
  ): Promise<Kind extends keyof P['answers'] ? P['answers'][Kind] : null>;
}

interface ExplorerProtocol {
  readonly request: Request;
  readonly answers: Answers;
  readonly message: Exclude<ToPage, Answer>;
  readonly state: PageState;
}

/** The panel of the page of the Log Explorer. */
export type Panel = PanelOf<ExplorerProtocol>;

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

/**
 * Connects to the panel, which then sends everything to show.
 *
 * @param read reads the saved state.
 */
export function connectPanel<P extends Protocol = ExplorerProtocol>(
  handlers: HandlersOf<P['message']>,
  read: (saved: unknown) => P['state'] | undefined,
): PanelOf<P> {
  const api = acquireVsCodeApi();
  const pending = new Map<number, Pending>();
  let lastId = 0;
  const post = (message: ToPanel<P['request']>): void => api.postMessage(message);

  // VS Code lets only the panel post messages to the page.
  window.addEventListener('message', ({ data: message }: MessageEvent<P['message'] | Answer>) => {
    if (!isAnswer(message)) {
      handleMessage(handlers, message);
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
      return read(api.getState());
    },
    save: (state) => api.setState(state),
    ask(kind, rest) {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        // The rest is that of the kind; TypeScript cannot put them together.
        post({ kind: 'request', id, request: { kind, ...rest } as unknown as P['request'] });
      });
    },
  };
}

type Answer = Extract<Reply, { id: number }>;

function isAnswer(message: Protocol['message'] | Answer): message is Answer {
  return message.kind === 'answer' || message.kind === 'refusal';
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
export class SavedState {
  private state: PageState;

  /** @param saved the state before the reload, if there is one. */
  constructor(
    saved: PageState | undefined,
    private readonly save: (state: PageState) => void,
  ) {
    this.state = saved ?? { query: '', wrap: false, ran: false };
  }

  get wrap(): boolean {
    return this.state.wrap;
  }

  /** Takes a view of the panel. */
  saw({ state: shown, query }: View): void {
    const hasRun = shown === 'loading' || shown === 'ready' || shown === 'failed';
    if (hasRun) this.change({ ...this.state, ran: query === this.state.query });
  }

  /** Takes a change of the query, or of how lines are shown. */
  changed(query: string, wrap: boolean): void {
    this.change({ query, wrap, ran: this.state.ran && query === this.state.query });
  }

  private change(next: PageState): void {
    const { query, wrap, ran } = this.state;
    if (next.query === query && next.wrap === wrap && next.ran === ran) return;
    this.state = next;
    this.save(next);
  }
}
