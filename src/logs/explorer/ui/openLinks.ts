import * as vscode from 'vscode';
import { plainText } from '../../../base/untrustedText';
import { ensureConnection, type Session } from '../../../connection/ui/session';
import { commands } from '../../../vscode/contributions';
import { type LinkedRecord, recordOfLink } from '../recordLinks';
import { comparisonOfLink, queryOfLink } from '../savedSearches';
import type { LogExplorer } from './logExplorer';

const { t } = vscode.l10n;

/**
 * Links such as `vscode://control-plane.deployment-control-plane/logs?q=severity:error`. Anyone can
 * create them, so a query is only shown; it runs on a click. A link to a record says only where it is, and shows it.
 */
export function registerSearchLinks(explorer: LogExplorer, session: Session): vscode.Disposable {
  return vscode.window.registerUriHandler({
    async handleUri({ path, query: encoded }) {
      const linked = recordOfLink(path, encoded);
      if (linked !== undefined) {
        await showLinkedRecord(explorer, session, linked);
        return;
      }
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
      explorer.open(query, { run: false });
      const run = t('Run Search');
      const words = query === '' ? t('everything') : plainText(query);
      const chosen = await vscode.window.showInformationMessage(
        t('A link opened this search, which has not run yet: {0}', words),
        run,
      );
      if (chosen === run) explorer.open(query, { run: true });
    },
  });
}

/** Shows the record of a link, where the connection is to its control plane. */
async function showLinkedRecord(
  explorer: LogExplorer,
  session: Session,
  { place, origin }: LinkedRecord,
): Promise<void> {
  const isThere = (): boolean => session.signedIn?.connection.origin === origin;
  if ((await ensureConnection(session)) === undefined) return;
  if (!isThere()) {
    const switchConnection = t('Switch Connection…');
    const chosen = await vscode.window.showWarningMessage(
      t('The link leads to a record of another control plane: {0}', plainText(origin)),
      switchConnection,
    );
    if (chosen !== switchConnection) return;
    await vscode.commands.executeCommand(commands.switchConnection);
    await session.ready;
    if (!isThere()) return;
  }
  explorer.showRecord(place);
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
