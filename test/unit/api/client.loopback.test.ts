import { assert } from 'chai';
import { getEventListeners } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { ControlPlaneClient } from '../../../src/api/client';
import { ApiError, networkProblem } from '../../../src/api/errors';
import type { LogStreamItem } from '../../../src/api/logStream';
import { scaled } from '../../host/slowness';
import { covers } from '../covers';
import { shortOrLong } from '../long';
import { failure, filters, page, uuid, cleanUpOf } from './cannedAnswers';
import { loopbackServers } from './loopbackServers';
import { testClient } from './testClient';

const asked = { signal: new AbortController().signal, priority: 'person' } as const;
const eventStream = { 'content-type': 'text/event-stream' };
const records = `event: records\ndata: ${JSON.stringify(page)}\n\n`;

describe('the client on a real connection', () => {
  const servers = loopbackServers();
  afterEach(() => servers.close());

  /** Starts a server on loopback and returns its base URL. */
  async function serve(server: Server): Promise<string> {
    return `http://127.0.0.1:${await servers.listen(server)}`;
  }

  /** A client of a server that answers like this. */
  async function clientOf(answer: RequestListener): Promise<ControlPlaneClient> {
    return testClient({ baseUrl: await serve(createServer(answer)) });
  }

  /** Opens a stream and reads it to its end. */
  async function read(
    client: ControlPlaneClient,
    onItems: (items: readonly LogStreamItem[]) => void,
    options = asked,
  ): Promise<void> {
    for await (const items of await client.openLogStream({ filters }, options)) onItems(items);
  }

  it(`sends neither key nor body to a redirect target ${covers('F51', 'connection')}`, async () => {
    let elsewhere = 0;
    const evil = await serve(
      createServer((_, response) => {
        elsewhere++;
        response.end('{}');
      }),
    );
    for (const status of [301, 302, 303, 307, 308]) {
      const client = await clientOf((_, response) => {
        response.writeHead(status, { location: `${evil}/v1/api/logs/query` }).end('moved');
      });
      for (const call of [
        client.listIntegrations({}, asked),
        client.queryLogs({ filters }, asked),
        client.cleanUpOrphans(cleanUpOf(['a'], 'k'), asked),
        client.openLogStream({ filters }, asked),
      ]) {
        assert.include(await failure(call), { kind: 'redirect', status });
      }
    }
    assert.strictEqual(elsewhere, 0);
  });

  it(`detects a refused connection and a reset one ${covers('F16, F18, F61', 'connection')}`, async () => {
    const reset = await clientOf(({ socket }) => socket.resetAndDestroy());
    const server = createServer();
    const gone = testClient({ baseUrl: await serve(server) });
    await new Promise((resolve) => server.close(resolve));
    for (const [client, problem] of [
      [reset, 'reset'],
      [gone, 'refused'],
    ] as const) {
      const error = await failure(client.listIntegrations({}, asked));
      assert.instanceOf(error, ApiError);
      assert.strictEqual(networkProblem(error), problem);
    }
  });

  it(`detects a proxy that requires a login ${covers('F61', 'connection')}`, async () => {
    const client = await clientOf((_, response) => response.writeHead(407).end('<html>'));
    const error = await failure(client.listIntegrations({}, asked));
    assert.strictEqual(networkProblem(error as ApiError), 'proxy');
  });

  it('reuses a connection after responses and errors', async () => {
    let connections = 0;
    const server = createServer((request, response) => {
      response.writeHead(request.url?.endsWith('/integrations') ? 200 : 404).end('{}');
    }).on('connection', () => connections++);
    const client = testClient({ baseUrl: await serve(server) });
    for (let count = 0; count < 20; count++) {
      await client.listIntegrations({}, asked);
      await failure(client.listResources({ sourceId: uuid }, asked));
    }
    assert.isAtMost(connections, 3);
  });

  it(`leaves no listener on a signal of thousands of requests ${covers('F39', 'connection')}`, async function () {
    this.timeout(scaled(60_000));
    const client = await clientOf((request, response) => {
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
    const { signal } = new AbortController();
    const own = { signal, priority: 'person' } as const;
    const listeners = (): number => getEventListeners(signal, 'abort').length;
    const one = async (count: number): Promise<void> => {
      if (count % 3 === 0) await client.listIntegrations({}, own);
      else if (count % 3 === 1) await failure(client.listResources({ sourceId: uuid }, own));
      else await read(client, (items) => assert.lengthOf(items, 1), own);
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
    const clean = await clientOf((_, response) => {
      response.writeHead(200, eventStream).end(records + half);
    });
    const broken = await clientOf(({ socket }, response) => {
      response.writeHead(200, eventStream).write(records + half, () => socket.resetAndDestroy());
    });
    let pages = 0;
    const count = (items: readonly LogStreamItem[]): void => void (pages += items.length);
    await read(clean, count);
    assert.strictEqual(pages, 1);
    pages = 0;
    assert.include(await failure(read(broken, count)), { kind: 'network' });
    // A reset can lose data that arrived before it.
    assert.isAtMost(pages, 1);
  });

  it(`reads a compressed stream, and the start of one that breaks off ${covers('F13', 'connection')}`, async () => {
    const zipped = gzipSync(records.repeat(50));
    for (const [bytes, fewest] of [
      [zipped, 50],
      [zipped.subarray(0, -10), 1],
    ] as const) {
      const client = await clientOf((_, response) => {
        response.writeHead(200, { ...eventStream, 'content-encoding': 'gzip' }).end(bytes);
      });
      let pages = 0;
      await read(client, (items) => (pages += items.length));
      assert.isAtLeast(pages, fewest);
      assert.isAtMost(pages, 50);
    }
  });

  it(`closes the connection when the loop is left or the stream is aborted ${covers('F34', 'connection')}`, async () => {
    const closings: Promise<unknown>[] = [];
    const client = await clientOf((_, response) => {
      closings.push(new Promise((resolve) => response.on('close', resolve)));
      response.writeHead(200, eventStream).write(records);
    });
    for await (const items of await client.openLogStream({ filters }, asked)) {
      if (items.length > 0) break;
    }
    await closings[0];

    const controller = new AbortController();
    const reason = new Error('stopped');
    const end = read(
      client,
      (items) => {
        if (items.length > 0) controller.abort(reason);
      },
      { ...asked, signal: controller.signal },
    );
    assert.strictEqual(await failure(end), reason);
    await closings[1];
    assert.lengthOf(closings, 2);
  });
});
