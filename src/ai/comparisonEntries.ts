import type { Compared, ComparedSide } from '../logs/explorer/comparison';
import type { PatternChange } from '../logs/explorer/patternChanges';
import { bodyText } from '../logs/record/readableBody';
import { count, type Entry, Excerpt } from './answer';

/** The most patterns and values that are listed. */
const mostPatterns = 60;
const mostValues = 10;
/** Limits of texts in UTF-16 units. */
const longestTemplate = 1000;
const longestExample = 500;
const longestValue = 200;

/** What was compared, as our own sentences. */
export function comparisonWords({ now, before, measure, changes }: Compared): readonly string[] {
  const range = (side: ComparedSide): string => {
    const { from, to } = side.search.range;
    const read = side.read.map((one) => `${isoOf(one.from)} to ${isoOf(one.to)}`).join(' and ');
    return `${isoOf(from)} to ${isoOf(to)}, ${count(side.records.length, 'record')}${
      side.isWhole ? ', all' : `, the newest ones, of ${read}`
    }`;
  };
  return [
    `Side A ("now"): ${range(now)}.`,
    `Side B ("before"): ${range(before)}.`,
    measure === 'time'
      ? 'Factors are by the time that was read.'
      : 'Factors are by the number of records, because the sides are of different apps or environments.',
    ...(now.isWhole && before.isWhole ? [] : ['Rare patterns may be missing.']),
    ...(now.isPartial || before.isPartial
      ? ['The control plane returned only part of the matching records.']
      : []),
    ...(changes.length > mostPatterns
      ? [`Only the ${mostPatterns} most surprising of ${changes.length} patterns are listed.`]
      : []),
    'First the values that set side A apart, then one pattern per line, the most surprising first. "rare": too rare to tell.',
  ];
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}

/**
 * The differences as untrusted data.
 *
 * @param isClean whether secrets were removed before patterns were made, which can cut one to pieces. Otherwise there
 *   are whole texts only.
 */
export function comparisonEntries(
  { apart, changes }: Compared,
  isClean: boolean,
): readonly Entry[] {
  const isWhole = (value = ''): boolean => isClean || value.length < longestValue;
  return [
    ...apart
      .filter(({ value }) => isWhole(value))
      .slice(0, mostValues)
      .map(({ field, value, share, otherShare }) => ({
        setsApart: new Excerpt(field, longestValue),
        value: value === undefined ? 'any' : new Excerpt(value, longestValue),
        shareNow: rounded(share),
        shareBefore: rounded(otherShare),
      })),
    ...changes.slice(0, mostPatterns).map((change) => entryOf(change, isClean)),
  ];
}

function entryOf(
  { template, change, factor, severity, now, before }: PatternChange,
  isClean: boolean,
): object {
  const last = now.last ?? before.last;
  return {
    change,
    ...(Number.isFinite(factor) ? { factor: rounded(factor) } : {}),
    now: now.count,
    before: before.count,
    severity,
    ...(isClean ? { message: new Excerpt(template, longestTemplate) } : {}),
    ...(last === undefined
      ? {}
      : {
          workload: new Excerpt(last.workloadName || last.service, 100),
          lastSeen: last.timestamp,
          example: new Excerpt(bodyText(last, 'readable'), longestExample),
        }),
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
