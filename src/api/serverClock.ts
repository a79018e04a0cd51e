import { type Clock, second } from '../base/clock';
import { parseHttpDate } from './retryPolicy';

/** Smaller differences count as none: a server may remember the text of its time for a while. */
const tolerance = 5 * second;

/**
 * The clock of a control plane, by the `Date` headers of its answers. It sets the times of records, so
 * every range of records is made with it. Until the first answer, it is the clock of this machine.
 */
export class ServerClock {
  private readonly clock: Clock;
  /** In milliseconds. */
  private ahead = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.clock.now() + this.ahead;
  }

  /**
   * An answer began to arrive.
   *
   * @param date its `Date` header, which has whole seconds; null or invalid: the answer says nothing.
   * @param sentAt when the request was sent, by the wall clock of this machine.
   * @returns when it was written by this clock, in milliseconds since 1970: as its header says, even if the
   *   difference counts as none.
   */
  heard(date: string | null, sentAt: number): number {
    const time = parseHttpDate(date ?? '');
    if (time === undefined) return this.now();
    // The header was written between these two times, however long the answer took.
    const least = time - this.clock.now();
    const most = time + second - sentAt;
    const isWithin = (ahead: number): boolean =>
      ahead >= least - tolerance && ahead <= most + tolerance;
    if (isWithin(0)) this.ahead = 0;
    else if (!isWithin(this.ahead)) this.ahead = (least + most) / 2;
    return time;
  }
}
