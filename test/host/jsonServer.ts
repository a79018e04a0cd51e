import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on loopback for tests inside the editor. */
export interface JsonServer {
  url: string;
  close(): Promise<void>;
}

/**
 * Answers posted JSON with JSON, in both extension hosts: pages of any origin may send it. An error
 * of `answer` becomes a 500 with its message. It also gets the origin of the page, if one sent the request.
 */
export async function serveJson(
  answer: (path: string, body: unknown, origin: string | undefined) => unknown,
): Promise<JsonServer> {
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'content-type');
    void respond(request, response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (path: string, body: unknown, origin: string | undefined) => unknown,
): Promise<void> {
  if (request.method === 'OPTIONS') {
    response.end();
    return;
  }
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  try {
    const result = await answer(request.url ?? '', JSON.parse(text), request.headers.origin);
    response.end(JSON.stringify(result ?? null));
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error));
  }
}
