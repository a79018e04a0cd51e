import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ApiError } from './errors';
import { parseJson, protocolError, readServerError, statusOf } from './failure';
import type { StreamItem } from './streamItem';
import { readLogPage } from './readLogPage';

/** Turns the bytes of a log stream into what they say. */
export interface EventParser {
  /** What these bytes completed, up to the first failure if there is one. */
  push(bytes: Uint8Array): readonly StreamItem[];
  /** Why the rest of the stream is worthless, once it is. */
  readonly failure: ApiError | undefined;
}

/** What one event may hold at most, all of its lines together, in UTF-16 units. */
const maxEvent = 16 * 1024 * 1024;
const minRetry = 500;
const maxRetry = 60_000;

const heartbeat: StreamItem = { kind: 'heartbeat' };

/** @param key is blotted out of what the server says about an error. */
export function createEventParser(key: string): EventParser {
  const decoder = createLineDecoder();
  let items: StreamItem[] = [];
  let failure: ApiError | undefined;
  /** How much has come of an event that has not ended, whatever is in its lines. */
  let size = 0;

  function onEvent({ event, data }: EventSourceMessage): void {
    if (event === 'records') items.push({ kind: 'page', page: readLogPage(parseJson(data)) });
    else if (event === 'error') throw streamError(data, key);
    else items.push(heartbeat);
  }

  const parser = createParser({
    onEvent,
    onComment: () => items.push(heartbeat),
    onRetry: (ms) => items.push({ kind: 'retry', ms: Math.min(maxRetry, Math.max(minRetry, ms)) }),
    onError({ type }) {
      // The rest are fields that the standard says to ignore.
      if (type === 'max-buffer-size-exceeded') throw endlessEvent();
    },
    maxBufferSize: maxEvent,
  });
  // The decoder has taken the byte order mark off: what the parser would take for one is text.
  parser.feed('');

  return {
    push(bytes) {
      items = [];
      if (failure !== undefined) return items;
      try {
        // The parser holds nothing back of lines that have ended.
        for (const lines of decoder.push(bytes)) {
          const end = endOfEvents(lines);
          size = lines.length - end + (end === 0 ? size : 0);
          if (size > maxEvent) throw endlessEvent();
          parser.feed(lines);
        }
        if (size + decoder.held > maxEvent) throw endlessEvent();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        failure = error;
      }
      return items;
    },
    get failure() {
      return failure;
    },
  };
}

/** Where the last event that ends in some whole lines does so: behind an empty line; 0 where none ends. */
function endOfEvents(lines: string): number {
  const [first = ''] = lines;
  const start = first === '\n' || first === '\r' ? 1 : 0;
  const ends = lines.includes('\r') ? ['\n\n', '\r\r', '\n\r'] : ['\n\n'];
  return Math.max(start, ...ends.map((end) => lines.lastIndexOf(end) + 2).filter((at) => at > 1));
}

function endlessEvent(): ApiError {
  return protocolError('tooLarge', 'An event has no end.');
}

/** An error that came as an event, of the same form as one that comes as an answer. */
function streamError(data: string, key: string): ApiError {
  const json = parseJson(data);
  const { code, message, requestId } = readServerError(json, key);
  return new ApiError({
    kind: 'http',
    status: statusOf(json),
    code: code ?? 'noErrorObject',
    message: message ?? 'The server ended the log stream with an error and no reason.',
    requestId,
  });
}

/** Turns bytes into text, line by line. */
interface LineDecoder {
  /**
   * The lines that these bytes complete, in pieces of whole lines; a line feed, a carriage return or
   * both end each line, and no piece ends with a return alone.
   */
  push(bytes: Uint8Array): readonly string[];
  /** How much is held of a line that has not ended, in UTF-16 units. */
  readonly held: number;
}

/**
 * Hands on whole lines only, so that whoever reads them need not piece them together: that would cost
 * a copy of the whole chunk, and here it costs one of the line that was cut.
 */
function createLineDecoder(): LineDecoder {
  const decode = createDecoder();
  let pieces: string[] = [];
  let held = 0;
  let endedInReturn = false;

  const hold = (piece: string): void => {
    if (piece === '') return;
    pieces.push(piece);
    held += piece.length;
  };

  /** The line that is held, with its end. */
  const release = (end: string): string => {
    const line = [...pieces, end].join('');
    pieces = [];
    held = 0;
    return line;
  };

  return {
    push(bytes) {
      let text = decode(bytes);
      if (text === '') return [];
      // The return before has ended its line; this is the other half of its end.
      if (endedInReturn && text.startsWith('\n')) text = text.slice(1);
      endedInReturn = false;
      const hasReturns = text.includes('\r');
      const end = endOfLines(text, hasReturns);
      const lines: string[] = [];
      let start = 0;
      if (end > 0 && held > 0) {
        start = hasReturns ? end : text.indexOf('\n') + 1;
        lines.push(release(text.slice(0, start)));
      }
      if (end > start) lines.push(text.slice(start, end));
      hold(text.slice(end));
      if (hasReturns && text[end - 1] === '\r') {
        endedInReturn = end === text.length;
        lines.push(`${lines.pop() ?? ''}\n`);
      }
      return lines;
    },
    get held() {
      return held;
    },
  };
}

/** Where the last line that a text completes ends; 0 where it completes none. */
function endOfLines(text: string, hasReturns: boolean): number {
  if (hasReturns) return Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
  // To look from the front is twenty times as fast, and most chunks of a large page hold no end.
  return text.includes('\n') ? text.lastIndexOf('\n') + 1 : 0;
}

/**
 * Decodes UTF-8 in one piece each time, which in Node up to 22 is ten times as fast as with a decoder
 * that remembers a character that was cut in two: its bytes are kept here for the next time.
 */
function createDecoder(): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let kept = new Uint8Array();
  let isFirst = true;
  return (chunk) => {
    let bytes = chunk;
    if (kept.length > 0) {
      bytes = new Uint8Array(kept.length + chunk.length);
      bytes.set(kept);
      bytes.set(chunk, kept.length);
    }
    const end = endOfCharacters(bytes);
    kept = bytes.slice(end);
    const text = decoder.decode(end === bytes.length ? bytes : bytes.subarray(0, end));
    if (!isFirst || text === '') return text;
    isFirst = false;
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  };
}

/** Where a character begins whose last bytes are still to come; the length where there is none. */
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
