import { assert } from 'chai';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mcpUrl, tryMcpServer } from '../../../src/ai/mcpServer';
import { covers } from '../covers';

interface Received {
  readonly method: string | undefined;
  readonly key: string | undefined;
  readonly message: unknown;
  readonly session: string | string[] | undefined;
}

type Answer = (response: ServerResponse) => void;

/** A server on loopback that keeps what it gets. */
async function serving(answer: Answer) {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { method, headers } = request;
      const message: unknown = body === '' ? undefined : JSON.parse(body);
      received.push({
        method,
        key: headers.authorization,
        message,
        session: headers['mcp-session-id'],
      });
      if (method === 'DELETE') response.writeHead(204).end();
      else answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1/mcp`, received, close: () => server.close() };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

const { signal } = new AbortController();

describe('an MCP server of a control plane', () => {
  const servers: Awaited<ReturnType<typeof serving>>[] = [];
  const serve = async (answer: Answer) => {
    const server = await serving(answer);
    servers.push(server);
    return server;
  };
  const trying = ({ url }: { readonly url: string }) =>
    tryMcpServer((request) => fetch(request), url, 'the-key', signal);
  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: {} };
  const initialized = JSON.stringify({ jsonrpc: '2.0', id: 1, result });

  it('is ready if it answers as one, also with a stream, and its session is ended', async () => {
    for (const [type, body] of [
      ['application/json', initialized],
      ['text/event-stream; charset=utf-8', `event: message\ndata: ${initialized}\n\n`],
    ] as const) {
      const server = await serve((response) =>
        response.writeHead(200, { 'content-type': type, 'mcp-session-id': 's-1' }).end(body),
      );
      assert.deepEqual(await trying(server), { kind: 'ready' });
      assert.deepEqual(
        server.received.map(({ method, key, session }) => [method, key, session]),
        [
          ['POST', 'Bearer the-key', undefined],
          ['DELETE', 'Bearer the-key', 's-1'],
        ],
      );
      assert.nestedPropertyVal(server.received[0], 'message.method', 'initialize');
    }
  });

  it('is told apart from none, from one that takes OAuth, and from one that refuses the key', async () => {
    const challenge = 'Bearer resource_metadata="https://plane.example/.well-known/oauth"';
    const page = { 'content-type': 'text/html' };
    for (const [status, headers, kind] of [
      [404, {}, 'none'],
      [405, {}, 'none'],
      [200, page, 'none'],
      [401, { 'www-authenticate': challenge }, 'signIn'],
      [401, { 'www-authenticate': 'Bearer' }, 'refused'],
      [403, {}, 'refused'],
      [500, {}, 'failed'],
    ] as const) {
      const server = await serve((response) => response.writeHead(status, headers).end());
      assert.propertyVal(await trying(server), 'kind', kind, `${status}`);
    }
  });

  it(`gets the key alone, not where it redirects to ${covers('F51', 'connection')}`, async () => {
    const other = await serve((response) => response.writeHead(200).end(initialized));
    const server = await serve((response) =>
      response.writeHead(307, { location: other.url }).end(),
    );
    assert.deepEqual(await trying(server), { kind: 'none' });
    assert.isEmpty(other.received);
  });

  it('is at a path of the origin, whatever the path is', () => {
    const at = (baseUrl: string, path: string) =>
      mcpUrl({ name: 'c', baseUrl, origin: new URL(baseUrl).origin }, path);
    assert.equal(at('https://plane.example/eu', '/v1/mcp'), 'https://plane.example/eu/v1/mcp');
    for (const path of ['@evil.example/mcp', '.evil.example/mcp', ':99/mcp']) {
      assert.isUndefined(at('https://plane.example', path), path);
    }
  });
});
