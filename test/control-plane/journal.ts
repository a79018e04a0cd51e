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
 * - `beforeRetryAfter`: a request of the same key to the same endpoint (or the same path, where the
 *   fault is one of a path) before the Retry-After of a 429 is over.
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
  /** Remembers when the next request of this key may come: the Retry-After of a 429. */
  refusedForRate(key: Key, place: string, retryAfter: string): void;
  /** Reports a request that comes too early to one of these places. */
  arrives(key: Key, places: readonly string[], request: ReceivedRequest): void;
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
  /** By key and place: the end of the wait on the monotonic axis. */
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
    refusedForRate(key, place, retryAfter) {
      const ms = /^\d+(?:\.\d+)?$/.test(retryAfter)
        ? Number(retryAfter) * 1000
        : Date.parse(retryAfter) - clock.now();
      if (ms > 0) waits.set(`${key.name} ${place}`, clock.monotonic() + ms);
    },
    arrives(key, places, request) {
      for (const place of places) {
        const left = (waits.get(`${key.name} ${place}`) ?? 0) - clock.monotonic();
        if (left > 0) report('beforeRetryAfter', `${left} ms too early for ${place}.`, request);
      }
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
