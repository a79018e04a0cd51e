import type { Formats } from '../base/timeFormat';
import type { DataChange } from './labels';
import type { ListingKind, ListingValues } from './listings';
import {
  type CacheEntry,
  type CacheKey,
  cacheKeyId,
  type ListingReader,
  type Store,
} from './store';

/**
 * Reads a store and remembers what was read: what is made of it stays as it is until one of these listings changes.
 */
export class ReadListings implements ListingReader {
  private readonly ids = new Set<string>();
  /** The formats of times when it was cleared; undefined before, so that the first change counts. */
  private formats: Formats | undefined;

  constructor(private readonly store: Pick<Store, 'read' | 'formats'>) {}

  read<K extends ListingKind>(kind: K, id: string): CacheEntry<ListingValues[K]> {
    this.ids.add(cacheKeyId({ kind, id }));
    return this.store.read(kind, id);
  }

  entry<K extends ListingKind>({ kind, id }: CacheKey<K>): CacheEntry<ListingValues[K]> {
    return this.read(kind, id);
  }

  /** Whether what was made since `clear` may differ now. Every answer may bring other formats of times. */
  dependOn(change: DataChange): boolean {
    if (change.kind !== 'entry') return true;
    return this.ids.has(cacheKeyId(change.key)) || this.store.formats !== this.formats;
  }

  /** Forgets what was read. Call it before everything is made again. */
  clear(): void {
    this.ids.clear();
    this.formats = this.store.formats;
  }
}
