import { assert } from 'chai';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mcpUrl, tryMcpServer } from '../../../src/ai/mcpServer';
import { second } from '../../../src/base/clock';
import { isObject, membersOf } from '../../../src/base/json';
import { realClock } from '../api/realClock';
import { covers } from '../covers';
import { fakeClock } from '../fakeClock';

interface Received {
  readonly method: string | undefined;
  readonly key: string | undefined;
  readonly message: unknown;
  readonly session: string | string[] | undefined;
}

type Answer = (response: ServerResponse) => void;

/** A server on loopback that keeps what it gets, and refuses what servers of the SDK of MCP refuse. */
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
      const refused = refusalOf(request, message);
      if (refused !== undefined) {
        const error = { code: -32_000, message: 'Bad Request' };
        response
          .writeHead(refused, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
      } else if (method === 'DELETE') response.writeHead(200).end();
      else answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/mcp`,
    received,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The session of the server, if it has one. */
const session = 's-1';

/** The status of the refusal; undefined for a request that is as it must be. */
function refusalOf({ method, headers }: IncomingMessage, message: unknown): number | undefined {
  if (method === 'DELETE') return headers['mcp-session-id'] === session ? undefined : 404;
  if (method !== 'POST') return 405;
  const accepted = (headers.accept ?? '').split(/, */);
  if (!['application/json', 'text/event-stream'].every((type) => accepted.includes(type))) {
    return 406;
  }
  if (headers['content-type'] !== 'application/json') return 415;
  const { jsonrpc, id, method: called, params } = membersOf(message);
  const { protocolVersion, capabilities, clientInfo } = membersOf(params);
  const { name, version } = membersOf(clientInfo);
  const isInitialize =
    [jsonrpc, called].join() === '2.0,initialize' &&
    typeof id === 'number' &&
    isObject(capabilities) &&
    [protocolVersion, name, version].every((one) => typeof one === 'string');
  return isInitialize ? undefined : 400;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

describe('an MCP server of a control plane', () => {
  const servers: Awaited<ReturnType<typeof serving>>[] = [];
  const serve = async (answer: Answer) => {
    const server = await serving(answer);
    servers.push(server);
    return server;
  };
  const { signal } = new AbortController();
  const usual = { fetch: (request: Request) => fetch(request), clock: realClock, signal };
  const trying = ({ url }: { readonly url: string }, options = {}) =>
    tryMcpServer(url, 'the-key', { ...usual, timeoutMs: 20 * second, ...options });
  /** How the question ended. */
  const failureOf = (asking: Promise<unknown>): Promise<unknown> =>
    asking.then(
      () => undefined,
      (error: unknown) => error,
    );
  afterEach(() => servers.splice(0).forEach((server) => server.close()));

  const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: {} };
  const initialized = JSON.stringify({ jsonrpc: '2.0', id: 1, result });

  it('is ready if it answers as one, also with a stream, and its session is ended', async () => {
    for (const [type, body] of [
      ['application/json', initialized],
      ['text/event-stream; charset=utf-8', `event: message\ndata: ${initialized}\n\n`],
    ] as const) {
      const server = await serve((response) =>
        response.writeHead(200, { 'content-type': type, 'mcp-session-id': session }).end(body),
      );
      assert.deepEqual(await trying(server), { kind: 'ready' });
      assert.deepEqual(
        server.received.map(({ method, key, session }) => [method, key, session]),
        [
          ['POST', 'Bearer the-key', undefined],
          ['DELETE', 'Bearer the-key', session],
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

  it('is ready also if it does not let its session be ended', async () => {
    const headers = { 'content-type': 'application/json', 'mcp-session-id': 'of another one' };
    const server = await serve((response) => response.writeHead(200, headers).end(initialized));
    assert.deepEqual(await trying(server), { kind: 'ready' });
    const breaking = async (request: Request): Promise<Response> => {
      if (request.method === 'DELETE') throw new TypeError('fetch failed');
      return fetch(request);
    };
    assert.deepEqual(await trying(server, { fetch: breaking }), { kind: 'ready' });
  });

  it('is waited for as long as for any answer of the control plane', async () => {
    const clock = fakeClock();
    let isOver = false;
    const silent = ({ signal: ofRequest }: Request): Promise<Response> => {
      ofRequest.addEventListener('abort', () => (isOver = true));
      return new Promise(() => undefined);
    };
    const failure = failureOf(trying({ url: 'https://a.example/mcp' }, { fetch: silent, clock }));
    await clock.advance(20 * second - 1);
    assert.isFalse(isOver);
    await clock.advance(1);
    assert.propertyVal(await failure, 'kind', 'timeout');
    assert.isTrue(isOver);
    assert.equal(clock.liveTimers, 0);
  });

  it('is not waited for any more if the question is cancelled', async () => {
    const controller = new AbortController();
    const server = await serve(() => controller.abort());
    const failure = await failureOf(trying(server, { signal: controller.signal }));
    assert.strictEqual(failure, controller.signal.reason);
  });

  it('that is not there is told like any server that is not', async () => {
    const server = await serve(() => undefined);
    server.close();
    const failure = await failureOf(trying(server));
    assert.propertyVal(failure, 'kind', 'network');
    assert.propertyVal(failure, 'code', 'refused');
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
