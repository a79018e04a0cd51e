import { day as oneDay, hour, minute, second } from '../../base/clock';
import { instantOf, utc, wallTime } from '../../base/timeFormat';

/** The current time and the time zone. */
export interface When {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** `local` or the name of a time zone. */
  readonly timeZone: string;
}

const units = new Map([
  ['s', second],
  ['m', minute],
  ['h', hour],
  ['d', oneDay],
  ['w', 7 * oneDay],
]);

/** A hundred years: longer than any log. */
const longest = 36_525 * oneDay;

/** Parses a duration such as `15m` or `1h30m` into milliseconds. Undefined if it is invalid. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d{1,9}[smhdw])+$/i.test(text)) return undefined;
  let sum = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+)([a-z])/gi)) {
    sum += Number(count) * (units.get(unit.toLowerCase()) ?? 0);
  }
  return sum > 0 && sum <= longest ? sum : undefined;
}

const time = String.raw`(\d\d?):(\d\d)(?::(\d\d)(\.\d+)?)?`;
const absolute = new RegExp(
  String.raw`^(\d{4})-(\d\d)-(\d\d)(?:[T ]${time}(Z|[+-]\d\d(?::?\d\d)?)?)?$`,
  'i',
);
const dayAndTime = new RegExp(String.raw`^(?:(today|yesterday)(?: ${time})?|${time})$`, 'i');

/** A time of day. */
interface Clock {
  /** `12:30`, with seconds and fraction if given. */
  readonly text: string;
  /** Milliseconds since midnight. */
  readonly ms: number;
}

/** A parsed time, independent of the current time and the zone. */
type TimeExpression =
  | { readonly kind: 'instant'; readonly iso: string }
  /** A duration before now; `now` is 0. */
  | { readonly kind: 'ago'; readonly text: string; readonly ms: number }
  /** A date, a time of day or both, in local time. */
  | {
      readonly kind: 'wall';
      /** Midnight of the date as if it were UTC, or the number of days before today. */
      readonly day: { readonly date: number } | { readonly ago: 0 | 1 };
      readonly dayText: string;
      readonly clock: Clock | undefined;
    };

/** Parses `2h`, `now`, `10:00`, `yesterday 10:00`, a date, or a date and time with or without zone. */
export function parseTimeExpression(text: string): TimeExpression | undefined {
  const ms = parseDuration(text);
  if (ms !== undefined) return { kind: 'ago', text: text.toLowerCase(), ms };
  if (/^now$/i.test(text)) return { kind: 'ago', text: 'now', ms: 0 };
  const near = dayAndTime.exec(text);
  if (near !== null) {
    const day = near[1]?.toLowerCase() ?? 'today';
    const parts = near[1] === undefined ? near.slice(6) : near.slice(2);
    const clock = clockOf(parts);
    if (clock === 'none') return undefined;
    return { kind: 'wall', day: { ago: day === 'today' ? 0 : 1 }, dayText: day, clock };
  }
  return parseAbsolute(text);
}

function parseAbsolute(text: string): TimeExpression | undefined {
  const parts = absolute.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day] = parts.map(Number);
  const date = utc(Number(year), Number(month), Number(day));
  const dayText = text.slice(0, 10);
  // Rejects dates such as February 30, which JavaScript moves to another day.
  if (!new Date(date).toISOString().startsWith(dayText)) return undefined;
  const clock = clockOf(parts.slice(4));
  const zone = parts[8];
  if (clock === 'none') return undefined;
  if (clock === undefined || zone === undefined) {
    return { kind: 'wall', day: { date }, dayText, clock };
  }
  const iso = isoOf(date + clock.ms - offsetOf(zone), parts[7]);
  return iso === undefined ? undefined : { kind: 'instant', iso };
}

/** Parses an offset such as `+02:00` into milliseconds. */
function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  const offset = Number(hours ?? 0) * hour + Number(minutes ?? 0) * minute;
  return sign === '-' ? -offset : offset;
}

/** @returns 'none' if the time is invalid. */
function clockOf([hours, minutes, seconds, fraction]: readonly (string | undefined)[]):
  Clock | undefined | 'none' {
  if (hours === undefined || minutes === undefined) return undefined;
  const [h, m, s] = [Number(hours), Number(minutes), Number(seconds ?? 0)];
  if (h > 23 || m > 59 || s > 59) return 'none';
  const ms = Number((fraction ?? '').slice(1, 4).padEnd(3, '0'));
  const text = `${hours.padStart(2, '0')}:${minutes}`;
  return {
    text: seconds === undefined ? text : `${text}:${seconds}${fraction ?? ''}`,
    ms: h * hour + m * minute + s * second + ms,
  };
}

/** Formats a time as ISO UTC, with the digits of `fraction` if there are any. */
function isoOf(instant: number, fraction?: string): string | undefined {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return undefined;
  const iso = date.toISOString();
  // Years with more than four digits have a sign in ISO.
  if (!/^\d{4}-/.test(iso)) return undefined;
  return fraction === undefined ? iso.replace('.000Z', 'Z') : `${iso.slice(0, 19)}${fraction}Z`;
}

export function printTimeExpression(moment: TimeExpression): string {
  switch (moment.kind) {
    case 'instant':
      return moment.iso;
    case 'ago':
      return moment.text;
    case 'wall':
      return moment.clock === undefined ? moment.dayText : `${moment.dayText} ${moment.clock.text}`;
  }
}

/**
 * The instant of a time expression as ISO UTC. Undefined outside of the years 0 to 9999.
 *
 * @param end whether a date without a time means the end of the day instead of its beginning.
 */
export function instantOfTimeExpression(
  moment: TimeExpression,
  when: When,
  end: boolean,
): string | undefined {
  switch (moment.kind) {
    case 'instant':
      return moment.iso;
    case 'ago':
      return isoOf(when.now - moment.ms);
    case 'wall': {
      const { day, clock } = moment;
      const date =
        'date' in day
          ? day.date
          : Math.floor(wallTime(when.now, when.timeZone) / oneDay) * oneDay - day.ago * oneDay;
      if (clock !== undefined) return isoOf(instantOf(date + clock.ms, when.timeZone));
      return end
        ? isoOf(instantOf(date + oneDay, when.timeZone) - 1)
        : isoOf(instantOf(date, when.timeZone));
    }
  }
}
