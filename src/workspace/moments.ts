import type { Formats } from './store';

/** Times as people read them. */
export interface Moments {
  /** Date, time and zone in the formats of the workspace; other text as it came. */
  moment(iso: string): string;
  /** How long ago or how soon, such as `3 min. ago`; other text as it came. */
  relative(iso: string): string;
  /** A length of time, such as `1m 10s`. */
  duration(milliseconds: number): string;
}

export interface MomentsOptions {
  /** How the workspace writes dates and times, as far as is known. */
  readonly formats: () => Formats;
  /** Wall-clock milliseconds since 1970. */
  readonly now: () => number;
  /** A BCP 47 tag, such as that of the editor's language. */
  readonly locale: string;
}

export declare function createMoments(options: MomentsOptions): Moments;
