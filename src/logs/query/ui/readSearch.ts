import * as vscode from 'vscode';
import type { LogQueryFilters } from '../../../api/types';
import type { Session, SignedInConnection } from '../../../connection/ui/session';
import { recentWorkloads, type RecentWorkloads } from '../../../data/discovery/discovery';
import { type Names, knownNames } from '../../../data/knownNames';
import { ReadListings } from '../../../data/readListings';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { UserError } from '../../../vscode/errorMessages';
import { withProgress } from '../../../vscode/notifications';
import { logTimeZone } from '../../../vscode/settings';
import {
  unambiguousNames,
  parseSearch,
  type QueryNames,
  scopeOf,
  type SearchQuery,
  type SearchResult,
} from '../searchQuery';
import type { When } from '../timeExpression';
import { describeQueryErrors, describeUnresolved } from './queryText';

/**
 * The time of the control plane's clock, which also sets the times of records, and the time zone for
 * times in queries.
 */
export function searchTime(session: Session): When {
  return { now: session.serverNow(), timeZone: logTimeZone(session) };
}

/** The meaning of names and times in this window. */
export function queryNames(session: Session, names: Names): QueryNames {
  return {
    when: searchTime(session),
    resolve: (kind, name) => names.idsOf(kind, name),
    nameOf: unambiguousNames(names),
  };
}

/** The error of a query; undefined if it is valid or only names are unknown. */
export function problemOfSearch(query: string, session: Session): string | undefined {
  const result = parseSearch(query, searchTime(session));
  return result.ok ? undefined : describeQueryErrors(query, result.errors);
}

/**
 * Parses a query and looks up unknown names.
 *
 * @param signedIn the connection to search on; undefined: names cannot be looked up.
 * @throws UserError, or the reason of the connection's signal.
 */
export async function readSearch(
  query: string,
  session: Session,
  names: Names,
  signedIn: SignedInConnection | undefined,
): Promise<SearchQuery> {
  signedIn?.signal.throwIfAborted();
  const parse = (): SearchResult => {
    const { when, resolve } = queryNames(session, names);
    return parseSearch(query, when, resolve);
  };
  let result = parse();
  if (result.ok && result.unresolved.length > 0 && signedIn !== undefined) {
    await withProgress(vscode.l10n.t('Looking up names…'), signedIn.signal, (signal) =>
      lookUpNames(signedIn, names, signal),
    );
    signedIn.signal.throwIfAborted();
    result = parse();
  }
  if (!result.ok) throw new UserError(describeQueryErrors(query, result.errors));
  if (result.unresolved.length > 0) throw new UserError(describeUnresolved(result.unresolved));
  return result.query;
}

/** The filters of a search that starts now. @throws UserError if the range is invalid. */
export function filtersNow(search: SearchQuery, session: Session): LogQueryFilters {
  const scope = scopeOf(search, searchTime(session));
  if (scope === undefined) throw new UserError(vscode.l10n.t('from is later than to.'));
  return scope.filters;
}

/**
 * Queries the workloads with recent logs and remembers the names.
 *
 * @throws the errors of the client, and the reason of either signal.
 */
export async function lookUpNames(
  { client, signal: lifetime }: SignedInConnection,
  names: Names,
  signal: AbortSignal,
): Promise<RecentWorkloads> {
  const seen = await recentWorkloads(client, signal);
  // Does not remember names of a connection that was left.
  lifetime.throwIfAborted();
  for (const { id, name } of seen.workloads) {
    if (name !== undefined) names.remember('workload', id, name);
  }
  return {
    ...seen,
    servers: seen.servers.map(({ id, name, lastSeen }) => ({
      id,
      name: name ?? names.nameOf('server', id),
      lastSeen,
    })),
  };
}

/** Resolves names that the trees show, such as `server:eu-1`. */
export function registerQueryNames(data: ConnectionData, names: Names): vscode.Disposable {
  const listings = new ReadListings(data.store);
  const context = { ...data.context, store: listings };
  const rememberAll = (): void => {
    listings.clear();
    for (const { kind, id, name } of knownNames(context)) names.remember(kind, id, name);
  };
  rememberAll();
  return data.onDidChange((change) => {
    if (listings.dependOn(change)) rememberAll();
  });
}
