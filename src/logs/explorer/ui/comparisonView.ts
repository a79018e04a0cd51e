import * as vscode from 'vscode';
import { failedAs } from '../../../api/errors';
import { dotted } from '../../../base/textFormat';
import type { TimeFormat } from '../../../base/timeFormat';
import type { SessionState } from '../../../connection/ui/session';
import { describe } from '../../../vscode/errorMessages';
import { counted, number } from '../../../vscode/numbers';
import type { LogFilter } from '../../query/filter';
import { type NameOf, printQuery } from '../../query/print';
import { oneLine } from '../../record/logLine';
import type { ComparedPlace } from '../comparedPlaces';
import { type ComparedPair, queryOfSide, rangesOfOther } from '../comparedSides';
import type { Compared, ComparedSide } from '../comparison';
import type { Span } from '../histogram';
import type { LoadState } from '../loadProgress';
import type { PatternChange, SideCount } from '../patternChanges';
import type {
  ApartRow,
  ChangeRow,
  ComparedSideView,
  ComparisonView,
} from '../protocol/comparisonMessages';
import { isNamed } from '../recordFields';
import type { ApartValue } from '../setsApart';
import { progressText } from './progressText';

const { t } = vscode.l10n;

/** The most patterns in the page, and the most values that set something apart. */
const mostRows = 200;
export const mostApart = 8;

/** What the words of a comparison are made of. */
export interface ComparisonState {
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
export function comparisonView(state: ComparisonState, words: ComparisonWords): ComparisonView {
  const { pair, result, loading, failure, places } = state;
  const rows = result?.changes.slice(0, mostRows) ?? [];
  const left = (result?.changes.length ?? 0) - rows.length;
  return {
    state: stateOf(state),
    epoch: state.epoch,
    sides: pair && sidesOf(pair, result, words),
    summary: result === undefined ? '' : summaryOf(result),
    ...(loading && { progress: progressText(loading) }),
    canRead: state.canRead,
    hasChat: state.hasChat,
    ...(failure === undefined ? {} : { failure: failureView(failure) }),
    notices: result === undefined ? [] : noticesOf(result),
    apart: result === undefined ? [] : apartRows(result.apart, words),
    rows: rows.map((change) => rowOf(change, places.get(change.template)?.[0])),
    rest: left > 0 ? t('and {0} more', number(left)) : '',
  };
}

function stateOf({ session, pair, result, loading }: ComparisonState): ComparisonView['state'] {
  if (session === 'none') return 'notConnected';
  if (session === 'signedOut') return 'signedOut';
  if (pair === undefined) return 'idle';
  if (result !== undefined) return 'ready';
  // Without a failure it was cancelled.
  return loading === undefined ? 'failed' : 'loading';
}

function failureView(failure: unknown): NonNullable<ComparisonView['failure']> {
  const needsKey = failedAs(failure, 'signedOut', 'unknownKey');
  return { message: describe(failure), help: needsKey ? 'connect' : 'diagnostics' };
}

/** The sides, in words. */
export function sidesOf(
  pair: ComparedPair,
  result: Compared | undefined,
  words: ComparisonWords,
): Readonly<Record<'now' | 'before', ComparedSideView>> {
  const names = namesOf(pair, words);
  const side = (which: 'now' | 'before'): ComparedSideView => ({
    name: names[which],
    text: dotted([rangeText(pair[which].range, words), result && lookedAt(result[which], words)]),
    query: queryOfSide(pair[which]),
  });
  return { now: side('now'), before: side('before') };
}

/** What tells the sides apart: their filters if these differ, or their times. Harmless text. */
function namesOf(
  pair: ComparedPair,
  { nameOf }: ComparisonWords,
): Record<'now' | 'before', string> {
  const { now, before } = pair;
  const only = (one: LogFilter, other: LogFilter): string => {
    const differs = Object.entries(one).filter(
      ([member, value]) =>
        JSON.stringify(value) !==
        JSON.stringify(Object.entries(other).find(([m]) => m === member)?.[1]),
    );
    return oneLine(printQuery(Object.fromEntries(differs), nameOf), 100);
  };
  const names = [only(now.filter, before.filter), only(before.filter, now.filter)] as const;
  if (names[0] !== names[1])
    return { now: names[0] || t('everything'), before: names[1] || t('everything') };
  const [rest] = rangesOfOther(pair);
  const isRest = rest?.from !== before.range.from || rest.to !== before.range.to;
  return { now: t('This time'), before: isRest ? t('The rest') : t('The other time') };
}

function rangeText({ from, to }: Span, { timeFormat }: ComparisonWords): string {
  const time = (at: number): string => timeFormat.moment(new Date(at).toISOString());
  return `${time(from)} – ${time(to)} (${timeFormat.duration(to - from)})`;
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

/** How a pattern changed, in words. */
export function changeWords({ change, factor }: PatternChange): string {
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
    template: change.template,
    change: change.change,
    words: changeWords(change),
    severity: change.severity,
    counts: { now: number(now.count), before: number(before.count) },
    times: { now: shares(now), before: shares(before) },
    ...(place === undefined ? {} : { place: oneLine(place.text, 200) }),
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
      field: oneLine(field, 100),
      value: value === undefined ? t('any value') : oneLine(name ?? value, 200),
      share,
      otherShare,
      shareText: percent(share),
      otherShareText: percent(otherShare),
    };
  });
}
