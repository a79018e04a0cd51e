import type { LogRecord } from '../../../api/types';
import {
  readToPanel,
  type AnswerOf,
  type Request,
  type LogRow,
  type ToPage,
  type View,
} from './messages';

export type RequestOf<Kind> = Extract<Request, { readonly kind: Kind }>;

/** What the panel does for each request; what one throws is told to the page in words. */
export type Handlers = {
  readonly [Kind in Request['kind']]: (
    request: RequestOf<Kind>,
  ) => AnswerOf<Kind> | Promise<AnswerOf<Kind>>;
};

/** What there is to tell the page. */
export interface PageSource {
  readonly handlers: Handlers;
  start(): Extract<ToPage, { readonly kind: 'start' }>;
  view(): View;
  /** Which rows there are: counts up whenever all of them are gone. */
  epoch(): number;
  /** All of them, oldest first. */
  records(): readonly LogRecord[];
  rowOf(record: LogRecord): LogRow;
  /** Why a request was refused. */
  describe(error: unknown): string;
  /** Something went wrong that nobody at the page can help. */
  warn(message: string): void;
}

interface PageRpcOptions {
  readonly source: PageSource;
  /** Resolves when the message is on its way; rejects where there is no page any more. */
  readonly post: (message: ToPage) => PromiseLike<unknown>;
  /** Calls once after so many milliseconds. */
  readonly after: (milliseconds: number, call: () => void) => { cancel(): void };
}

/** What is said between a panel and its page. */
export interface PageRpc {
  /** Whatever came from the page. */
  receive(message: unknown): void;
  /** The view is another one: it is sent soon, together with what else changes meanwhile. */
  viewChanged(): void;
  /** The records are others now, of another epoch perhaps. */
  replaced(records: readonly LogRecord[]): void;
  /** Records came at one end, while as many of the oldest as `dropped` are gone. */
  added(change: 'older' | 'newer', records: readonly LogRecord[], dropped: number): void;
  /** Puts a query into the bar, now or as soon as there is one. */
  showQuery(text: string): void;
  dispose(): void;
}

/** Milliseconds between two views: faster than anybody reads. */
const viewEvery = 100;
/** So many rows go into a message; making them is the longest piece of work without a break. */
const rowsAtOnce = 2000;

/** Makes a message when its turn has come; nothing where it is out of date by then. */
type Turn = () => ToPage | undefined;

/**
 * Nothing is sent before the page is ready, and everything once it is, also where it was loaded anew.
 * Messages go one after the other, so that they arrive in the order in which things happened.
 */
export function createPageRpc(options: PageRpcOptions): PageRpc {
  const { source, post, after } = options;
  /** Of the page: another one does not know the requests of the one before it. */
  let page = 0;
  let isOver = false;
  let query: string | undefined;
  const turns: Turn[] = [];
  let sending = false;
  let viewTimer: { cancel(): void } | undefined;
  let viewIsDue = false;

  async function send(): Promise<void> {
    if (sending) return;
    sending = true;
    try {
      // What has begun is to come to its end before anything is told about it.
      await Promise.resolve();
      for (let turn = turns.shift(); turn !== undefined && !isOver; turn = turns.shift()) {
        const message = turn();
        if (message === undefined) continue;
        const sent = post(message);
        // Rows are many: the next ones are made when these are there. What is small does not keep them
        // waiting for its way there and back.
        if (message.kind === 'rows') await sent;
        else sent.then(undefined, () => undefined);
      }
    } catch {
      // The page is gone; a new one is told everything.
      turns.length = 0;
    } finally {
      sending = false;
    }
  }

  function enqueue(...more: readonly Turn[]): void {
    if (page === 0 || isOver) return;
    turns.push(...more);
    void send();
  }

  const viewTurn: Turn = () => ({ kind: 'view', view: source.view() });

  function rowTurns(
    change: 'replace' | 'older' | 'newer',
    records: readonly LogRecord[],
    dropped: number,
  ): Turn[] {
    const epoch = source.epoch();
    const turn =
      (change: 'replace' | 'older' | 'newer', from: number, to: number, gone: number) =>
      (): ToPage | undefined =>
        epoch === source.epoch()
          ? {
              kind: 'rows',
              epoch,
              change,
              rows: records.slice(from, to).map((record) => source.rowOf(record)),
              dropped: gone,
            }
          : undefined;
    if (change === 'newer') {
      const all: Turn[] = [];
      for (let from = 0; from < records.length || from === 0; from += rowsAtOnce) {
        const to = Math.min(records.length, from + rowsAtOnce);
        all.push(turn(change, from, to, from === 0 ? dropped : 0));
      }
      return all;
    }
    // The newest come first: they are what is looked at, or what lies next to it.
    const all: Turn[] = [];
    for (let to = records.length; to > 0 || all.length === 0; to -= rowsAtOnce) {
      const from = Math.max(0, to - rowsAtOnce);
      all.push(turn(all.length === 0 ? change : 'older', from, to, all.length === 0 ? dropped : 0));
    }
    return all;
  }

  function sendEverything(): void {
    turns.length = 0;
    const asked = query;
    query = undefined;
    enqueue(
      () => source.start(),
      ...(asked === undefined ? [] : [(): ToPage => ({ kind: 'query', text: asked })]),
      viewTurn,
      ...rowTurns('replace', source.records(), 0),
    );
  }

  async function answer(id: number, request: Request): Promise<void> {
    const asking = page;
    let message: ToPage;
    try {
      // One handler for each kind, so that the pair fits; TypeScript cannot follow.
      const handle = source.handlers[request.kind] as (request: Request) => unknown;
      message = { kind: 'answer', id, value: await handle(request) };
    } catch (error) {
      message = { kind: 'refusal', id, message: source.describe(error) };
    }
    if (asking === page) enqueue(() => message);
  }

  return {
    receive(message) {
      const read = readToPanel(message);
      if (read === undefined) {
        source.warn('The page of the Log Explorer sent something that is no message of it.');
      } else if (read.kind === 'ready') {
        page++;
        sendEverything();
      } else if (page > 0) {
        void answer(read.id, read.request);
      }
    },
    viewChanged() {
      viewIsDue = true;
      if (viewTimer !== undefined || isOver) return;
      const sendView = (): void => {
        viewTimer = undefined;
        if (!viewIsDue) return;
        viewIsDue = false;
        viewTimer = after(viewEvery, sendView);
        enqueue(viewTurn);
      };
      sendView();
    },
    replaced(records) {
      enqueue(viewTurn, ...rowTurns('replace', records, 0));
    },
    added(change, records, dropped) {
      if (records.length > 0 || dropped > 0) enqueue(...rowTurns(change, records, dropped));
    },
    showQuery(text) {
      if (page === 0) query = text;
      else enqueue(() => ({ kind: 'query', text }));
    },
    dispose() {
      isOver = true;
      turns.length = 0;
      viewTimer?.cancel();
    },
  };
}
