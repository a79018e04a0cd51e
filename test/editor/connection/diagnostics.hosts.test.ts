import { assert } from 'chai';
import { uiPattern, uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { setScene, shown } from '../scene';
import { inChannel, run } from '../wait';

describe('The Control Plane channel', () => {
  const scene = setScene();

  it(`has one line for each request, without keys and bodies ${covers('F50', 'editor')}`, async () => {
    const apiKey = await scene.controlPlane.admin.addKey(
      'canary',
      ['logs.read'],
      'canary-31415926',
    );
    const connect = (key: string) =>
      run('connect', {
        name: scene.name,
        baseUrl: scene.controlPlane.url,
        apiKey: key,
      });
    await scene.set('api.descriptionPath', '');
    await connect('canary-wrong-27182');
    await scene.controlPlane.admin.fault({ kind: 'status', status: 503, times: 2 });
    await connect(apiKey);
    await scene.follow('"canary-text"');
    await scene.tailIs('live');
    await scene.emit({ body: 'canary-text and more' });
    await shown(1);
    await scene.controlPlane.admin.revokeKey('canary');
    await scene.tailIs(uiPattern('failed: {0}', uiText('signed out')));
    await run('showOutput');

    const expected = (await scene.requests()).map(
      ({ method, url, status }) => `${method} ${url} ${String(status)} `,
    );
    assert.isAtLeast(expected.length, 5);
    const written = await inChannel('diagnostics', (text) => {
      const lines = text.split('\n').filter((line) => / (GET|POST) \//.test(line));
      const own = lines.slice(-expected.length);
      return own.length === expected.length && own.at(-1)?.includes('/logs/tail') === true
        ? own
        : undefined;
    });
    for (const [index, line] of written.entries()) {
      assert.match(line, / \d+ ms\b/);
      assert.include(line, expected[index]!);
      // Only errors have an id that helps to find the request on the server.
      if (!line.includes(' 200 ')) assert.match(line, / req_[0-9a-f]{12}\b/);
    }
    const all = await inChannel('diagnostics', (text) => text);
    assert.notInclude(all, 'canary-31415926');
    assert.notInclude(all, 'canary-wrong-27182');
    assert.notInclude(all, 'canary-text');
    assert.notInclude(all, 'Bearer');
    // Keys must not be in URLs either, which servers and proxies log.
    const urls = (await scene.requests()).map(({ url }) => url).join('\n');
    assert.notInclude(urls, 'canary');
  });

  it(`has one line for each message, whatever text a server sends ${covers('F77', 'editor')}`, async () => {
    await scene.connect();
    const forged = '2026-11-20 12:00:00.000 [error] all is lost';
    const code = `odd\n${forged}\u001b[2J\u202e`;
    await scene.controlPlane.admin.fault({ kind: 'status', status: 404, code, message: code });
    await run('openLogsAsText', 'last:1h');
    await run('showOutput');
    const text = await inChannel('diagnostics', (all) =>
      all.includes('all is lost') ? all : undefined,
    );
    for (const line of text.split('\n')) {
      assert.isFalse(line.startsWith(forged), line);
      // eslint-disable-next-line no-control-regex -- the test is about control characters
      assert.notMatch(line, /[\u001b\u202e]/);
    }
  });
});
