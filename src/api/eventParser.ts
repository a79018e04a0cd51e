import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ApiError } from './errors';
import { parseJson, protocolError, readServerError, statusOf } from './failure';
import { LogPage } from './generated/validators';
import type { StreamItem } from './logStream';
import { readStrict } from './readStrict';

/** Turns the bytes of a log stream into what they say. */
export interface EventParser {
  /** What these bytes completed, up to the first failure if there is one. */
  push(bytes: Uint8Array): readonly StreamItem[];
  /** Why the rest of the stream is worthless, once it is. */
  readonly failure: ApiError | undefined;
}

/** What one event may hold at most, in UTF-16 units. */
const maxEvent = 16 * 1024 * 1024;
const minRetry = 500;
const maxRetry = 60_000;
const carriageReturn = 13;
const lineFeed = 10;

const heartbeat: StreamItem = { kind: 'heartbeat' };

/** @param key is blotted out of what the server says about an error. */
export function createEventParser(key: string): EventParser {
  const decoder = new TextDecoder();
  let items: StreamItem[] = [];
  let failure: ApiError | undefined;
  let endedInReturn = false;

  function onEvent({ event, data }: EventSourceMessage): void {
    if (event === 'records')
      items.push({ kind: 'page', page: readStrict(LogPage, parseJson(data)) });
    else if (event === 'error') throw streamError(data, key);
    else items.push(heartbeat);
  }

  const parser = createParser({
    onEvent,
    onComment: () => items.push(heartbeat),
    onRetry: (ms) => items.push({ kind: 'retry', ms: Math.min(maxRetry, Math.max(minRetry, ms)) }),
    onError({ type }) {
      // The rest are fields that the standard says to ignore.
      if (type === 'max-buffer-size-exceeded')
        throw protocolError('tooLarge', 'An event has no end.');
    },
    maxBufferSize: maxEvent,
  });
  // The decoder has taken the byte order mark off: what the parser would take for one is text.
  parser.feed('');

  return {
    push(bytes) {
      items = [];
      if (failure !== undefined) return items;
      let text = decoder.decode(bytes, { stream: true });
      // The parser holds a carriage return back at the end of a chunk, since a line feed may follow,
      // and with it the event that it ends, for as long as the server is silent.
      if (endedInReturn && text.charCodeAt(0) === lineFeed) text = text.slice(1);
      else if (text === '') return items;
      endedInReturn = text.charCodeAt(text.length - 1) === carriageReturn;
      try {
        parser.feed(endedInReturn ? `${text}\n` : text);
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
