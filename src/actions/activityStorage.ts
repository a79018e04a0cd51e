import type { Entry } from './entries';

/**
 * Where entries are kept: one record each, so that two windows that write different ones do not
 * disturb each other, and shared by all windows.
 */
export interface EntryStore {
  /** Every record as it was found; what cannot be read is left out. Never rejects. */
  list(): Promise<readonly unknown[]>;
  /** Undefined where there is none, or it cannot be read. Never rejects. */
  read(id: string): Promise<unknown>;
  /**
   * Resolves once the entry would survive the end of this window.
   *
   * @throws where it cannot be kept.
   */
  write(entry: Entry): Promise<void>;
  /** Never rejects. */
  remove(id: string): Promise<void>;
}
