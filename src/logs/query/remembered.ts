import * as v from 'valibot';
import type { LogRecord } from '../../api/types';
import { BoundedMap } from '../../base/boundedMap';
import { listOf, readStored } from '../../base/storedValue';
import type { QueryKnowledge } from './completion';
import { queryFields } from './fields';
import { fieldReader } from './matches';
import { maxQueryLength } from './parser';

/** How many queries are remembered. */
const maxRecent = 20;

/** Adds a query as the newest, and removes its earlier copy. */
export function withRecent(recent: readonly string[], query: string): readonly string[] {
  const used = query.trim();
  if (used === '' || used.length > maxQueryLength) return recent;
  return [used, ...recent.filter((one) => one !== used)].slice(0, maxRecent);
}

/** The recent queries that contain the typed text, except the typed text itself. */
export function recentFor(recent: readonly string[], typed: string): readonly string[] {
  const wanted = typed.trim().toLowerCase();
  return recent.filter((one) => one.toLowerCase().includes(wanted) && one !== typed.trim());
}

const storedQueries = listOf(v.string());

/** Reads the stored queries of one connection. Invalid entries are left out. */
export function readRecent(stored: unknown): readonly string[] {
  const all = readStored(storedQueries, stored) ?? [];
  return all.reduceRight<readonly string[]>((recent, one) => withRecent(recent, one), []);
}

const maxValues = 100;
const maxAttributes = 200;
/** Longer values are not worth offering. In UTF-16 units. */
const maxLength = 128;

/** Texts by the time they were last seen. */
type Seen<Value = true> = BoundedMap<string, Value>;

const isOffered = (text: string): boolean => text !== '' && text.length <= maxLength;

const latestFirst = (seen: Seen<unknown> | undefined): string[] =>
  seen === undefined ? [] : [...seen.keys()].reverse();

/** Values for completions, collected from records. Memory is bounded. */
export class SeenValues implements Omit<QueryKnowledge, 'names'> {
  private readonly byField = new Map(
    [...queryFields].map(([field, { condition = '' }]) => [
      field,
      { read: fieldReader(condition), known: new BoundedMap<string, true>(maxValues) },
    ]),
  );
  private readonly byAttribute: Seen<Seen> = new BoundedMap(maxAttributes);
  readonly values: QueryKnowledge['values'] = (field) =>
    latestFirst(this.byField.get(field)?.known);
  readonly attributes: QueryKnowledge['attributes'] = () => latestFirst(this.byAttribute);
  readonly attributeValues: QueryKnowledge['attributeValues'] = (name) =>
    latestFirst(this.byAttribute.get(name));

  remember(records: readonly LogRecord[]): void {
    for (const record of records) {
      for (const { read, known } of this.byField.values()) {
        const value = read(record) ?? '';
        if (isOffered(value)) known.set(value, true);
      }
      this.rememberAttributes(record);
    }
  }

  /** Forgets everything, as when the connection or the key changes. */
  clear(): void {
    for (const { known } of this.byField.values()) known.clear();
    this.byAttribute.clear();
  }

  private rememberAttributes(record: LogRecord): void {
    // A record can have thousands.
    for (const name of Object.keys(record.attributes).slice(0, maxAttributes)) {
      if (!isOffered(name)) continue;
      const known: Seen = this.byAttribute.get(name) ?? new BoundedMap(maxValues / 5);
      const value = record.attributes[name] ?? '';
      if (isOffered(value)) known.set(value, true);
      this.byAttribute.set(name, known);
    }
  }
}
