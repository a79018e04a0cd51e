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
