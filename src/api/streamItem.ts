import type { LogPage } from './types';

/** One thing that the log stream said. */
export type StreamItem =
  | { readonly kind: 'page'; readonly page: LogPage }
  /** A comment or an event of another name: a sign of life and nothing else. */
  | { readonly kind: 'heartbeat' }
  /** The server's wish for the delay before the next connect, bounded to 0.5 to 60 s. */
  | { readonly kind: 'retry'; readonly ms: number };
