import type { LogRecord } from '../../../api/types';
import { readToPanel, type AnswerOf, type Request, type ToPage } from './messages';
import type { ListLayout, LogRow, View } from './view';

export type RequestOf<Kind> = Extract<Request, { readonly kind: Kind }>;

/** The result of a request without an answer is ignored. */
type Handled<Answer> = Answer extends null ? unknown : Answer;

/** Handles each request; the message of an error goes to the page. */
export type Handlers = {
  readonly [Kind in Request['kind']]: (
    request: RequestOf<Kind>,
  ) => Handled<AnswerOf<Kind>> | Promise<Handled<AnswerOf<Kind>>>;
};

/** Handles a request. @throws what its handler throws. */
export function handle(handlers: Handlers, request: Request): unknown {
  // The handler of the kind takes its request; TypeScript cannot know that.
  const handler = handlers[request.kind] as (request: Request) => unknown;
  return handler(request);
}

/** The data for the page. */
export interface PageSource {
  readonly handlers: Handlers;
  start(): Extract<ToPage, { readonly kind: 'start' }>;
  view(): View;
  /** How the list shows records. */
  layout(): ListLayout;
  /** Incremented whenever the whole list is replaced. */
  epoch(): number;
  /** Oldest first. */
  records(): readonly LogRecord[];
  rowOf(record: LogRecord): LogRow;
  /** The message for an error. */
  describe(error: unknown): string;
  /** Logs a problem that the page cannot solve. */
  warn(message: string): void;
}

interface PageRpcOptions {
  readonly source: PageSource;
  /** Resolves when the message is sent; rejects if the page is gone. */
  readonly post: (message: ToPage) => PromiseLike<unknown>;
  /** Calls back once after this many milliseconds. */
  readonly after: (milliseconds: number, call: () => void) => { cancel(): void };
}

/** Sends messages to the page of a panel and answers its requests. */
export interface PageRpc {
  /** Takes a message of the page. */
  receive(message: unknown): void;
  /** The view changed: it is sent soon, together with later changes. */
  viewChanged(): void;
  /** The whole list changed. */
  replaced(records: readonly LogRecord[]): void;
  /** Records came at one end, and `dropped` of the oldest were removed. */
  added(change: 'older' | 'newer', records: readonly LogRecord[], dropped: number): void;
  /** The same records look different now. */
  updated(records: readonly LogRecord[]): void;
  /** The layout changed other than in the page. */
  layoutChanged(): void;
  /** Shows a query in the query bar, now or as soon as the page is ready. */
  showQuery(text: string, isRestart?: boolean): void;
  dispose(): void;
}

/** Milliseconds between two views. */
const viewEvery = 100;
/** The number of rows in a message; creating them is the longest task without a break. */
const rowsAtOnce = 2000;
/** How many messages with rows may wait for a slow page; it gets the whole list in place of more. */
const mostWaiting = 200;

type RowChange = Extract<ToPage, { readonly kind: 'rows' }>['change'];

/** Creates a message right before it is sent; undefined if it is out of date by then. */
type Task = () => ToPage | undefined;

/**
 * Sends nothing before the page is ready, and everything once it is, also after it was reloaded.
 * Messages are sent one after the other, so that they arrive in the order of events.
 */
export function createPageRpc(options: PageRpcOptions): PageRpc {
  const { source, post, after } = options;
  /** Incremented for each load of the page: a new page does not know the requests of the old one. */
  let page = 0;
  let isOver = false;
  let query: string | undefined;
  const tasks: Task[] = [];
  let sending = false;
  let viewTimer: { cancel(): void } | undefined;
  let viewIsDue = false;
  /** How many of the tasks have rows, and whether there would be too many. */
  let waiting = 0;
  let isBehind = false;
  /** Counts updates: the rows of an earlier one would soon be replaced. */
  let updates = 0;

  async function send(): Promise<void> {
    if (sending) return;
    sending = true;
    try {
      // The current change finishes first.
      await Promise.resolve();
      for (let task = tasks.shift(); task !== undefined && !isOver; task = tasks.shift()) {
        const message = task();
        if (message === undefined) continue;
        const sent = post(message);
        // Rows are large: the next ones are created when these have arrived.
        if (message.kind === 'rows') await sent;
        else sent.then(undefined, () => undefined);
      }
    } catch {
      // The page is gone; a new one gets everything.
      dropTasks();
    } finally {
      sending = false;
    }
  }

  function enqueue(...more: readonly Task[]): void {
    if (page === 0 || isOver) return;
    tasks.push(...more);
    void send();
  }

  function dropTasks(): void {
    tasks.length = 0;
    waiting = 0;
    isBehind = false;
  }

  function enqueueRows(change: RowChange, records: readonly LogRecord[], dropped: number): void {
    if (page === 0 || isOver) return;
    isBehind ||= waiting > mostWaiting;
    if (isBehind) return;
    const added = rowTasks(change, records, dropped);
    waiting += added.length;
    enqueue(...added);
  }

  /** A task with rows is done. */
  function rowsSent(): void {
    waiting--;
    if (waiting > 0 || !isBehind) return;
    isBehind = false;
    enqueueRows('replace', source.records(), 0);
  }

  const viewTask: Task = () => ({ kind: 'view', view: source.view() });

  function rowTasks(change: RowChange, records: readonly LogRecord[], dropped: number): Task[] {
    const epoch = source.epoch();
    const update = updates;
    const pieces: (readonly LogRecord[])[] = [];
    // The newest go first, since they are in view or next to it, unless they come after the others.
    if (change === 'newer') {
      for (let from = 0; from < records.length; from += rowsAtOnce) {
        pieces.push(records.slice(from, from + rowsAtOnce));
      }
    } else {
      for (let to = records.length; to > 0; to -= rowsAtOnce) {
        pieces.push(records.slice(Math.max(0, to - rowsAtOnce), to));
      }
    }
    const [first = [], ...others] = pieces;
    const task =
      (kind: RowChange, piece: readonly LogRecord[], gone: number): Task =>
      () => {
        rowsSent();
        if (epoch !== source.epoch()) return undefined;
        if (kind === 'update' && update !== updates) return undefined;
        const rows = piece.map((record) => source.rowOf(record));
        return { kind: 'rows', epoch, change: kind, rows, dropped: gone };
      };
    return [
      task(change, first, dropped),
      ...others.map((piece) => task(change === 'replace' ? 'older' : change, piece, 0)),
    ];
  }

  function sendEverything(): void {
    dropTasks();
    const asked = query;
    query = undefined;
    enqueue(
      () => source.start(),
      ...(asked === undefined
        ? []
        : [(): ToPage => ({ kind: 'query', text: asked, isRestart: false })]),
      viewTask,
    );
    enqueueRows('replace', source.records(), 0);
  }

  async function answer(id: number, request: Request): Promise<void> {
    const asking = page;
    let message: ToPage;
    try {
      const value = (await handle(source.handlers, request)) ?? null;
      message = { kind: 'answer', id, value };
    } catch (error) {
      message = { kind: 'refusal', id, message: source.describe(error) };
    }
    if (asking === page) enqueue(() => message);
  }

  return {
    receive(message) {
      const read = readToPanel(message);
      if (read === undefined) {
        source.warn('The page of the Log Explorer sent an unknown message.');
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
        if (!tasks.includes(viewTask)) enqueue(viewTask);
      };
      sendView();
    },
    replaced(records) {
      enqueue(viewTask);
      enqueueRows('replace', records, 0);
    },
    added(change, records, dropped) {
      if (records.length > 0 || dropped > 0) enqueueRows(change, records, dropped);
    },
    updated(records) {
      updates++;
      enqueue(viewTask);
      enqueueRows('update', records, 0);
    },
    layoutChanged() {
      enqueue(() => ({ kind: 'layout', layout: source.layout() }));
    },
    showQuery(text, isRestart = false) {
      if (page === 0) query = text;
      else enqueue(() => ({ kind: 'query', text, isRestart }));
    },
    dispose() {
      isOver = true;
      dropTasks();
      viewTimer?.cancel();
    },
  };
}
