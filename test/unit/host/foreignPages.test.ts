import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { assert } from 'chai';
import { createRandom } from '../../control-plane/random';
import { type ControlPlaneServer, startControlPlane } from '../../control-plane/server';
import { type GuardedServer, startGuardedServer } from '../../host/guardedServer';
import { temporaryFolder } from '../../host/processes';
import { covers } from '../covers';

type Headers = Readonly<Record<string, string>>;

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A request as a page can send it, which `fetch` of Node.js cannot. */
async function send(url: string, headers: Headers, method = 'GET', body = ''): Promise<Answer> {
  const request = httpRequest(url, { method, headers, agent: false });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { statusCode: status = 0, headers: answered } = response;
  return { status, headers: answered, body: await text(response) };
}

const foreign = 'https://evil.example';

describe('The embedded control plane on a port', () => {
  let plane: ControlPlaneServer;
  let asKey: Headers;
  const query = JSON.stringify({
    filters: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
  });
  const logs = (headers: Headers, method = 'POST'): Promise<Answer> =>
    send(`${plane.url}/v1/api/logs/query`, { ...asKey, ...headers }, method, query);

  before(async () => {
    plane = await startControlPlane({ live: false, historyRecords: 0 });
    asKey = {
      authorization: `Bearer ${plane.keys['demo-full']}`,
      'content-type': 'application/json',
    };
    plane.allowOrigin('http://127.0.0.1:1');
  });
  after(() => plane.close());

  it(`has keys that the source code does not tell ${covers('F110', 'connection')}`, () => {
    const seeded = createRandom(1).fork('keys');
    for (const [name, key] of Object.entries(plane.keys)) {
      assert.notEqual(key, `${name}.${seeded.fork(name).hex(24)}`);
    }
    const names = Object.values(plane.keys);
    assert.lengthOf(new Set(names), names.length);
  });

  it(`answers no page of another origin, and none under another host ${covers('F110', 'connection')}`, async () => {
    assert.equal((await logs({})).status, 200);
    const { port } = new URL(plane.url);
    const before = plane.admin.requests().length;
    for (const headers of [
      { origin: foreign },
      { origin: 'http://127.0.0.1:2' },
      { origin: 'null' },
      { host: `evil.example:${port}` },
      { host: `127.0.0.1.evil.example:${port}` },
      { host: `evil.example:${port}`, origin: 'http://127.0.0.1:1' },
    ]) {
      for (const method of ['POST', 'OPTIONS']) {
        const { status, body, headers: answered } = await logs(headers, method);
        assert.deepEqual([status, body], [403, ''], JSON.stringify(headers));
        assert.notProperty(answered, 'access-control-allow-origin');
      }
      const admin = await send(`${plane.url}/_admin/emit`, headers, 'POST', '[1]');
      assert.equal(admin.status, 403);
    }
    assert.lengthOf(plane.admin.requests(), before);
    assert.equal(plane.admin.emitted().count, 0);
  });

  it('answers the pages of an allowed origin, except for what is no part of the API', async () => {
    const headers = { origin: 'http://127.0.0.1:1' };
    const { status, headers: answered } = await logs(headers);
    assert.equal(status, 200);
    assert.equal(answered['access-control-allow-origin'], headers.origin);
    assert.equal((await send(`${plane.url}/_admin/emit`, headers, 'POST', '[1]')).status, 403);
  });
});

// Windows has no socket files.
if (process.platform !== 'win32') {
  describe('The editor of the demo behind its port', () => {
    let inner: Server;
    let guarded: GuardedServer;
    let origin: string;
    let token: string;
    let reached: string[];

    before(async () => {
      const socket = path.join(await temporaryFolder('guarded'), 'socket');
      inner = createServer((request, response) => {
        reached.push(`${request.method} ${request.url}`);
        request.pipe(response);
      });
      inner.on('upgrade', (request, client) => {
        reached.push(`upgrade ${request.url}`);
        client.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n');
      });
      inner.listen(socket);
      await once(inner, 'listening');
      guarded = await startGuardedServer(socket, 0);
      const url = new URL(guarded.url);
      origin = url.origin;
      token = url.searchParams.get('token') ?? '';
    });
    beforeEach(() => void (reached = []));
    after(async () => {
      await guarded.close();
      inner.close();
    });

    /** What the browser keeps after it has opened the printed address. */
    async function cookie(): Promise<string> {
      const { status, headers } = await send(`${guarded.url}&folder=/a`, {});
      assert.equal(status, 302);
      assert.equal(headers['location'], '/?folder=%2Fa');
      const [set = ''] = headers['set-cookie'] as string[];
      assert.match(set, /; HttpOnly; SameSite=Strict$/);
      return set.split(';')[0] ?? '';
    }
    /** The status of a WebSocket. */
    async function upgrade(headers: Headers): Promise<number | undefined> {
      const request = httpRequest(`${origin}/ws`, {
        headers: { connection: 'Upgrade', upgrade: 'a', ...headers },
        agent: false,
      });
      request.end();
      const answered = await Promise.race([once(request, 'upgrade'), once(request, 'response')]);
      return (answered[0] as { statusCode?: number }).statusCode;
    }

    it('opens with the address that is printed, and passes everything on then', async () => {
      const kept = { cookie: `other=1; ${await cookie()}` };
      assert.equal((await send(`${origin}/a?b=1`, kept, 'POST', 'text')).body, 'text');
      assert.equal((await send(`${origin}/a`, { ...kept, origin })).status, 200);
      assert.equal(await upgrade({ ...kept, origin }), 101);
      assert.deepEqual(reached, ['POST /a?b=1', 'GET /a', 'upgrade /ws']);
    });

    it(`opens for nobody else: without the token, for another origin, under another host ${covers('F110', 'connection')}`, async () => {
      const kept = { cookie: await cookie() };
      const { port } = new URL(origin);
      const rebound = `evil.example:${port}`;
      for (const headers of [
        {},
        { cookie: `token-${port}=${'0'.repeat(token.length)}` },
        { ...kept, origin: foreign },
        { ...kept, origin: 'null' },
        { ...kept, host: rebound },
        { ...kept, host: rebound, origin: `http://${rebound}` },
      ]) {
        assert.equal((await send(`${origin}/`, headers)).status, 403, JSON.stringify(headers));
        assert.equal(await upgrade(headers), 403, JSON.stringify(headers));
      }
      for (const headers of [{ host: rebound }, { origin: foreign }]) {
        const answer = await send(guarded.url, headers);
        assert.equal(answer.status, 403);
        assert.notProperty(answer.headers, 'set-cookie');
      }
      assert.equal((await send(`${origin}/?token=${'0'.repeat(token.length)}`, {})).status, 403);
      assert.isEmpty(reached);
    });
  });
}
