import * as v from 'valibot';
import { listOf, readStored } from '../../base/storedValue';
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
