import { maxQueryLength } from './parser';

/** How many queries are remembered. */
const maxRecent = 20;

/** The recent queries, newest first, after one more was used: each is there once. */
export function withRecent(recent: readonly string[], query: string): readonly string[] {
  const used = query.trim();
  if (used === '' || used.length > maxQueryLength) return recent;
  return [used, ...recent.filter((one) => one !== used)].slice(0, maxRecent);
}

/** The recent queries that hold what is typed, newest first; without the one that is typed already. */
export function recentFor(recent: readonly string[], typed: string): readonly string[] {
  const wanted = typed.trim().toLowerCase();
  return recent.filter((one) => one.toLowerCase().includes(wanted) && one !== typed.trim());
}

/** Recent queries as they were kept; whatever else is there by now counts for none. */
export function readRecent(kept: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(kept) ? kept : [];
  return all
    .filter((one) => typeof one === 'string')
    .reduceRight<readonly string[]>((recent, one) => withRecent(recent, one), []);
}
