import type { LogQueryFilters, LogRecord } from '../../../api/types';

/** What is to be written into a file, or shown as text. */
export interface ShownLogs {
  /** What was asked for, with its range. */
  readonly filters: LogQueryFilters;
  /** What is there of it, oldest first. */
  readonly records: readonly LogRecord[];
  /** Whether that is everything, as far as is known. */
  readonly isAll: boolean;
  /** Whether the control plane left out some of what is there. */
  readonly isPartial: boolean;
}

/** What can be done with a search beside running it. Each tells the person of its own failures. */
export interface SearchTools {
  /** Asks for a name and keeps the query under it. True where it is kept. */
  save(query: string): Promise<boolean>;
  /** Puts a link that opens the query into the clipboard. */
  copyLink(query: string): Promise<void>;
  /** Asks which records, in which form and where to, and writes them. */
  exportLogs(logs: ShownLogs): Promise<void>;
  /** Shows records as a read-only document, in the form of the log channel. */
  openAsText(logs: ShownLogs): Promise<void>;
}

/** The Log Explorer, as the rest of the extension sees it. */
export interface LogExplorer {
  /** Shows it as it is. */
  show(): void;
  /**
   * Shows it with a query in its bar.
   *
   * @param options `run`: whether it is searched for at once; it is unless this says otherwise. What
   * came from outside must wait for a person.
   */
  open(query: string, options?: { readonly run: boolean }): void;
}
