import { assert } from 'chai';
import { createServer, type Server as HttpServer } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { ControlPlaneClient } from '../../../src/api/client';
import { parseBaseUrl } from '../../../src/api/baseUrl';
import { ApiError, networkProblem, type NetworkProblem } from '../../../src/api/errors';
import { covers } from '../covers';
import { newAuthority, newCertificate, systemAuthority, type Certificate } from './certificates';
import { editorNetwork, type EditorNetwork } from './editorNetwork';
import { apiError, canary, failure, filters } from './cannedAnswers';
import { createProxy, hostBehindProxy, loopbackServers, tunnel } from './loopbackServers';
import { testClient } from './testClient';

const asked = { signal: new AbortController().signal, priority: 'person' } as const;

describe(`the client with the network of VS Code ${covers('F61', 'connection')}`, () => {
  const servers = loopbackServers();
  let authority: Certificate;
  let stranger: Certificate;
  let network: EditorNetwork;
  /** The requests that reached a server: method, path and key. */
  const received: string[] = [];

  before(async () => {
    authority = await systemAuthority();
    stranger = await newAuthority('an unknown authority');
  });

  beforeEach(() => {
    network = editorNetwork();
  });

  afterEach(() => {
    received.length = 0;
    servers.close();
  });

  /** A control plane with this certificate, which accepts all requests and is empty. */
  async function serve({ key, cert }: Certificate): Promise<{ server: HttpsServer; port: number }> {
    const server = createHttpsServer({ key, cert }, ({ method, url, headers }, response) => {
      received.push(`${method} ${url} ${headers.authorization}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"integrations":[]}');
    });
    return { server, port: await servers.listen(server) };
  }

  /** Sends all requests except those to loopback through this proxy. */
  async function goBy(proxy: HttpServer): Promise<void> {
    network.proxy = `http://127.0.0.1:${await servers.listen(proxy)}`;
  }

  function clientOf(baseUrl: string): ControlPlaneClient {
    return testClient({ baseUrl, fetch: network.fetch });
  }

  /** Opens the stream, which has one try. */
  const stream = (baseUrl: string): Promise<unknown> =>
    clientOf(baseUrl).openLogStream({ filters }, asked);

  async function failsWith(baseUrl: string, problem: NetworkProblem): Promise<void> {
    const error = await apiError(stream(baseUrl));
    assert.deepInclude(error, { kind: 'network', code: problem });
    assert.strictEqual(networkProblem(error), problem);
  }

  it('says that there is no TLS on a port for http', async () => {
    const port = await servers.listen(createServer((_request, response) => response.end()));
    await failsWith(`https://127.0.0.1:${port}`, 'noTls');
  });

  it('accepts a certificate that the system trusts, also through a proxy', async () => {
    const { server, port } = await serve(await newCertificate(authority));
    await clientOf(`https://127.0.0.1:${port}`).listIntegrations({}, asked);
    let tunneled: string | undefined;
    await goBy(
      createProxy((socket, { url, headers }) => {
        tunneled = url;
        assert.notProperty(headers, 'authorization');
        tunnel(socket, server);
      }),
    );
    await clientOf(`https://${hostBehindProxy}`).listIntegrations({}, asked);
    assert.strictEqual(tunneled, `${hostBehindProxy}:443`);
    assert.deepEqual(received, Array(2).fill(`GET /v1/api/integrations Bearer ${canary}`));
  });

  // Some of these are refused: whatever is accepted must go straight to this computer.
  const loopbackHosts = [
    ...['localhost', 'LOCALHOST', '127.0.0.1', '127.1', '0x7f.1', '2130706433', '127.0.0.2'],
    ...['127.255.255.254', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '0.0.0.0', '[::]'],
    ...['app.localhost', 'localhost.localdomain'],
  ];
  for (const [from, openBehind] of [
    ['settings', (proxy: string) => Object.assign(editorNetwork(), { proxy })],
    ['the environment', (proxy: string) => editorNetwork({ HTTP_PROXY: proxy })],
  ] as const) {
    it(`never sends a request over http through a proxy from ${from} ${covers('F93', 'connection')}`, async () => {
      let asked = 0;
      const proxy = createProxy((socket) => {
        asked++;
        socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
      });
      network = openBehind(`http://127.0.0.1:${await servers.listen(proxy)}`);
      await failsWith(`https://${hostBehindProxy}`, 'proxy');
      assert.isAtLeast(asked, 1, 'the proxy is in use');
      asked = 0;
      const port = await servers.listen(createServer((_, response) => response.end('{}')));
      for (const host of loopbackHosts) {
        const parsed = parseBaseUrl(`http://${host}:${port}`);
        if (!parsed.ok) continue;
        await failure(stream(parsed.baseUrl));
        assert.equal(asked, 0, host);
      }
    });
  }

  const certificates: [string, () => Promise<Certificate>, NetworkProblem][] = [
    ['is self-signed', () => newCertificate(undefined), 'certificate'],
    ['is of an unknown authority', () => newCertificate(stranger), 'certificate'],
    ['has expired', () => newCertificate(authority, { endsIn: -1 }), 'certificateExpired'],
    [
      'has expired and is of an unknown authority',
      () => newCertificate(stranger, { endsIn: -1 }),
      'certificateExpired',
    ],
    [
      'is for another host',
      () => newCertificate(authority, { hosts: ['elsewhere.test'] }),
      'certificateHost',
    ],
  ];
  for (const [what, certificate, problem] of certificates) {
    it(`sends nothing and reports the problem if the certificate ${what}`, async () => {
      const { server, port } = await serve(await certificate());
      await failsWith(`https://127.0.0.1:${port}`, problem);
      await goBy(createProxy((socket) => tunnel(socket, server)));
      await failsWith(`https://${hostBehindProxy}`, problem);
      assert.isEmpty(received);
    });
  }

  const refusals: [string, string][] = [
    [
      'requires a login',
      '407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"',
    ],
    ['requires a login without a scheme', '407 Proxy Authentication Required'],
    ['forbids it', '403 Forbidden'],
    ['cannot reach the control plane', '502 Bad Gateway'],
  ];
  for (const [what, answer] of refusals) {
    it(`detects a proxy that ${what}`, async () => {
      await goBy(
        createProxy((socket) => socket.end(`HTTP/1.1 ${answer}\r\nContent-Length: 0\r\n\r\n`)),
      );
      await failsWith(`https://${hostBehindProxy}`, 'proxy');
    });
  }

  it('detects a proxy that cannot be reached', async () => {
    const gone = createProxy(() => undefined);
    await goBy(gone);
    await new Promise((resolve) => gone.close(resolve));
    await failsWith(`https://${hostBehindProxy}`, 'proxy');
    // Without a proxy, the control plane cannot be reached.
    await failsWith(new URL(network.proxy ?? '').origin, 'refused');
  });

  it('detects a proxy with the certificate of another host', async () => {
    const { key, cert } = await newCertificate(authority, { hosts: ['elsewhere.test'] });
    const proxy = createHttpsServer({ key, cert });
    network.proxy = `https://localhost:${await servers.listen(proxy)}`;
    await failsWith(`https://${hostBehindProxy}`, 'proxy');
  });

  it('does not wait forever for a proxy that does not respond', async () => {
    await goBy(createProxy(() => undefined));
    const client = testClient({
      baseUrl: `https://${hostBehindProxy}`,
      fetch: network.fetch,
      settings: () => ({ timeoutSeconds: 0.05 }),
    });
    const error = await apiError(client.openLogStream({ filters }, asked));
    assert.instanceOf(error, ApiError);
    assert.strictEqual(error.kind, 'timeout');
  });
});
