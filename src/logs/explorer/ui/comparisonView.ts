import * as vscode from 'vscode';
import { dotted } from '../../../base/textFormat';
import type { TimeFormat } from '../../../base/timeFormat';
import { sanitise } from '../../../base/untrustedText';
import type { SessionState } from '../../../connection/ui/session';
import { commands } from '../../../vscode/contributions';
import { commandLink, fileLink } from '../../../vscode/markdown';
import { counted, number } from '../../../vscode/numbers';
import type { LinkedText } from '../../../vscode/readonlyDocuments';
import type { LogFilter } from '../../query/fields';
import { type NameOf, printQuery } from '../../query/searchQuery';
import { queryMark } from '../../query/ui/queryText';
import { cutLine, recordSource } from '../../record/logLine';
import {
  type ComparedPlace,
  type ComparedPair,
  comparedPeriod,
  queryOfSide,
  rangesOfOther,
  type Compared,
  type ComparedSide,
} from '../comparison';
import type { TimeSpan } from '../protocol/view';
import type { LoadState } from '../liveSearch';
import type { PatternChange, SideCount, PatternChangeKind } from '../patternChanges';
import type {
  ApartRow,
  ChangeRow,
  ComparedSideView,
  ComparisonView,
} from '../protocol/comparisonMessages';
import { isNamed } from '../recordFields';
import type { ApartValue } from '../setsApart';
import { failureView, loadProgressText } from './pageView';

const { t } = vscode.l10n;

/** The most patterns in the page, and the most values that set something apart. */
const mostRows = 200;
const mostApart = 8;

/** What the words of a comparison are made of. */
export interface ComparisonFacts {
  readonly session: SessionState['kind'];
  readonly epoch: number;
  readonly pair: ComparedPair | undefined;
  readonly result: Compared | undefined;
  readonly canRead: boolean;
  readonly hasChat: boolean;
  /** While records are read. */
  readonly loading: LoadState | undefined;
  readonly failure: unknown;
  /** By pattern. */
  readonly places: ReadonlyMap<string, readonly ComparedPlace[]>;
}

/** What names ids and times. */
export interface ComparisonWords {
  readonly nameOf: NameOf;
  readonly timeFormat: Pick<TimeFormat, 'moment' | 'duration'>;
}

/** Creates the view of the page. */
export function comparisonView(state: ComparisonFacts, words: ComparisonWords): ComparisonView {
  const { pair, result, loading, failure, places } = state;
  const rows = result?.changes.slice(0, mostRows) ?? [];
  const left = (result?.changes.length ?? 0) - rows.length;
  return {
    state: stateOf(state),
    epoch: state.epoch,
    sides: pair && sidesOf(pair, result, words),
    summary: result === undefined ? '' : summaryOf(result),
    ...(loading && { progress: loadProgressText(loading) }),
    canRead: state.canRead,
    hasChat: state.hasChat,
    ...(failure === undefined ? {} : { failure: failureView(failure) }),
    notices: result === undefined ? [] : noticesOf(result),
    apart: result === undefined ? [] : apartRows(result.apart, words),
    rows: rows.map((change) => rowOf(change, places.get(change.key)?.[0])),
    rest: left > 0 ? t('and {0} more', number(left)) : '',
  };
}

function stateOf({ session, pair, result, loading }: ComparisonFacts): ComparisonView['state'] {
  if (session === 'none') return 'notConnected';
  if (session === 'signedOut') return 'signedOut';
  if (pair === undefined) return 'idle';
  if (result !== undefined) return 'ready';
  // Without a failure it was cancelled.
  return loading === undefined ? 'failed' : 'loading';
}

/** The sides, in words. */
function sidesOf(
  pair: ComparedPair,
  result: Compared | undefined,
  words: ComparisonWords,
): Readonly<Record<'now' | 'before', ComparedSideView>> {
  const names = namesOf(pair, words);
  const side = (which: 'now' | 'before'): ComparedSideView => {
    const { range } = pair[which];
    const length = words.timeFormat.duration(range.to - range.from);
    const span = spanText(range, words.timeFormat);
    const rangeText = length === undefined ? span : `${span} (${length})`;
    return {
      name: names[which],
      text: dotted([rangeText, result && lookedAt(result[which], words)]),
      query: queryOfSide(pair[which]),
    };
  };
  return { now: side('now'), before: side('before') };
}

/** What tells the sides apart: their filters if these differ, or their times. Harmless text. */
function namesOf(
  pair: ComparedPair,
  { nameOf }: ComparisonWords,
): Record<'now' | 'before', string> {
  const { now, before } = pair;
  const only = (a: LogFilter, b: LogFilter): string => {
    const differs = Object.entries(a).filter(
      ([member, value]) =>
        JSON.stringify(value) !==
        JSON.stringify(Object.entries(b).find(([m]) => m === member)?.[1]),
    );
    return cutLine(printQuery(Object.fromEntries(differs), nameOf), 100);
  };
  const names = [only(now.filter, before.filter), only(before.filter, now.filter)] as const;
  if (names[0] !== names[1])
    return { now: names[0] || t('everything'), before: names[1] || t('everything') };
  switch (comparedPeriod(pair)) {
    case 'hour':
      return { now: t('This hour'), before: t('The hour before') };
    case 'day':
      return { now: t('This day'), before: t('The day before') };
    case 'week':
      return { now: t('This week'), before: t('The week before') };
    case undefined:
  }
  const [rest] = rangesOfOther(pair);
  const isRest = rest?.from !== before.range.from || rest.to !== before.range.to;
  return { now: t('This time'), before: isRest ? t('The rest') : t('The other time') };
}

/** Such as `20 Nov, 12:00 – 20 Nov, 13:00`. */
export function spanText({ from, to }: TimeSpan, timeFormat: Pick<TimeFormat, 'moment'>): string {
  const time = (at: number): string => timeFormat.moment(new Date(at).toISOString());
  return `${time(from)} – ${time(to)}`;
}

function lookedAt(
  { records, isWhole, read }: ComparedSide,
  { timeFormat }: ComparisonWords,
): string {
  if (isWhole) return counted(records.length, '{0} record in all', '{0} records in all');
  const since = read.find(({ from, to }) => from < to)?.from ?? read[0]?.from ?? 0;
  return counted(
    records.length,
    'the newest {0} record, since {1}',
    'the newest {0} records, since {1}',
    timeFormat.moment(new Date(since).toISOString()),
  );
}

function summaryOf({ changes }: Compared): string {
  const of = (...kinds: readonly PatternChange['change'][]): number =>
    changes.filter(({ change }) => kinds.includes(change)).length;
  const part = (label: string, count: number): string =>
    count === 0 ? '' : t('{0}: {1}', label, number(count));
  return dotted([
    counted(changes.length, '{0} pattern', '{0} patterns'),
    part(t('New'), of('new')),
    part(t('Gone'), of('gone')),
    part(t('More often'), of('more')),
    part(t('Less often'), of('fewer')),
    part(t('About the same'), of('same')),
    part(t('Too rare to tell'), of('rare')),
  ]);
}

function noticesOf({ now, before, measure, factor }: Compared): readonly string[] {
  const notices: string[] = [];
  if (now.isPartial || before.isPartial)
    notices.push(t('The server sent a partial result. Some records may be missing.'));
  if (!now.isWhole || !before.isWhole)
    notices.push(t('Only the newest records were read: patterns that are rare may be missing.'));
  if (measure === 'records')
    notices.push(
      t('Frequencies are shares of the records, because one side may have more of everything.'),
    );
  else if (Number.isFinite(factor) && (factor >= 2 || factor <= 0.5))
    notices.push(t('In all, there are {0} times as many records.', times(factor)));
  return notices;
}

/** Such as `3.2` or `0.04`. */
function times(factor: number): string {
  return number(
    factor,
    factor < 0.1 ? { maximumSignificantDigits: 1 } : { maximumFractionDigits: factor < 1 ? 2 : 1 },
  );
}

function changeWords({ change, factor }: PatternChange): string {
  switch (change) {
    case 'new':
      return t('New');
    case 'gone':
      return t('Gone');
    case 'more':
      return `${t('More often')} ×${times(factor)}`;
    case 'fewer':
      return `${t('Less often')} ×${times(factor)}`;
    case 'same':
      return t('About the same');
    case 'rare':
      return t('Too rare to tell');
  }
}

function rowOf(change: PatternChange, place: ComparedPlace | undefined): ChangeRow {
  const { now, before } = change;
  return {
    key: change.key,
    template: change.template,
    change: change.change,
    words: changeWords(change),
    severity: change.severity,
    counts: { now: number(now.count), before: number(before.count) },
    times: { now: shares(now), before: shares(before) },
    ...(place === undefined ? {} : { place: cutLine(place.text, 200) }),
  };
}

/** Each part of a side in relation to its most: the sides may be read for different times. */
function shares({ counts }: SideCount): readonly number[] {
  const most = Math.max(1, ...counts);
  return counts.map((count) => count / most);
}

/** The values that set something apart, in words. */
export function apartRows(
  values: readonly ApartValue[],
  { nameOf }: Pick<ComparisonWords, 'nameOf'>,
): readonly ApartRow[] {
  const percent = (share: number): string =>
    number(share, { style: 'percent', maximumFractionDigits: share > 0 && share < 0.1 ? 1 : 0 });
  return values.slice(0, mostApart).map(({ field, value, share, otherShare }) => {
    const name = value !== undefined && isNamed(field) ? nameOf(field, value) : undefined;
    return {
      field: cutLine(field, 100),
      value: value === undefined ? t('any value') : cutLine(name ?? value, 200),
      share,
      otherShare,
      shareText: percent(share),
      otherShareText: percent(otherShare),
    };
  });
}

/** A line whose text after the mark leads somewhere. */
interface LinkedLine {
  readonly mark: string;
  readonly text: string;
  readonly linkOf: (range: vscode.Range) => vscode.DocumentLink;
}

type Line = string | LinkedLine;

/** The maximum number of patterns in a section; the query finds the others. */
const mostPatterns = 50;
const exampleLength = 300;

/** A comparison as text, with links of its queries to the Log Explorer and of lines of the workspace to their files. */
export function comparisonText(
  pair: ComparedPair,
  compared: Compared,
  places: ReadonlyMap<string, readonly ComparedPlace[]>,
  words: ComparisonWords,
): LinkedText {
  const { now, before } = sidesOf(pair, compared, words);
  const { changes, apart } = compared;
  const section = (sign: string, title: string, ...kinds: readonly PatternChangeKind[]): Line[] =>
    sectionOf(
      `${sign} ${title}`,
      changes.filter(({ change }) => kinds.includes(change)),
      places,
    );
  const lines: readonly Line[] = [
    t('{0} compared with {1}', now.name, before.name),
    '',
    `${now.name}: ${now.text}`,
    queryLine(now.query),
    `${before.name}: ${before.text}`,
    queryLine(before.query),
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
  return linkedText(lines);
}

function linkedText(lines: readonly Line[]): LinkedText {
  const links: vscode.DocumentLink[] = [];
  const texts = lines.map((line, at) => {
    if (typeof line === 'string') return sanitise(line);
    const { mark, text, linkOf } = line;
    const whole = mark + sanitise(text);
    links.push(linkOf(new vscode.Range(at, mark.length, at, whole.length)));
    return whole;
  });
  return { text: `${texts.join('\n')}\n`, links };
}

function queryLine(query: string): LinkedLine {
  return {
    mark: queryMark,
    text: query,
    linkOf: (range) =>
      commandLink(range, commands.searchLogs, query, t('Show in the Log Explorer')),
  };
}

function placeLine({ text, file, line }: ComparedPlace): LinkedLine {
  return {
    mark: '      → ',
    text,
    linkOf: (range) => fileLink(range, vscode.Uri.parse(file), line),
  };
}

function sectionOf(
  title: string,
  changes: readonly PatternChange[],
  places: ReadonlyMap<string, readonly ComparedPlace[]>,
): Line[] {
  if (changes.length === 0) return [];
  const rest = changes.length - mostPatterns;
  return [
    '',
    `${title} (${number(changes.length)})`,
    ...changes
      .slice(0, mostPatterns)
      .flatMap((change) => ['', ...linesOf(change, places.get(change.key) ?? [])]),
    ...(rest > 0 ? ['', `  ${t('and {0} more', number(rest))}`] : []),
  ];
}

/** The counts, the newest record, and the lines of the workspace. */
function linesOf(change: PatternChange, places: readonly ComparedPlace[]): readonly Line[] {
  const { template, now, before } = change;
  const last = now.last ?? before.last;
  const body = last?.body.slice(0, exampleLength).replace(/\s+/g, ' ').trim() ?? '';
  return [
    `  ${template}`,
    `      ${changeWords(change)}: ${counted(now.count, '{0} record, otherwise {1}', '{0} records, otherwise {1}', number(before.count))}`,
    ...(last === undefined ? [] : [`      ${recordSource(last)}: ${body}`]),
    ...places.map(placeLine),
  ];
}
