import { type Clock, minute } from '../../src/base/clock';
import type { LogRecord } from '../../src/api/types';
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

/** Requests and what was sent, for tests that compare them with what a client shows. */
export interface Journal {
  readonly requests: readonly ReceivedRequest[];
  readonly sent: readonly string[];
  readonly reports: Report[];
  received(request: ReceivedRequest): void;
  report(kind: ReportKind, what: string, request: ReceivedRequest): void;
  /** Counts a request until it ends, unless it is a stream. */
  begins(key: Key, request: ReceivedRequest, signal: AbortSignal): void;
  /** Records when this request may be repeated: the Retry-After of a 429. */
  refusedForRate(request: ReceivedRequest, retryAfter: string): void;
  /** Reports a request that comes too early. */
  arrives(request: ReceivedRequest): void;
  gave(records: readonly LogRecord[]): void;
  clear(): void;
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

/** @param graceMs see `CoreOptions`. */
export function createJournal(clock: Clock, graceMs: number): Journal {
  const requests: ReceivedRequest[] = [];
  const given: string[] = [];
  const reports: Report[] = [];
  const underWay = new Map<Key, Set<AbortSignal>>();
  /** The end of the wait (monotonic time) by request. */
  const waits = new Map<string, number>();
  /** By key and group. */
  const refused = new Map<string, Map<string, Refused>>();

  const report: Journal['report'] = (kind, what, request) =>
    void reports.push({ kind, what, request });

  return {
    requests,
    sent: given,
    reports,
    received(request) {
      if (requests.length >= maxRequests) requests.shift();
      requests.push(request);
    },
    report,
    begins(key, request, signal) {
      const others = underWay.get(key) ?? new Set();
      underWay.set(key, others);
      others.add(signal);
      signal.addEventListener('abort', () => others.delete(signal), { once: true });
      if (others.size <= mostAtOnce) return;
      const now = [...others];
      // An abort may take a moment to reach the server: such requests do not count.
      clock.setTimer(() => {
        const real = now.filter(({ aborted, reason }) => !aborted || reason === sent).length;
        if (real <= mostAtOnce) return;
        report('tooManyAtOnce', `${real} requests of ${key.name} are in progress.`, request);
      }, 50);
    },
    refusedForRate(request, retryAfter) {
      const ms = /^\d+(?:\.\d+)?$/.test(retryAfter)
        ? Number(retryAfter) * 1000
        : Date.parse(retryAfter) - clock.now();
      if (!(ms > 0)) return;
      const at = clock.monotonic();
      waits.set(askedBy(request), at + ms);
      const groups = refused.get(request.key ?? '') ?? new Map<string, Refused>();
      refused.set(request.key ?? '', groups);
      const until = Math.max(at + ms, groups.get(groupOf(request))?.until ?? 0);
      groups.set(groupOf(request), { at, until });
    },
    arrives(request) {
      const now = clock.monotonic();
      const left = (waits.get(askedBy(request)) ?? 0) - now;
      if (left > 0) {
        report('beforeRetryAfter', `Repeated ${left} ms too early.`, request);
        return;
      }
      const groups = refused.get(request.key ?? '') ?? new Map<string, Refused>();
      // Others may have been on their way.
      const heard = [...groups].filter(([, { at }]) => now > at + graceMs);
      const isShared = heard.filter(([, { until }]) => until > now - lately).length > 1;
      for (const [group, { until }] of heard) {
        if (until <= now) continue;
        if (!isShared && group !== groupOf(request)) continue;
        report('beforeRetryAfter', `Sent ${until - now} ms too early.`, request);
        return;
      }
    },
    gave(records) {
      for (const { eventId } of records) given.push(eventId);
    },
    clear() {
      requests.length = 0;
      given.length = 0;
      waits.clear();
      refused.clear();
    },
  };
}

function groupOf({ method, url }: ReceivedRequest): string {
  if (url.includes('/logs/')) return 'logs';
  return method === 'GET' ? 'read' : 'action';
}

/** Identifies a request of a key by its content: a retry has the same. */
function askedBy({ key, method, url, headers, body }: ReceivedRequest): string {
  return JSON.stringify([key, method, url, headers['idempotency-key'], body]);
}
