import * as vscode from 'vscode';
import { entriesOf, foldsOf, type LogEntry } from '../../record/logText';
import { logTextDocuments } from './logLinks';

/** The most symbols of an outline. More would be slow and of no use. */
const maxSymbols = 5000;
/** In UTF-16 units. */
const maxName = 120;

/** Folding and outline of logs that are opened as text. */
export function registerLogTextFeatures(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerFoldingRangeProvider(logTextDocuments, {
      provideFoldingRanges(document) {
        const lines = linesOf(document);
        return entriesOf(lines)
          .flatMap((entry) => foldsOf(entry, lines))
          .map(({ first, last }) => new vscode.FoldingRange(first, last));
      },
    }),
    vscode.languages.registerDocumentSymbolProvider(
      logTextDocuments,
      {
        provideDocumentSymbols: (document) =>
          entriesOf(linesOf(document))
            .filter(({ level }) => level === 'error')
            .slice(-maxSymbols)
            .map((entry) => symbolOf(document, entry)),
      },
      { label: vscode.l10n.t('Errors') },
    ),
  );
}

function linesOf(document: vscode.TextDocument): string[] {
  return document.getText().split('\n');
}

function symbolOf(document: vscode.TextDocument, entry: LogEntry): vscode.DocumentSymbol {
  const { first, last, time, source, text } = entry;
  const line = document.lineAt(first).range;
  return new vscode.DocumentSymbol(
    text.slice(0, maxName) || '-',
    `${source} · ${time}`,
    vscode.SymbolKind.Event,
    line.union(document.lineAt(last).range),
    line,
  );
}
