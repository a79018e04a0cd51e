import type { CallOptions, ClientOptions } from './client';
import { delay } from './clock';
import { ApiError } from './errors';
import { type EndpointClass, endpointClassOf, nextTry, retryRules } from './retryPolicy';
import { type HttpAnswer, type RequestEntry, type Sending, sendRequest } from './sendRequest';
import type { ServerClock } from './serverClock';
import { isHeaderValue } from './validateRequest';

/** A 429 with `Retry-After`, and when it ends. */
interface RateLimit {
  readonly error: ApiError;
  /** Milliseconds on the monotonic clock. */
  readonly until: number;
}

/** The last 429 with `Retry-After` of each endpoint class, for one connection. */
type RateLimits = Map<EndpointClass, RateLimit>;

/** What all calls of a connection share. */
export interface Heard {
  /**
   * After a call received a 429, no request is sent before its Retry-After is over. Until then, it
   * fails as if it had received that 429.
   */
  readonly limits: RateLimits;
  readonly serverClock: ServerClock;
}

/**
 * Runs an operation with as many tries as its rule allows.
 *
 * @param heard shared by all calls of a connection.
 * @param ask builds the request and sends it with the given `fetch`. Called once for each try.
 * @param read returns the result for a response with a status of success.
 */
export async function withRetry<T>(
  operation: keyof typeof retryRules,
  options: ClientOptions,
  { limits, serverClock }: Heard,
  callOptions: CallOptions,
  ask: (sending: Sending) => Promise<unknown>,
  read: (answer: HttpAnswer) => T | Promise<T>,
): Promise<T> {
  const { retries = true, onWait } = callOptions;
  const { lifetime } = options;
  const rule = retries ? retryRules[operation] : 'caller';
  const endpoints = endpointClassOf(operation);
  // Each call has its own signal, because a long-lived one would collect the listeners of all calls.
  const signal =
    lifetime === undefined ? callOptions.signal : AbortSignal.any([callOptions.signal, lifetime]);
  const onDidRequest = (entry: RequestEntry): void => {
    options.onDidRequest?.(entry);
    callOptions.onDidRequest?.(entry);
  };
  let outages = 0;
  let rateLimits = 0;
  for (;;) {
    try {
      signal.throwIfAborted();
      refuseWhileLimited(limits.get(endpoints), options.clock.monotonic());
      const key = await readKey(options);
      signal.throwIfAborted();
      const { baseUrl, fetch, clock } = options;
      const timeoutMs = options.settings().timeoutSeconds * 1000;
      return await sendRequest(
        { baseUrl, key, fetch, clock, serverClock, timeoutMs, signal, onDidRequest },
        ask,
        read,
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      noteLimit(limits, endpoints, error, options.clock.monotonic());
      if (error.meaning === 'rateLimited') rateLimits++;
      else outages++;
      const wait = nextTry(rule, error, { outages, rateLimits }, options.random);
      if (wait === undefined) throw error;
      onWait?.({ ms: wait, until: options.clock.now() + wait, error });
      await delay(options.clock, wait, signal);
      onWait?.(undefined);
    }
  }
}

/** @throws ApiError with status 429 and the remaining wait. */
function refuseWhileLimited(limit: RateLimit | undefined, now: number): void {
  if (limit === undefined || limit.until <= now) return;
  const { kind, status, code, message, requestId } = limit.error;
  throw new ApiError({ kind, status, code, message, requestId, retryAfter: limit.until - now });
}

function noteLimit(
  limits: RateLimits,
  endpoints: EndpointClass,
  error: ApiError,
  now: number,
): void {
  const { meaning, retryAfter } = error;
  if (meaning !== 'rateLimited' || retryAfter === undefined) return;
  const until = now + retryAfter;
  if (until > (limits.get(endpoints)?.until ?? now)) limits.set(endpoints, { error, until });
}

/** @throws ApiError of the kind `signedOut` if there is no key that can be sent. */
async function readKey({ token }: ClientOptions): Promise<string> {
  const signedOut = (code: string, message: string, cause?: unknown): ApiError =>
    new ApiError({ kind: 'signedOut', code, message, cause });
  const key = await token().catch((error: unknown) => {
    throw signedOut('noKeyStore', 'The API key cannot be read.', error);
  });
  if (key === undefined) throw signedOut('noKey', 'There is no API key.');
  // `fetch` would refuse it too, but with an error message that contains the key.
  if (!isHeaderValue(key))
    throw signedOut(
      'malformedKey',
      'The API key contains characters that a header cannot contain.',
    );
  return key;
}
