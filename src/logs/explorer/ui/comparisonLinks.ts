import * as vscode from 'vscode';
import { commands, schemes } from '../../../vscode/contributions';
import { queryMark } from '../../query/ui/queryLine';

/** Links in comparisons: a query opens the Log Explorer with it. */
export function registerComparisonLinks(): vscode.Disposable {
  return vscode.languages.registerDocumentLinkProvider(
    { scheme: schemes.comparisons },
    {
      provideDocumentLinks(document) {
        const links: vscode.DocumentLink[] = [];
        for (let line = 0; line < document.lineCount; line++) {
          const { text, range } = document.lineAt(line);
          if (text.startsWith(queryMark)) links.push(queryLink(range, text));
        }
        return links;
      },
    },
  );
}

function queryLink(range: vscode.Range, text: string): vscode.DocumentLink {
  const link = new vscode.DocumentLink(
    range.with(range.start.translate(0, queryMark.length)),
    vscode.Uri.from({
      scheme: 'command',
      path: commands.searchLogs,
      query: JSON.stringify([text.slice(queryMark.length)]),
    }),
  );
  link.tooltip = vscode.l10n.t('Show in the Log Explorer');
  return link;
}
