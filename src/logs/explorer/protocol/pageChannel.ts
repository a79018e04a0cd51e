import type { Clock } from '../../../base/clock';
import type { LogRecord } from '../../../api/types';
import {
  readToPanel,
  type Request,
  type RowsMessage,
  type StartMessage,
  type ToPage,
} from './messages';
import type { ListLayout, LogRow, View } from './view';

/** What the page shows, asked for right before it is sent. */
export interface PageSource {
  start(): StartMessage;
  view(): View;
  /** How the list shows records. */
  layout(): ListLayout;
  /** Incremented whenever the whole list is replaced. */
  epoch(): number;
  /** Oldest first. */
  records(): readonly LogRecord[];
  rowOf(record: LogRecord): LogRow;
  /** Answers a request. @throws what the page shows in place of an answer. */
  handle(request: Request): unknown;
  /** The words for an error. */
  describe(error: unknown): string;
  /** Notes an error that is not the user's. */
  warn(error: Error): void;
}

/** The page and its panel do not understand each other. */
export class PageError extends Error {
  /** @param kind a message of the page is invalid; what to show could not be made. */
  constructor(
    readonly kind: 'invalidMessage' | 'notShown',
    options?: ErrorOptions,
  ) {
    super(`Log Explorer: ${kind}`, options);
  }
}

/** Milliseconds between two views. */
const viewEvery = 100;
/** The number of rows in a message; creating them is the longest task without a break. */
const rowsAtOnce = 2000;
/** How many messages with rows may wait for a slow page; it gets the whole list in place of more. */
const mostWaiting = 200;

/** Creates a message right before it is sent; undefined if it is out of date by then. */
type Task = () => ToPage | undefined;

/**
 * Sends messages to the page of a panel and answers its requests. Sends nothing before the page is ready,
 * and everything once it is, also after it was reloaded. Messages are sent one after the other, so that
 * they arrive in the order of events.
 */
export class PageChannel {
  /** Incremented for each load of the page: a new page does not know the requests of the old one. */
  private page = 0;
  private isOver = false;
  private query: string | undefined;
  private readonly tasks: Task[] = [];
  private isSending = false;
  private cancelView: (() => void) | undefined;
  private viewIsDue = false;
  /** How many of the tasks have rows, and whether there would be too many. */
  private waiting = 0;
  private isBehind = false;
  /** Counts updates: the rows of an earlier one would soon be replaced. */
  private updates = 0;

  constructor(
    private readonly source: PageSource,
    /** Resolves when the message is sent; rejects or throws if the page is gone. */
    private readonly post: (message: ToPage) => PromiseLike<unknown>,
    private readonly clock: Pick<Clock, 'setTimer'>,
  ) {}

  /** Takes a message of the page. */
  receive(message: unknown): void {
    const read = readToPanel(message);
    if (read.kind === 'ready') {
      this.page++;
      this.sendEverything();
    } else if (this.page === 0) return;
    else if (read.kind === 'request') void this.answer(read.id, read.request);
    else {
      const words = this.wordsFor(new PageError('invalidMessage'));
      const { id } = read;
      this.enqueue(() =>
        id === undefined
          ? { kind: 'problem', message: words }
          : { kind: 'refusal', id, message: words },
      );
    }
  }

  /** The view changed: it is sent soon, together with later changes. */
  viewChanged(): void {
    this.viewIsDue = true;
    if (this.cancelView === undefined && !this.isOver) this.sendView();
  }

  /** The whole list changed. */
  replaced(records: readonly LogRecord[]): void {
    this.enqueue(this.viewTask);
    this.enqueueRows('replace', records, 0);
  }

  /** Records came at one end, and `dropped` of the oldest were removed. */
  added(change: 'older' | 'newer', records: readonly LogRecord[], dropped: number): void {
    if (records.length > 0 || dropped > 0) this.enqueueRows(change, records, dropped);
  }

  /** The same records look different now. */
  updated(records: readonly LogRecord[]): void {
    this.updates++;
    this.enqueue(this.viewTask);
    this.enqueueRows('update', records, 0);
  }

  /** The layout changed other than in the page. */
  layoutChanged(): void {
    this.enqueue(() => ({ kind: 'layout', layout: this.source.layout() }));
  }

  /** Shows a query in the query bar, now or as soon as the page is ready. */
  showQuery(text: string, isRestart = false): void {
    if (this.page === 0) this.query = text;
    else this.enqueue(() => ({ kind: 'query', text, isRestart }));
  }

  dispose(): void {
    this.isOver = true;
    this.dropTasks();
    this.cancelView?.();
  }

  private async answer(id: number, request: Request): Promise<void> {
    const asking = this.page;
    let message: ToPage;
    try {
      const value = (await this.source.handle(request)) ?? null;
      message = { kind: 'answer', id, value };
    } catch (error) {
      message = { kind: 'refusal', id, message: this.source.describe(error) };
    }
    if (asking === this.page) this.enqueue(() => message);
  }

  private wordsFor(error: PageError): string {
    this.source.warn(error);
    return this.source.describe(error);
  }

  private enqueue(...more: readonly Task[]): void {
    if (this.page === 0 || this.isOver) return;
    this.tasks.push(...more);
    void this.send();
  }

  private async send(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    // The current change finishes first.
    await Promise.resolve();
    for (let task = this.tasks.shift(); task && !this.isOver; task = this.tasks.shift()) {
      const message = this.messageOf(task);
      if (message === undefined) continue;
      const { page } = this;
      try {
        const sent = this.post(message);
        // Rows are large: the next ones are created when these have arrived.
        if (message.kind === 'rows') await sent;
        else sent.then(undefined, () => undefined);
      } catch {
        // The page is gone; a new one gets everything, and may be here by now.
        if (page === this.page) this.dropTasks();
      }
    }
    this.isSending = false;
  }

  /** What cannot be made is told of in its place: the page must not miss anything silently. */
  private messageOf(task: Task): ToPage | undefined {
    try {
      return task();
    } catch (cause) {
      return { kind: 'problem', message: this.wordsFor(new PageError('notShown', { cause })) };
    }
  }

  private dropTasks(): void {
    this.tasks.length = 0;
    this.waiting = 0;
    this.isBehind = false;
  }

  private sendEverything(): void {
    this.dropTasks();
    const { query } = this;
    this.query = undefined;
    this.enqueue(() => this.source.start());
    if (query !== undefined) this.showQuery(query);
    this.enqueue(this.viewTask);
    this.enqueueRows('replace', this.source.records(), 0);
  }

  private readonly viewTask: Task = () => ({ kind: 'view', view: this.source.view() });

  private sendView(): void {
    this.cancelView = undefined;
    if (!this.viewIsDue) return;
    this.viewIsDue = false;
    this.cancelView = this.clock.setTimer(() => this.sendView(), viewEvery);
    if (!this.tasks.includes(this.viewTask)) this.enqueue(this.viewTask);
  }

  private enqueueRows(
    change: RowsMessage['change'],
    records: readonly LogRecord[],
    dropped: number,
  ): void {
    if (this.page === 0 || this.isOver) return;
    this.isBehind ||= this.waiting > mostWaiting;
    if (this.isBehind) return;
    const { updates } = this;
    const epoch = this.source.epoch();
    const tasks = piecesOf(change, records).map((piece, index): Task => {
      const kind = change === 'replace' && index > 0 ? 'older' : change;
      return () => {
        this.rowsSent();
        if (epoch !== this.source.epoch()) return undefined;
        if (kind === 'update' && updates !== this.updates) return undefined;
        const rows = piece.map((record) => this.source.rowOf(record));
        return { kind: 'rows', epoch, change: kind, rows, dropped: index === 0 ? dropped : 0 };
      };
    });
    this.waiting += tasks.length;
    this.enqueue(...tasks);
  }

  /** A task with rows is done. */
  private rowsSent(): void {
    this.waiting--;
    if (this.waiting > 0 || !this.isBehind) return;
    this.isBehind = false;
    this.enqueueRows('replace', this.source.records(), 0);
  }
}

/** Copies of at least one piece. The newest go first, being in view or next to it, unless they come after the others. */
function piecesOf(
  change: RowsMessage['change'],
  records: readonly LogRecord[],
): readonly (readonly LogRecord[])[] {
  const pieces: (readonly LogRecord[])[] = [];
  if (change === 'newer') {
    for (let from = 0; from < records.length; from += rowsAtOnce) {
      pieces.push(records.slice(from, from + rowsAtOnce));
    }
  } else {
    for (let to = records.length; to > 0; to -= rowsAtOnce) {
      pieces.push(records.slice(Math.max(0, to - rowsAtOnce), to));
    }
  }
  return pieces.length > 0 ? pieces : [[]];
}
