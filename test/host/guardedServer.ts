import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { isLoopbackHost } from './loopbackHost';

export interface GuardedServer {
  /** Its address, with the token that opens it. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A port of loopback in front of a server on a socket file: any web page can reach a port, and under a name that leads
 * to it read from it, too. It passes on only requests for loopback, of its own pages, with the cookie that the address
 * with the token sets.
 *
 * @param port 0 picks a free one.
 */
export async function startGuardedServer(socket: string, port: number): Promise<GuardedServer> {
  const token = randomBytes(16).toString('hex');
  const server = createServer();
  const ownPort = (): number => (server.address() as AddressInfo).port;
  // Cookies are the same for all ports of a host.
  const cookie = (): string => `token-${ownPort()}=${token}`;

  const isAllowed = (request: IncomingMessage): boolean => {
    const { host = '', origin = `http://${host}` } = request.headers;
    return isLoopbackHost(request) && origin === `http://${host}`;
  };
  const hasCookie = ({ headers }: IncomingMessage): boolean =>
    (headers.cookie ?? '').split('; ').includes(cookie());

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://loopback');
    if (isAllowed(request) && url.searchParams.get('token') === token) {
      url.searchParams.delete('token');
      response.writeHead(302, {
        'set-cookie': `${cookie()}; Path=/; HttpOnly; SameSite=Strict`,
        location: `${url.pathname}${url.search}`,
      });
      response.end();
    } else if (isAllowed(request) && hasCookie(request)) forward(socket, request, response);
    else response.writeHead(403).end('Open the whole address that was printed.\n');
  });
  server.on('upgrade', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    if (isAllowed(request) && hasCookie(request)) forwardUpgrade(socket, request, client, head);
    else client.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${ownPort()}/?token=${token}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function forward(socketPath: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = request;
  const onward = httpRequest({ socketPath, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(response);
    answer.once('error', () => response.destroy());
  });
  onward.once('error', () => response.destroy());
  response.once('close', () => onward.destroy());
  request.pipe(onward);
}

function forwardUpgrade(
  socket: string,
  { method, url, rawHeaders }: IncomingMessage,
  client: Duplex,
  head: Buffer,
): void {
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [],
  );
  const onward = connect(socket, () => {
    onward.write([`${method} ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
    onward.write(head);
    onward.pipe(client).pipe(onward);
  });
  for (const [from, to] of [
    [onward, client],
    [client, onward],
  ] as const) {
    from.once('error', () => to.destroy());
    from.once('close', () => to.destroy());
  }
}
