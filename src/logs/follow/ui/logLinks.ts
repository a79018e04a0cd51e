import * as vscode from 'vscode';
import { channels, commands, schemes } from '../../../vscode/contributions';
import type { Names } from '../../../inventory/names';
import { continuation } from '../../record/format';
import { findFrames, findTraceIds, type SourcePosition } from '../../record/frames';
import { entriesOf } from '../../record/logText';
import type { LookBudget } from '../../record/pathMapping';
import { lookBudget, type SourceFiles } from '../../record/ui/sourceFiles';

interface LinkServices {
  readonly files: SourceFiles;
  readonly names: Names;
}

/** Output documents with the language of the log channel. `isLogDocument` excludes other channels. */
export const logDocuments: vscode.DocumentFilter = { scheme: 'output', language: 'log' };

/** Whether a document is that of the channel `Control Plane Logs`. VS Code provides no better id. */
export function isLogDocument({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === 'output' && uri.path.endsWith(channels.logs);
}

/** Logs that are opened as text. */
export const logTextDocuments: vscode.DocumentFilter = { scheme: schemes.logs };

/** How many of the newest lines get links. The editor requests links again after every change. */
const linkedLines = 5000;
/** The same for documents that do not change. */
const linkedLinesOfText = 50_000;
/** The most frames of a line that get links, because a line may contain nothing else. */
const linkedFrames = 20;
/** How far back to search for a trace: longer than most shown records are old. */
const traceRange = '7d';

/**
 * Links in the channel and in logs that are opened as text: stack frames open the source, and trace ids
 * search for the trace. VS Code has no key for links in output, but it has one for definitions, so the
 * source is also the definition of its frame.
 */
export function registerLogLinks(services: LinkServices): vscode.Disposable {
  const definitions = vscode.languages.registerDefinitionProvider(
    [logDocuments, logTextDocuments],
    {
      provideDefinition: (document, position) =>
        hasLinks(document) ? definitionAt(services, document, position) : undefined,
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
        const workloadOf = createWorkloadReader(services);
        let head = '';
        for (let line = first; line < document.lineCount; line++) {
          if (isOver()) return [];
          const { text } = document.lineAt(line);
          if (!text.startsWith(continuation)) head = text;
          const frames = findFrames(text, linkedFrames);
          const workload = frames.length === 0 ? undefined : workloadOf(head);
          for (const frame of frames) {
            if (isOver()) return [];
            const link = await frameLink(services, line, frame, budget, workload);
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
  return vscode.Disposable.from(registration, definitions);
}

const isLogText = ({ uri }: vscode.TextDocument): boolean => uri.scheme === schemes.logs;

const hasLinks = (document: vscode.TextDocument): boolean =>
  isLogText(document) || isLogDocument(document);

/** Returns the id of the workload with the record of this first line; undefined if its name is not unique. */
function createWorkloadReader({ names }: LinkServices): (head: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (head) => {
    const [entry] = entriesOf([head]);
    if (entry === undefined) return undefined;
    const { source } = entry;
    if (!known.has(source)) {
      const [id, ...more] = names.idsOf('workload', source);
      known.set(source, more.length === 0 ? id : undefined);
    }
    return known.get(source);
  };
}

async function definitionAt(
  services: LinkServices,
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
): Promise<vscode.Location | undefined> {
  const frame = findFrames(document.lineAt(line).text).find(
    ({ start, end }) => start <= character && character <= end,
  );
  if (frame === undefined) return undefined;
  let head = line;
  while (head > 0 && document.lineAt(head).text.startsWith(continuation)) head--;
  const workload = createWorkloadReader(services)(document.lineAt(head).text);
  const uri = await services.files.find(frame.path, lookBudget(), workload);
  if (uri === undefined) return undefined;
  const place = new vscode.Position(
    Math.max(0, frame.line - 1),
    Math.max(0, (frame.column ?? 1) - 1),
  );
  return new vscode.Location(uri, place);
}

async function frameLink(
  { files }: LinkServices,
  line: number,
  { start, end, path, line: sourceLine, column }: SourcePosition,
  budget: LookBudget,
  workload: string | undefined,
): Promise<vscode.DocumentLink | undefined> {
  const uri = await files.find(path, budget, workload);
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
