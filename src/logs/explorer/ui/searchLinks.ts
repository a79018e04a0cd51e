import * as vscode from 'vscode';
import { plainText } from '../../../base/untrustedText';
import type { Session } from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import { extensionId, commands } from '../../../vscode/contributions';
import { announce } from '../../../vscode/notifications';
import { parseSearch, printSearch, runnable } from '../../query/searchQuery';
import { queryNames } from '../../query/ui/readSearch';
import { type ComparedPair, queryOfSide } from '../comparison';
import { comparisonOfLink, linkTo, linkToComparison, queryOfLink } from '../savedSearches';

const { t } = vscode.l10n;

/**
 * Links such as `vscode://control-plane.deployment-control-plane/logs?q=severity:error`. Anyone can
 * create them, so the query is only shown; it runs on a click.
 *
 * @param open shows a query in the Log Explorer, and runs it if asked to.
 */
export function registerSearchLinks(
  open: (query: string, options: { readonly run: boolean }) => void,
): vscode.Disposable {
  return vscode.window.registerUriHandler({
    async handleUri({ path, query: encoded }) {
      const queries = comparisonOfLink(path, encoded);
      if (queries !== undefined) {
        await askToCompare(queries);
        return;
      }
      const query = queryOfLink(path, encoded);
      if (query === undefined) {
        void vscode.window.showWarningMessage(t('The extension does not know this link.'));
        return;
      }
      open(query, { run: false });
      const run = t('Run Search');
      const words = query === '' ? t('everything') : plainText(query);
      const chosen = await vscode.window.showInformationMessage(
        t('A link opened this search, which has not run yet: {0}', words),
        run,
      );
      if (chosen === run) open(query, { run: true });
    },
  });
}

/** A comparison runs on a click, too. */
async function askToCompare({
  now,
  before,
}: NonNullable<ReturnType<typeof comparisonOfLink>>): Promise<void> {
  const compare = t('Compare');
  const chosen = await vscode.window.showInformationMessage(
    t('A link opened this comparison, which has not run yet: {0}', plainText(`${now} | ${before}`)),
    compare,
  );
  if (chosen === compare) {
    await vscode.commands.executeCommand(commands.compareLogs, { query: now, other: before });
  }
}

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
  const [one, other] = [now, before].map((side) => withNames(session, names, queryOfSide(side)));
  await copyLink(linkToComparison({ now: one ?? '', before: other ?? '' }));
}

async function copyLink(link: string): Promise<void> {
  await vscode.env.clipboard.writeText(`${vscode.env.uriScheme}://${extensionId}${link}`);
  announce(t('The link was copied.'));
}

/** The query with unambiguous names instead of ids, which other control planes may not know. */
function withNames(session: Session, names: Names, query: string): string {
  const { when, resolve, nameOf } = queryNames(session, names);
  const search = runnable(parseSearch(query, when, resolve));
  return search === undefined ? query : printSearch(search, nameOf);
}
