import { day } from '../base/clock';

/** In milliseconds since 1970. Earlier times are the zero of a clock, in any time zone. */
const near = 2 * day;
/** In milliseconds since 1970. Later times mean never: servers use the year 9999 for that. */
const far = Date.UTC(9999, 0, 1);

/**
 * Whether a time is set. For a missing time, servers send an empty text, the zero of their language
 * (`0001-01-01T00:00:00Z`, 1970) or a time in the far future. Text that is not a time counts as set and
 * is shown unchanged.
 */
export function isTimeSet(text: string): boolean {
  const trimmed = text.trim();
  // `Date.parse` rejects years with five or more digits, or reads them differently, like the years 0 and 1.
  if (/^[+-]?\d{5,}-|^000[01]-|^[-0:.TZ+\s]*$/.test(trimmed)) return false;
  const time = Date.parse(trimmed);
  return Number.isNaN(time) || (time >= near && time < far);
}

/** The format of times in the contract. It excludes the year 0 and years after 9999. */
const form = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Converts the time of a log record to the format of filters. Undefined if that is not possible. */
export function utcTime(text: string): string | undefined {
  const time = Date.parse(text);
  if (Number.isNaN(time)) return undefined;
  return form.test(text) ? text : utcTimeOf(time);
}

/** Converts milliseconds since 1970 to the format of filters. Undefined if out of range. */
export function utcTimeOf(time: number): string | undefined {
  const text = Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : '';
  return form.test(text) ? text : undefined;
}

/** A time range in the format of filters. */
export interface LogWindow {
  readonly from: string;
  readonly to: string;
}

/** A range that does not end before it begins, as records with times outside of it would make it. */
export function ordered<Range extends LogWindow>(range: Range): Range {
  return compareTimestamps(range.to, range.from) < 0 ? { ...range, to: range.from } : range;
}

/** The first and the last time that the format of filters has, in milliseconds since 1970. */
const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** The range between two times in milliseconds since 1970, as far as filters can name it. */
export function logWindow(from: number, to: number): LogWindow {
  const textOf = (time: number): string =>
    new Date(Math.min(latest, Math.max(earliest, time))).toISOString();
  return { from: textOf(from), to: textOf(to) };
}

const utc = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d*))?Z$/;

/**
 * Compares two ISO timestamps: negative if `a` is earlier. Fractions can have any length; `Date` cuts
 * them to milliseconds.
 */
export function compareTimestamps(a: string, b: string): number {
  if (a === b) return 0;
  const [, secondsA, fractionA = ''] = utc.exec(a) ?? [];
  const [, secondsB, fractionB = ''] = utc.exec(b) ?? [];
  if (secondsA === undefined || secondsB === undefined) return Date.parse(a) - Date.parse(b);
  if (secondsA !== secondsB) return secondsA < secondsB ? -1 : 1;
  const [digitsA, digitsB] = [withoutZeros(fractionA), withoutZeros(fractionB)];
  return digitsA === digitsB ? 0 : digitsA < digitsB ? -1 : 1;
}

/** The digits of a fraction without the zeros at the end. No pattern finds these in linear time. */
function withoutZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}
