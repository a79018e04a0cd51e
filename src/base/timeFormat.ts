import { BoundedMap } from './boundedMap';
import { clockTolerance, day, hour, minute, second } from './clock';
import { getOrMake } from './maps';
import { lazy, supportedLanguage } from './textFormat';

/** The date and time formats of the workspace, from the last answer. */
export interface Formats {
  readonly dateFormat?: string;
  readonly timeFormat?: string;
  readonly timeZone?: string;
}

/** The last time of `Date`, in milliseconds since 1970. */
const farthest = 8.64e15;

/** How many texts are cached. */
const maxTexts = 1000;

/**
 * Parses an ISO 8601 date and time with a zone, in milliseconds since 1970, also as PostgreSQL prints it, with a blank and
 * the hours of the zone: `2026-11-20 12:00:00.5+00`. Undefined for other text.
 */
export function timeOf(text: string | undefined): number | undefined {
  // `Date.parse` accepts almost any text, and reads a text without a zone as local time.
  if (text === undefined) return undefined;
  const form = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d[\d:.]*)(Z|[+-]\d\d)(:\d\d)?$/;
  const [, date, clock, zone, minutes] = form.exec(text) ?? [];
  if (date === undefined || (zone === 'Z' && minutes !== undefined)) return undefined;
  const time = Date.parse(`${date}T${clock}${zone}${zone === 'Z' ? '' : (minutes ?? ':00')}`);
  return Number.isNaN(time) ? undefined : time;
}

export class TimeFormat {
  private readonly locale: string;
  private readonly relativeFormat = lazy(
    () => new Intl.RelativeTimeFormat(this.locale, { numeric: 'always', style: 'short' }),
  );
  private readonly wordFormat = lazy(
    () => new Intl.RelativeTimeFormat(this.locale, { numeric: 'auto', style: 'short' }),
  );
  private writer:
    | {
        readonly formats: Formats;
        readonly timeZone: string;
        readonly write: (time: number) => DateAndClock;
      }
    | undefined;
  /** Cached, because formatting is slow and a long list has few different texts. */
  private readonly relativeText = remember<Step[1]>((value, unit) =>
    (value === 0 ? this.wordFormat() : this.relativeFormat()).format(value, unit),
  );
  private readonly count = remember<Unit>((value, unit) =>
    new Intl.NumberFormat(this.locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value),
  );
  private readonly lengthText = remember<'second'>((seconds) => {
    const parts = [
      [Math.floor(seconds / 86_400), 'day'],
      [Math.floor(seconds / 3600) % 24, 'hour'],
      [Math.floor(seconds / 60) % 60, 'minute'],
      [seconds % 60, 'second'],
    ] as const;
    const first = parts.findIndex(([value]) => value > 0);
    // The two largest units are enough.
    return parts
      .slice(first, first + 2)
      .filter(([value]) => value > 0)
      .map(([value, unit]) => this.count(value, unit))
      .join(' ');
  });

  /**
   * @param timeZone `local` (of the computer), `utc` or an IANA name; unknown names mean UTC.
   * @param now milliseconds since 1970, by the clock that dates what is shown: that of the control plane.
   * @param language a BCP 47 tag, such as the language of VS Code. English if it is invalid.
   */
  constructor(
    private readonly formats: () => Formats,
    private readonly timeZone: () => string,
    readonly now: () => number,
    language: string,
  ) {
    this.locale = supportedLanguage(language);
  }

  /** The name of a day of the week in the user's language. @param number from 0, Sunday. */
  weekday(number: number): string {
    // The first of these days is a Sunday.
    return zonedFormat(this.locale, { weekday: 'long' }).format(Date.UTC(2023, 0, 1 + number));
  }

  /** Relative to now, such as `3 min. ago`. For milliseconds since 1970; undefined for what is no time. */
  relativeTo(time: number | undefined): string | undefined {
    if (time === undefined || !(Math.abs(time) <= farthest)) return undefined;
    const distance = time - this.now();
    // What has just happened is not ahead because clocks differ a little.
    const ahead = distance > 0 && distance < clockTolerance ? 0 : distance;
    const [size, unit] = stepOf(Math.abs(ahead));
    return this.relativeText(Math.trunc(ahead / size), unit);
  }

  /**
   * Date and time in the formats of the workspace, with the zone unless it is that of the computer; other
   * text unchanged.
   */
  moment(iso: string): string {
    const time = timeOf(iso);
    if (time === undefined) return iso;
    const { date, clock } = this.write(time);
    return `${date} ${clock}`;
  }

  /** The same for milliseconds since 1970, without the date if it is that of today. Undefined for what is no time. */
  clockOrMoment(time: number): string | undefined {
    if (!(Math.abs(time) <= farthest)) return undefined;
    const { date, clock } = this.write(time);
    return date === this.write(this.now()).date ? clock : `${date} ${clock}`;
  }

  private write(time: number): DateAndClock {
    const [wanted, zone] = [this.formats(), this.timeZone()];
    if (this.writer?.formats !== wanted || this.writer.timeZone !== zone) {
      this.writer = {
        formats: wanted,
        timeZone: zone,
        write: createWriter(wanted, zone, this.locale),
      };
    }
    return this.writer.write(time);
  }

  /** The same for the text of a time; other text unchanged. */
  relative(iso: string): string {
    return this.relativeTo(timeOf(iso)) ?? iso;
  }

  /**
   * A duration, such as `1 min 10 sec`. Undefined for what is none, so that a text is made without it: unknown, not
   * finite, negative, or longer than any two times can be apart.
   */
  duration(milliseconds: number | undefined): string | undefined {
    if (milliseconds === undefined || !(milliseconds >= 0 && milliseconds <= farthest)) {
      return undefined;
    }
    // Not `-0`.
    if (milliseconds < second) return this.count(Math.round(milliseconds) + 0, 'millisecond');
    return this.lengthText(Math.floor(milliseconds / second), 'second');
  }
}

interface DateAndClock {
  readonly date: string;
  readonly clock: string;
}

type Unit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond';

/** Caches the texts that a function makes. */
function remember<U extends Unit>(
  make: (value: number, unit: U) => string,
): (value: number, unit: U) => string {
  const texts = new Map<U, BoundedMap<number, string>>();
  return (value, unit) => {
    const known = getOrMake(texts, unit, () => new BoundedMap<number, string>(maxTexts));
    return getOrMake(known, value, () => make(value, unit));
  };
}

type Step = readonly [size: number, unit: Exclude<Unit, 'millisecond'>];

const steps: readonly Step[] = [
  [365 * day, 'year'],
  [30 * day, 'month'],
  [day, 'day'],
  [hour, 'hour'],
  [minute, 'minute'],
];

function stepOf(distance: number): Step {
  return steps.find(([size]) => distance >= size) ?? [second, 'second'];
}

/** Formats times as the workspace does. Unknown formats count as ISO. */
function createWriter(
  { dateFormat, timeFormat }: Formats,
  timeZone: string,
  locale: string,
): (time: number) => DateAndClock {
  const isTwelve = timeFormat === '12-hour' || timeFormat === '12-hour-seconds';
  const hasSeconds = timeFormat !== '12-hour' && timeFormat !== '24-hour';
  const isShortMonth =
    dateFormat === 'day-short-month-year' || dateFormat === 'short-month-day-year';
  const format = zonedFormat(
    locale,
    {
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: isShortMonth ? 'short' : '2-digit',
      day: isShortMonth ? 'numeric' : '2-digit',
      hour: isTwelve ? 'numeric' : '2-digit',
      minute: '2-digit',
      ...(hasSeconds ? { second: '2-digit' } : {}),
      hourCycle: isTwelve ? 'h12' : 'h23',
      ...(timeZone === localZone ? {} : { timeZoneName: 'short' }),
    },
    timeZone,
  );
  return (time) => {
    const part: Readonly<Record<string, string>> = Object.fromEntries(
      format.formatToParts(time).map(({ type, value }) => [type, value]),
    );
    const { year = '', month = '', day = '', hour = '', minute = '', second = '' } = part;
    const clock = [hour, minute, ...(hasSeconds ? [second] : [])].join(':');
    const half = isTwelve ? ` ${part['dayPeriod'] ?? ''}` : '';
    const zone = part['timeZoneName'] === undefined ? '' : ` ${part['timeZoneName']}`;
    return { date: dateOf(dateFormat, year, month, day), clock: `${clock}${half}${zone}` };
  };
}

/** The separators are the contract's `dateSeparators` assumption. */
function dateOf(format: string | undefined, year: string, month: string, day: string): string {
  switch (format) {
    case 'day-short-month-year':
      return `${day} ${month} ${year}`;
    case 'short-month-day-year':
      return `${month} ${day}, ${year}`;
    case 'day-month-year':
      return `${day}/${month}/${year}`;
    case 'month-day-year':
      return `${month}/${day}/${year}`;
    default:
      return `${year}-${month}-${day}`;
  }
}

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
