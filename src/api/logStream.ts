import type { LogPage } from './types';

/** One thing that the log stream said. */
export type StreamItem =
  | { readonly kind: 'page'; readonly page: LogPage }
  /** A comment or an event of another name: a sign of life and nothing else. */
  | { readonly kind: 'heartbeat' }
  /** The server's wish for the delay before the next connect, bounded to 0.5 to 60 s. */
  | { readonly kind: 'retry'; readonly ms: number };

/**
 * An open log stream: what each chunk of the body held, in order, as it arrives; it may be nothing
 * yet. It ends when the server closes it and throws an `ApiError` where the connection breaks, the
 * stream breaks its contract, or an error comes as an event; what came before the fault is yielded
 * first. Leaving the loop closes the connection.
 */
export type LogStream = AsyncIterable<readonly StreamItem[]>;
