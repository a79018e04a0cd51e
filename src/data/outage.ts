import { failedAs } from '../api/errors';
import { type Disposable, Emitter, type Event } from '../base/event';
import type { CacheEntry, Store } from './store';

/** A control plane that cannot be reached. */
export interface Unreachable {
  readonly error: unknown;
  /** When something arrived last, in milliseconds since 1970 by the control plane's clock; undefined if nothing ever did. */
  readonly since: number | undefined;
}

/** Whether the control plane can be reached, by what becomes of the requests for listings: it is one outage for all views. */
export class Outage implements Disposable {
  private readonly changes = new Emitter<Unreachable | undefined>();
  readonly onDidChange: Event<Unreachable | undefined> = this.changes.event;
  private readonly subscription: Disposable;
  private current: Unreachable | undefined;

  constructor(store: Pick<Store, 'entry' | 'onDidChange'>) {
    this.subscription = store.onDidChange((change) => {
      if (change.kind === 'reset') this.set(undefined);
      else this.look(store.entry(change.key));
    });
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private look({ error, at, value }: CacheEntry<unknown>): void {
    if (failedAs(error, 'unreachable')) {
      const since = [this.current?.since, at].flatMap((time) => time ?? []);
      this.set({ error, since: since.length === 0 ? undefined : Math.max(...since) });
    } else if (error !== undefined || value !== undefined) this.set(undefined);
  }

  private set(next: Unreachable | undefined): void {
    const { current } = this;
    if (current?.since === next?.since && current?.error === next?.error) return;
    this.current = next;
    this.changes.fire(next);
  }
}
