import type { OnWait, Wait } from '../../api/client';
import { second } from '../../api/clock';
import type { FetchProgress } from '../../api/fetchPages';

/** How far something is that loads page after page. */
export interface LoadState {
  readonly records: number;
  /** What it waits for; undefined while it does not. */
  readonly wait: Wait | undefined;
}

interface ProgressReporter {
  readonly onProgress: (progress: Pick<FetchProgress, 'records'>) => void;
  readonly onWait: OnWait;
}

/** A wait that lasts long enough to be told of; a shorter one is over before anybody has read of it. */
export function worthTelling(wait: Wait | undefined): Wait | undefined {
  return wait !== undefined && wait.ms >= second ? wait : undefined;
}

/**
 * Tells how far a load is: after each page, and of each wait when it begins and when it is over. No
 * seconds are counted down, since screen readers say whatever changes in a notification.
 */
export function createProgressReporter(tell: (state: LoadState) => void): ProgressReporter {
  let records = 0;
  let wait: Wait | undefined;
  return {
    onProgress(progress) {
      ({ records } = progress);
      tell({ records, wait });
    },
    onWait(next) {
      const told = worthTelling(next);
      if (told === wait) return;
      wait = told;
      tell({ records, wait });
    },
  };
}
