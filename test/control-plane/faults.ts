/** Kinds of faults. Byte counts are those of the body. */
export type FaultAction =
  /**
   * The body fails after this many bytes (0): `reset` sends RST, `cut` closes without the last
   * chunk, `end` closes as if the body were complete, `stall` keeps the connection open and silent.
   */
  | { readonly kind: 'reset' | 'cut' | 'end' | 'stall'; readonly afterBytes?: number }
  /** The body arrives in pieces of `bytes`, `ms` apart. */
  | { readonly kind: 'trickle'; readonly bytes: number; readonly ms: number }
  /**
   * The body is compressed; with `flushed` each piece arrives at once, otherwise at the end. If
   * `afterBytes` is set, it fails as `then` says (cut) after so many compressed bytes.
   */
  | {
      readonly kind: 'gzip';
      readonly flushed?: boolean;
      readonly afterBytes?: number;
      readonly then?: 'cut' | 'end' | 'stall';
    }
  /** The headers announce a compressed body, but it is not compressed. */
  | { readonly kind: 'notGzip' }
  /** An error (or any other) status; with `accepted`, only after the request was carried out. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly code?: string;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Replaces the error object. */
      readonly body?: string;
      readonly accepted?: boolean;
    }
  /** A 200 with an HTML page instead of an answer. */
  | { readonly kind: 'html' }
  | { readonly kind: 'noContent' }
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: number }
  /** Invalid JSON; in a stream, in the data of one event. */
  | { readonly kind: 'malformedJson'; readonly afterPages?: number }
  /** Valid JSON of the wrong shape: `records` is not a list, or members are missing. */
  | { readonly kind: 'wrongSchema'; readonly afterPages?: number }
  /** Only the delay that every fault can have. */
  | { readonly kind: 'latency' }
  /** Only for requests with a cursor: 410, or the given 400, 409 or 422. */
  | { readonly kind: 'cursorRefused'; readonly status?: number; readonly code?: string }
  /**
   * A stream sends its page twice; with `sameCursor`, the cursor of the previous page, with which a
   * search never ends.
   */
  | { readonly kind: 'duplicatePage' | 'sameCursor'; readonly afterPages?: number }
  | { readonly kind: 'partial'; readonly afterPages?: number }
  /** An `error` event in the stream, which then ends. */
  | {
      readonly kind: 'errorEvent';
      readonly status: number;
      readonly code?: string;
      readonly message?: string;
      readonly afterPages?: number;
    }
  /** The access of the key changes, or the key is revoked, before the request or a page. */
  | { readonly kind: 'accessRevision' | 'revokeKey'; readonly afterPages?: number }
  /** The server stops and listens on the same port again after `downMs`. */
  | { readonly kind: 'restart'; readonly downMs: number };

export type Fault = FaultAction & {
  /** The operation id in the contract, such as `post_logs_tail`; default: every operation. */
  readonly endpoint?: string;
  /** Only requests whose path and query contain this text, such as the id of one source. */
  readonly path?: string;
  /** How many requests it affects (1). */
  readonly times?: number;
  /** How many requests it skips first (0). */
  readonly skip?: number;
  /** Delay in milliseconds before anything else happens (0). */
  readonly latencyMs?: number;
};

export interface Faults {
  add(fault: Fault): void;
  /** The fault for this request; counts as one of its times. */
  take(
    endpoint: string,
    request: { readonly hasCursor: boolean; readonly url: string },
  ): Fault | undefined;
  clear(): void;
  /** How many more requests the remaining faults will affect. */
  readonly pending: number;
}

/** Faults apply in the order in which they were added, one for each request. */
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
