import { assert } from 'chai';
import { nextRun, readSchedule, scheduleText } from '../../../../src/trees/sources/schedule';
import { createRandom, type Random } from '../../../control-plane/random';
import { uiText } from '../../../host/texts';
import { counted, scene, t } from '../treeText';

const minute = 60_000;

describe('A schedule in words', () => {
  const { timeFormat } = scene({}).context;
  const words = (cron: string, timeZone?: string): string | undefined => {
    const schedule = readSchedule(cron);
    return schedule && scheduleText(schedule, timeZone, { t, counted, timeFormat });
  };

  const cases: readonly (readonly [string, string])[] = [
    ['* * * * *', uiText('every minute')],
    ['*/5 * * * *', uiText('every {0} minutes', 5)],
    ['0,15,30,45 * * * ?', uiText('every {0} minutes', 15)],
    ['0 * * * *', uiText('every hour')],
    ['@hourly', uiText('every hour')],
    ['5 * * * *', uiText('every hour at minute {0}', 5)],
    ['0 */6 * * *', uiText('every {0} hours', 6)],
    ['30 */2 * * *', uiText('every {0} hours at minute {1}', 2, 30)],
    ['0 3 * * *', uiText('daily at {0}', '03:00 UTC')],
    ['@midnight', uiText('daily at {0}', '00:00 UTC')],
    ['5 18,6 * * *', uiText('daily at {0}', '06:05, 18:05 UTC')],
    ['0 3 * * 1', uiText('weekly: {0} at {1}', 'Monday', '03:00 UTC')],
    ['0 3 * * 7,sat', uiText('weekly: {0} at {1}', 'Saturday, Sunday', '03:00 UTC')],
    ['0 0 1 * *', uiText('monthly on day {0} at {1}', 1, '00:00 UTC')],
  ];
  for (const [cron, expected] of cases) {
    it(`${cron} is ${expected}`, () => {
      assert.equal(words(cron, 'UTC'), expected);
    });
  }

  it('has no words if it has a rare form, whose words would be longer or wrong', () => {
    const rare = [
      '*/7 * * * *',
      '0 */5 * * *',
      '0 3 1 * 1',
      '0 3 1,15 * *',
      '0 3 * 6 *',
      '5,9 3 * * *',
    ];
    for (const cron of rare) {
      assert.isDefined(readSchedule(cron), cron);
      assert.isUndefined(words(cron, 'UTC'), cron);
    }
  });

  it('has no time zone that is not known', () => {
    assert.equal(words('0 3 * * *'), uiText('daily at {0}', '03:00'));
  });

  it('is not read if cron would not, or not in one way', () => {
    const others = ['', '* * * *', '0 0 * * * *', '60 * * * *', '5/10 * * * *', '5-1 * * * *', 'L'];
    const more = ['* * 0 * *', '* * * 13 *', '* * * * 8', '*/0 * * * *', '0 0 L * *', '@reboot'];
    for (const cron of [
      ...others,
      ...more,
      '0 0 * * 1#2',
      '@constructor',
      '0 0 */2 * 1',
      '*'.repeat(300),
    ]) {
      assert.isUndefined(readSchedule(cron), cron);
    }
  });
});

/** Zones with clocks that change by an hour, by half an hour and at midnight, or do not change. */
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Kolkata',
  'UTC',
];
/** In which clocks change in each of the zones that have that. */
const changes = [
  Date.UTC(2026, 2, 8),
  Date.UTC(2026, 2, 29),
  Date.UTC(2026, 3, 5),
  Date.UTC(2026, 8, 6),
];
const autumn = [Date.UTC(2026, 9, 4), Date.UTC(2026, 9, 25), Date.UTC(2026, 10, 1)];

function makeField(random: Random, first: number, last: number): string {
  const value = (): number => first + random.int(last - first + 1);
  switch (random.int(6)) {
    case 0:
      return `*/${1 + random.int(Math.min(20, last))}`;
    case 1: {
      const [a, b] = [value(), value()];
      return `${Math.min(a, b)}-${Math.max(a, b)}`;
    }
    case 2:
      return `${value()},${value()},${value()}`;
    case 3:
      return String(value());
    default:
      return '*';
  }
}

function makeCron(random: Random): string {
  const isNight = random.chance(0.4);
  const cron = [
    makeField(random, 0, 59),
    // Clocks change then.
    isNight ? String(random.int(4)) : makeField(random, 0, 23),
    random.chance(0.7) ? '*' : makeField(random, 1, 31),
    random.chance(0.9) ? '*' : makeField(random, 1, 12),
    random.chance(0.7) ? '*' : makeField(random, 0, 7),
  ].join(' ');
  // What is read in two ways is not read.
  return readSchedule(cron) === undefined ? makeCron(random) : cron;
}

/** Whether a value matches a field, read from the text each time. */
function matches(field: string, value: number, last: number): boolean {
  return field.split(',').some((part) => {
    const [range = '', step = '1'] = part.split('/');
    const [from = '0', to = from] =
      range === '*' ? [String(last === 31 || last === 12 ? 1 : 0), String(last)] : range.split('-');
    return (
      value >= Number(from) && value <= Number(to) && (value - Number(from)) % Number(step) === 0
    );
  });
}

/** The time of a clock as if it were UTC. */
type ClockOf = (instant: number) => number;

function clockIn(zone: string): ClockOf {
  const format = new Intl.DateTimeFormat('sv', {
    ...{ timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  const offsets = new Map<number, number>();
  return (instant) => {
    // No clock changes within a quarter of an hour.
    const quarter = Math.floor(instant / (15 * minute)) * 15 * minute;
    let offset = offsets.get(quarter);
    if (offset === undefined) {
      offset = Date.parse(`${format.format(quarter).replace(' ', 'T')}Z`) - quarter;
      offsets.set(quarter, offset);
    }
    return instant + offset;
  };
}

function isDueAt(cron: string, clock: number): boolean {
  const [minutes = '', hours = '', days = '', months = '', weekdays = ''] = cron.split(' ');
  const date = new Date(clock);
  // First what decides for nearly all minutes.
  if (!matches(minutes, date.getUTCMinutes(), 59) || !matches(hours, date.getUTCHours(), 23)) {
    return false;
  }
  const weekday = date.getUTCDay();
  const isDay = matches(days, date.getUTCDate(), 31);
  const isWeekday = matches(weekdays, weekday, 7) || (weekday === 0 && matches(weekdays, 7, 7));
  return (
    matches(months, date.getUTCMonth() + 1, 12) &&
    (days.startsWith('*') || weekdays.startsWith('*') ? isDay && isWeekday : isDay || isWeekday)
  );
}

/**
 * Looks at each minute. What a clock shows again is not due.
 *
 * @param isMoved whether times that a clock skips are due at the change: some crons run them, and some do not.
 */
function walk(
  cron: string,
  clockOf: ClockOf,
  after: number,
  until: number,
  isMoved: boolean,
): number | undefined {
  const isFixed = !/^(\S+ )?\*/.test(cron);
  const day = 24 * 60 * minute;
  const shown = new Set<number>();
  for (let at = Math.floor(after / minute) * minute - day; at <= until; at += minute) {
    const clock = clockOf(at);
    const isNew = !isFixed || !shown.has(clock);
    if (isFixed) shown.add(clock);
    if (at <= after) continue;
    if (isNew && isDueAt(cron, clock)) return at;
    if (!isFixed || !isMoved) continue;
    for (let skipped = clockOf(at - minute) + minute; skipped < clock; skipped += minute) {
      if (isDueAt(cron, skipped)) return at;
    }
  }
  return undefined;
}

describe('The next run of a schedule', () => {
  const clocks = new Map(zones.map((zone) => [zone, clockIn(zone)]));

  it('is what a walk through all minutes finds, for 200 schedules where clocks change', () => {
    const random = createRandom(51);
    let found = 0;
    for (let index = 0; index < 200; index++) {
      const cron = makeCron(random);
      const zone = random.pick(zones);
      const near = random.pick([...changes, ...autumn]);
      const after = near + (random.int(3 * 24 * 60) - 36 * 60) * minute + random.int(minute);
      const until = after + 30 * 24 * 60 * minute;
      const walked = (isMoved: boolean): number | undefined =>
        walk(cron, clocks.get(zone)!, after, until, isMoved);
      const first = nextRun(readSchedule(cron)!, zone, after);
      const next = first === undefined || first > until ? undefined : first;
      const expected = walked(true);
      if (expected !== undefined) found++;
      const said = `${cron} ${zone} after ${new Date(after).toISOString()}`;
      if (next !== expected) assert.equal(next, walked(false), said);
    }
    assert.isAbove(found, 150);
  });

  const cases: readonly (readonly [string, string, string, string, string])[] = [
    [
      'goes on in both hours that a clock shows',
      '*/30 * * * *',
      'Europe/Berlin',
      '2026-10-25T00:45:00Z',
      '2026-10-25T01:00:00Z',
    ],
    [
      'is once at a time that a clock shows twice',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-25T00:30:00Z',
      '2026-10-26T01:30:00Z',
    ],
    [
      'is at the change that skips its time',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00:00Z',
    ],
    [
      'goes on after a clock that goes back over midnight',
      '* * * * 0',
      'America/St_Johns',
      '2006-10-29T03:00:00Z',
      '2006-10-29T03:30:00Z',
    ],
    [
      'finds the next leap year',
      '0 0 29 2 *',
      'UTC',
      '2097-01-01T00:00:00Z',
      '2104-02-29T00:00:00Z',
    ],
    [
      'is either of two days',
      '0 0 13 * fri',
      'UTC',
      '2026-11-09T00:00:00Z',
      '2026-11-13T00:00:00Z',
    ],
    [
      'is a whole minute, and never now',
      '* * * * *',
      'UTC',
      '2026-11-20T12:00:00Z',
      '2026-11-20T12:01:00Z',
    ],
  ];
  for (const [does, cron, zone, after, expected] of cases) {
    it(does, () => {
      const next = nextRun(readSchedule(cron)!, zone, Date.parse(after));
      assert.equal(next && new Date(next).toISOString().replace('.000', ''), expected);
    });
  }

  it('is unknown if there is none, and in an unknown time zone', () => {
    const now = Date.UTC(2026, 10, 20);
    assert.isUndefined(nextRun(readSchedule('0 0 30 2 *')!, 'UTC', now));
    for (const zone of ['Mars/Olympus', 'local', '', 'x'.repeat(300)]) {
      assert.isUndefined(nextRun(readSchedule('* * * * *')!, zone, now), zone);
    }
  });
});
