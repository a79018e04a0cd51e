import * as vscode from 'vscode';
import { commandLinks } from '../../../vscode/commandLinks';
import { commands } from '../../../vscode/contributions';
import { searchForKind, traceIdsOf } from '../errorQueries';
import type { LineMark, MarkedKind } from '../lineMarks';
import { hoverLines, type MarkTexts } from '../markText';
import type { MarkedFiles } from './markedFiles';

const { t } = vscode.l10n;

/** The most kinds of errors that a hover describes. */
const mostKinds = 5;
/** How far back to search for a trace: longer than most shown records are old. */
const traceRange = '7d';

/** The hover of a marked line: what the errors are, and links to their records, trace and commit. */
export function registerMarkHovers(files: MarkedFiles, texts: MarkTexts): vscode.Disposable {
  return vscode.languages.registerHoverProvider('*', {
    async provideHover(document, { line }) {
      const marks = await files.marksOf(document);
      const mark = marks.find((one) => one.line === line + 1);
      if (mark === undefined) return undefined;
      const parts = mark.kinds
        .slice(0, mostKinds)
        .flatMap((kind) => [description(mark, kind, texts), links(document, kind)]);
      return new vscode.Hover(parts);
    },
  });
}

/** Text from logs, which is never trusted. */
function description(mark: LineMark, kind: MarkedKind, texts: MarkTexts): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  hoverLines(mark, kind, texts).forEach((line, index) => {
    if (index > 0) markdown.appendMarkdown('\n\n');
    markdown.appendText(line);
  });
  return markdown;
}

function links(document: vscode.TextDocument, { kind, spots }: MarkedKind): vscode.MarkdownString {
  const [traceId] = traceIdsOf([kind.last]);
  const sha = spots.find((spot) => spot.sha !== undefined)?.sha;
  const file = document.uri.toString();
  const trace = `trace:${traceId} last:${traceRange}`;
  const { searchLogs, showDeployedCommit } = commands;
  return commandLinks([
    { label: t('Show Records'), command: searchLogs, argument: searchForKind(kind) },
    ...(traceId === undefined
      ? []
      : [{ label: t('Show Trace'), command: searchLogs, argument: trace }]),
    ...(sha === undefined
      ? []
      : [
          {
            label: t('Show Deployed Commit'),
            command: showDeployedCommit,
            argument: { sha, file },
          },
        ]),
  ]);
}
