import type { components } from '../../src/api/generated/schema';
import { hour } from '../../src/base/clock';
import { getOrMake } from '../../src/base/maps';

type Localization = components['schemas']['LogLocalization'];
type Rendering = Localization['timestamps'][string];

const timeZone = 'Europe/Berlin';
const formats = new Intl.DateTimeFormat('sv-SE', {
  timeZone,
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** By hour: how far the time zone is ahead of UTC then. Formatting each time would be slow. */
const offsets = new Map<number, number>();

function offsetAt(time: number): number {
  const start = Math.floor(time / hour) * hour;
  if (offsets.size > 1000) offsets.clear();
  return getOrMake(offsets, start, () => {
    const local = formats.format(start).replace(' ', 'T');
    return Date.parse(`${local}Z`) - start;
  });
}

function render(time: number): Rendering {
  const offset = offsetAt(time);
  const inputDateTime = new Date(time + offset).toISOString().slice(0, 19);
  const [date = '', clock = ''] = inputDateTime.split('T');
  return {
    date,
    time: clock,
    dateTime: `${date} ${clock}`,
    timeZone,
    zoneLabel: offset === hour ? 'CET' : 'CEST',
    epochMilliseconds: time,
    inputDateTime,
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
