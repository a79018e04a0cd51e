import type { LogRecord } from '../../../api/types';
import type { Clock } from '../../../base/clock';
import {
  readToPanel,
  type Reply,
  type Request,
  type RowsMessage,
  type StartMessage,
  type ToPage,
} from './messages';
import { type MessageSource, PageMessages, type Task } from './pageMessages';
import type { ListLayout, LogRow, View } from './view';

/** What the page of the Log Explorer shows, asked for right before it is sent. */
export interface PageSource extends Pick<
  MessageSource<Request, ToPage>,
  'handlers' | 'describe' | 'warn'
> {
  start(): StartMessage;
  view(): View;
  /** How the list shows records. */
  layout(): ListLayout;
  /** Incremented whenever the whole list is replaced. */
  epoch(): number;
  /** Oldest first. */
  records(): readonly LogRecord[];
  rowOf(record: LogRecord): LogRow;
}

/** The number of rows in a message; creating them is the longest task without a break. */
const rowsAtOnce = 2000;
/** How many messages with rows may wait for a slow page; it gets the whole list in place of more. */
const mostWaiting = 200;

/** The messages of the Log Explorer: a query, rows and their layout besides the view. */
export class PageChannel extends PageMessages<Request, ToPage> {
  private query: string | undefined;
  /** How many of the tasks have rows, and whether there would be too many. */
  private waiting = 0;
  private isBehind = false;
  /** Counts updates: the rows of an earlier one would soon be replaced. */
  private updates = 0;

  constructor(
    private readonly list: PageSource,
    post: (message: ToPage) => PromiseLike<unknown>,
    clock: Pick<Clock, 'setTimer'>,
  ) {
    super(
      {
        start: () => list.start(),
        shown: () => ({ kind: 'view', view: list.view() }),
        read: readToPanel,
        handlers: () => list.handlers(),
        describe: (error) => list.describe(error),
        warn: (error) => list.warn(error),
      },
      post,
      clock,
    );
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

  /** Entries have more records now, each in its place. */
  grown(entries: readonly LogRecord[]): void {
    for (const entry of entries) this.enqueueRows('update', [entry], 0);
  }

  /** The same records look different now. */
  updated(records: readonly LogRecord[]): void {
    this.updates++;
    this.enqueue(this.viewTask);
    this.enqueueRows('update', records, 0);
  }

  /** The layout changed other than in the page. */
  layoutChanged(): void {
    this.enqueue(() => ({ kind: 'layout', layout: this.list.layout() }));
  }

  /** Selects a row and shows it. */
  select(key: string): void {
    this.enqueue(() => ({ kind: 'select', key }));
  }

  /** Shows a query in the query bar, now or as soon as the page is ready. */
  showQuery(text: string, isRestart = false): void {
    if (!this.isReady) this.query = text;
    else this.enqueue(() => ({ kind: 'query', text, isRestart }));
  }

  protected override sendEverything(): void {
    const { query } = this;
    this.query = undefined;
    this.enqueue(this.startTask);
    if (query !== undefined) this.showQuery(query);
    this.enqueue(this.viewTask);
    this.enqueueRows('replace', this.list.records(), 0);
  }

  protected override dropTasks(): void {
    super.dropTasks();
    this.waiting = 0;
    this.isBehind = false;
  }

  /** Rows are large: the next ones are created when these have arrived. */
  protected override isLarge({ kind }: ToPage | Reply): boolean {
    return kind === 'rows';
  }

  private enqueueRows(
    change: RowsMessage['change'],
    records: readonly LogRecord[],
    dropped: number,
  ): void {
    if (!this.isReady) return;
    this.isBehind ||= this.waiting > mostWaiting;
    if (this.isBehind) return;
    const { updates } = this;
    const epoch = this.list.epoch();
    const tasks = piecesOf(change, records).map((piece, index): Task<ToPage> => {
      const kind = change === 'replace' && index > 0 ? 'older' : change;
      return () => {
        this.rowsSent();
        if (epoch !== this.list.epoch()) return undefined;
        if (kind === 'update' && updates !== this.updates) return undefined;
        const rows = piece.map((record) => this.list.rowOf(record));
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
    this.enqueueRows('replace', this.list.records(), 0);
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
