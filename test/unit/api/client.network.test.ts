import { assert } from 'chai';
import type { Server as HttpServer } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { ControlPlaneClient } from '../../../src/api/client';
import { createClient } from '../../../src/api/createClient';
import { ApiError } from '../../../src/api/errors';
import { networkProblem, type NetworkProblem } from '../../../src/api/networkProblem';
import { newAuthority, newCertificate, systemAuthority, type Certificate } from './certificates';
import { editorNetwork, type EditorNetwork } from './editorNetwork';
import { apiError, canary, defaults, filters } from './cannedAnswers';
import { createProxy, hostBehindProxy, loopbackServers, tunnel } from './loopbackServers';
import { realClock } from './realClock';

const signal = new AbortController().signal;

describe('the client on the network of the editor (F61)', () => {
  const servers = loopbackServers();
  let authority: Certificate;
  let stranger: Certificate;
  let network: EditorNetwork;
  /** What got through to a server: method, path and key. */
  const received: string[] = [];

  before(async () => {
    authority = await systemAuthority();
    stranger = await newAuthority('an authority that nobody knows');
    network = editorNetwork();
  });

  afterEach(() => {
    network.proxy = undefined;
    received.length = 0;
    servers.close();
  });

  /** A control plane with such a certificate, which grants everything and has nothing. */
  async function serve({ key, cert }: Certificate): Promise<{ server: HttpsServer; port: number }> {
    const server = createHttpsServer({ key, cert }, ({ method, url, headers }, response) => {
      received.push(`${method} ${url} ${headers.authorization}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"integrations":[]}');
    });
    return { server, port: await servers.listen(server) };
  }

  /** Makes all requests but those to loopback go by this proxy. */
  async function goBy(proxy: HttpServer): Promise<void> {
    network.proxy = `http://127.0.0.1:${await servers.listen(proxy)}`;
  }

  function clientOf(baseUrl: string): ControlPlaneClient {
    return createClient({
      baseUrl,
      token: () => Promise.resolve(canary),
      fetch: network.fetch,
      clock: realClock,
      random: () => 0,
      settings: () => defaults,
    });
  }

  const stream = (client: ControlPlaneClient): Promise<unknown> =>
    client.openLogStream({ filters }, { signal });

  /** What a request fails with: that for a stream, of which there is one try, if none is given. */
  async function failsWith(baseUrl: string, problem: NetworkProblem, call = stream): Promise<void> {
    const error = await apiError(call(clientOf(baseUrl)));
    assert.deepInclude(error, { kind: 'network', code: problem });
    assert.strictEqual(networkProblem(error), problem);
  }

  it('takes a certificate that the system trusts, and goes through a proxy', async () => {
    const { server, port } = await serve(await newCertificate(authority));
    await clientOf(`https://127.0.0.1:${port}`).listIntegrations({ signal });
    let asked: string | undefined;
    await goBy(
      createProxy((socket, { url, headers }) => {
        asked = url;
        assert.notProperty(headers, 'authorization');
        tunnel(socket, server);
      }),
    );
    await clientOf(`https://${hostBehindProxy}`).listIntegrations({ signal });
    assert.strictEqual(asked, `${hostBehindProxy}:443`);
    assert.deepEqual(received, Array(2).fill(`GET /v1/api/integrations Bearer ${canary}`));
  });

  const certificates: [string, () => Promise<Certificate>, NetworkProblem][] = [
    ['vouches for itself', () => newCertificate(undefined), 'certificate'],
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
    it(`sends nothing where the certificate ${what}, and names it`, async () => {
      const { server, port } = await serve(await certificate());
      await failsWith(`https://127.0.0.1:${port}`, problem);
      await goBy(createProxy((socket) => tunnel(socket, server)));
      await failsWith(`https://${hostBehindProxy}`, problem);
      assert.isEmpty(received);
    });
  }

  it('names it whatever was asked for', async () => {
    const { port } = await serve(await newCertificate(stranger));
    for (const call of [
      (client: ControlPlaneClient) => client.listIntegrations({ signal }),
      (client: ControlPlaneClient) => client.queryLogs({ filters }, { signal }),
    ]) {
      await failsWith(`https://127.0.0.1:${port}`, 'certificate', call);
    }
  });

  const refusals: [string, string][] = [
    ['wants a login', '407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"'],
    ['wants a login and does not say which', '407 Proxy Authentication Required'],
    ['forbids it', '403 Forbidden'],
    ['cannot reach the control plane', '502 Bad Gateway'],
  ];
  for (const [what, answer] of refusals) {
    it(`names a proxy that ${what}`, async () => {
      await goBy(
        createProxy((socket) => socket.end(`HTTP/1.1 ${answer}\r\nContent-Length: 0\r\n\r\n`)),
      );
      await failsWith(`https://${hostBehindProxy}`, 'proxy');
    });
  }

  it('names a proxy that is not there', async () => {
    const gone = createProxy(() => undefined);
    await goBy(gone);
    await new Promise((resolve) => gone.close(resolve));
    await failsWith(`https://${hostBehindProxy}`, 'proxy');
    // Where nobody else is between, it is the control plane itself that is not there.
    await failsWith(new URL(network.proxy ?? '').origin, 'refused');
  });

  it('names a proxy whose own certificate is another host’s', async () => {
    const { key, cert } = await newCertificate(authority, { hosts: ['elsewhere.test'] });
    const proxy = createHttpsServer({ key, cert });
    network.proxy = `https://localhost:${await servers.listen(proxy)}`;
    await failsWith(`https://${hostBehindProxy}`, 'proxy');
  });

  it('does not wait for ever for a proxy that says nothing', async () => {
    await goBy(createProxy(() => undefined));
    const client = createClient({
      baseUrl: `https://${hostBehindProxy}`,
      token: () => Promise.resolve(canary),
      fetch: network.fetch,
      clock: realClock,
      random: () => 0,
      settings: () => ({ ...defaults, timeoutSeconds: 0.05 }),
    });
    const error = await apiError(client.openLogStream({ filters }, { signal }));
    assert.instanceOf(error, ApiError);
    assert.strictEqual(error.kind, 'timeout');
  });
});
