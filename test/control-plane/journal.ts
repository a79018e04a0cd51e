import { type Clock, minute } from '../../src/base/clock';
import { getOrMake } from '../../src/base/maps';
import type { Key } from './keys';

const maxRequests = 20_000;
/** A client has no reason to send more requests than this at once. */
const mostAtOnce = 6;

export interface ReceivedRequest {
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The name of the key, if it was valid. */
  key: string | undefined;
  /** Exactly as received. */
  readonly body: string | undefined;
  /** Undefined until an answer is sent, and if the client disconnected before that. */
  status: number | undefined;
  /** Whether its answer has been sent or the client has disconnected. */
  isOver: boolean;
}

/**
 * Unexpected behaviour of a client. A test that provokes it says so:
 *
 * - `foreignKey`: a request with a key of another control plane.
 * - `forbiddenKey`: a request with a key that the test has forbidden, as after a sign-out.
 * - `otherFilters`: a cursor with other filters than it was issued for.
 * - `brokenContract`: a request that the client should not have sent: unknown members, values
 *   outside the limits, missing endpoints, cursors that were never issued.
 * - `tooManyAtOnce`: more than six requests of one key at once. Streams do not count: each is a
 *   tail that a person opened and that stays open.
 * - `beforeRetryAfter`: a request before the Retry-After of a 429 to its key has passed: one of the same
 *   group (logs, reading, actions), or any if another group was refused lately, too. The document does
 *   not say what is counted together, so a client may find out once.
 * - `mistake`: the control plane itself has failed.
 */
export type ReportKind =
  | 'foreignKey'
  | 'forbiddenKey'
  | 'otherFilters'
  | 'brokenContract'
  | 'tooManyAtOnce'
  | 'beforeRetryAfter'
  | 'mistake';

export interface Report {
  readonly kind: ReportKind;
  /** What was wrong, as a sentence. */
  readonly what: string;
  readonly request: ReceivedRequest;
}

/** The reason of an exchange that ended with its answer. */
export const sent = 'sent';

/** A group of requests of a key that was refused for its rate, by monotonic time. */
interface Refused {
  readonly at: number;
  readonly until: number;
}

/** How long a second group that was refused says that both are counted together. */
const lately = 10 * minute;

/** What was requested, and what was wrong with it. */
export class Journal {
  readonly requests: ReceivedRequest[] = [];
  readonly reports: Report[] = [];
  /** The highest number of streams open at the same time. */
  mostStreams = 0;
  private readonly underWay = new Map<Key, Set<AbortSignal>>();
  /** The end of the wait (monotonic time) by request. */
  private readonly waits = new Map<string, number>();
  /** By key and group. */
  private readonly refused = new Map<string, Map<string, Refused>>();

  /** @param graceMs see `CoreOptions`. */
  constructor(
    private readonly clock: Clock,
    private readonly graceMs: number,
  ) {}

  received(request: ReceivedRequest): void {
    if (this.requests.length >= maxRequests) this.requests.shift();
    this.requests.push(request);
  }

  report(kind: ReportKind, what: string, request: ReceivedRequest): void {
    // Anybody may ask whether there is a description.
    if (kind === 'brokenContract' && request.url === '/v1/api/openapi.json') return;
    this.reports.push({ kind, what, request });
  }

  /** Counts a request until it ends. */
  begins(key: Key, request: ReceivedRequest, signal: AbortSignal): void {
    const others = getOrMake(this.underWay, key, () => new Set());
    others.add(signal);
    signal.addEventListener('abort', () => others.delete(signal), { once: true });
    if (others.size <= mostAtOnce) return;
    const now = [...others];
    // An abort may take a moment to reach the server: such requests do not count.
    this.clock.setTimer(() => {
      const real = now.filter(({ aborted, reason }) => !aborted || reason === sent).length;
      if (real <= mostAtOnce) return;
      this.report('tooManyAtOnce', `${real} requests of ${key.name} are in progress.`, request);
    }, 50);
  }

  /** Records when this request may be repeated: the Retry-After of a 429. */
  refusedForRate(request: ReceivedRequest, retryAfter: string): void {
    const ms = /^\d+(?:\.\d+)?$/.test(retryAfter)
      ? Number(retryAfter) * 1000
      : Date.parse(retryAfter) - this.clock.now();
    if (!(ms > 0)) return;
    const at = this.clock.monotonic();
    this.waits.set(askedBy(request), at + ms);
    const groups = this.refusedOf(request);
    const until = Math.max(at + ms, groups.get(groupOf(request))?.until ?? 0);
    groups.set(groupOf(request), { at, until });
  }

  /** Reports a request that comes too early. */
  arrives(request: ReceivedRequest): void {
    const now = this.clock.monotonic();
    const left = (this.waits.get(askedBy(request)) ?? 0) - now;
    if (left > 0) {
      this.report('beforeRetryAfter', `Repeated ${left} ms too early.`, request);
      return;
    }
    // Others may have been on their way.
    const refused = [...this.refusedOf(request)].filter(([, { at }]) => now > at + this.graceMs);
    const isShared = refused.filter(([, { until }]) => until > now - lately).length > 1;
    const early = refused.find(
      ([group, { until }]) => until > now && (isShared || group === groupOf(request)),
    );
    if (early === undefined) return;
    this.report('beforeRetryAfter', `Sent ${early[1].until - now} ms too early.`, request);
  }

  clear(): void {
    this.requests.length = 0;
    this.waits.clear();
    this.refused.clear();
  }

  private refusedOf({ key = '' }: ReceivedRequest): Map<string, Refused> {
    return getOrMake(this.refused, key, () => new Map<string, Refused>());
  }
}

function groupOf({ method, url }: ReceivedRequest): string {
  if (url.includes('/logs/')) return 'logs';
  return method === 'GET' ? 'read' : 'action';
}

/** Identifies a request of a key by its content: a retry has the same. */
function askedBy({ key, method, url, headers, body }: ReceivedRequest): string {
  return JSON.stringify([key, method, url, headers['idempotency-key'], body]);
}
