import type { Clock } from '../api/clock';
import type { Store } from './store';
import type { Topic } from './topics';

export interface PollingOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The setting `controlPlane.refresh.intervalSeconds`, asked anew each time; 0: never by itself. */
  readonly intervalSeconds: () => number;
}

/** Keeps what is looked at fresh: asks the store, and no more often than its policy allows. */
export interface Polling {
  /**
   * What a view needs: its own topics and those of its expanded nodes. Undefined while it is hidden.
   * Call again whenever that changes; what is older than the interval is asked for at once.
   */
  watch(view: string, topics: readonly Topic[] | undefined): void;
  /** Whether the window has the focus; nothing is asked without it. Without it at first. */
  setFocused(focused: boolean): void;
  dispose(): void;
}

export declare function createPolling(options: PollingOptions): Polling;
