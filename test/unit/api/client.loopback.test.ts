import { assert } from 'chai';
import { getEventListeners } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { ControlPlaneClient } from '../../../src/api/client';
import { ApiError, networkProblem } from '../../../src/api/errors';
import { scaled } from '../../host/slowness';
import { covers } from '../covers';
import { shortOrLong } from '../long';
import { failure, filters, page, uuid } from './cannedAnswers';
import { testClient } from './testClient';

const asked = { signal: new AbortController().signal, priority: 'person' } as const;
const eventStream = { 'content-type': 'text/event-stream' };
const records = `event: records\ndata: ${JSON.stringify(page)}\n\n`;

describe('the client on a real connection', () => {
  const servers: Server[] = [];

  /** Starts a server on loopback and returns its base URL. */
  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  function clientOf(baseUrl: string): ControlPlaneClient {
    return testClient({ baseUrl });
  }

  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  it(`sends neither key nor body to a redirect target ${covers('F51', 'connection')}`, async () => {
    let elsewhere = 0;
    const evil = await serve((_, response) => {
      elsewhere++;
      response.end('{}');
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const good = await serve((_, response) => {
        response.writeHead(status, { location: `${evil}/v1/api/logs/query` }).end('moved');
      });
      const client = clientOf(good);
      for (const call of [
        client.listIntegrations(asked),
        client.queryLogs({ filters }, asked),
        client.cleanUpOrphans({ serverId: uuid, items: ['a'], idempotencyKey: 'k' }, asked),
        client.openLogStream({ filters }, asked),
      ]) {
        assert.include(await failure(call), { kind: 'redirect', status });
      }
    }
    assert.strictEqual(elsewhere, 0);
  });

  it(`detects a refused connection and a reset one ${covers('F16, F18, F61', 'connection')}`, async () => {
    const reset = clientOf(await serve(({ socket }) => socket.resetAndDestroy()));
    const gone = clientOf(await serve(() => undefined));
    const last = servers.at(-1);
    await new Promise((resolve) => last?.close(resolve));
    for (const [client, problem] of [
      [reset, 'reset'],
      [gone, 'refused'],
    ] as const) {
      const error = await failure(client.listIntegrations(asked));
      assert.instanceOf(error, ApiError);
      assert.strictEqual(networkProblem(error), problem);
    }
  });

  it(`detects a proxy that requires a login ${covers('F61', 'connection')}`, async () => {
    const client = clientOf(await serve((_, response) => response.writeHead(407).end('<html>')));
    const error = await failure(client.listIntegrations(asked));
    assert.strictEqual(networkProblem(error as ApiError), 'proxy');
  });

  it('reuses a connection after responses and errors', async () => {
    let connections = 0;
    const baseUrl = await serve((request, response) => {
      response.writeHead(request.url?.endsWith('/integrations') ? 200 : 404).end('{}');
    });
    servers.at(-1)?.on('connection', () => connections++);
    const client = clientOf(baseUrl);
    for (let count = 0; count < 20; count++) {
      await client.listIntegrations(asked);
      await failure(client.listResources(uuid, asked));
    }
    assert.isAtMost(connections, 3);
  });

  it(`leaves no listener on a signal of thousands of requests ${covers('F39', 'connection')}`, async function () {
    this.timeout(scaled(60_000));
    const baseUrl = await serve((request, response) => {
      request.resume().on('end', () => {
        const { url = '' } = request;
        if (url.endsWith('/tail')) response.writeHead(200, eventStream).end(records);
        else response.writeHead(url.endsWith('/integrations') ? 200 : 404).end('{}');
      });
    });
    // Node.js warns at the eleventh listener.
    const requests = shortOrLong(300, 3000);
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    const client = clientOf(baseUrl);
    const { signal } = new AbortController();
    const own = { signal, priority: 'person' } as const;
    const listeners = (): number => getEventListeners(signal, 'abort').length;
    const one = async (count: number): Promise<void> => {
      if (count % 3 === 0) await client.listIntegrations(own);
      else if (count % 3 === 1) await failure(client.listResources(uuid, own));
      else {
        const opened = await client.openLogStream({ filters }, own);
        for await (const items of opened) assert.lengthOf(items, 1);
      }
    };
    try {
      let most = 0;
      for (let count = 0; count < requests; count += 10) {
        await Promise.all(Array.from({ length: 10 }, (_, index) => one(count + index)));
        most = Math.max(most, listeners());
      }
      assert.strictEqual(most, 0);
      await new Promise((resolve) => setImmediate(resolve));
      assert.isEmpty(warnings);
    } finally {
      process.off('warning', onWarning);
    }
  });

  it(`discards a half event when the stream ends, and fails when it is reset ${covers('F8, F16', 'connection')}`, async () => {
    const half = records.slice(0, -1);
    const clean = clientOf(
      await serve((_, response) => response.writeHead(200, eventStream).end(records + half)),
    );
    const broken = clientOf(
      await serve(({ socket }, response) => {
        response.writeHead(200, eventStream).write(records + half, () => socket.resetAndDestroy());
      }),
    );
    for (const [client, kind] of [
      [clean, undefined],
      [broken, 'network'],
    ] as const) {
      let pages = 0;
      const end = await (async () => {
        for await (const items of await client.openLogStream({ filters }, asked))
          pages += items.length;
      })().catch((error: unknown) => error);
      // A reset can lose data that arrived before it.
      assert.isAtMost(pages, 1);
      assert.strictEqual(end instanceof ApiError ? end.kind : end, kind);
      if (kind === undefined) assert.strictEqual(pages, 1);
    }
  });

  it(`reads a compressed stream, and the start of one that breaks off ${covers('F13', 'connection')}`, async () => {
    const zipped = gzipSync(records.repeat(50));
    for (const [bytes, fewest] of [
      [zipped, 50],
      [zipped.subarray(0, -10), 1],
    ] as const) {
      const baseUrl = await serve((_, response) => {
        response.writeHead(200, { ...eventStream, 'content-encoding': 'gzip' }).end(bytes);
      });
      let pages = 0;
      const opened = await clientOf(baseUrl).openLogStream({ filters }, asked);
      for await (const items of opened) pages += items.length;
      assert.isAtLeast(pages, fewest);
      assert.isAtMost(pages, 50);
    }
  });

  it(`closes the connection when the loop is left or the stream is aborted ${covers('F34', 'connection')}`, async () => {
    const closings: Promise<unknown>[] = [];
    const baseUrl = await serve((_, response) => {
      closings.push(new Promise((resolve) => response.on('close', resolve)));
      response.writeHead(200, eventStream).write(records);
    });
    const client = clientOf(baseUrl);
    for await (const items of await client.openLogStream({ filters }, asked)) {
      if (items.length > 0) break;
    }
    await closings[0];

    const controller = new AbortController();
    const reason = new Error('stopped');
    const opened = await client.openLogStream(
      { filters },
      { signal: controller.signal, priority: 'person' },
    );
    const end = (async () => {
      for await (const items of opened) if (items.length > 0) controller.abort(reason);
    })();
    assert.strictEqual(await failure(end), reason);
    await closings[1];
    assert.lengthOf(closings, 2);
  });
});
