import * as vscode from 'vscode';
import { sanitise } from '../../../text/sanitise';
import type { TimeFormat } from '../../../text/timeFormat';
import { counted, number } from '../../../vscode/numbers';
import { queryMark } from '../../query/ui/queryText';
import { recordSource } from '../../record/format';
import type { ErrorComparison, ErrorSample, ShapeChange } from '../compareErrors';
import type { ShapeCount } from '../summary';

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
  readonly timeFormat: TimeFormat;
}

/** The maximum number of messages in a section; the query finds the others. */
const mostShapes = 50;
const exampleLength = 300;

/** The comparison as harmless text. */
export function comparisonText({ name, now, before, comparison, timeFormat }: Comparison): string {
  const { added, gone, more, fewer, same } = comparison;
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
    t('Messages that differ only in numbers, IDs, times and quoted text are grouped.'),
    ...section(t('New'), added, countLines),
    ...section(t('More often'), more, changeLines),
    ...section(t('Gone'), gone, countLines),
    ...section(t('Less often'), fewer, changeLines),
    ...section(t('About the same'), same, changeLines),
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
  const rest = items.length - mostShapes;
  return [
    '',
    `${title} (${number(items.length)})`,
    ...items.slice(0, mostShapes).flatMap((item) => ['', ...linesOf(item)]),
    ...(rest > 0 ? ['', `  ${t('and {0} more', number(rest))}`] : []),
  ];
}

function countLines({ shape, count, example }: ShapeCount): readonly string[] {
  return [`  ${number(count)}×  ${shape}`, exampleLine(example)];
}

function changeLines({ now, before, factor }: ShapeChange): readonly string[] {
  const times = number(factor, { maximumFractionDigits: 1 });
  const counts = t(
    '{0}× now, {1}× before, {2} times as often',
    number(now.count),
    number(before.count),
    times,
  );
  return [`  ${now.shape}`, `      ${counts}`, exampleLine(now.example)];
}

function exampleLine(record: ShapeCount['example']): string {
  const body = record.body.slice(0, exampleLength).replace(/\s+/g, ' ').trim();
  return `      ${recordSource(record)}: ${body}`;
}
