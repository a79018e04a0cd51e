import { maxQueryLength } from './parser';

/** The queries of each connection, newest first; the connection used last comes first. Plain JSON. */
export type RecentByConnection = readonly (readonly [
  connection: string,
  queries: readonly string[],
])[];

/** Connections that are remembered: one that was renamed is never asked for again. */
export const maxConnections = 10;

/** What was kept; whatever else is there by now counts for none. */
export function readRecentByConnection(kept: unknown): RecentByConnection {
  const entries: readonly unknown[] = Array.isArray(kept) ? kept : [];
  return entries
    .flatMap((entry): RecentByConnection => {
      const [connection, queries] = Array.isArray(entry) ? (entry as unknown[]) : [];
      return typeof connection === 'string' ? [[connection, readRecent(queries)]] : [];
    })
    .slice(0, maxConnections);
}

export function recentOf(all: RecentByConnection, connection: string): readonly string[] {
  return all.find(([one]) => one === connection)?.[1] ?? [];
}

/** After a query was used. */
export function withUsed(
  all: RecentByConnection,
  connection: string,
  query: string,
): RecentByConnection {
  return withQueries(all, connection, withRecent(recentOf(all, connection), query));
}

/** After a connection has these queries and no others. */
export function withQueries(
  all: RecentByConnection,
  connection: string,
  queries: readonly string[],
): RecentByConnection {
  const others = all.filter(([one]) => one !== connection);
  const own: RecentByConnection = queries.length === 0 ? [] : [[connection, queries]];
  return [...own, ...others].slice(0, maxConnections);
}

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
