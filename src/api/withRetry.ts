import type { CallOptions, ClientOptions } from './client';
import { delay } from './clock';
import { ApiError } from './errors';
import { sendRequest, type HttpAnswer, type RequestEntry, type Sending } from './sendRequest';
import { nextTry, retryRules } from './retry';
import { isHeaderValue } from './validateRequest';

/**
 * Carries an operation out in as many tries as its rule allows.
 *
 * @param ask builds the request and sends it as it is told to; called once for each try.
 * @param read makes the result of an answer with a status of success.
 */
export async function withRetry<T>(
  operation: keyof typeof retryRules,
  options: ClientOptions,
  callOptions: CallOptions,
  ask: (sending: Sending) => Promise<unknown>,
  read: (answer: HttpAnswer) => T | Promise<T>,
): Promise<T> {
  const { retries = true, onWait } = callOptions;
  const { lifetime } = options;
  const rule = retries ? retryRules[operation] : 'caller';
  // One for each call: what lives for long would collect the listeners of them all.
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
      const key = await readKey(options);
      signal.throwIfAborted();
      const { baseUrl, fetch, clock } = options;
      const timeoutMs = options.settings().timeoutSeconds * 1000;
      return await sendRequest(
        { baseUrl, key, fetch, clock, timeoutMs, signal, onDidRequest },
        ask,
        read,
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 429) rateLimits++;
      else outages++;
      const wait = nextTry(rule, error, { outages, rateLimits }, options.random);
      if (wait === undefined) throw error;
      onWait?.({ ms: wait, until: options.clock.now() + wait, error });
      await delay(options.clock, wait, signal);
      onWait?.(undefined);
    }
  }
}

/** @throws ApiError of the kind `signedOut` where there is no key that could be sent. */
async function readKey({ token }: ClientOptions): Promise<string> {
  const signedOut = (code: string, message: string, cause?: unknown): ApiError =>
    new ApiError({ kind: 'signedOut', code, message, cause });
  const key = await token().catch((error: unknown) => {
    throw signedOut('noKeyStore', 'The API key cannot be read.', error);
  });
  if (key === undefined) throw signedOut('noKey', 'There is no API key.');
  // The platform would refuse it too, with an error that quotes it.
  if (!isHeaderValue(key)) throw signedOut('malformedKey', 'No header can carry the API key.');
  return key;
}
