import { createClient } from '../../../src/api/createClient';
import { Tail } from '../../../src/logs/tail/tail';
import { systemClock as clock } from '../../../src/vscode/systemClock';
import { defaults } from '../../unit/api/cannedAnswers';

/** A tail of everything that resumes at a cursor, so that it requests only the stream. */
export function createBenchTail(
  fetch: (request: Request) => Promise<Response>,
  onDidReceive: () => void,
  baseUrl = 'http://127.0.0.1',
): Tail {
  const random = Math.random;
  const readKey = (): Promise<string> => Promise.resolve('key');
  const options = { baseUrl, token: readKey, fetch, clock, random, settings: () => defaults };
  const position = {
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date(Date.now() + 360 * 86_400_000).toISOString(),
    cursor: 'start',
    seen: [],
  };
  const tail = new Tail(
    { client: createClient(options), clock, random, readKey },
    { filter: {}, initialLines: 0, position },
  );
  tail.onDidChange((what) => {
    if (what === 'records') onDidReceive();
  });
  return tail;
}

/** The answer to a stream request: these chunks, each made when it is read, and then no end. */
export function endlessAnswer(
  next: () => Uint8Array | undefined | Promise<Uint8Array | undefined>,
): Response {
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await next();
        if (chunk) controller.enqueue(chunk);
        else await new Promise(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
