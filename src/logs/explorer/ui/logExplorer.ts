import type { LogQueryFilters, LogRecord } from '../../../api/types';

/** The Log Explorer, as the rest of the extension sees it. */
export interface LogExplorer {
  show(): void;
  /**
   * Shows a query in the query bar.
   *
   * @param options `run`: whether to run it, which is the default. Queries from outside must wait for
   * the user.
   */
  open(query: string, options?: { readonly run: boolean }): void;
  /** A record that is shown, by its key; without one, the record whose details were opened last. */
  recordOf(key?: string): LogRecord | undefined;
}

/** The records to write to a file or to show as text. */
export interface ShownLogs {
  /** The filters of the search, with its range. */
  readonly filters: LogQueryFilters;
  /** The records in the list, oldest first. */
  readonly records: readonly LogRecord[];
  /** Whether these are all records, as far as is known. */
  readonly isAll: boolean;
  /** Whether the server left out records. */
  readonly isPartial: boolean;
}
