import type { LogQueryResponse } from '../../src/api/types';

type Localization = LogQueryResponse['localization'];
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

function render(timestamp: string): Rendering {
  const time = Date.parse(timestamp);
  const part = Object.fromEntries(
    formatter.formatToParts(time).map(({ type, value }) => [type, value]),
  );
  const date = `${part['year']}-${part['month']}-${part['day']}`;
  const clock = `${part['hour']}:${part['minute']}:${part['second']}`;
  return {
    date,
    time: clock,
    dateTime: `${date} ${clock}`,
    timeZone,
    zoneLabel: part['timeZoneName'] ?? timeZone,
    epochMilliseconds: time,
    inputDateTime: `${date}T${clock}`,
  };
}

/** Every timestamp of an answer, found by the name of its member (`createdAt`, `checked_at`). */
function timestampsOf(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string' && /(?:At|_at)$/.test(name)) found.add(member);
    else timestampsOf(member, found);
  }
}

/** How this workspace writes dates and times, with the timestamps of `answer` written so. */
export function localizationOf(answer: unknown): Localization {
  const found = new Set<string>();
  timestampsOf(answer, found);
  return {
    dateFormat: 'year-month-day',
    timeFormat: '24-hour-seconds',
    timeZone,
    timestamps: Object.fromEntries([...found].map((text) => [text, render(text)])),
  };
}
