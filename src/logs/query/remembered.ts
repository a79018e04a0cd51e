import * as v from 'valibot';
import type { LogRecord } from '../../api/types';
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

/** Texts by the time they were last seen, the latest first. */
class Latest {
  private readonly texts = new Set<string>();

  constructor(private readonly limit: number) {}

  add(text: string): void {
    if (text === '' || text.length > maxLength) return;
    this.texts.delete(text);
    this.texts.add(text);
    const [oldest] = this.texts;
    if (this.texts.size > this.limit && oldest !== undefined) this.texts.delete(oldest);
  }

  all(): string[] {
    return [...this.texts].reverse();
  }

  clear(): void {
    this.texts.clear();
  }
}

/** Values for completions, collected from records. Memory is bounded. */
export class SeenValues implements Omit<QueryKnowledge, 'names'> {
  private readonly byField = new Map(
    [...queryFields].map(([field, { condition = '' }]) => [
      field,
      { read: fieldReader(condition), known: new Latest(maxValues) },
    ]),
  );
  private readonly byAttribute = new Map<string, Latest>();
  readonly values: QueryKnowledge['values'] = (field) => this.byField.get(field)?.known.all() ?? [];
  readonly attributes: QueryKnowledge['attributes'] = () => [...this.byAttribute.keys()].reverse();
  readonly attributeValues: QueryKnowledge['attributeValues'] = (name) =>
    this.byAttribute.get(name)?.all() ?? [];

  learn(records: readonly LogRecord[]): void {
    for (const record of records) {
      for (const { read, known } of this.byField.values()) known.add(read(record) ?? '');
      this.learnAttributes(record);
    }
  }

  /** Forgets everything, as when the connection or the key changes. */
  clear(): void {
    for (const { known } of this.byField.values()) known.clear();
    this.byAttribute.clear();
  }

  private learnAttributes(record: LogRecord): void {
    // A record can have thousands.
    for (const name of Object.keys(record.attributes).slice(0, maxAttributes)) {
      if (name === '' || name.length > maxLength) continue;
      const known = this.byAttribute.get(name) ?? new Latest(maxValues / 5);
      known.add(record.attributes[name] ?? '');
      this.byAttribute.delete(name);
      this.byAttribute.set(name, known);
      const [oldest] = this.byAttribute.keys();
      if (this.byAttribute.size > maxAttributes && oldest !== undefined)
        this.byAttribute.delete(oldest);
    }
  }
}
