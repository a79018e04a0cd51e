import type { Key } from '../keys';

/** What a person has chosen; a team's key has nobody's choice. */
const preferences = {
  'personal-key': {
    dateFormat: 'day-month-year',
    timeFormat: '12-hour',
    timeZone: 'Europe/Berlin',
  },
  'team-key': { dateFormat: 'day-short-month-year', timeFormat: '24-hour', timeZone: 'UTC' },
} as const;

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const calendarDate = /^\d{4}-\d\d-\d\d$/;

/** Collects every time in an answer, whatever its member is called. */
function timesIn(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    if (instant.test(value) || calendarDate.test(value)) found.add(value);
  } else if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach((member) => timesIn(member, found));
  }
}

/** An answer with its times formatted for the owner of the key. */
export function localized(answer: object, { actor }: Pick<Key, 'actor'>): object {
  const { dateFormat, timeFormat, timeZone } = preferences[actor];
  const found = new Set<string>();
  timesIn(answer, found);
  const timestamps = [...found].flatMap((text) => {
    const time = Date.parse(text);
    return Number.isNaN(time) ? [] : [[text, rendered(text, time, actor)] as const];
  });
  const localization = { dateFormat, timeFormat, timeZone };
  return {
    ...answer,
    localization: { ...localization, timestamps: Object.fromEntries(timestamps) },
  };
}

function rendered(text: string, epochMilliseconds: number, actor: Key['actor']): object {
  const { dateFormat, timeFormat, timeZone } = preferences[actor];
  const isDate = calendarDate.test(text);
  const part = partsOf(epochMilliseconds, isDate ? 'UTC' : timeZone);
  const { year = '', month = '', day = '', shortMonth = '', hour = '', minute = '' } = part;
  const date =
    dateFormat === 'day-month-year'
      ? `${day}/${month}/${year}`
      : `${Number(day)} ${shortMonth} ${year}`;
  if (isDate) {
    const none = { time: null, dateTime: null, inputDateTime: null };
    return { date, ...none, timeZone, zoneLabel: timeZone, epochMilliseconds };
  }
  const twelve = `${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'AM' : 'PM'}`;
  const time = timeFormat === '12-hour' ? twelve : `${hour}:${minute}`;
  return {
    date,
    time,
    dateTime: `${time}, ${date}`,
    timeZone,
    zoneLabel: part['zone'] ?? '',
    epochMilliseconds,
    inputDateTime: `${year}-${month}-${day}T${hour}:${minute}`,
  };
}

const formats = new Map<string, readonly [Intl.DateTimeFormat, Intl.DateTimeFormat]>();

function partsOf(time: number, timeZone: string): Readonly<Record<string, string>> {
  let known = formats.get(timeZone);
  if (known === undefined) {
    const digits = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    known = [
      new Intl.DateTimeFormat('en-GB', { timeZone, ...digits, ...clock, timeZoneName: 'short' }),
      new Intl.DateTimeFormat('en-GB', { timeZone, month: 'short' }),
    ];
    formats.set(timeZone, known);
  }
  const [numbers, months] = known;
  const parts = numbers.formatToParts(time).map(({ type, value }) => [type, value] as const);
  const { timeZoneName: zone = '', ...all } = Object.fromEntries(parts) as Record<string, string>;
  return { ...all, zone, shortMonth: months.format(time) };
}
