import * as vscode from 'vscode';
import { sanitise } from '../../../base/sanitise';
import type { TimeFormat } from '../../../base/timeFormat';
import { counted, number } from '../../../vscode/numbers';
import { queryMark } from '../../query/ui/queryText';
import { recordSource } from '../../record/logLine';
import type { ErrorKind } from '../../errors/errorKind';
import type { ErrorComparison, ErrorSample, KindChange } from '../compareErrors';

const { t } = vscode.l10n;

/** The compared errors of one deployment. */
export interface ComparedErrors extends ErrorSample {
  /** The name of the deployment. Untrusted. */
  readonly name: string;
  /** Whether these are all errors; otherwise there are older ones. */
  readonly isAll: boolean;
  /** Whether the server left out records. */
  readonly isPartial: boolean;
  /** Their range, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** The query that finds them. */
  readonly query: string;
}

interface Comparison {
  /** The name of the app or job. Untrusted. */
  readonly name: string | undefined;
  readonly now: ComparedErrors;
  readonly before: ComparedErrors;
  readonly comparison: ErrorComparison;
  /** The lines of the workspace of the kinds. */
  readonly places: ReadonlyMap<ErrorKind, readonly string[]>;
  readonly timeFormat: TimeFormat;
}

/** Starts the lines that name a line of the workspace. */
export const placeMark = '      → ';
/** The maximum number of kinds in a section; the query finds the others. */
const mostKinds = 50;
const exampleLength = 300;

/** The kinds that the text of a comparison has. */
export function shownKinds({ added, gone, ...changed }: ErrorComparison): readonly ErrorKind[] {
  const { more, fewer, same } = changed;
  return [
    added,
    gone,
    ...[more, fewer, same].map((changes) => changes.map(({ now }) => now)),
  ].flatMap((kinds) => kinds.slice(0, mostKinds));
}

/** The comparison as harmless text. */
export function comparisonText(compared: Comparison): string {
  const { name, now, before, comparison, places, timeFormat } = compared;
  const { added, gone, more, fewer, same } = comparison;
  const ofKind = (kind: ErrorKind): readonly string[] => countLines(kind, places);
  const ofChange = (change: KindChange): readonly string[] => changeLines(change, places);
  const title =
    name === undefined
      ? t('Errors of deployment {0} compared with the previous one, {1}', now.name, before.name)
      : t('Errors of {0}: deployment {1} compared with {2}', name, now.name, before.name);
  const lines = [
    title,
    '',
    ...sampleLines(now, timeFormat),
    ...sampleLines(before, timeFormat),
    '',
    t(
      'Errors with the same first file of the workspace are grouped if their messages differ only in numbers, IDs, times and quoted text.',
    ),
    // The same signs as the icons in the view Errors.
    ...section(`⊞ ${t('New')}`, added, ofKind),
    ...section(`↑ ${t('More often')}`, more, ofChange),
    ...section(`✓ ${t('Gone')}`, gone, ofKind),
    ...section(`↓ ${t('Less often')}`, fewer, ofChange),
    ...section(`= ${t('About the same')}`, same, ofChange),
  ];
  return `${lines.map(sanitise).join('\n')}\n`;
}

function sampleLines(
  { name, records, isAll, isPartial, from, to, length, query }: ComparedErrors,
  timeFormat: TimeFormat,
): readonly string[] {
  const time = (at: number): string => timeFormat.moment(new Date(at).toISOString());
  const span = `${time(from)} – ${time(to)} (${timeFormat.duration(length)})`;
  return [
    isAll
      ? counted(records.length, '{1}: {0} error, {2}', '{1}: {0} errors, {2}', name, span)
      : counted(
          records.length,
          '{1}: the newest {0} error, {2}',
          '{1}: the newest {0} errors, {2}',
          name,
          span,
        ),
    ...(isPartial ? [t('The server sent a partial result. Some errors may be missing.')] : []),
    `${queryMark}${query}`,
  ];
}

function section<T>(
  title: string,
  items: readonly T[],
  linesOf: (item: T) => readonly string[],
): readonly string[] {
  if (items.length === 0) return [];
  const rest = items.length - mostKinds;
  return [
    '',
    `${title} (${number(items.length)})`,
    ...items.slice(0, mostKinds).flatMap((item) => ['', ...linesOf(item)]),
    ...(rest > 0 ? ['', `  ${t('and {0} more', number(rest))}`] : []),
  ];
}

function countLines(kind: ErrorKind, places: Comparison['places']): readonly string[] {
  return [`  ${t('{0} × {1}', number(kind.count), kind.template)}`, ...exampleLines(kind, places)];
}

function changeLines(
  { now, before, factor }: KindChange,
  places: Comparison['places'],
): readonly string[] {
  const times = number(factor, { maximumFractionDigits: 1 });
  const counts = t(
    '{0} × now, {1} × before, {2} times as often',
    number(now.count),
    number(before.count),
    times,
  );
  return [`  ${now.template}`, `      ${counts}`, ...exampleLines(now, places)];
}

/** The newest record, and the lines of the workspace. */
function exampleLines(kind: ErrorKind, places: Comparison['places']): readonly string[] {
  const { last } = kind;
  const body = last.body.slice(0, exampleLength).replace(/\s+/g, ' ').trim();
  const lines = (places.get(kind) ?? []).map((place) => `${placeMark}${place}`);
  return [`      ${recordSource(last)}: ${body}`, ...lines];
}
