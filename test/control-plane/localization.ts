import type { components } from '../../src/api/generated/schema';

type Localization = components['schemas']['LogLocalization'];
type Rendering = Localization['timestamps'][string];

const timeZone = 'Europe/Berlin';
const formatter = new Intl.DateTimeFormat('en-GB', {
  timeZone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});

/** The time zone at each requested hour, cached because formatting is slow. */
const zones = new Map<number, { readonly offset: number; readonly label: string }>();
const hour = 3_600_000;

function zoneAt(time: number): { readonly offset: number; readonly label: string } {
  const start = Math.floor(time / hour) * hour;
  const known = zones.get(start);
  if (known) return known;
  const part = Object.fromEntries(
    formatter.formatToParts(start).map(({ type, value }) => [type, value]),
  );
  const local = `${part['year']}-${part['month']}-${part['day']}T${part['hour']}:${part['minute']}:${part['second']}Z`;
  const zone = { offset: Date.parse(local) - start, label: part['timeZoneName'] ?? timeZone };
  if (zones.size > 1000) zones.clear();
  zones.set(start, zone);
  return zone;
}

function render(time: number): Rendering {
  const { offset, label } = zoneAt(time);
  const local = new Date(time + offset).toISOString();
  const date = local.slice(0, 10);
  const clock = local.slice(11, 19);
  return {
    date,
    time: clock,
    dateTime: `${date} ${clock}`,
    timeZone,
    zoneLabel: label,
    epochMilliseconds: time,
    inputDateTime: `${date}T${clock}`,
  };
}

/** Collects every timestamp of an answer, by the name of its member (`createdAt`, `checked_at`). */
function timestampsOf(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string' && /(?:At|_at)$/.test(name)) found.add(member);
    else timestampsOf(member, found);
  }
}

/** The date and time format of this workspace, with the timestamps of `answer` formatted. */
export function localizationOf(answer: unknown): Localization {
  const found = new Set<string>();
  timestampsOf(answer, found);
  return {
    dateFormat: 'year-month-day',
    timeFormat: '24-hour-seconds',
    timeZone,
    timestamps: Object.fromEntries(
      [...found].flatMap((text) => {
        const time = Date.parse(text);
        return Number.isNaN(time) ? [] : [[text, render(time)]];
      }),
    ),
  };
}
