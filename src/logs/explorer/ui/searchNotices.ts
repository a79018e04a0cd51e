import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { plainText } from '../../../base/untrustedText';
import type { Session } from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import { systemClock } from '../../../vscode/systemClock';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { showMessage } from '../../../vscode/notifications';
import { counted } from '../../../vscode/numbers';
import { parseSearch, runnable, type SearchQuery } from '../../query/searchQuery';
import { filtersNow, lookUpNames, queryNames } from '../../query/ui/readSearch';
import { SearchWatch, type WatchedRange, type WatchedSearch } from '../searchWatch';
import type { LogExplorer } from './logExplorer';
import type { SearchList } from './searchList';

const { t } = vscode.l10n;

/** How many records of a minute are counted: one page, as large as the contract allows. */
const mostCounted = 500;

/** What asks for the new records of watched searches. */
export function createSearchWatch(
  session: Session,
  names: Names,
  globalState: vscode.Memento,
  diagnostics: Diagnostics,
): SearchWatch {
  return new SearchWatch(session, globalState, systemClock, async (query, range) => {
    try {
      return (await newRecords(session, names, query, range))?.length;
    } catch (error) {
      diagnostics.warn(`Could not look for new records: ${String(error)}`);
      return undefined;
    }
  });
}

async function newRecords(
  session: Session,
  names: Names,
  query: string,
  { from, to }: WatchedRange,
): Promise<readonly LogRecord[] | undefined> {
  const { signedIn } = session;
  if (signedIn === undefined) return undefined;
  const { client, signal } = signedIn;
  const read = (): SearchQuery | undefined => {
    const { when, resolve } = queryNames(session, names);
    return runnable(parseSearch(query, when, resolve));
  };
  let search = read();
  if (search === undefined) {
    await lookUpNames(signedIn, names, signal);
    search = read();
  }
  if (search === undefined) return undefined;
  const filters = {
    ...filtersNow({ filter: search.filter, range: {} }, session),
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  };
  const page = await client.queryLogs(
    { filters, limit: mostCounted },
    { signal, priority: 'automatic' },
  );
  return page.records;
}

/** Tells of new records of watched searches: once, until someone looks at them. */
export function registerSearchNotices(
  watch: SearchWatch,
  list: SearchList,
  explorer: LogExplorer,
): vscode.Disposable {
  watch.setFocused(vscode.window.state.focused);
  return vscode.Disposable.from(
    watch,
    vscode.window.onDidChangeWindowState(({ focused }) => watch.setFocused(focused)),
    watch.onDidFind((found) => void tell(watch, list, explorer, found)),
  );
}

async function tell(
  watch: SearchWatch,
  list: SearchList,
  explorer: LogExplorer,
  { query, found }: WatchedSearch,
): Promise<void> {
  const search = [...list.saved, ...list.recent].find((one) => one.query === query);
  const [show, off] = [t('Show'), t("Don't Notify Again")];
  const chosen = await showMessage(
    'information',
    counted(
      found,
      '{0} new record of the search {1}',
      '{0} new records of the search {1}',
      plainText(search?.name ?? query, 100),
    ),
    show,
    off,
  );
  if (watch.find(query) === undefined) return;
  if (chosen === off) watch.toggle(query);
  else watch.markSeen(query);
  if (chosen === show) explorer.open(query);
}
