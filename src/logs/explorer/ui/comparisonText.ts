import * as vscode from 'vscode';
import { sanitise } from '../../../base/sanitise';
import { counted, number } from '../../../vscode/numbers';
import { commands, schemes } from '../../../vscode/contributions';
import { commandLink, fileLink } from '../../../vscode/markdown';
import { queryMark } from '../../query/ui/queryText';
import { recordSource } from '../../record/logLine';
import type { LookBudget } from '../../record/pathMapping';
import { lookBudget, type SourceFiles } from '../../record/ui/sourceFiles';
import type { ComparedPlace } from '../comparedPlaces';
import type { ComparedPair } from '../comparedSides';
import type { Compared } from '../comparison';
import type { PatternChange, PatternChangeKind } from '../patternChanges';
import { apartRows, changeWords, type ComparisonWords, sidesOf } from './comparisonView';

const { t } = vscode.l10n;

/** Starts the lines that name a line of the workspace. */
const placeMark = '      → ';
/** The maximum number of patterns in a section; the query finds the others. */
const mostPatterns = 50;
const exampleLength = 300;

/** The comparison as harmless text. */
export function comparisonText(
  pair: ComparedPair,
  compared: Compared,
  places: ReadonlyMap<string, readonly ComparedPlace[]>,
  words: ComparisonWords,
): string {
  const { now, before } = sidesOf(pair, compared, words);
  const { changes, apart } = compared;
  const section = (sign: string, title: string, ...kinds: readonly PatternChangeKind[]): string[] =>
    sectionOf(
      `${sign} ${title}`,
      changes.filter(({ change }) => kinds.includes(change)),
      places,
    );
  const lines = [
    t('{0} compared with {1}', now.name, before.name),
    '',
    `${now.name}: ${now.text}`,
    `${queryMark}${now.query}`,
    `${before.name}: ${before.text}`,
    `${queryMark}${before.query}`,
    '',
    t('Messages are grouped by pattern: numbers, IDs, times and other values do not count.'),
    ...(apart.length === 0
      ? []
      : [
          '',
          t('What Sets It Apart'),
          ...apartRows(apart, words).map(
            ({ field, value, shareText, otherShareText }) =>
              `  ${field} = ${value}: ${t('{0}, otherwise {1}', shareText, otherShareText)}`,
          ),
        ]),
    // The same signs as the icons in the view Errors.
    ...section('⊞', t('New'), 'new'),
    ...section('↑', t('More often'), 'more'),
    ...section('✓', t('Gone'), 'gone'),
    ...section('↓', t('Less often'), 'fewer'),
    ...section('=', t('About the same'), 'same'),
    ...section('?', t('Too rare to tell'), 'rare'),
  ];
  return `${lines.map(sanitise).join('\n')}\n`;
}

function sectionOf(
  title: string,
  changes: readonly PatternChange[],
  places: ReadonlyMap<string, readonly ComparedPlace[]>,
): string[] {
  if (changes.length === 0) return [];
  const rest = changes.length - mostPatterns;
  return [
    '',
    `${title} (${number(changes.length)})`,
    ...changes
      .slice(0, mostPatterns)
      .flatMap((change) => ['', ...linesOf(change, places.get(change.template) ?? [])]),
    ...(rest > 0 ? ['', `  ${t('and {0} more', number(rest))}`] : []),
  ];
}

/** The counts, the newest record, and the lines of the workspace. */
function linesOf(change: PatternChange, places: readonly ComparedPlace[]): readonly string[] {
  const { template, now, before } = change;
  const last = now.last ?? before.last;
  const body = last?.body.slice(0, exampleLength).replace(/\s+/g, ' ').trim() ?? '';
  return [
    `  ${template}`,
    `      ${changeWords(change)}: ${counted(now.count, '{0} record, otherwise {1}', '{0} records, otherwise {1}', number(before.count))}`,
    ...(last === undefined ? [] : [`      ${recordSource(last)}: ${body}`]),
    ...places.map(({ text }) => `${placeMark}${text}`),
  ];
}

/** Links the queries in comparisons to the Log Explorer, and lines of the workspace to their files. */
export function registerComparisonLinks(files: SourceFiles): vscode.Disposable {
  return vscode.languages.registerDocumentLinkProvider(
    { scheme: schemes.comparisons },
    {
      async provideDocumentLinks(document, token) {
        const links: vscode.DocumentLink[] = [];
        const budget = lookBudget();
        for (let line = 0; line < document.lineCount; line++) {
          const { text, range } = document.lineAt(line);
          if (text.startsWith(queryMark)) links.push(queryLink(range, text));
          if (!text.startsWith(placeMark) || token.isCancellationRequested) continue;
          const link = await placeLink(files, range, text.slice(placeMark.length), budget);
          if (link !== undefined) links.push(link);
        }
        return links;
      },
    },
  );
}

async function placeLink(
  files: SourceFiles,
  range: vscode.Range,
  place: string,
  budget: LookBudget,
): Promise<vscode.DocumentLink | undefined> {
  // A note may follow.
  const [, path = '', line = ''] = /^(.+?):(\d+)(?: .+)?$/.exec(place) ?? [];
  const uri = path === '' ? undefined : await files.find(path, budget);
  if (uri === undefined) return undefined;
  return fileLink(range.with(range.start.translate(0, placeMark.length)), uri, line);
}

function queryLink(range: vscode.Range, text: string): vscode.DocumentLink {
  return commandLink(
    range.with(range.start.translate(0, queryMark.length)),
    commands.searchLogs,
    text.slice(queryMark.length),
    t('Show in the Log Explorer'),
  );
}
