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
