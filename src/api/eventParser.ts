import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ApiError } from './errors';
import { parseJson, protocolError, readServerError, statusOf } from './failure';
import { createLineDecoder } from './lineDecoder';
import { readLogPage } from './readLogPage';
import type { StreamItem } from './streamItem';

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
