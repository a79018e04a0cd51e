import type { ClientOptions } from './client';
import { ApiError, protocolError } from './errors';
import { networkProblem } from './networkProblem';
import { readJson, requestPolicy, sendRequest, ServerClock } from './sendRequest';

/**
 * Asks once, without a key, whether a control plane answers at a base URL.
 *
 * @param baseUrl as `parseBaseUrl` returns it.
 * @returns why there seems to be none; undefined if there is one, or if the signal is aborted.
 */
export async function tryBaseUrl(
  baseUrl: string,
  { fetch, clock, settings, onDidRequest }: Omit<ClientOptions, 'baseUrl' | 'token'>,
  signal: AbortSignal,
): Promise<unknown> {
  const serverClock = new ServerClock(clock);
  const timeoutMs = settings().timeoutSeconds * 1000;
  try {
    await sendRequest(
      { baseUrl, key: '', fetch, clock, serverClock, timeoutMs, signal, onDidRequest },
      (sending) =>
        sending.fetch(
          new Request(`${baseUrl}/v1/api/integrations`, {
            signal: sending.signal,
            headers: { accept: 'application/json' },
            ...requestPolicy,
          }),
        ),
      readJson,
    );
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof ApiError) || error.kind !== 'http') return error;
    if (networkProblem(error) !== undefined) return error;
    // A control plane explains what it did not find; what has no such path is another server.
    return error.meaning === 'notFound' && error.code === 'noErrorObject'
      ? protocolError('notJson', error.message, error.status)
      : undefined;
  }
}
