import { type Clock, clockTolerance, day, longestTimer, second } from '../base/clock';
import type { JsonObject } from '../base/json';
import { ApiError, httpError, networkError, protocolError, parseHttpDate } from './errors';
import { errorLimits, type JsonLimits, JsonReader } from './jsonReader';
import type { ServerLimit } from './serverLimit';

/** A request for the diagnostics. Never contains a key, a query string or a body. */
export interface RequestEntry {
  readonly method: string;
  /** The path below the base URL. */
  readonly path: string;
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  readonly milliseconds: number;
  readonly requestId: string | undefined;
  /** The `Date` header of the response, for the clock skew. */
  readonly date: string | undefined;
  /** The code of the error if it failed. */
  readonly failure: string | undefined;
  /** Paths of values that were left out because they do not have the type of the contract. */
  readonly leftOut: readonly string[];
  /** It asks what the server says of itself, which many say nothing of: a failure is no problem. */
  readonly isOptional?: boolean;
}

/** A request with the time when its response was read, in milliseconds since 1970. */
export interface TimedRequest extends RequestEntry {
  readonly at: number;
}

interface SendRequestOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly clock: Clock;
  readonly serverClock: ServerClock;
  readonly serverLimit: ServerLimit;
  /**
   * The longest wait for the headers of the response, and for each chunk of its body. The whole body of
   * what is no stream takes twice as long at most.
   */
  readonly timeoutMs: number;
  /** Its signal is that of the request. */
  readonly controller: AbortController;
  /** Of the call. It is not that of the request, which would leave listeners on it. */
  readonly signal: AbortSignal;
  readonly onDidRequest: ((entry: RequestEntry) => void) | undefined;
}

/** A response with a status of success whose body was not read yet. */
export interface HttpAnswer {
  readonly response: Response;
  /** The reader of the body closes it. */
  readonly timeout: RequestTimeout;
  readonly timeoutMs: number;
  readonly key: string;
  /** See `RequestEntry`. */
  leftOut: readonly string[];
}

/** How much of a body is decoded and parsed at once, in bytes. */
const atOnce = 64 * 1024;
/** How long the host may do nothing else, in milliseconds. */
const longestTask = 8;

/**
 * Sends one request and reads its response, without retries.
 *
 * @param read returns the result for a response. It reads the body, now or later.
 * @throws ApiError, or the signal's reason if it is aborted.
 */
export async function sendRequest<T>(
  request: Request,
  read: (answer: HttpAnswer) => T | Promise<T>,
  options: SendRequestOptions,
): Promise<T> {
  const { baseUrl, key, clock, serverClock, timeoutMs, onDidRequest } = options;
  const start = clock.monotonic();
  const timeout = new RequestTimeout(clock, options.controller, options.signal, baseUrl);
  let answer: HttpAnswer | undefined;

  function report(error: unknown): void {
    onDidRequest?.({
      method: request.method,
      path: pathBelow(baseUrl, request.url),
      status: answer?.response.status,
      milliseconds: clock.monotonic() - start,
      requestId: error instanceof ApiError ? error.requestId : undefined,
      date: answer?.response.headers.get('date') ?? undefined,
      failure: error === undefined ? undefined : codeOf(error),
      leftOut: answer?.leftOut ?? [],
    });
  }

  try {
    const sentAt = clock.now();
    const response = await timeout.wait(() => options.fetch(request), timeoutMs);
    const answeredAt = serverClock.update(response.headers.get('date'), sentAt);
    options.serverLimit.update(response.headers, answeredAt);
    answer = { response, timeout, timeoutMs, key, leftOut: [] };
    await refuseFailure(answer, answeredAt);
    const result = await read(answer);
    report(undefined);
    return result;
  } catch (error) {
    timeout.close();
    report(error);
    throw error;
  }
}

/**
 * Waits for an answer to what is no request of the API, as long as for one.
 *
 * @param url tells a server from a proxy in errors.
 * @param send its signal is that of its requests.
 * @throws ApiError of the kind `timeout` or `network`, or the reason of the signal.
 */
export async function inTime<T>(
  { clock, timeoutMs, signal }: Pick<SendRequestOptions, 'clock' | 'timeoutMs' | 'signal'>,
  url: string,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timeout = new RequestTimeout(clock, controller, signal, url);
  try {
    return await timeout.wait(() => send(controller.signal), timeoutMs);
  } finally {
    timeout.close();
  }
}

/**
 * @param answeredAt in milliseconds since 1970, by the server's clock.
 * @throws ApiError if the response is a redirect or has an error status.
 */
async function refuseFailure(answer: HttpAnswer, answeredAt: number): Promise<void> {
  const { response, key } = answer;
  const { status } = response;
  if (
    response.type === 'opaqueredirect' ||
    response.redirected ||
    (status >= 300 && status < 400)
  ) {
    const message = 'The server redirected the request. Redirects are refused.';
    throw new ApiError({ kind: 'redirect', code: 'redirect', message, status });
  }
  if (!response.ok) throw httpError(response, await readErrorBody(answer), key, answeredAt);
}

/** The error object. If the body breaks off or is anything else, the status is enough. */
async function readErrorBody(answer: HttpAnswer): Promise<unknown> {
  try {
    return await readJson(answer, errorLimits);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/**
 * Reads the JSON object of a response, in steps between which other tasks run.
 *
 * @throws ApiError if the body is empty, breaks a limit, is not an object, or breaks off.
 */
export async function readJson(answer: HttpAnswer, limits: JsonLimits): Promise<JsonObject> {
  const { status } = answer.response;
  const reader = new JsonReader(limits);
  for await (const piece of textOf(answer)) {
    const limit = reader.read(piece);
    if (limit !== undefined) {
      throw protocolError('tooLarge', `${excesses[limit]} ${limits[limit]}.`, status);
    }
  }
  if (reader.isEmpty) throw protocolError('emptyAnswer', 'The response is empty.', status);
  const json = reader.end();
  if (json === undefined) {
    throw protocolError('notJson', 'The response is not a JSON object.', status);
  }
  return json;
}

const excesses: Readonly<Record<keyof JsonLimits, string>> = {
  text: 'The response is too large. The most characters:',
  items: 'The response lists too much. The most items:',
  values: 'The response contains too much. The most values:',
  valuesAtOnce: 'An item of the response is too large. The most values:',
  members: 'An object of the response is too large. The most members:',
};

/** Yields small pieces of the body. Lets other tasks run whenever what is done with them has taken long. */
async function* textOf(answer: HttpAnswer): AsyncGenerator<string> {
  const { timeout, timeoutMs } = answer;
  timeout.endWithin(2 * timeoutMs);
  const decoder = new TextDecoder();
  let busy = 0;
  for await (const chunk of chunksOf(answer, timeoutMs)) {
    for (let at = 0; at < chunk.length; at += atOnce) {
      const began = timeout.now();
      yield decoder.decode(chunk.subarray(at, at + atOnce), { stream: true });
      busy += timeout.now() - began;
      if (busy < longestTask) continue;
      await timeout.pause();
      busy = 0;
    }
  }
  yield decoder.decode();
}

/**
 * Yields the body of a response as it arrives. Ends its time-outs at its end and when the loop is left.
 *
 * @param timeoutMs the longest wait for a chunk, in milliseconds. Without it, there is no limit.
 * @throws the signal's reason, or an ApiError if the body breaks off.
 */
export async function* chunksOf(
  { response, timeout }: HttpAnswer,
  timeoutMs?: number,
): AsyncGenerator<Uint8Array> {
  const body: ReadableStream<Uint8Array> | null = response.body;
  const reader = body?.getReader();
  try {
    while (reader !== undefined) {
      const { done, value } = await timeout.wait(() => reader.read(), timeoutMs);
      if (done) return;
      yield value;
    }
  } finally {
    timeout.close();
    // If the stream has failed, `read` already threw the error.
    reader?.cancel().catch(() => undefined);
  }
}

function pathBelow(baseUrl: string, url: string): string {
  return new URL(url).pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, '').length);
}

function codeOf(error: unknown): string {
  return error instanceof ApiError ? error.code : 'aborted';
}

/**
 * The signal and the time-outs of one request. Each request has its own signal, because thousands of
 * requests would leave listeners on a long-lived one. A wait ends when the signal is aborted, even if
 * what it waits for ignores the signal.
 */
class RequestTimeout {
  private interrupt: ((reason: unknown) => void) | undefined;
  private cancelDeadline: (() => void) | undefined;
  private readonly onAbort = (): void => this.abort(this.callSignal.reason);

  /**
   * @param controller of the request. It is aborted by the signal of the call, by a time-out and by `close`.
   * @param requestUrl tells a server from a proxy in errors.
   */
  constructor(
    private readonly clock: Clock,
    private readonly controller: AbortController,
    private readonly callSignal: AbortSignal,
    private readonly requestUrl: string,
  ) {
    callSignal.addEventListener('abort', this.onAbort);
  }

  /** Milliseconds of the monotonic clock. */
  now(): number {
    return this.clock.monotonic();
  }

  /** Lets other tasks run. @throws as `wait`. */
  pause(): Promise<void> {
    return this.wait(() => new Promise((resolve) => void this.clock.setTimer(resolve, 0)));
  }

  /**
   * Starts something and waits for it. Only one wait at a time.
   *
   * @param timeoutMs the time-out in milliseconds. Without it, the wait has no limit.
   * @throws the reason of the signal of the call, or an `ApiError` of the kind `timeout` or `network`.
   */
  async wait<T>(start: () => Promise<T>, timeoutMs?: number): Promise<T> {
    this.throwIfAborted();
    const cancelTimer =
      timeoutMs === undefined
        ? undefined
        : this.abortAfter(timeoutMs, 'The server sent nothing for');
    try {
      const started = start();
      return await new Promise((resolve, reject) => {
        this.interrupt = reject;
        started.then(resolve, reject);
      });
    } catch (error) {
      // After an abort, its reason replaces the error that it caused.
      this.throwIfAborted();
      throw networkError(error, this.requestUrl);
    } finally {
      this.interrupt = undefined;
      cancelTimer?.();
    }
  }

  /**
   * Aborts the request after this time unless it was closed before, so that an answer that arrives a byte
   * at a time ends, too. A wait then throws an `ApiError` of the kind `timeout`. Call it once.
   */
  endWithin(ms: number): void {
    this.cancelDeadline = this.abortAfter(ms, 'The answer was not complete after');
  }

  /** Removes the listener from the signal of the call and aborts the request if it is still running. */
  close(): void {
    this.cancelDeadline?.();
    this.callSignal.removeEventListener('abort', this.onAbort);
    this.controller.abort();
  }

  private throwIfAborted(): void {
    this.callSignal.throwIfAborted();
    this.controller.signal.throwIfAborted();
  }

  private abort(reason: unknown): void {
    this.controller.abort(reason);
    this.interrupt?.(reason);
  }

  private abortAfter(ms: number, what: string): () => void {
    const end = (): void => {
      const message = `${what} ${ms / 1000} s.`;
      this.abort(new ApiError({ kind: 'timeout', code: 'timeout', message }));
    };
    return this.clock.setTimer(end, Math.min(ms, longestTimer));
  }
}

/** No clock that anyone uses is further off. Larger differences are those of a broken server or proxy. */
const mostAhead = day;

/**
 * The clock of a control plane, by the `Date` headers of its answers. It sets the times of records, so
 * every range of records is made with it. Until the first answer, it is the clock of this machine, and it is
 * never further off than a day.
 */
export class ServerClock {
  private readonly clock: Clock;
  /** In milliseconds. */
  private ahead = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.clock.now() + this.ahead;
  }

  /**
   * An answer began to arrive.
   *
   * @param date its `Date` header, which has whole seconds; null or invalid: the answer says nothing.
   * @param sentAt when the request was sent, by the wall clock of this machine.
   * @returns when it was written by this clock, in milliseconds since 1970: as its header says, even if the
   *   difference counts as none.
   */
  update(date: string | null, sentAt: number): number {
    const time = parseHttpDate(date ?? '');
    if (time === undefined) return this.now();
    // The header was written between these two times, however long the answer took, unless the server remembers
    // its text for a while.
    const least = time - this.clock.now();
    const most = time + second - sentAt;
    const isWithin = (ahead: number): boolean =>
      ahead >= least - clockTolerance && ahead <= most + clockTolerance;
    if (isWithin(0)) this.ahead = 0;
    else if (!isWithin(this.ahead))
      this.ahead = Math.min(mostAhead, Math.max(-mostAhead, (least + most) / 2));
    return time;
  }
}
