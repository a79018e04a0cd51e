import type { Texts } from '../base/textFormat';
import type { TimeFormat } from '../base/timeFormat';
import type { Store } from './store';
import type { Target } from './targets';

/** The checked-out branch as previews name it, and the source that it belongs to. */
export interface CheckedOut {
  readonly sourceId: string;
  /** The branch and its upstream; the latter may have another name. */
  readonly branches: readonly string[];
}

/** What is known, and the texts to say it with. */
export interface DataContext extends Texts {
  readonly store: Store;
  readonly timeFormat: TimeFormat;
  /** Wall-clock milliseconds since 1970. */
  readonly now: () => number;
  readonly sources: () => readonly Target[];
  readonly servers: () => readonly Target[];
  /** The search of the repositories; empty for all. */
  readonly repositorySearch: () => string;
  /** Undefined if no source is known for the checked-out branch. */
  readonly checkedOut: () => CheckedOut | undefined;
}
