import type { Clock } from '../../src/api/clock';
import type { LogRecord } from '../../src/api/types';
import type { Key } from './keys';

const maxRequests = 20_000;
/** A client has no reason to ask more than this at once. */
const mostAtOnce = 6;

export interface ReceivedRequest {
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The name of the key, where it was a valid one. */
  key: string | undefined;
  /** As it came, byte for byte. */
  readonly body: string | undefined;
  /** Undefined as long as nothing was answered, and where the client has gone before. */
  status: number | undefined;
  /** Whether its answer has been sent or the client has gone. */
  isOver: boolean;
}

/**
 * What a client does that no test expects, so that one that provokes it says so:
 *
 * - `foreignKey`: a request with a key of another control plane.
 * - `forbiddenKey`: one with a key that the test has forbidden, as after a sign-out.
 * - `otherFilters`: a cursor with other filters than it was issued for.
 * - `brokenContract`: what the client should have refused: unknown members, values outside the
 *   limits, endpoints that do not exist, cursors that nobody issued.
 * - `tooManyAtOnce`: more than six requests of one key at once. Streams are not counted: each is a
 *   tail that a person has opened, is to stay open, and would leave less and less for all else.
 * - `beforeRetryAfter`: the very request that a 429 has refused, before its Retry-After is over. Another
 *   one to the same endpoint may come, since a client asks for many things, each on its own.
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
  /** What was wrong, for people. */
  readonly what: string;
  readonly request: ReceivedRequest;
}

/** What came in and what went out, for tests that compare it with what a client shows. */
export interface Journal {
  readonly requests: readonly ReceivedRequest[];
  readonly sent: readonly string[];
  readonly reports: Report[];
  received(request: ReceivedRequest): void;
  report(kind: ReportKind, what: string, request: ReceivedRequest): void;
  /** Counts a request that is no stream as long as it is under way. */
  begins(key: Key, request: ReceivedRequest, signal: AbortSignal): void;
  /** Remembers when this request may come again: the Retry-After of a 429. */
  refusedForRate(request: ReceivedRequest, retryAfter: string): void;
  /** Reports a request that comes again too early. */
  arrives(request: ReceivedRequest): void;
  gave(records: readonly LogRecord[]): void;
  clear(): void;
}

/** Why a request is over. */
export const sent = 'sent';

export function createJournal(clock: Clock): Journal {
  const requests: ReceivedRequest[] = [];
  const given: string[] = [];
  const reports: Report[] = [];
  const underWay = new Map<Key, Set<AbortSignal>>();
  /** By what was asked: the end of the wait on the monotonic axis. */
  const waits = new Map<string, number>();

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
      // What a client has given up may take a moment to be known here: it does not count.
      clock.setTimer(() => {
        const real = now.filter(({ aborted, reason }) => !aborted || reason === sent).length;
        if (real <= mostAtOnce) return;
        report('tooManyAtOnce', `${real} requests of ${key.name} are under way.`, request);
      }, 50);
    },
    refusedForRate(request, retryAfter) {
      const ms = /^\d+(?:\.\d+)?$/.test(retryAfter)
        ? Number(retryAfter) * 1000
        : Date.parse(retryAfter) - clock.now();
      if (ms > 0) waits.set(askedBy(request), clock.monotonic() + ms);
    },
    arrives(request) {
      const left = (waits.get(askedBy(request)) ?? 0) - clock.monotonic();
      if (left > 0) report('beforeRetryAfter', `It comes again ${left} ms too early.`, request);
    },
    gave(records) {
      for (const { eventId } of records) given.push(eventId);
    },
    clear() {
      requests.length = 0;
      given.length = 0;
      waits.clear();
    },
  };
}

/** The same for the same request of the same key: a retry is one that asks for nothing else. */
function askedBy({ key, method, url, headers, body }: ReceivedRequest): string {
  return JSON.stringify([key, method, url, headers['idempotency-key'], body]);
}
