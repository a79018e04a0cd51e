import { createEventParser } from './eventParser';
import { chunksOf, type Answer } from './exchange';
import { protocolError } from './failure';
import type { StreamItem } from './streamItem';

/**
 * An open log stream: what each chunk of the body held, in order, as it arrives; it may be nothing
 * yet. It ends when the server closes it and throws an `ApiError` where the connection breaks, the
 * stream breaks its contract, or an error comes as an event; what came before the fault is yielded
 * first. Leaving the loop closes the connection.
 */
export type LogStream = AsyncIterable<readonly StreamItem[]>;

/**
 * Reads the answer to a request for the log stream.
 *
 * @throws ApiError of the kind `protocol` where it is no stream of events.
 */
export function readLogStream(answer: Answer): LogStream {
  const { status, body, headers } = answer.response;
  if (status === 204 || body === null) {
    throw protocolError('emptyAnswer', 'The answer is empty instead of a log stream.', status);
  }
  if (!/^text\/event-stream\s*(?:;|$)/i.test(headers.get('content-type') ?? '')) {
    throw protocolError('notEventStream', 'The answer is not a stream of events.', status);
  }
  return itemsOf(answer);
}

async function* itemsOf(answer: Answer): AsyncGenerator<readonly StreamItem[]> {
  const parser = createEventParser(answer.key);
  for await (const chunk of chunksOf(answer)) {
    yield parser.push(chunk);
    if (parser.failure !== undefined) throw parser.failure;
  }
}
