import { BoundedMap } from '../../base/boundedMap';
import { hour, minute } from '../../base/clock';
import { getOrMake } from '../../base/maps';
import { joined, lazy, type Texts } from '../../base/textFormat';
import { instantOf, localZone, type TimeFormat, utc, wallTime } from '../../base/timeFormat';

/*
 * Schedules of jobs, as the configuration has them: five fields, as cron reads them. What has more, such as seconds or
 * `L`, is not read: the control plane does not say what it means by it, so it is shown as it is, without a next run.
 */

/** The values of a field that match. */
interface Field {
  readonly values: ReadonlySet<number>;
  /** Whether it begins with `*`: a time is then not fixed. */
  readonly isStar: boolean;
}

interface Schedule {
  readonly minutes: Field;
  readonly hours: Field;
  readonly days: Field;
  readonly months: Field;
  readonly weekdays: Field;
}

const names = {
  months: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' '),
  weekdays: 'sun mon tue wed thu fri sat'.split(' '),
};

const shorthands: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};

/** Longer texts are no schedules. In UTF-16 units. */
const longest = 200;
/** Schedules and next runs of a long tree are few different ones, and are made again with each of its drawings. */
const most = 500;
const schedules = lazy(() => new BoundedMap<string, { readonly read: Schedule | undefined }>(most));

/** Undefined if it is none that is read. */
export function readSchedule(cron: string): Schedule | undefined {
  if (cron.length > longest) return undefined;
  return getOrMake(schedules(), cron, () => ({ read: parse(cron) })).read;
}

function parse(cron: string): Schedule | undefined {
  const text = cron.trim().toLowerCase();
  const own = Object.hasOwn(shorthands, text) ? shorthands[text] : undefined;
  const [minuteText = '', hourText = '', dayText = '', monthText = '', weekdayText = '', ...more] =
    (own ?? text).split(/\s+/);
  const minutes = fieldOf(minuteText, 0, 59);
  const hours = fieldOf(hourText, 0, 23);
  const days = fieldOf(dayText, 1, 31);
  const months = fieldOf(monthText, 1, 12, names.months);
  const weekdays = fieldOf(weekdayText, 0, 7, names.weekdays);
  if (more.length > 0) return undefined;
  if (!minutes || !hours || !days || !months || !weekdays) return undefined;
  const schedule = { minutes, hours, days, months, weekdays: withSunday(weekdays) };
  // Whether `*/2` restricts the days beside another restriction is read in two ways.
  return restrictsBoth(schedule) && (days.isStar || weekdays.isStar) ? undefined : schedule;
}

function restrictsBoth({ days, weekdays }: Pick<Schedule, 'days' | 'weekdays'>): boolean {
  return days.values.size < 31 && weekdays.values.size < 7;
}

/** Sunday is 0 and 7. */
function withSunday({ values, isStar }: Field): Field {
  return { isStar, values: new Set([...values].map((one) => one % 7)) };
}

function fieldOf(
  text: string,
  first: number,
  last: number,
  words: readonly string[] = [],
): Field | undefined {
  const values = new Set<number>();
  const numberOf = (part: string): number => {
    const at = words.indexOf(part);
    return at < 0 ? Number(part) : at + first;
  };
  for (const part of text.split(',')) {
    const found = /^(?:(\*|\?)|(\d{1,2}|[a-z]{3})(?:-(\d{1,2}|[a-z]{3}))?)(?:\/(\d{1,2}))?$/.exec(
      part,
    );
    if (found === null) return undefined;
    const [, star, from = '', to, step] = found;
    // `5/10` without an end is read in two ways.
    if (star === undefined && to === undefined && step !== undefined) return undefined;
    const start = star === undefined ? numberOf(from) : first;
    const end = star === undefined ? numberOf(to ?? from) : last;
    const by = Number(step ?? 1);
    if (!(start >= first && end <= last && start <= end && by >= 1)) return undefined;
    for (let value = start; value <= end; value += by) values.add(value);
  }
  return { values: new Set([...values].sort((a, b) => a - b)), isStar: /^[*?]/.test(text) };
}

/** Feb 29 may be eight years away; what is not due by then never is. */
const mostMonths = 12 * 8 + 1;
/** No clock is changed by more, so what is farther ahead can be gone to at once. */
const safeHours = 3;

/** A time in a zone. */
interface Wall {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly weekday: number;
}

function wallOf(instant: number, timeZone: string): Wall {
  const date = new Date(wallTime(instant, timeZone));
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    weekday: date.getUTCDay(),
  };
}

/** Either of the two days is enough if both are restricted. */
function isDue(schedule: Schedule, { day, weekday }: Wall): boolean {
  const { days, weekdays } = schedule;
  const [isDay, isWeekday] = [days.values.has(day), weekdays.values.has(weekday)];
  return restrictsBoth(schedule) ? isDay || isWeekday : isDay && isWeekday;
}

/**
 * When a schedule is due next, in milliseconds since 1970. Undefined if it never is, or in an unknown time zone.
 *
 * Where clocks change, fixed times are due once, and those that are skipped as far behind the change; what is due all
 * the time, as with `*` for the hour, goes on by what the clock shows.
 *
 * @param after milliseconds since 1970.
 */
export function nextRun(schedule: Schedule, timeZone: string, after: number): number | undefined {
  if (!isTimeZone(timeZone) || !Number.isFinite(after) || isNever(schedule)) return undefined;
  const isFixed = !schedule.minutes.isStar && !schedule.hours.isStar;
  let at = Math.floor(after / minute) * minute + minute;
  const first = wallOf(at, timeZone);
  for (;;) {
    const wall = wallOf(at, timeZone);
    const { year, month, day } = wall;
    if ((year - first.year) * 12 + month - first.month > mostMonths) return undefined;
    if (!schedule.months.values.has(month)) at = instantOf(utc(year, month + 1, 1), timeZone);
    else if (isDue(schedule, wall)) {
      const found = isFixed
        ? firstFixed(schedule, utc(year, month, day), timeZone, after)
        : firstShown(schedule, at, timeZone);
      if (found !== undefined) return found;
      at = startOfNext(wall, at, timeZone);
    } else at = startOfNext(wall, at, timeZone);
  }
}

/** The start of the next day; later than `at`, also if the clock goes back at midnight. */
function startOfNext({ year, month, day }: Wall, at: number, timeZone: string): number {
  const next = instantOf(utc(year, month, day + 1), timeZone);
  return next > at ? next : nextQuarter(at);
}

/** Whether no month has a day that is due, as with February 30. */
function isNever({ days, months, weekdays }: Schedule): boolean {
  const longest = Math.max(
    ...[...months.values].map((one) => (one === 2 ? 29 : [4, 6, 9, 11].includes(one) ? 30 : 31)),
  );
  return weekdays.values.size === 7 && Math.min(...days.values) > longest;
}

/** Clocks change at quarters of an hour. */
function nextQuarter(at: number): number {
  return Math.floor(at / (15 * minute) + 1) * 15 * minute;
}

/** The first fixed time of a day after an instant. */
function firstFixed(
  { hours, minutes }: Schedule,
  midnight: number,
  timeZone: string,
  after: number,
): number | undefined {
  const margin = safeHours * hour;
  const shown = wallTime(after, timeZone);
  let first: number | undefined;
  let end = Infinity;
  for (const h of hours.values) {
    for (const m of minutes.values) {
      const wall = midnight + h * hour + m * minute;
      if (wall < shown - margin || wall > end) continue;
      const instant = instantOf(wall, timeZone);
      if (instant <= after || (first !== undefined && instant >= first)) continue;
      first = instant;
      end = wall + margin;
    }
  }
  return first;
}

/** The first instant from one on, on the same day, at which the clock shows a time that is due. */
function firstShown(
  { hours, minutes }: Schedule,
  from: number,
  timeZone: string,
): number | undefined {
  const { day } = wallOf(from, timeZone);
  let at = from;
  for (;;) {
    const wall = wallOf(at, timeZone);
    if (wall.day !== day) return undefined;
    if (hours.values.has(wall.hour)) {
      if (minutes.values.has(wall.minute)) return at;
      at += minute;
      continue;
    }
    const ahead = [...hours.values].map((one) => one - wall.hour).filter((one) => one > 0);
    const jump = Math.min(...ahead, 24) - safeHours;
    at = jump > 0 ? at + jump * hour : nextQuarter(at);
  }
}

const zones = lazy(() => new BoundedMap<string, boolean>(most));

function isTimeZone(name: string): boolean {
  if (name === localZone || name.length > longest) return false;
  return getOrMake(zones(), name, () => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
    } catch {
      return false;
    }
  });
}

/**
 * A schedule in words, such as `every 5 minutes` or `daily at 03:00 UTC`; undefined if it has a form that is rare, for
 * which cron itself is the shortest.
 *
 * @param timeZone of times of the day. Untrusted.
 */
export function scheduleText(
  { minutes, hours, days, months, weekdays }: Schedule,
  timeZone: string | undefined,
  { t, counted, timeFormat }: Texts & { readonly timeFormat: TimeFormat },
): string | undefined {
  if (months.values.size < 12) return undefined;
  const isEachDay = days.values.size === 31 && weekdays.values.size === 7;
  const [isEachMinute, isEachHour] = [minutes.values.size === 60, hours.values.size === 24];
  if (isEachDay && isEachMinute && isEachHour) return t('every minute');
  const every = isEachHour ? stepOf(minutes, 60) : undefined;
  if (isEachDay && every !== undefined) {
    return counted(every, 'every {0} minute', 'every {0} minutes');
  }
  const [at] = minutes.values;
  if (at === undefined || minutes.values.size > 1) return undefined;
  if (isEachDay && isEachHour) {
    return at === 0 ? t('every hour') : t('every hour at minute {0}', at);
  }
  const hourStep = stepOf(hours, 24);
  if (isEachDay && hourStep !== undefined && hours.values.size > 3) {
    return at === 0
      ? counted(hourStep, 'every {0} hour', 'every {0} hours')
      : counted(hourStep, 'every {0} hour at minute {1}', 'every {0} hours at minute {1}', at);
  }
  if (hours.values.size > 3) return undefined;
  const times = [...hours.values].sort((a, b) => a - b).map((one) => `${two(one)}:${two(at)}`);
  const time = joined([times.join(', '), timeZone], ' ');
  if (isEachDay) return t('daily at {0}', time);
  if (days.values.size === 31) {
    const order = [...weekdays.values].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7));
    return t('weekly: {0} at {1}', order.map((one) => timeFormat.weekday(one)).join(', '), time);
  }
  const [date] = days.values;
  return weekdays.values.size === 7 && days.values.size === 1 && date !== undefined
    ? t('monthly on day {0} at {1}', date, time)
    : undefined;
}

/** The step of a field from 0 whose values have the same distance, also from the last one to the first of the next round. */
function stepOf({ values }: Field, round: number): number | undefined {
  const step = round / values.size;
  const isEven = Number.isInteger(step) && [...values].every((value) => value % step === 0);
  return isEven && values.size > 1 ? step : undefined;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
