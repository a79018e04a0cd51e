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
  | { readonly kind: 'redirect'; readonly location: string }
  /** Invalid JSON, or JSON of the wrong shape; not in a stream. */
  | { readonly kind: 'malformedJson' | 'wrongSchema' }
  /** Only the delay that every fault can have. */
  | { readonly kind: 'latency' }
  /** 410, only for requests with a cursor. */
  | { readonly kind: 'cursorRefused' }
  /** A search has the cursor of the request as its next one, and so never ends. */
  | { readonly kind: 'sameCursor' }
  /** The next page of a stream comes twice. */
  | { readonly kind: 'duplicatePage' }
  /** A page, also the next one of a stream, is marked as partial. */
  | { readonly kind: 'partial' }
  /** An `error` event in the stream after so many pages (0), which then ends. */
  | { readonly kind: 'errorEvent'; readonly status: number; readonly afterPages?: number }
  /** The access of the key changes, or the key is revoked, before the request. */
  | { readonly kind: 'accessRevision' | 'revokeKey' }
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

/** Faults apply in the order in which they were added, one for each request. */
export class Faults {
  private waiting: { readonly fault: Fault; times: number; skip: number }[] = [];

  /** How many more requests the faults will affect. */
  get pending(): number {
    return this.waiting.reduce((sum, { times }) => sum + times, 0);
  }

  add(fault: Fault): void {
    this.waiting.push({ fault, times: fault.times ?? 1, skip: fault.skip ?? 0 });
  }

  /** The fault for this request; counts as one of its times. */
  next(
    endpoint: string,
    { hasCursor, url }: { readonly hasCursor: boolean; readonly url: string },
  ): Fault | undefined {
    for (const entry of this.waiting) {
      const { fault } = entry;
      if (fault.endpoint !== undefined && fault.endpoint !== endpoint) continue;
      if (fault.path !== undefined && !url.includes(fault.path)) continue;
      if (fault.kind === 'cursorRefused' && !hasCursor) continue;
      if (entry.skip > 0) {
        entry.skip--;
        continue;
      }
      entry.times--;
      if (entry.times <= 0) this.waiting = this.waiting.filter((other) => other !== entry);
      return fault;
    }
    return undefined;
  }

  clear(): void {
    this.waiting = [];
  }
}
