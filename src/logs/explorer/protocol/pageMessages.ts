import * as v from 'valibot';
import type { Clock } from '../../../base/clock';
import { readStored, type Storage, StoredValue } from '../../../base/storedValue';
import { currentConnection } from '../../../connection/perConnection';
import type { Session } from '../../../connection/session';
import { handleMessage, type HandlersOf, type Received, type Reply } from './messages';

/** What a page shows, asked for right before it is sent. */
export interface MessageSource<Asked extends { readonly kind: string }, Message> {
  /** The first message. */
  start(): Message;
  /** The message with the view. */
  shown(): Message;
  read(message: unknown): Received<Asked>;
  /** Answer requests. They throw what the page shows in place of an answer. */
  handlers(): HandlersOf<Asked>;
  /** The words for an error. */
  describe(error: unknown): string;
  /** Notes an error that is not the user's. */
  warn(error: Error): void;
}

/** A page and its panel do not understand each other. */
export class PageError extends Error {
  /** @param kind a message of the page is invalid; what to show could not be made. */
  constructor(
    readonly kind: 'invalidMessage' | 'notShown',
    options?: ErrorOptions,
  ) {
    super(`Page: ${kind}`, options);
  }
}

/** Milliseconds between two views. */
const viewEvery = 100;

/** Creates a message right before it is sent; undefined if it is out of date by then. */
export type Task<Message> = () => Message | undefined;

/**
 * Sends messages to the page of a panel and answers its requests. Sends nothing before the page is ready,
 * and everything once it is, also after it was reloaded. Messages are sent one after the other, so that
 * they arrive in the order of events.
 */
export class PageMessages<
  Asked extends { readonly kind: string },
  Message extends { readonly kind: string },
> {
  /** Incremented for each load of the page: a new page does not know the requests of the old one. */
  private page = 0;
  private isOver = false;
  private readonly tasks: Task<Message | Reply>[] = [];
  private isSending = false;
  private cancelView: (() => void) | undefined;
  private viewIsDue = false;

  constructor(
    private readonly source: MessageSource<Asked, Message>,
    /** Resolves when the message is sent; rejects or throws if the page is gone. */
    private readonly post: (message: Message | Reply) => PromiseLike<unknown>,
    private readonly clock: Pick<Clock, 'setTimer'>,
  ) {}

  /** Takes a message of the page. */
  receive(message: unknown): void {
    const read = this.source.read(message);
    if (read.kind === 'ready') {
      this.page++;
      this.dropTasks();
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

  dispose(): void {
    this.isOver = true;
    this.dropTasks();
    this.cancelView?.();
  }

  /** Whether there is a page that takes messages. */
  protected get isReady(): boolean {
    return this.page > 0 && !this.isOver;
  }

  protected readonly startTask: Task<Message> = () => this.source.start();
  protected readonly viewTask: Task<Message> = () => this.source.shown();

  /** Sends all that a new page needs. */
  protected sendEverything(): void {
    this.enqueue(this.startTask, this.viewTask);
  }

  protected enqueue(...more: readonly Task<Message | Reply>[]): void {
    if (!this.isReady) return;
    this.tasks.push(...more);
    void this.send();
  }

  protected dropTasks(): void {
    this.tasks.length = 0;
  }

  /** Whether the next message is made only when this one has arrived. */
  protected isLarge(_message: Message | Reply): boolean {
    return false;
  }

  private async answer(id: number, request: Asked): Promise<void> {
    const asking = this.page;
    let message: Reply;
    try {
      const value = (await handleMessage(this.source.handlers(), request)) ?? null;
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
        if (this.isLarge(message)) await sent;
        else sent.then(undefined, () => undefined);
      } catch {
        // The page is gone; a new one gets everything, and may be here by now.
        if (page === this.page) this.dropTasks();
      }
    }
    this.isSending = false;
  }

  /** What cannot be made is told of in its place: the page must not miss anything silently. */
  private messageOf(task: Task<Message | Reply>): Message | Reply | undefined {
    try {
      return task();
    } catch (cause) {
      return { kind: 'problem', message: this.wordsFor(new PageError('notShown', { cause })) };
    }
  }

  private sendView(): void {
    this.cancelView = undefined;
    if (!this.viewIsDue) return;
    this.viewIsDue = false;
    this.cancelView = this.clock.setTimer(() => this.sendView(), viewEvery);
    if (!this.tasks.includes(this.viewTask)) this.enqueue(this.viewTask);
  }
}

/** Remembers which connection the saved state of a page belongs to. */
export class SavedPageState<State> {
  /** The id of the connection. */
  private readonly owner: StoredValue<string>;

  /**
   * @param page the name of the page.
   * @param read reads the state of the page; undefined if it is invalid.
   */
  constructor(
    private readonly session: Pick<Session, 'state' | 'ready'>,
    workspaceState: Storage,
    page: 'logExplorer' | 'logComparison',
    private readonly read: (saved: unknown) => State | undefined,
  ) {
    const key = `${page}.connection`;
    this.owner = new StoredValue(workspaceState, key, (id) => readStored(v.string(), id));
  }

  /** Notes the current connection, before a search. */
  remember(): void {
    const id = currentConnection(this.session);
    if (id !== undefined) void this.owner.set(id);
  }

  /**
   * Reads the saved state of a page once the connection is known. Undefined if it is invalid, or that of another
   * connection: its queries may contain names of that control plane.
   *
   * @param saved untrusted.
   */
  async restore(saved: unknown): Promise<State | undefined> {
    const state = this.read(saved);
    // Read first: a search may run before the connection is known.
    const id = this.owner.value;
    await this.session.ready;
    return id !== undefined && id === currentConnection(this.session) ? state : undefined;
  }
}
