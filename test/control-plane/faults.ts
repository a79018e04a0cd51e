/** What goes wrong. Bytes are bytes of the body. */
export type FaultAction =
  /** The body goes wrong after so many bytes (0): `reset` sends RST, `cut` closes without the last
   * chunk, `end` closes as if all had been sent, `stall` keeps silent and the connection open. */
  | { readonly kind: 'reset' | 'cut' | 'end' | 'stall'; readonly afterBytes?: number }
  /** The body comes `bytes` at a time, `ms` apart. */
  | { readonly kind: 'trickle'; readonly bytes: number; readonly ms: number }
  /** The body is compressed; `flushed`: so that each piece arrives at once, else when it ends. Goes
   * wrong as `then` says (cut) after so many compressed bytes, where given. */
  | {
      readonly kind: 'gzip';
      readonly flushed?: boolean;
      readonly afterBytes?: number;
      readonly then?: 'cut' | 'end' | 'stall';
    }
  /** The headers say that the body is compressed, and it is not. */
  | { readonly kind: 'notGzip' }
  /** An error (or any other) status; `accepted`: only after the request was carried out. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly code?: string;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Instead of the error object. */
      readonly body?: string;
      readonly accepted?: boolean;
    }
  /** A 200 with a page for people instead of an answer. */
  | { readonly kind: 'html' }
  | { readonly kind: 'noContent' }
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: number }
  /** No JSON; in a stream the data of one event. */
  | { readonly kind: 'malformedJson'; readonly afterPages?: number }
  /** JSON of another form: `records` is no list, members are missing. */
  | { readonly kind: 'wrongSchema'; readonly afterPages?: number }
  /** Nothing but the delay that every fault may have. */
  | { readonly kind: 'latency' }
  /** Only for requests with a cursor: 410, or 400, 409, 422 where given. */
  | { readonly kind: 'cursorRefused'; readonly status?: number; readonly code?: string }
  /** The page of a stream comes twice; `sameCursor`: with the cursor of the page before it, which a
   * search goes round in circles with. */
  | { readonly kind: 'duplicatePage' | 'sameCursor'; readonly afterPages?: number }
  | { readonly kind: 'partial'; readonly afterPages?: number }
  /** A page of a search has this many records at most (from 1), though more match: as where a server
   * looks only so far for each page. */
  | { readonly kind: 'sparse'; readonly records: number }
  /** An `error` event in the stream, which then ends. */
  | {
      readonly kind: 'errorEvent';
      readonly status: number;
      readonly code?: string;
      readonly message?: string;
      readonly afterPages?: number;
    }
  /** Lines sent as they are into the stream before a page: comments, unknown events, `retry:`. */
  | { readonly kind: 'raw'; readonly text: string; readonly afterPages?: number }
  /** What the key may see changes, or the key is revoked, before the request or a page. */
  | { readonly kind: 'accessRevision' | 'revokeKey'; readonly afterPages?: number }
  /** The server goes away and comes back at the same port after `downMs`. */
  | { readonly kind: 'restart'; readonly downMs: number };

export type Fault = FaultAction & {
  /** The operation id in the contract, such as `post_logs_tail`; any where it is left out. */
  readonly endpoint?: string;
  /** Only requests whose path and query contain this, such as the id of one source. */
  readonly path?: string;
  /** How many requests it meets (1). */
  readonly times?: number;
  /** How many requests it lets pass first (0). */
  readonly skip?: number;
  /** Milliseconds before anything else happens (0). */
  readonly latencyMs?: number;
};

export interface Faults {
  add(fault: Fault): void;
  /** The fault that this request meets, which counts as one of its times. */
  take(
    endpoint: string,
    request: { readonly hasCursor: boolean; readonly url: string },
  ): Fault | undefined;
  clear(): void;
  /** How many requests the faults that are left will still meet. */
  readonly pending: number;
}

/** Faults are met in the order in which they were asked for, one by each request. */
export function createFaults(): Faults {
  let waiting: { fault: Fault; times: number; skip: number }[] = [];
  return {
    add(fault) {
      waiting.push({ fault, times: fault.times ?? 1, skip: fault.skip ?? 0 });
    },
    take(endpoint, { hasCursor, url }) {
      for (const entry of waiting) {
        const { fault } = entry;
        if (fault.endpoint !== undefined && fault.endpoint !== endpoint) continue;
        if (fault.path !== undefined && !url.includes(fault.path)) continue;
        if (fault.kind === 'cursorRefused' && !hasCursor) continue;
        if (entry.skip > 0) {
          entry.skip--;
          continue;
        }
        entry.times--;
        if (entry.times <= 0) waiting = waiting.filter((other) => other !== entry);
        return fault;
      }
      return undefined;
    },
    clear() {
      waiting = [];
    },
    get pending() {
      return waiting.reduce((sum, { times }) => sum + times, 0);
    },
  };
}
