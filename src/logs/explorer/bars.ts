import { BoundedMap } from '../../base/boundedMap';
import { day, hour, minute, second } from '../../base/clock';
import { getOrMake } from '../../base/maps';
import { instantOf, wallTime } from '../../base/timeFormat';
import type { TimeSpan } from './protocol/view';

/** The lengths of bars in milliseconds; longer ones are multiples of a day. */
const lengths: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  day,
];

/** Clocks of all zones change at a multiple of this. */
const slot = 15 * minute;
/** How many days are remembered. */
const mostDays = 5000;

/**
 * Bars of one length in a time zone. They begin where a person looks for them, at midnight, the full or the half hour
 * of that zone, also after its clock changed: a bar of a day may then have 23 or 25 hours.
 */
export class Bars {
  /** How far the zone's clock is ahead of UTC: by day, and by slot of a day on which it changes. */
  private readonly offsets = {
    days: new BoundedMap<number, number | 'changes'>(mostDays),
    slots: new BoundedMap<number, number>(mostDays),
  };

  /**
   * @param length in milliseconds.
   * @param timeZone `local`, `utc` or an IANA name.
   */
  constructor(
    readonly length: number,
    readonly timeZone: string,
  ) {}

  /** The shortest bars of which at most `most` cover a range. */
  static covering(range: TimeSpan, most: number, timeZone: string): Bars {
    const bars = lengths.map((length) => new Bars(length, timeZone));
    const fit = bars.find((one) => one.count(range) <= most);
    if (fit !== undefined) return fit;
    let days = Math.max(1, Math.ceil((range.to - range.from) / day / most));
    while (new Bars(days * day, timeZone).count(range) > most) days++;
    return new Bars(days * day, timeZone);
  }

  /** How many cover a range. */
  count({ from, to }: TimeSpan): number {
    return this.numberOf(to) - this.numberOf(from) + 1;
  }

  /** The number of the bar of a time, in milliseconds since 1970. Later ones have higher numbers. */
  numberOf(time: number): number {
    return Math.floor((time + this.shift(time)) / this.length);
  }

  /** When the bar with this number begins. */
  startOf(number: number): number {
    const wall = number * this.length;
    return this.length > hour ? instantOf(wall, this.timeZone) : wall - this.shift(wall);
  }

  /**
   * How far the beginnings are from those in UTC. An hour that a clock has twice is two bars of an hour, but one of
   * several hours.
   */
  private shift(time: number): number {
    if (this.length <= minute) return 0;
    const offset = this.offsetAt(time);
    return this.length > hour ? offset : ((offset % hour) + hour) % hour;
  }

  private offsetAt(time: number): number {
    const { days, slots } = this.offsets;
    const start = Math.floor(time / day) * day;
    const offset = getOrMake(days, start, () => {
      const first = this.read(start);
      return first === this.read(start + day) ? first : 'changes';
    });
    if (offset !== 'changes') return offset;
    const nearest = Math.floor(time / slot) * slot;
    return getOrMake(slots, nearest, () => this.read(nearest));
  }

  private read(instant: number): number {
    return wallTime(instant, this.timeZone) - instant;
  }
}
