import { untilAborted } from '../base/clock';
import { isObject } from '../base/json';
import { assume } from './assumptions';
import { buildRequest } from './buildRequest';
import type { CallOptions, Calls, ClientOptions, ControlPlaneClient } from './client';
import { joinDescribed } from './describedCalls';
import { ApiError, networkProblem, protocolError } from './errors';
import { operations } from './generated/operations';
import { listingLimits } from './jsonReader';
import type { ApiOperation } from './operation';
import { withReasonOfRefusal } from './readingKey';
import { RequestScheduler } from './requestScheduler';
import { readJson, type RequestEntry, sendRequest, ServerClock } from './sendRequest';
import type { DescribedOperation, OpenSetting } from './serverDescription';
import { ServerLimit } from './serverLimit';
import { isHeaderValue } from './validateRequest';

export function createClient(options: ClientOptions): ControlPlaneClient {
  const { baseUrl, fetch, clock, lifetime } = options;
  const { scheduler = new RequestScheduler(clock, options.random) } = options;
  const serverClock = new ServerClock(clock);
  const { serverLimit } = scheduler;

  /** The settings and what the server says, as they are now. */
  const readSettings = () => {
    const { timeoutSeconds, own } = options.settings();
    const facts = own.descriptionPath === '' ? undefined : options.facts?.();
    const valueOf = (setting: OpenSetting): string => assume(setting, own, facts).value;
    return { timeoutMs: timeoutSeconds * 1000, valueOf, facts };
  };

  /** Whether the server has an operation, as far as it is known: nothing is sent otherwise. */
  function isThere(name: string, { pathSetting, isOnlyIfDescribed }: ApiOperation): boolean {
    if (pathSetting === undefined && isOnlyIfDescribed === undefined) return true;
    const { valueOf, facts } = readSettings();
    if (pathSetting !== undefined) return valueOf(pathSetting) !== '';
    return isObject(facts?.operations[name as DescribedOperation]);
  }

  async function call(
    name: string,
    operation: ApiOperation,
    input: never,
    callOptions: CallOptions,
  ): Promise<unknown> {
    if (!isThere(name, operation)) return undefined;
    const content = operation.contentOf(input);
    // Each call has its own signal, because a long-lived one would collect the listeners of all calls.
    const signal = AbortSignal.any([callOptions.signal, ...(lifetime ? [lifetime] : [])]);
    const isOptional = operation.pathSetting === 'descriptionPath';
    const onDidRequest = (sent: RequestEntry): void => {
      const entry = isOptional ? { ...sent, isOptional } : sent;
      options.onDidRequest?.(entry);
      callOptions.onDidRequest?.(entry);
    };
    return scheduler.run(operation, { ...callOptions, signal }, async () => {
      const key = await untilAborted(readKey(options), signal);
      const { timeoutMs, valueOf } = readSettings();
      const controller = new AbortController();
      const own = { baseUrl, key, valueOf, signal: controller.signal };
      return sendRequest(
        await buildRequest(operation, content, own),
        (answer) => operation.read(answer, input),
        {
          baseUrl,
          key,
          fetch,
          clock,
          serverClock,
          serverLimit,
          timeoutMs,
          controller,
          signal,
          onDidRequest,
        },
      );
    });
  }

  const entries = Object.entries<ApiOperation>(operations).map(([name, operation]) => [
    name,
    async (input: never, callOptions: CallOptions) => {
      try {
        return await call(name, operation, input, callOptions);
      } catch (error) {
        if (operation.method === 'get') throw error;
        throw await withReasonOfRefusal(error, operation, calls, callOptions);
      }
    },
  ]);
  // Each takes and returns what its operation does.
  const calls = Object.fromEntries(entries) as Calls;
  return {
    ...calls,
    ...joinDescribed(calls, clock, () => readSettings().facts),
    serverNow: () => serverClock.now(),
  };
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
  const controller = new AbortController();
  const { timeoutSeconds, own: values } = settings();
  const timeoutMs = timeoutSeconds * 1000;
  const own = {
    baseUrl,
    key: '',
    signal: controller.signal,
    valueOf: (setting: OpenSetting) => assume(setting, values, undefined).value,
  };
  try {
    await sendRequest(
      await buildRequest(operations.listIntegrations, { parameters: {} }, own),
      (answer) => readJson(answer, listingLimits),
      {
        baseUrl,
        key: own.key,
        fetch,
        clock,
        serverClock,
        serverLimit: new ServerLimit(clock),
        timeoutMs,
        controller,
        signal,
        onDidRequest,
      },
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
