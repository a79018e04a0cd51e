import * as vscode from 'vscode';
import { channels, commands, schemes } from '../../../vscode/contributions';
import { findFrames, findTraceIds, type SourcePosition } from '../../record/frames';
import type { LookBudget } from '../../record/pathMapping';
import { createSourceFiles, lookBudget } from '../../record/ui/sourceFiles';

/** Output documents of the language that our channel has; `isLogDocument` tells ours from others. */
export const logDocuments: vscode.DocumentFilter = { scheme: 'output', language: 'log' };

/** Whether a document is that of the channel `Control Plane Logs`; VS Code gives it no better id. */
export function isLogDocument({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === 'output' && uri.path.endsWith(channels.logs);
}

/** Logs that are shown as text. */
export const logTextDocuments: vscode.DocumentFilter = { scheme: schemes.logs };

/** Only the newest lines get links: the editor asks for them again after every change. */
const linkedLines = 5000;
/** The same in a text that stays as it is. */
const linkedLinesOfText = 50_000;
/** So many frames of a line get links: one may be made of nothing else. */
const linkedFrames = 20;
/** How far back a trace is looked for: as long as what is shown is old, mostly. */
const traceRange = '7d';

/**
 * Links in the channel, and in logs that are shown as text: stack frames open the source, a trace id
 * leads to all records of that trace. VS Code has no key for a link there, but one for a definition: so
 * the source is that of its frame, too.
 */
export function registerLogLinks(): vscode.Disposable {
  const files = createSourceFiles();
  const definitions = vscode.languages.registerDefinitionProvider(
    [logDocuments, logTextDocuments],
    {
      provideDefinition: (document, position) =>
        hasLinks(document) ? definitionAt(files, document, position) : undefined,
    },
  );
  const registration = vscode.languages.registerDocumentLinkProvider(
    [logDocuments, logTextDocuments],
    {
      async provideDocumentLinks(document, token) {
        if (!hasLinks(document)) return [];
        const isText = isLogText(document);
        const links: vscode.DocumentLink[] = [];
        const budget = lookBudget();
        const isOver = (): boolean => token.isCancellationRequested;
        const first = Math.max(0, document.lineCount - (isText ? linkedLinesOfText : linkedLines));
        for (let line = first; line < document.lineCount; line++) {
          if (isOver()) return [];
          const { text } = document.lineAt(line);
          for (const frame of findFrames(text, linkedFrames)) {
            if (isOver()) return [];
            const link = await frameLink(files, line, frame, budget);
            if (link !== undefined) links.push(link);
          }
          for (const { start, end, traceId } of findTraceIds(text)) {
            links.push(traceLink(new vscode.Range(line, start, line, end), traceId));
          }
        }
        return links;
      },
    },
  );
  return vscode.Disposable.from(registration, definitions, files);
}

const isLogText = ({ uri }: vscode.TextDocument): boolean => uri.scheme === schemes.logs;

const hasLinks = (document: vscode.TextDocument): boolean =>
  isLogText(document) || isLogDocument(document);

type SourceFiles = ReturnType<typeof createSourceFiles>;

async function definitionAt(
  files: SourceFiles,
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
): Promise<vscode.Location | undefined> {
  const frame = findFrames(document.lineAt(line).text).find(
    ({ start, end }) => start <= character && character <= end,
  );
  if (frame === undefined) return undefined;
  const uri = await files.find(frame.path, lookBudget());
  if (uri === undefined) return undefined;
  const place = new vscode.Position(
    Math.max(0, frame.line - 1),
    Math.max(0, (frame.column ?? 1) - 1),
  );
  return new vscode.Location(uri, place);
}

async function frameLink(
  files: SourceFiles,
  line: number,
  { start, end, path, line: sourceLine, column }: SourcePosition,
  budget: LookBudget,
): Promise<vscode.DocumentLink | undefined> {
  const uri = await files.find(path, budget);
  if (uri === undefined) return undefined;
  const fragment = column === undefined ? `L${sourceLine}` : `L${sourceLine},${column}`;
  const link = new vscode.DocumentLink(
    new vscode.Range(line, start, line, end),
    uri.with({ fragment }),
  );
  link.tooltip = vscode.l10n.t('Open {0}', vscode.workspace.asRelativePath(uri));
  return link;
}

function traceLink(range: vscode.Range, traceId: string): vscode.DocumentLink {
  const target = vscode.Uri.from({
    scheme: 'command',
    path: commands.searchLogs,
    query: JSON.stringify([`trace:${traceId} last:${traceRange}`]),
  });
  const link = new vscode.DocumentLink(range, target);
  link.tooltip = vscode.l10n.t('Search for this trace');
  return link;
}
