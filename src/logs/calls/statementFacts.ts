import type { LogQueryPage } from '../../api/cursors';
import { compareTimestamps } from '../../api/utcTime';
import { copyText } from '../../base/textFormat';
import { recordSource } from '../record/logLine';
import { type Fit, fitMessage, loggedMessage, type StatementTemplate } from './statementTemplate';

/** What is known about the records of a statement. Small, because many are cached. */
export interface StatementFacts {
  /** How many of the records looked at fit. */
  readonly count: number;
  /** Whether there are more records than were looked at. */
  readonly hasMore: boolean;
  /** The newest record that fits; undefined if there is none. */
  readonly last: LastRecord | undefined;
  readonly held: readonly HeldSummary[];
}

interface LastRecord {
  /** ISO UTC. */
  readonly timestamp: string;
  /** Its workload, as harmless text. */
  readonly source: string;
  /** The beginning of its message. Untrusted. */
  readonly text: string;
}

/** In UTF-16 units. */
const longestRecord = 500;

/** Reads a page of records that contain a text of a statement. */
export function readStatementFacts(
  template: StatementTemplate,
  { records, next }: Pick<LogQueryPage, 'records' | 'next'>,
): StatementFacts {
  const fitting = records.flatMap((record) => {
    const message = loggedMessage(record);
    const fit = fitMessage(template, message);
    return fit === undefined ? [] : [{ record, message, fit }];
  });
  const newest = fitting.reduce<(typeof fitting)[number] | undefined>(
    (last, one) =>
      last === undefined || compareTimestamps(one.record.timestamp, last.record.timestamp) > 0
        ? one
        : last,
    undefined,
  );
  return {
    count: fitting.length,
    hasMore: next !== undefined,
    last: newest && {
      timestamp: newest.record.timestamp,
      source: recordSource(newest.record),
      text: copyText(newest.message.text.slice(newest.message.start).slice(0, longestRecord)),
    },
    held: summariseValues(fitting.map(({ fit }) => fit)),
  };
}

/** An expression that held only numbers, and their range as they were logged. */
interface NumberRange {
  readonly kind: 'numbers';
  readonly expression: string;
  readonly least: string;
  readonly most: string;
}

/** How often an expression held which text. */
interface TextCounts {
  readonly kind: 'texts';
  readonly expression: string;
  /** The number of different texts. */
  readonly distinct: number;
  readonly mostFrequent: string;
  /** How often the most frequent one was logged, of `total` times. */
  readonly count: number;
  readonly total: number;
}

/** What an expression of a statement held in some records. All texts are untrusted and of one line. */
export type HeldSummary = NumberRange | TextCounts;

/** In UTF-16 units. */
const longestHeld = 60;

/** Summarises what each expression of a statement held in the records that fit it. */
export function summariseValues(fits: readonly Fit[]): readonly HeldSummary[] {
  const expressions = fits[0]?.values.map(({ expression }) => copyText(expression)) ?? [];
  return expressions.flatMap((expression, index) => {
    const values = fits.flatMap((fit) => {
      const value = fit.values[index]?.value ?? '';
      return value === '' ? [] : [value];
    });
    if (values.length === 0) return [];
    return [rangeOf(expression, values) ?? countsOf(expression, values)];
  });
}

function rangeOf(expression: string, values: readonly string[]): NumberRange | undefined {
  let [least = '', most = ''] = [values[0], values[0]];
  for (const value of values) {
    if (!/^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(value)) return undefined;
    if (Number(value) < Number(least)) least = value;
    if (Number(value) > Number(most)) most = value;
  }
  return { kind: 'numbers', expression, least: copyText(least), most: copyText(most) };
}

function countsOf(expression: string, values: readonly string[]): TextCounts {
  const counts = new Map<string, number>();
  let [mostFrequent, count] = ['', 0];
  for (const value of values) {
    const times = (counts.get(value) ?? 0) + 1;
    counts.set(value, times);
    if (times > count) [mostFrequent, count] = [value, times];
  }
  const text = copyText(mostFrequent.slice(0, longestHeld));
  return {
    kind: 'texts',
    expression,
    distinct: counts.size,
    mostFrequent: text === mostFrequent ? text : `${text}…`,
    count,
    total: values.length,
  };
}
