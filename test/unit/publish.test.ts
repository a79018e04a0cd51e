import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createVSIX } from '@vscode/vsce';
import { assert } from 'chai';
import { packageOptions } from '../../.config/package';
import { scaled } from '../host/slowness';

const root = path.resolve(__dirname, '../..');
const identity = { publisher: 'control-plane', name: 'deployment-control-plane' };

/** The two resources of the API of the Marketplace that publishing uses, by their ids. */
const resources = Object.entries({
  'e11ea35a-16fe-4b80-ab11-c4cab88a0966': 'publishers/{publisherName}/extensions/{extensionName}',
  'a41192c8-9525-4b58-bc86-179fa549d80d': 'extensions/{extensionId}',
}).map(([id, route]) => ({
  id,
  area: 'gallery',
  resourceName: 'extensions',
  routeTemplate: `_apis/{area}/${route}`,
  resourceVersion: 2,
  minVersion: '1.0',
  maxVersion: '7.2',
  releasedVersion: '0.0',
}));

/** What both registries and GitHub answer to a first release; anything else does not exist. */
const answers: Readonly<Record<string, object>> = {
  'OPTIONS /_apis/gallery': { count: resources.length, value: resources },
  'POST /_apis/gallery/extensions': {},
  'GET /identity': { value: 'who the job is' },
  'GET /api/version': { version: '1.3.0' },
  'POST /api/-/trusted-publishing/token': { value: 'for minutes' },
  'GET /api/-/size-limit': { maxSize: 100_000 },
  'POST /api/-/publish': { ...identity, version: '0.1.0', targetPlatform: 'universal' },
};

interface Received {
  readonly what: string;
  readonly authorization: string | undefined;
  readonly body: Buffer;
}

// Only GitHub's Linux publishes.
if (process.platform === 'linux') {
  describe('.ci/publish', function () {
    this.timeout(scaled(120_000));
    const folder = mkdtempSync(path.join(tmpdir(), 'publish-'));
    const file = path.join(folder, 'extension.vsix');
    const received: Received[] = [];
    const server = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      const what = `${method} ${url.split('?')[0] ?? ''}`;
      void buffer(request).then((body) => {
        received.push({ what, authorization: headers.authorization, body });
        response.writeHead(what in answers ? 200 : 404, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answers[what] ?? {}));
      });
    });
    let sha256 = '';
    let url = '';

    before(async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const version = '0.1.0';
      const manifest = { ...identity, version, license: 'MIT', engines: { vscode: '^1.103.0' } };
      writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
      for (const name of ['README.md', 'LICENSE']) writeFileSync(path.join(folder, name), 'Text');
      const options = { ...packageOptions(version), allowMissingRepository: true };
      await createVSIX({ cwd: folder, packagePath: file, ...options });
      sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
      // The command that azure/login has signed in.
      const token = { accessToken: 'from Azure', expiresOn: '2099-01-01 00:00:00.000000' };
      writeFileSync(path.join(folder, 'az'), `#!/bin/sh\necho '${JSON.stringify(token)}'\n`);
      chmodSync(path.join(folder, 'az'), 0o755);
    });
    after(() => {
      server.close();
      rmSync(folder, { recursive: true });
    });
    beforeEach(() => received.splice(0));

    const publish = (registry: string, hash = sha256): Promise<number | null> =>
      new Promise((resolve) => {
        const env = {
          PATH: `${folder}:${process.env['PATH'] ?? ''}`,
          HOME: folder,
          NO_PROXY: '127.0.0.1',
          SHA256: hash,
          VSCE_MARKETPLACE_URL: url,
          OVSX_REGISTRY_URL: url,
          // As the workflow passes a secret that does not exist.
          OVSX_PAT: '',
          ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/identity`,
          ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of the job',
        };
        const script = path.join(root, '.ci/publish');
        spawn('bash', [script, registry, file], { cwd: root, env, stdio: 'ignore' }).on(
          'close',
          resolve,
        );
      });

    for (const [registry, request, authorization] of [
      // Signed in by Azure.
      ['marketplace', '/_apis/gallery/extensions', /^Basic T0F1dGg6ZnJvbSBBenVyZQ==$/],
      // As the job that it is.
      ['open-vsx', '/api/-/publish', /for minutes/],
    ] as const) {
      it(`uploads the tested package to ${registry}, and nothing else`, async () => {
        assert.strictEqual(await publish(registry), 0, JSON.stringify(received));
        const uploads = received.filter(({ body }) => body.toString('latin1', 0, 2) === 'PK');
        assert.deepEqual(
          uploads.map(({ what }) => what),
          [`POST ${request}`],
        );
        assert.isTrue(uploads[0]!.body.equals(readFileSync(file)));
        assert.match(uploads[0]?.authorization ?? '', authorization);
        // The token of Open VSX is for who the job is.
        const exchange = received.find(({ what }) => what.endsWith('trusted-publishing/token'));
        if (registry === 'open-vsx') assert.include(exchange?.body.toString(), 'who the job is');
      });
    }

    it('sends nothing if the package is another one, or the registry is unknown', async () => {
      for (const registry of ['marketplace', 'open-vsx']) {
        assert.notStrictEqual(await publish(registry, '0'.repeat(64)), 0);
      }
      assert.notStrictEqual(await publish('elsewhere'), 0);
      assert.isEmpty(received);
    });
  });
}
