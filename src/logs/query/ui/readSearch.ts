import * as vscode from 'vscode';
import type { LogQueryFilters } from '../../../api/types';
import { queryFilters } from '../filter';
import type { When } from '../timeExpression';
import { parseSearch, windowOf, type SearchQuery } from '../searchQuery';
import type { Names } from '../../../inventory/names';
import { systemClock } from '../../../vscode/clock';
import { logTimeZone } from '../../record/ui/logTimeZone';
import { lookUpNames } from './lookUpNames';
import { withProgress } from '../../../vscode/notifications';
import { describeQueryErrors, describeUnresolved } from './queryText';
import type { Session, SignedInConnection } from '../../../connection/ui/session';

export interface ReadSearchServices {
  readonly session: Session;
  readonly names: Names;
}

/**
 * Now, by the clock of the control plane, which its records have their times from, in the zone that times
 * in queries are read in.
 */
export function searchTime(session: Session): When {
  const ahead = session.signedIn?.clockAhead ?? 0;
  return { now: systemClock.now() + ahead, timeZone: logTimeZone(session) };
}

/** What is wrong with a query as it stands; a name may still be found. */
export function problemOfSearch(query: string, session: Session): string | undefined {
  const result = parseSearch(query, searchTime(session));
  return result.ok ? undefined : describeQueryErrors(query, result.errors);
}

/**
 * What a query asks for. A name that is not known yet is looked up.
 *
 * @param signedIn what it is to be searched on; undefined: no name can be looked up.
 * @throws with words for the person, or as where the connection was left.
 */
export async function readSearch(
  { session, names }: ReadSearchServices,
  signedIn: SignedInConnection | undefined,
  query: string,
): Promise<SearchQuery> {
  signedIn?.signal.throwIfAborted();
  const parse = () =>
    parseSearch(query, searchTime(session), (kind, name) => names.idsOf(kind, name));
  let result = parse();
  if (result.ok && result.unresolved.length > 0 && signedIn !== undefined) {
    await withProgress(vscode.l10n.t('Looking up names…'), signedIn.signal, (signal) =>
      lookUpNames(signedIn, names, signal),
    );
    signedIn.signal.throwIfAborted();
    result = parse();
  }
  if (!result.ok) throw new Error(describeQueryErrors(query, result.errors));
  if (result.unresolved.length > 0) throw new Error(describeUnresolved(result.unresolved));
  return result.query;
}

/** The filters of a search now. @throws where its range is none. */
export function filtersNow({ filter, range }: SearchQuery, session: Session): LogQueryFilters {
  const window = windowOf(range, searchTime(session));
  if (window === undefined) throw new Error(vscode.l10n.t('from is later than to.'));
  return queryFilters(filter, window.from, window.to);
}
