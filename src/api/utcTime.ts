import { day } from './clock';

/** Before this, in milliseconds since 1970, lies the zero of a clock in any time zone. */
const near = 2 * day;
/** From here on, in milliseconds since 1970, nobody means a time: the year 9999 is a way to say never. */
const far = Date.UTC(9999, 0, 1);

/**
 * Whether the text of a time says one. Servers write empty text, the zero of their language
 * (`0001-01-01T00:00:00Z`, 1970) or a time far away where there is none; text that is no time at all
 * says something, which is shown as it came.
 */
export function isTimeSet(text: string): boolean {
  const trimmed = text.trim();
  // Years that `Date.parse` does not take, or takes for others: of five digits and more, and 0 and 1.
  if (/^[+-]?\d{5,}-|^000[01]-|^[-0:.TZ+\s]*$/.test(trimmed)) return false;
  const time = Date.parse(trimmed);
  return Number.isNaN(time) || (time >= near && time < far);
}

/** As the contract writes a time; the year 0 is none, and later ones than 9999 have more digits. */
const form = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/**
 * A time of a log record as a filter takes it, which may be any text; undefined where it is none that
 * can be asked for.
 */
export function utcTime(text: string): string | undefined {
  const time = Date.parse(text);
  if (Number.isNaN(time)) return undefined;
  return form.test(text) ? text : utcTimeOf(time);
}

/** A moment in milliseconds since 1970 as a filter takes it; undefined where it is out of bounds. */
export function utcTimeOf(time: number): string | undefined {
  const text = Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : '';
  return form.test(text) ? text : undefined;
}

/**
 * Compares two ISO timestamps: negative where `a` is earlier. Fractions of any length count, which
 * `Date` cuts to milliseconds.
 */
export function compareTimestamps(a: string, b: string): number {
  const utc = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d*?)0*)?Z$/;
  const [, secondsA, fractionA = ''] = utc.exec(a) ?? [];
  const [, secondsB, fractionB = ''] = utc.exec(b) ?? [];
  if (secondsA === undefined || secondsB === undefined) return Date.parse(a) - Date.parse(b);
  if (secondsA !== secondsB) return secondsA < secondsB ? -1 : 1;
  return fractionA === fractionB ? 0 : fractionA < fractionB ? -1 : 1;
}
