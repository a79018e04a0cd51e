import * as vscode from 'vscode';
import type { Session } from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import { extensionId } from '../../../vscode/contributions';
import { announce } from '../../../vscode/notifications';
import { parseSearch, printSearch, runnable } from '../../query/searchQuery';
import { queryNames } from '../../query/ui/readSearch';
import { type ComparedPair, queryOfSide } from '../comparison';
import { linkTo, linkToComparison } from '../savedSearches';

const { t } = vscode.l10n;

/**
 * Copies a link that opens the query. `asExternalUri` does not help: its links work only in this window
 * or only once.
 */
export async function copySearchLink(session: Session, names: Names, query: string): Promise<void> {
  await copyLink(linkTo(withNames(session, names, query)));
}

export async function copyComparisonLink(
  session: Session,
  names: Names,
  { now, before }: ComparedPair,
): Promise<void> {
  const queryOf = (side: ComparedPair['now']): string =>
    withNames(session, names, queryOfSide(side));
  await copyLink(linkToComparison({ now: queryOf(now), before: queryOf(before) }));
}

/** Copies a link of this extension. */
export async function copyLink(link: string): Promise<void> {
  await vscode.env.clipboard.writeText(`${vscode.env.uriScheme}://${extensionId}${link}`);
  announce(t('The link was copied.'));
}

/** The query with unambiguous names instead of ids, which other control planes may not know. */
function withNames(session: Session, names: Names, query: string): string {
  const { when, resolve, nameOf } = queryNames(session, names);
  const search = runnable(parseSearch(query, when, resolve));
  return search === undefined ? query : printSearch(search, nameOf);
}
