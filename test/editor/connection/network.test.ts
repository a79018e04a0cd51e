import { assert } from 'chai';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import * as vscode from 'vscode';
import { uiPattern } from '../../host/texts';
import { newAuthority, newCertificate, type Certificate } from '../../unit/api/certificates';
import {
  createProxy,
  hostBehindProxy,
  loopbackServers,
  tunnel,
} from '../../unit/api/loopbackServers';
import { covers } from '../../unit/covers';
import { testEnvironment } from '../environment';
import { notification } from '../person';
import { setScene, shown } from '../scene';
import { connectAs } from '../../host/connectAs';

/** The parts of VS Code between the extension and a server: proxies and certificates. */
describe('The network of VS Code', () => {
  const scene = setScene({ hosts: [hostBehindProxy] });
  const servers = loopbackServers();
  let requests = 0;

  afterEach(async () => {
    servers.close();
    requests = 0;
    await setProxy(undefined);
  });

  async function setProxy(url: string | undefined): Promise<void> {
    const { Global } = vscode.ConfigurationTarget;
    await vscode.workspace.getConfiguration('http').update('proxy', url, Global);
  }

  async function serve({ key, cert }: Certificate): Promise<string> {
    const server = createServer({ key, cert }, (_, response) => {
      requests++;
      response.end('{}');
    });
    return `https://127.0.0.1:${await servers.listen(server)}`;
  }

  /** Why this base URL cannot be connected to. */
  async function reasonAt(baseUrl: string): Promise<string> {
    const argument = { name: scene.name, baseUrl, apiKey: 'some-key' };
    assert.isFalse(await connectAs(argument));
    return notification(uiPattern('Could not connect.'));
  }

  /** Follows the logs of the control plane at this base URL, and waits for a new line. */
  async function followsAt(baseUrl: string): Promise<void> {
    const apiKey = scene.controlPlane.keys['demo-full'] ?? '';
    await connectAs({ name: scene.newName(), baseUrl, apiKey });
    await scene.follow();
    await scene.tailIs('live');
    await scene.emit(`a line by ${baseUrl}`);
    await shown(1, baseUrl);
  }

  it('follows logs over https, directly and through a proxy, if the system trusts the certificate', async function () {
    const { authority } = await testEnvironment();
    if (authority === undefined) this.skip();
    const { port } = new URL(scene.controlPlane.url);
    const server = createTlsServer(await newCertificate(authority), (socket) => {
      const onward = connect(Number(port), '127.0.0.1').on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
      socket.pipe(onward).pipe(socket);
    });
    await followsAt(`https://127.0.0.1:${await servers.listen(server)}`);
    const asked = new Set<string | undefined>();
    const proxy = createProxy((socket, { url }) => {
      asked.add(url);
      tunnel(socket, server);
    });
    await setProxy(`http://127.0.0.1:${await servers.listen(proxy)}`);
    await followsAt(`https://${hostBehindProxy}`);
    assert.deepEqual([...asked], [`${hostBehindProxy}:443`]);
  });

  it(`sends nothing if the certificate is not trusted, and names the setting ${covers('F61', 'editor')}`, async () => {
    const reason = await reasonAt(await serve(await newCertificate(undefined)));
    assert.match(
      reason,
      uiPattern(
        'The certificate of the control plane is not trusted. If your organization uses its own authority, check the setting http.systemCertificates.',
      ),
    );
    assert.equal(requests, 0);
  });

  it(`sends nothing if the certificate has expired, and names the setting ${covers('F61', 'editor')}`, async () => {
    const stranger = await newAuthority('an unknown authority');
    const reason = await reasonAt(await serve(await newCertificate(stranger, { endsIn: -1 })));
    assert.match(
      reason,
      uiPattern(
        'The certificate of the control plane has expired or is not valid yet. Renew it, and check the clock of this computer. If the certificate belongs to a proxy, check the setting http.proxy.',
      ),
    );
    assert.equal(requests, 0);
  });

  it(`names the setting if the proxy requires a login ${covers('F61', 'editor')}`, async () => {
    let asked = 0;
    const proxy = createProxy((socket) => {
      asked++;
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
    });
    await setProxy(`http://127.0.0.1:${await servers.listen(proxy)}`);
    const reason = await reasonAt(`https://${hostBehindProxy}`);
    assert.match(
      reason,
      uiPattern(
        'The proxy prevents the connection. Check the settings http.proxy and http.proxySupport.',
      ),
    );
    assert.isAtLeast(asked, 1);
  });
});
