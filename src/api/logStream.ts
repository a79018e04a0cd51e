import { type LogStreamPage, streamPageOf } from './cursors';
import { createEventParser } from './eventParser';
import { protocolError } from './failure';
import { type HttpAnswer, chunksOf } from './sendRequest';
import type { StreamItem } from './streamItem';
import type { LogTailFilters } from './types';

/**
 * An open log stream: what each chunk of the body held, in order, as it arrives; it may be nothing
 * yet. It ends when the server closes it and throws an `ApiError` where the connection breaks, the
 * stream breaks its contract, or an error comes as an event; what came before the fault is yielded
 * first. Leaving the loop closes the connection.
 */
export type LogStream = AsyncIterable<readonly LogStreamItem[]>;

/** A page has the cursor behind it with the filters of the stream. */
export type LogStreamItem =
  | Exclude<StreamItem, { readonly kind: 'page' }>
  | { readonly kind: 'page'; readonly page: LogStreamPage };

/** What a stream said that was opened for these filters. */
export function streamItemOf(filters: LogTailFilters, item: StreamItem): LogStreamItem {
  return item.kind === 'page' ? { kind: 'page', page: streamPageOf(filters, item.page) } : item;
}

/**
 * Reads the answer to a request for the log stream.
 *
 * @throws ApiError of the kind `protocol` where it is no stream of events.
 */
export function readLogStream(answer: HttpAnswer, filters: LogTailFilters): LogStream {
  const { status, body, headers } = answer.response;
  if (status === 204 || body === null) {
    throw protocolError('emptyAnswer', 'The answer is empty instead of a log stream.', status);
  }
  if (!/^text\/event-stream\s*(?:;|$)/i.test(headers.get('content-type') ?? '')) {
    throw protocolError('notEventStream', 'The answer is not a stream of events.', status);
  }
  return itemsOf(answer, filters);
}

async function* itemsOf(
  answer: HttpAnswer,
  filters: LogTailFilters,
): AsyncGenerator<readonly LogStreamItem[]> {
  const parser = createEventParser(answer.key);
  for await (const chunk of chunksOf(answer)) {
    yield parser.push(chunk).map((item) => streamItemOf(filters, item));
    if (parser.failure !== undefined) throw parser.failure;
  }
}
