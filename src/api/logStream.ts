import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { minute } from '../base/clock';
import { parseJson } from '../base/json';
import { type LogStreamPage, streamPageOf } from './cursors';
import { ApiError, protocolError, readServerError, statusOf } from './errors';
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
 * @throws ApiError of the kind `protocol` if it is not an event stream.
 */
export function readLogStream(answer: HttpAnswer, filters: LogTailFilters): LogStream {
  const { status, body, headers } = answer.response;
  if (status === 204 || body === null) {
    throw protocolError('emptyAnswer', 'The response is empty.', status);
  }
  if (!/^text\/event-stream\s*(?:;|$)/i.test(headers.get('content-type') ?? '')) {
    throw protocolError('notEventStream', 'The response is not an event stream.', status);
  }
  return itemsOf(answer, filters);
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
  private readonly decoder = new LineDecoder();
  private items: StreamItem[] = [];
  private failed: ApiError | undefined;
  /** The size of the unfinished event so far. */
  private size = 0;
  private readonly parser = createParser({
    onEvent: (event) => this.onEvent(event),
    onComment: () => this.items.push(heartbeat),
    onRetry: (ms) =>
      this.items.push({ kind: 'retry', ms: Math.min(maxRetry, Math.max(minRetry, ms)) }),
    onError({ type }) {
      // The standard says to ignore unknown fields, which are the other errors.
      if (type === 'max-buffer-size-exceeded') throw endlessEvent();
    },
    maxBufferSize: maxEvent,
  });

  /** @param key is removed from error messages of the server. */
  constructor(private readonly key: string) {
    // The decoder already removed the byte order mark. An empty line keeps the parser from removing another.
    this.parser.feed('\n');
  }

  /** The items that these bytes complete, up to the first failure. */
  push(bytes: Uint8Array): readonly StreamItem[] {
    this.items = [];
    if (this.failed !== undefined) return this.items;
    try {
      // The parser buffers nothing of complete lines.
      for (const lines of this.decoder.push(bytes)) {
        const end = endOfEvents(lines);
        this.size = lines.length - end + (end === 0 ? this.size : 0);
        if (this.size > maxEvent) throw endlessEvent();
        this.parser.feed(lines);
      }
      if (this.size + this.decoder.held > maxEvent) throw endlessEvent();
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
    if (event === 'records') this.items.push({ kind: 'page', page: readLogPage(parseJson(data)) });
    else if (event === 'error') throw streamError(data, this.key);
    else this.items.push(heartbeat);
  }
}

/** The end of the last event in complete lines: after its empty line. 0 if there is none. */
function endOfEvents(lines: string): number {
  const [first = ''] = lines;
  const start = first === '\n' || first === '\r' ? 1 : 0;
  const ends = lines.includes('\r') ? ['\n\n', '\r\r', '\n\r'] : ['\n\n'];
  return Math.max(start, ...ends.map((end) => lines.lastIndexOf(end) + 2).filter((at) => at > 1));
}

function endlessEvent(): ApiError {
  return protocolError('tooLarge', 'An event of the log stream is too large.');
}

/** The error of an error event, which has the same form as an error response. */
function streamError(data: string, key: string): ApiError {
  const json = parseJson(data);
  const { code, message, requestId } = readServerError(json, key);
  return new ApiError({
    kind: 'http',
    status: statusOf(json),
    code: code ?? 'noErrorObject',
    message: message ?? 'The server ended the log stream with an error and no message.',
    requestId,
  });
}

/**
 * Decodes bytes into whole lines, so that the parser does not have to join chunks: that would copy the whole
 * chunk, while this copies only the line that was cut.
 */
class LineDecoder {
  private readonly decoder = new ChunkDecoder();
  private pieces: string[] = [];
  private heldUnits = 0;
  private endedInReturn = false;

  /**
   * The lines that these bytes complete, in pieces of whole lines. Lines end with a line feed, a carriage
   * return or both; no piece ends with a carriage return.
   */
  push(bytes: Uint8Array): readonly string[] {
    let text = this.decoder.decode(bytes);
    if (text === '') return [];
    // The second half of a CRLF whose first half ended the previous chunk.
    if (this.endedInReturn && text.startsWith('\n')) text = text.slice(1);
    this.endedInReturn = false;
    const hasReturns = text.includes('\r');
    const end = endOfLines(text, hasReturns);
    const lines: string[] = [];
    let start = 0;
    if (end > 0 && this.heldUnits > 0) {
      start = hasReturns ? end : text.indexOf('\n') + 1;
      lines.push(this.release(text.slice(0, start)));
    }
    if (end > start) lines.push(text.slice(start, end));
    this.hold(text.slice(end));
    if (hasReturns && text[end - 1] === '\r') {
      this.endedInReturn = end === text.length;
      lines.push(`${lines.pop() ?? ''}\n`);
    }
    return lines;
  }

  /** The length of the unfinished line in UTF-16 units. */
  get held(): number {
    return this.heldUnits;
  }

  private hold(piece: string): void {
    if (piece === '') return;
    this.pieces.push(piece);
    this.heldUnits += piece.length;
  }

  /** Completes the unfinished line. */
  private release(end: string): string {
    const line = [...this.pieces, end].join('');
    this.pieces = [];
    this.heldUnits = 0;
    return line;
  }
}

/** The end of the last complete line of a text; 0 if there is none. */
function endOfLines(text: string, hasReturns: boolean): number {
  if (hasReturns) return Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  // Searching forward is twenty times as fast, and most chunks of a large page have no line end.
  return text.includes('\n') ? text.lastIndexOf('\n') + 1 : 0;
}

/**
 * Decodes UTF-8 without streaming mode, which is ten times as fast in Node up to 22. The bytes of a
 * character that was cut in two are kept for the next chunk.
 */
class ChunkDecoder {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private kept = new Uint8Array();
  private isFirst = true;

  decode(chunk: Uint8Array): string {
    let bytes = chunk;
    if (this.kept.length > 0) {
      bytes = new Uint8Array(this.kept.length + chunk.length);
      bytes.set(this.kept);
      bytes.set(chunk, this.kept.length);
    }
    const end = endOfCharacters(bytes);
    this.kept = bytes.slice(end);
    const text = this.decoder.decode(end === bytes.length ? bytes : bytes.subarray(0, end));
    if (!this.isFirst || text === '') return text;
    this.isFirst = false;
    return text.startsWith('\ufeff') ? text.slice(1) : text;
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
