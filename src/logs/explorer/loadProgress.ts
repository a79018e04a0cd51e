import type { OnWait, Wait } from '../../api/client';
import { second } from '../../base/clock';
import type { FetchProgress } from '../../api/fetchPages';

/** The progress of something that loads pages. */
export interface LoadState {
  readonly records: number;
  /** The current wait, if there is one. */
  readonly wait: Wait | undefined;
}

interface ProgressReporter {
  readonly onProgress: (progress: Pick<FetchProgress, 'records'>) => void;
  readonly onWait: OnWait;
}

/** The wait, if it lasts long enough to be shown. */
export function worthShowing(wait: Wait | undefined): Wait | undefined {
  return wait !== undefined && wait.ms >= second ? wait : undefined;
}

/**
 * Reports the progress of a load after each page, and at the start and end of each wait. Seconds are not
 * counted down, since screen readers read out every change of a notification.
 */
export function createProgressReporter(report: (state: LoadState) => void): ProgressReporter {
  let records = 0;
  let wait: Wait | undefined;
  return {
    onProgress(progress) {
      ({ records } = progress);
      report({ records, wait });
    },
    onWait(next) {
      const shown = worthShowing(next);
      if (shown === wait) return;
      wait = shown;
      report({ records, wait });
    },
  };
}
