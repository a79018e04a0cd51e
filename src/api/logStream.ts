import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { minute } from '../base/clock';
import { parseJson } from '../base/json';
import { type LogStreamPage, type LogTail, streamPageOf, tailRequestOf } from './cursors';
import { ApiError, protocolError, readServerError, statusOfError } from './errors';
import { readLogPage } from './readLogPage';
import { chunksOf, type HttpAnswer } from './sendRequest';
import type { LogPage, LogTailFilters } from './types';

export type StreamItem =
  | { readonly kind: 'page'; readonly page: LogPage }
  /** A comment or an event with another name. */
  | { readonly kind: 'heartbeat' }
  /** The delay that the server asks for before the next connect, limited to 0.5 to 60 s. */
  | { readonly kind: 'retry'; readonly ms: number };

/**
 * An open log stream. Yields the items that each chunk of the body completes, which may be none. Ends when
 * the server closes the stream. Throws an `ApiError` if the connection breaks, the stream violates the
 * contract, or the server sends an error event; earlier items are yielded first. Leaving the loop closes
 * the connection.
 */
export type LogStream = AsyncIterable<readonly LogStreamItem[]>;

/** The cursor of a page has the filters of the stream. */
export type LogStreamItem =
  | Exclude<StreamItem, { readonly kind: 'page' }>
  | { readonly kind: 'page'; readonly page: LogStreamPage };

/** Adds the filters of the stream to the cursor of a page. */
export function streamItemOf(filters: LogTailFilters, item: StreamItem): LogStreamItem {
  return item.kind === 'page' ? { kind: 'page', page: streamPageOf(filters, item.page) } : item;
}

/**
 * Reads the response to a request for the log stream.
 *
 * @param tail what was requested. The cursors of the pages have its filters.
 * @throws ApiError of the kind `protocol` if it is not an event stream.
 */
export function readLogStream(answer: HttpAnswer, tail: LogTail): LogStream {
  const { status, body, headers } = answer.response;
  if (body === null) {
    throw protocolError('emptyAnswer', 'The response is empty.', status);
  }
  if (!/^text\/event-stream\s*(?:;|$)/i.test(headers.get('content-type') ?? '')) {
    throw protocolError('notEventStream', 'The response is not an event stream.', status);
  }
  return itemsOf(answer, tailRequestOf(tail).filters);
}

async function* itemsOf(
  answer: HttpAnswer,
  filters: LogTailFilters,
): AsyncGenerator<readonly LogStreamItem[]> {
  const parser = new EventParser(answer.key);
  for await (const chunk of chunksOf(answer)) {
    yield parser.push(chunk).map((item) => streamItemOf(filters, item));
    if (parser.failure !== undefined) throw parser.failure;
  }
}

/** The limit of one event with all of its lines, in UTF-16 units. */
const maxEvent = 16 * 1024 * 1024;
const minRetry = 500;
const maxRetry = minute;

const heartbeat: StreamItem = { kind: 'heartbeat' };

/** Parses the bytes of a log stream. */
export class EventParser {
  private readonly decoder = new ChunkDecoder();
  private items: StreamItem[] = [];
  private failed: ApiError | undefined;
  /** What came since the last event. The parser buffers no more than that. */
  private size = 0;
  private readonly parser = createParser({
    onEvent: (event) => this.onEvent(event),
    onComment: () => this.items.push(heartbeat),
    onRetry: (ms) =>
      this.items.push({ kind: 'retry', ms: Math.min(maxRetry, Math.max(minRetry, ms)) }),
  });

  /** @param key is removed from error messages of the server. */
  constructor(private readonly key: string) {}

  /** The items that these bytes complete, up to the first failure. */
  push(bytes: Uint8Array): readonly StreamItem[] {
    this.items = [];
    if (this.failed !== undefined) return this.items;
    try {
      const text = this.decoder.decode(bytes);
      this.size += text.length;
      // The line that was cut alone, since the parser copies it with all that it is given.
      const end = text.indexOf('\n') + 1;
      if (end > 0) this.parser.feed(text.slice(0, end));
      this.parser.feed(text.slice(end));
      if (this.size > maxEvent) {
        throw protocolError('tooLarge', 'An event of the log stream is too large.');
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.failed = error;
    }
    return this.items;
  }

  /** Why the rest of the stream is ignored. */
  get failure(): ApiError | undefined {
    return this.failed;
  }

  private onEvent({ event, data }: EventSourceMessage): void {
    this.size = 0;
    if (event === 'records') this.items.push({ kind: 'page', page: readLogPage(parseJson(data)) });
    else if (event === 'error') throw streamError(data, this.key);
    else this.items.push(heartbeat);
  }
}

/** The error of an error event, which has the same form as an error response. */
function streamError(data: string, key: string): ApiError {
  const json = parseJson(data);
  const { code, message, requestId } = readServerError(json, key);
  return new ApiError({
    kind: 'http',
    status: statusOfError(json),
    code: code ?? 'noErrorObject',
    message: message ?? 'The server ended the log stream with an error and no message.',
    requestId,
  });
}

/**
 * Decodes UTF-8 without streaming mode, which is ten times as fast in Node up to 22. The bytes of a
 * character that was cut in two are kept for the next chunk.
 */
class ChunkDecoder {
  // The parser removes the byte order mark of the first chunk.
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private kept = new Uint8Array();

  decode(chunk: Uint8Array): string {
    let bytes = chunk;
    if (this.kept.length > 0) {
      bytes = new Uint8Array(this.kept.length + chunk.length);
      bytes.set(this.kept);
      bytes.set(chunk, this.kept.length);
    }
    const end = endOfCharacters(bytes);
    this.kept = bytes.slice(end);
    return this.decoder.decode(end === bytes.length ? bytes : bytes.subarray(0, end));
  }
}

/** The start of an incomplete character at the end; the length if there is none. */
function endOfCharacters(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back] ?? 0;
    if (byte < 0x80) return length;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? length - back : length;
  }
  return length;
}
