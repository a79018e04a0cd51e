import { day } from './clock';

/** The time zone of the machine. Other values are names of time zones; unknown names mean UTC. */
export const localZone = 'local';

/**
 * The local time in a zone, as milliseconds since 1970 as if it were UTC.
 *
 * @param instant milliseconds since 1970, UTC.
 */
export function wallTime(instant: number, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(instant)) {
    parts[type] = Number(value);
  }
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const ms = ((instant % 1000) + 1000) % 1000;
  return utc(year, month, day) + (hour * 3600 + minute * 60 + second) * 1000 + ms;
}

/**
 * The instant of a local time in a zone. If the time occurs twice, the first one. If the clock skips it,
 * the time that is as far behind the change.
 *
 * @param wall as `wallTime` returns it.
 */
export function instantOf(wall: number, timeZone: string): number {
  const first = wall - offsetAt(wall - day, timeZone);
  if (wallTime(first, timeZone) === wall) return first;
  const second = wall - offsetAt(wall + day, timeZone);
  return wallTime(second, timeZone) === wall ? second : first;
}

function offsetAt(instant: number, timeZone: string): number {
  return wallTime(instant, timeZone) - instant;
}

/** Midnight UTC of a date. Years below 100 are not moved to the 20th century. */
export function utc(year: number, month: number, date: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, date);
}

const wallParts: Intl.DateTimeFormatOptions = {
  calendar: 'iso8601',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
};
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = zonedFormat('en', wallParts, timeZone);
  formats.set(timeZone, format);
  return format;
}

/** A format of times in a zone. Without one, in UTC. */
export function zonedFormat(
  locale: string,
  options: Intl.DateTimeFormatOptions,
  timeZone = 'UTC',
): Intl.DateTimeFormat {
  if (timeZone === localZone) return new Intl.DateTimeFormat(locale, options);
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  }
}
