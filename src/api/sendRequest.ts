import type { Clock } from './clock';
import { ApiError } from './errors';
import { httpError, networkError, parseJson, protocolError } from './failure';
import { isObject } from './lenient';
import { type RequestScope, openRequestScope } from './requestScope';

/** One request that was sent, for the diagnostics: never a key, a query string or a body. */
export interface RequestEntry {
  readonly method: string;
  /** The path below the base URL. */
  readonly path: string;
  /** Absent where no answer came. */
  readonly status: number | undefined;
  readonly milliseconds: number;
  readonly requestId: string | undefined;
  /** The `Date` header of the answer, for the clock skew. */
  readonly date: string | undefined;
  /** The code of the error, where it failed. */
  readonly failure: string | undefined;
  /** Members of the answer that were left out, since they are not of the contract's type. */
  readonly leftOut: readonly string[];
}

/** A request and when its answer was read, in milliseconds since the epoch. */
export interface TimedRequest extends RequestEntry {
  readonly at: number;
}

export interface ExchangeOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly clock: Clock;
  /** Until the headers of the answer, and between any two pieces of its body. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onDidRequest: ((entry: RequestEntry) => void) | undefined;
}

/** An answer with a status of success, of which the body is still to come. */
export interface HttpAnswer {
  readonly response: Response;
  /** Closed by whoever reads the body. */
  readonly scope: RequestScope;
  readonly timeoutMs: number;
  readonly key: string;
  /** What the diagnostics tell as left out. */
  leftOut: readonly string[];
}

/** How a request is sent: openapi-fetch is told to use it. */
export interface Sending {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** A larger answer is no page of anything. In UTF-16 units. */
const maxBody = 64 * 1024 * 1024;
/** Of an error that much is read, in UTF-16 units; the rest can say nothing. */
const maxErrorBody = 64 * 1024;

/**
 * Sends one request and reads its answer: one try.
 *
 * @param ask builds the request and sends it as it is told to.
 * @param read makes the result of an answer; it reads the body, at once or later.
 * @throws ApiError, or the signal's reason once it is aborted.
 */
export async function sendRequest<T>(
  options: ExchangeOptions,
  ask: (sending: Sending) => Promise<unknown>,
  read: (answer: HttpAnswer) => T | Promise<T>,
): Promise<T> {
  const { clock, timeoutMs, key } = options;
  const start = clock.monotonic();
  const scope = openRequestScope(clock, options.signal, options.baseUrl);
  let request: Request | undefined;
  let answer: HttpAnswer | undefined;

  async function send(sent: Request): Promise<Response> {
    request = sent;
    const response = await scope.wait(() => options.fetch(sent), timeoutMs);
    answer = { response, scope, timeoutMs, key, leftOut: [] };
    await refuseFailure(answer, clock);
    return response;
  }

  function report(error: unknown): void {
    if (request === undefined) return;
    options.onDidRequest?.({
      method: request.method,
      path: pathBelow(options.baseUrl, request.url),
      status: answer?.response.status,
      milliseconds: clock.monotonic() - start,
      requestId: error instanceof ApiError ? error.requestId : undefined,
      date: answer?.response.headers.get('date') ?? undefined,
      failure: error === undefined ? undefined : codeOf(error),
      leftOut: answer?.leftOut ?? [],
    });
  }

  try {
    await ask({ key, signal: scope.signal, fetch: send });
    if (answer === undefined) throw networkError(undefined);
    const result = await read(answer);
    report(undefined);
    return result;
  } catch (error) {
    scope.close();
    report(error);
    throw error;
  }
}

/** @throws ApiError unless the answer has a status of success and comes from where we asked. */
async function refuseFailure(answer: HttpAnswer, clock: Clock): Promise<void> {
  const { response, key } = answer;
  const { status } = response;
  if (
    response.type === 'opaqueredirect' ||
    response.redirected ||
    (status >= 300 && status < 400)
  ) {
    const message = 'The server wants to send the request elsewhere, which is refused.';
    throw new ApiError({ kind: 'redirect', code: 'redirect', message, status });
  }
  if (!response.ok) throw httpError(response, await readErrorBody(answer), key, clock);
}

/** Reads what can be had: the status alone says enough where the rest does not come. */
async function readErrorBody(answer: HttpAnswer): Promise<string> {
  let text = '';
  try {
    for await (const piece of textOf(answer)) {
      text += piece;
      if (text.length > maxErrorBody) break;
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
  return text;
}

/**
 * Reads the object that an answer consists of.
 *
 * @throws ApiError where it is empty, endless or something else, or stops coming.
 */
export async function readJson(answer: HttpAnswer): Promise<Readonly<Record<string, unknown>>> {
  const { status } = answer.response;
  let text = '';
  for await (const piece of textOf(answer)) {
    text += piece;
    if (text.length > maxBody) throw protocolError('tooLarge', 'The answer has no end.', status);
  }
  if (text === '') throw protocolError('emptyAnswer', 'The answer is empty.', status);
  const json = parseJson(text);
  if (!isObject(json)) {
    throw protocolError('notJson', 'The answer is not an object in JSON.', status);
  }
  return json;
}

async function* textOf(answer: HttpAnswer): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(answer, answer.timeoutMs)) {
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder.decode();
}

/**
 * The body of an answer as it arrives. Closes the scope at its end and when the loop is left.
 *
 * @param timeoutMs how long to wait for each chunk; for ever where it is left out.
 * @throws the signal's reason, or an ApiError where the body breaks off.
 */
export async function* chunksOf(
  { response, scope }: HttpAnswer,
  timeoutMs?: number,
): AsyncGenerator<Uint8Array> {
  const body: ReadableStream<Uint8Array> | null = response.body;
  const reader = body?.getReader();
  try {
    while (reader !== undefined) {
      const { done, value } = await scope.wait(() => reader.read(), timeoutMs);
      if (done) return;
      yield value;
    }
  } finally {
    scope.close();
    // It may have broken already, of which the reading has told.
    reader?.cancel().catch(() => undefined);
  }
}

function pathBelow(baseUrl: string, url: string): string {
  return new URL(url).pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, '').length);
}

function codeOf(error: unknown): string {
  return error instanceof ApiError ? error.code : 'aborted';
}
