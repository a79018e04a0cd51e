import { Cron } from 'croner';
import { BoundedMap } from '../../base/boundedMap';
import { minute } from '../../base/clock';
import { getOrMake } from '../../base/maps';
import { joined, lazy, type Texts } from '../../base/textFormat';
import { localZone, type TimeFormat } from '../../base/timeFormat';

/*
 * Schedules of jobs, as the configuration has them: five fields, as cron reads them. What has more, such as seconds or
 * `L`, is not read: the control plane does not say what it means by it, so it is shown as it is, without a next run.
 */

/** The values of a field that match. */
interface Field {
  readonly values: ReadonlySet<number>;
  /** Whether it begins with `*`. */
  readonly isStar: boolean;
  /** Whether it says nothing, like `*`. */
  readonly isAny: boolean;
}

export interface Schedule {
  /** As cron reads it. */
  readonly cron: string;
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

function parse(written: string): Schedule | undefined {
  const text = written.trim().toLowerCase();
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
  // Whether `*/2` restricts the days beside another restriction is read in two ways.
  if (restrictsBoth({ days, weekdays }) && (days.isStar || weekdays.isStar)) return undefined;
  const fields = [minutes, hours, days, months, weekdays];
  const texts = [minuteText, hourText, dayText, monthText, weekdayText];
  const cron = fields.map(({ isAny }, index) => (isAny ? '*' : texts[index])).join(' ');
  return { cron, minutes, hours, days, months, weekdays: withSunday(weekdays) };
}

/** Then either of the two days is enough. */
function restrictsBoth({ days, weekdays }: Pick<Schedule, 'days' | 'weekdays'>): boolean {
  return !days.isAny && !weekdays.isAny;
}

/** Sunday is 0 and 7. */
function withSunday({ values, ...rest }: Field): Field {
  return { ...rest, values: new Set([...values].map((one) => one % 7)) };
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
  return {
    values: new Set([...values].sort((a, b) => a - b)),
    isStar: /^[*?]/.test(text),
    isAny: /^[*?](?:\/1)?$/.test(text),
  };
}

/**
 * When a schedule is due next, in milliseconds since 1970. Undefined if it never is, or in an unknown time zone.
 *
 * Where clocks change, fixed times are due once; what is due all the time, as with `*` for the hour, goes on by what the
 * clock shows.
 *
 * @param after milliseconds since 1970.
 */
export function nextRun({ cron }: Schedule, timeZone: string, after: number): number | undefined {
  if (!isTimeZone(timeZone) || !Number.isFinite(after)) return undefined;
  return new Cron(cron, { timezone: timeZone, mode: '5-part' }).nextRun(new Date(after))?.getTime();
}

/** How many times `lastRuns` has. */
const mostRuns = 3;
const runs = lazy(() => new BoundedMap<string, readonly number[]>(most));

/**
 * The last three times that a schedule was due, the latest first; fewer if it was not due so often.
 *
 * @param until milliseconds since 1970; being due at that time counts.
 */
export function lastRuns({ cron }: Schedule, timeZone: string, until: number): readonly number[] {
  if (!isTimeZone(timeZone) || !Number.isFinite(until)) return [];
  // It is due at whole minutes.
  const at = Math.floor(until / minute) * minute;
  return getOrMake(runs(), `${at} ${cron} ${timeZone}`, () =>
    new Cron(cron, { timezone: timeZone, mode: '5-part' })
      .previousRuns(mostRuns, new Date(at + 1))
      .map((run) => run.getTime()),
  );
}

const zones = lazy(() => new BoundedMap<string, boolean>(most));

/** Whether runs can be known in it. */
export function isTimeZone(name: string): boolean {
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
  if (months.values.size < 12 || restrictsBoth({ days, weekdays })) return undefined;
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
