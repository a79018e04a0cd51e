import { maxQueryLength } from './parser';

/** The queries of each connection, newest first. The connection used last comes first. Plain JSON. */
export type RecentByConnection = readonly (readonly [
  connection: string,
  queries: readonly string[],
])[];

/** How many connections are remembered. Without a limit, renamed connections would pile up. */
export const maxConnections = 10;

/** Reads stored queries. Invalid entries are left out. */
export function readRecentByConnection(stored: unknown): RecentByConnection {
  const entries: readonly unknown[] = Array.isArray(stored) ? stored : [];
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

/** Adds a query to the recent queries of a connection. */
export function withUsed(
  all: RecentByConnection,
  connection: string,
  query: string,
): RecentByConnection {
  return withQueries(all, connection, withRecent(recentOf(all, connection), query));
}

/** Replaces the queries of a connection. */
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

/** Reads the stored queries of one connection. Invalid entries are left out. */
export function readRecent(stored: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return all
    .filter((one) => typeof one === 'string')
    .reduceRight<readonly string[]>((recent, one) => withRecent(recent, one), []);
}
