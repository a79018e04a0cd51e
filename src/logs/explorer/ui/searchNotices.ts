import * as vscode from 'vscode';
import { largestPage } from '../../../api/fetchPages';
import type { LogRecord } from '../../../api/types';
import { plainText } from '../../../base/untrustedText';
import { currentConnection } from '../../../connection/perConnection';
import type { Session } from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import { systemClock } from '../../../vscode/systemClock';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { showMessage } from '../../../vscode/notifications';
import { counted } from '../../../vscode/numbers';
import { parseSearch, runnable, type SearchQuery } from '../../query/searchQuery';
import { filtersNow, lookUpNames, queryNames } from '../../query/ui/readSearch';
import { newsText, SearchWatch, type WatchedRange, type WatchedSearch } from '../searchWatch';
import type { LogExplorer } from './logExplorer';
import type { SearchList } from './searchList';

const { t } = vscode.l10n;

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
    { filters, limit: largestPage },
    { signal, priority: 'automatic' },
  );
  return page.records;
}

/** Tells of new records of watched searches: once, until someone looks at them. */
export function registerSearchNotices(
  watch: SearchWatch,
  list: SearchList,
  explorer: LogExplorer,
  session: Session,
): vscode.Disposable {
  watch.setFocused(vscode.window.state.focused);
  return vscode.Disposable.from(
    watch,
    vscode.window.onDidChangeWindowState(({ focused }) => watch.setFocused(focused)),
    watch.onDidFind((found) => void notify(watch, list, explorer, session, found)),
  );
}

async function notify(
  watch: SearchWatch,
  list: SearchList,
  explorer: LogExplorer,
  session: Session,
  { query, found }: WatchedSearch,
): Promise<void> {
  const connection = currentConnection(session);
  const search = [...list.saved, ...list.recent].find((one) => one.query === query);
  const name = plainText(search?.name ?? query, 100) || t('everything');
  const [show, off] = [t('Show'), t("Don't Notify Again")];
  const text = newsText({ found }, name, { t, counted });
  const chosen = await showMessage('information', text, show, off);
  // Another connection may have the same search.
  if (currentConnection(session) !== connection || watch.find(query) === undefined) return;
  if (chosen === off) watch.toggle(query);
  else watch.markSeen(query);
  if (chosen === show) explorer.open(query);
}
