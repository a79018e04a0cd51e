import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { cutCounted } from '../../../base/untrustedText';
import type { Names } from '../../../data/knownNames';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { counted } from '../../../vscode/numbers';
import { pauseEvery } from '../../../vscode/systemClock';
import { commands, schemes } from '../../../vscode/contributions';
import { commandLink, commandLinks, fileLink, markdown } from '../../../vscode/markdown';
import { searchForTrace } from '../../query/searchQuery';
import { entryRecords } from '../../record/joinRecords';
import { continuation } from '../../record/logLine';
import type { LookBudget } from '../../record/pathMapping';
import { entriesOf, foldsOf, type LogEntry } from '../../record/readLogText';
import { bodyText } from '../../record/readableBody';
import { recordFacts, type RecordOrigins } from '../../record/recordFacts';
import { boundedRecord } from '../../record/recordSize';
import { findFrames, findTraceIds, type StackFrame } from '../../record/stackFrames';
import { lookBudget, type SourceFiles } from '../../record/ui/sourceFiles';
import { logChannelOf } from './channelDocuments';
import type { LogChannels } from './logChannels';

/** Output documents with the language of the log channels. `logChannelOf` excludes other channels. */
export const logDocuments: vscode.DocumentFilter = { scheme: 'output', language: 'log' };

const logTextDocuments: vscode.DocumentFilter = { scheme: schemes.logs };

/**
 * How many of the newest lines get links, and how much of their text, in UTF-16 units. The editor requests links
 * again after every change.
 */
const linked = { lines: 5000, text: 2 * 1024 * 1024 };
/** The same for documents that do not change. */
const linkedOfText = { lines: 50_000, text: 8 * 1024 * 1024 };
/** Milliseconds after which other tasks may run: links are made in the extension host. */
const turnLength = 10;
/** The most frames of a line that get links, because a line may contain nothing else. */
const linkedFrames = 20;

/** What is in the text of logs: links and hovers, and the folding and outline of logs that are opened as text. */
export function registerLogText(
  files: SourceFiles,
  names: Names,
  logChannels: LogChannels,
  data: ConnectionData,
): vscode.Disposable {
  return vscode.Disposable.from(
    registerLinks(files, names),
    registerHovers(logChannels, data, names),
    registerFoldingAndOutline(),
  );
}

/**
 * Links in the channel and in logs that are opened as text: stack frames open the source, and trace ids
 * search for the trace. VS Code has no key for links in output, but it has one for definitions, so the
 * source is also the definition of its frame.
 */
function registerLinks(files: SourceFiles, names: Names): vscode.Disposable {
  const definitions = vscode.languages.registerDefinitionProvider(
    [logDocuments, logTextDocuments],
    {
      provideDefinition: (document, position) =>
        hasLinks(document) ? definitionAt(files, names, document, position) : undefined,
    },
  );
  const registration = vscode.languages.registerDocumentLinkProvider(
    [logDocuments, logTextDocuments],
    {
      async provideDocumentLinks(document, token) {
        if (!hasLinks(document)) return [];
        const links: vscode.DocumentLink[] = [];
        const budget = lookBudget();
        const turn = pauseEvery(turnLength);
        const isOver = (): boolean => token.isCancellationRequested;
        const first = firstLinkedLine(document);
        const workloadOf = createWorkloadReader(names);
        let head = document.lineAt(firstLineOf(document, first)).text;
        for (let line = first; line < document.lineCount; line++) {
          if (isOver()) return [];
          const { text } = document.lineAt(line);
          if (!text.startsWith(continuation)) head = text;
          const frames = findFrames(text, linkedFrames);
          const workload = frames.length === 0 ? undefined : workloadOf(head);
          for (const frame of frames) {
            if (isOver()) return [];
            const link = await frameLink(files, line, frame, budget, workload);
            if (link !== undefined) links.push(link);
          }
          for (const { start, end, traceId } of findTraceIds(text)) {
            links.push(traceLink(new vscode.Range(line, start, line, end), traceId));
          }
          await turn();
        }
        return links;
      },
    },
  );
  return vscode.Disposable.from(registration, definitions);
}

/** The first line with links: the newest lines within both limits. */
function firstLinkedLine(document: vscode.TextDocument): number {
  const { lines, text } = isLogText(document) ? linkedOfText : linked;
  const least = Math.max(0, document.lineCount - lines);
  let first = document.lineCount - 1;
  for (let left = text; first > least; first--) {
    left -= document.lineAt(first).text.length;
    if (left < 0) break;
  }
  return first;
}

const isLogText = ({ uri }: vscode.TextDocument): boolean => uri.scheme === schemes.logs;

const hasLinks = (document: vscode.TextDocument): boolean =>
  isLogText(document) || logChannelOf(document) !== undefined;

/** Returns the id of the workload with the record of this first line; undefined if its name is not unique. */
function createWorkloadReader(names: Names): (head: string) => string | undefined {
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

/** The first line of the record of a line. A record can have several lines. */
function firstLineOf(document: vscode.TextDocument, line: number): number {
  let first = line;
  while (first > 0 && document.lineAt(first).text.startsWith(continuation)) first--;
  return first;
}

async function definitionAt(
  files: SourceFiles,
  names: Names,
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
): Promise<vscode.Location | undefined> {
  const frame = findFrames(document.lineAt(line).text).find(
    ({ start, end }) => start <= character && character <= end,
  );
  if (frame === undefined) return undefined;
  const head = document.lineAt(firstLineOf(document, line)).text;
  const workload = createWorkloadReader(names)(head);
  const place = await files.find(frame, lookBudget(), workload);
  if (place === undefined) return undefined;
  const { file, line: placed, column = 1 } = place;
  return new vscode.Location(
    file,
    new vscode.Position(Math.max(0, placed - 1), Math.max(0, column - 1)),
  );
}

async function frameLink(
  files: SourceFiles,
  line: number,
  frame: StackFrame,
  budget: LookBudget,
  workload: string | undefined,
): Promise<vscode.DocumentLink | undefined> {
  const place = await files.find(frame, budget, workload);
  if (place === undefined) return undefined;
  const range = new vscode.Range(line, frame.start, line, frame.end);
  return fileLink(range, place.file, place.line, place.column);
}

function traceLink(range: vscode.Range, traceId: string): vscode.DocumentLink {
  const title = vscode.l10n.t('Search for this trace');
  return commandLink(range, commands.searchLogs, searchForTrace(traceId), title);
}

/** The hover of a line: what leads on, the record as people read it, where it comes from, and at last all of it. */
function registerHovers(
  channels: LogChannels,
  data: ConnectionData,
  names: Names,
): vscode.Disposable {
  return vscode.languages.registerHoverProvider(logDocuments, {
    provideHover(document, position) {
      const record = recordAt(channels, document, position.line);
      if (record === undefined) return undefined;
      // A stack frame is a link itself.
      const hasFrame = findFrames(document.lineAt(position.line).text, 1).length > 0;
      return new vscode.Hover([
        hoverLinks(record, position.line, hasFrame),
        hoverText(record, { context: data.context, names }),
        markdown({ code: JSON.stringify(rawOf(record), null, 2), language: 'json' }),
      ]);
    },
  });
}

function hoverLinks(
  { traceId }: LogRecord,
  line: number,
  hasFrame: boolean,
): vscode.MarkdownString {
  const argument = { line };
  const links = [
    ...(traceId === null
      ? []
      : [{ label: vscode.l10n.t('Show Trace'), command: commands.showRecordTrace }]),
    { label: vscode.l10n.t('Show Context'), command: commands.showRecordContext },
    ...(hasFrame
      ? []
      : [{ label: vscode.l10n.t('Go to Log Statement'), command: commands.goToLogStatement }]),
    { label: vscode.l10n.t('Copy Link to Record'), command: commands.copyRecordLink },
  ];
  return commandLinks(links.map((link) => ({ ...link, argument })));
}

/** The longest body in a hover, in UTF-16 units. */
const longestBody = 4000;

function hoverText(entry: LogRecord, origins: RecordOrigins): vscode.MarkdownString {
  const { length } = entryRecords(entry);
  const facts = recordFacts(entry, origins).map(([label, value]) => `${label}: ${value}`);
  return markdown(
    { code: cutCounted(bodyText(entry, 'readable'), longestBody), language: 'log' },
    { lines: length === 1 ? facts : [counted(length, '{0} record', '{0} records'), ...facts] },
  );
}

/** The most records of an entry that a hover has as they came. */
const mostRaw = 10;

/** A record as it came, or the first of those of an entry. */
function rawOf(entry: LogRecord): unknown {
  const records = entryRecords(entry).slice(0, mostRaw).map(boundedRecord);
  return records.length === 1 ? records[0] : records;
}

/** The record of a line of a log channel; undefined for a line without one, and for other documents. */
export function recordAt(
  channels: LogChannels,
  document: vscode.TextDocument,
  line: number,
): LogRecord | undefined {
  const lines = channels.linesOf(document);
  if (lines === undefined) return undefined;
  const first = firstLineOf(document, line);
  const text = document.lineAt(first).text;
  // Equal lines are told apart by their position, counted from the end, because the beginning may have
  // been dropped.
  let below = 0;
  for (let other = first + 1; other < document.lineCount; other++) {
    if (document.lineAt(other).text === text) below++;
  }
  return lines.find(text, below);
}

/** The line of the newest record that fits in a log channel; undefined if it is not shown. */
export function lineOfRecord(
  channels: LogChannels,
  document: vscode.TextDocument,
  fits: (record: LogRecord) => boolean,
): number | undefined {
  const place = channels.linesOf(document)?.placeOf(fits);
  if (place === undefined) return undefined;
  let below = 0;
  for (let line = document.lineCount - 1; line >= 0; line--) {
    if (document.lineAt(line).text !== place.header) continue;
    if (below === place.fromEnd) return line;
    below++;
  }
  return undefined;
}

/** The most symbols of an outline. More would be slow and of no use. */
const maxSymbols = 5000;
/** In UTF-16 units. */
const maxName = 120;

/** Folding and outline of logs that are opened as text. */
function registerFoldingAndOutline(): vscode.Disposable {
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
