import * as vscode from 'vscode';
import { printSearch, parseSearch } from '../../query/searchQuery';
import { unambiguousNames } from '../../query/print';
import { linkTo, queryOfLink } from '../link';
import { announce } from '../../../vscode/notifications';
import { extensionId } from '../../../vscode/contributions';
import type { LogExplorer } from './searchTools';
import { plainText } from '../../../text/plainText';
import { searchTime } from '../../query/ui/readSearch';
import type { SearchTools } from './searchTools';
import type { Session } from '../../../connection/ui/session';
import type { Names } from '../../../inventory/names';

const { t } = vscode.l10n;

/**
 * Links such as `vscode://control-plane.deployment-control-plane/logs?q=severity:error`. They come
 * from anywhere, so nothing is asked of the control plane before a person has seen the query: it is
 * put into the explorer, and run by a click.
 */
export function registerSearchLinks(explorer: LogExplorer): vscode.Disposable {
  return vscode.window.registerUriHandler({
    async handleUri({ path, query: encoded }) {
      const query = queryOfLink(path, encoded);
      if (query === undefined) {
        void vscode.window.showWarningMessage(
          t('This link leads to nothing that the extension knows.'),
        );
        return;
      }
      explorer.open(query, { run: false });
      const run = t('Run Search');
      const words = query === '' ? t('everything') : plainText(query);
      const chosen = await vscode.window.showInformationMessage(
        t('A link has opened a search that was not run yet: {0}', words),
        run,
      );
      if (chosen === run) explorer.open(query, { run: true });
    },
  });
}

interface SearchLinkServices {
  readonly session: Session;
  readonly names: Names;
}

/**
 * "Copy Link". `asExternalUri` is of no use here: what it answers with is good for this window alone,
 * or once.
 */
export function createSearchLinks(services: SearchLinkServices): Pick<SearchTools, 'copyLink'> {
  return {
    async copyLink(query) {
      const link = linkTo(withNames(services, query));
      await vscode.env.clipboard.writeText(`${vscode.env.uriScheme}://${extensionId}${link}`);
      announce(t('The link was copied.'));
    },
  };
}

/** The query with names for ids, which more control planes know, where a name stands for one id. */
function withNames({ session, names }: SearchLinkServices, query: string): string {
  const resolve: Parameters<typeof unambiguousNames>[1] = (kind, name) => names.idsOf(kind, name);
  const result = parseSearch(query, searchTime(session), resolve);
  if (!result.ok || result.unresolved.length > 0) return query;
  return printSearch(
    result.query,
    unambiguousNames((kind, id) => names.nameOf(kind, id), resolve),
  );
}
