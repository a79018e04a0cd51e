import { assert } from 'chai';
import * as vscode from 'vscode';
import manifest from '../../../package.json';
import { uiPattern } from '../../host/texts';
import { covers } from '../../unit/covers';
import { clickInMessage } from '../person';
import { setScene, shown } from '../scene';
import { run, until } from '../wait';

describe('Copy Diagnostics', () => {
  const scene = setScene();

  it(`copies what a bug report needs, without keys, names of secrets and log text ${covers('F50', 'editor')}`, async () => {
    const { admin, url } = scene.controlPlane;
    const apiKey = await admin.addKey('canary', ['logs.read'], 'canary-31415926');
    await run('connect', {
      name: scene.name,
      baseUrl: url,
      apiKey,
    });
    await scene.set('logs.showAttributes', true);
    await scene.set('logs.pathMappings', { '/canary-folder': 'src' });
    await scene.follow('"canary-text"');
    await scene.tailIs('live');
    await scene.emit({ body: 'canary-text and more' });
    await shown(1);

    await run('copyDiagnostics');
    const copied = await vscode.env.clipboard.readText();

    for (const line of [
      `Deployment Control Plane: ${manifest.version}`,
      `Editor: ${vscode.env.appName} ${vscode.version}, `,
      `  ${scene.name} · ${new URL(url).origin} · has a key, current`,
      '  controlPlane.logs.showAttributes = true (user)',
      '  controlPlane.logs.pathMappings = a map of 1 (user)',
      '  live · filters: search · ',
    ]) {
      assert.include(copied, `\n${line}`);
    }
    assert.match(copied, /^ {2}\S+Z POST \/v1\/api\/logs\/query 200 \d+ ms$/m);
    assert.match(copied, /^Extension host: (web worker|Node\.js \d+\.\d+\.\d+, \w+ \w+)$/m);
    // Never the address of the remote server.
    assert.match(copied, /^Remote: (none|a server)$/m);
    assert.notInclude(copied, 'canary');
  });

  it('shows the copied text on request', async () => {
    const copiedNow = uiPattern(
      'Copied the diagnostics. They contain no API keys, secret names or log text.',
    );
    clickInMessage(copiedNow, 'Show');
    await run('copyDiagnostics');
    const copied = await vscode.env.clipboard.readText();
    await until(
      'the diagnostics are shown',
      () => vscode.window.activeTextEditor?.document.getText() === copied,
    );
  });
});
