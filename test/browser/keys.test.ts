import { assert } from 'chai';
import { writeFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { startControlPlane, type ControlPlane } from '../control-plane/server';
import { temporaryFolder } from '../host/processes';
import {
  answer,
  dismiss,
  openContainer,
  quickPickItems,
  reload,
  runCommand,
  showOutput,
  statusBarItem,
  view,
  waitForOutput,
} from '../host/workbench';
import { connect, eventually, follow, inputMessage, openScene, type Scene } from './scene';
import { pageStorage } from './pageStorage';

const canary = 'canary-3141592653589793';
const wrongCanary = 'canary-wrong-2718281828';

async function filesBelow(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    files.set(file, await readFile(file, 'latin1'));
  }
  return files;
}

describe('the API key', () => {
  let scene: Scene;
  let evil: ControlPlane;
  let folder: string;
  const consoleTexts: string[] = [];

  before(async () => {
    evil = await startControlPlane({ live: false, historyRecords: 0 });
    folder = await temporaryFolder('untrusted');
    await mkdir(path.join(folder, '.vscode'));
    scene = await openScene(
      (controlPlane) => {
        const connections = [
          // As the connection to this control plane will be called.
          { name: new URL(controlPlane.url).host, baseUrl: evil.url },
          { name: 'evil', baseUrl: evil.url },
        ];
        writeFileSync(
          path.join(folder, '.vscode/settings.json'),
          JSON.stringify({ 'controlPlane.connections': connections }),
        );
        controlPlane.admin.addKey('canary', ['logs.read', 'alert.read'], canary);
        return {
          folder,
          workspaceTrust: true,
          settings: { 'security.workspace.trust.startupPrompt': 'never' },
          onConsole: (text) => consoleTexts.push(text),
        };
      },
      { historyRecords: 10 },
    );
  });
  after(async () => {
    await scene.close();
    await evil.close();
  });

  it('F53 goes to no place that an untrusted workspace names', async () => {
    const { page } = scene;
    await openContainer(page, 'Control Plane');
    await view(page, 'Logs').getByRole('button', { name: 'Connect…' }).waitFor();
    await runCommand(page, 'Control Plane: Switch Connection…');
    assert.deepEqual(await quickPickItems(page), ['Connect to Another…']);
    await dismiss(page);
    await connect(scene, canary);
    await follow(scene, 'Everything');
    scene.controlPlane.admin.emit([{ body: 'in an untrusted workspace' }]);
    await waitForOutput(page, 'in an untrusted workspace');
    assert.isEmpty(evil.admin.requests());
  });

  it('F53 goes to no place that the settings of a remote name', async () => {
    const { page, window } = scene;
    const machine = path.join(window.userDataDir, 'Machine');
    await mkdir(machine, { recursive: true });
    await cp(path.join(folder, '.vscode/settings.json'), path.join(machine, 'settings.json'));
    await reload(page);
    await statusBarItem(page, 'live').waitFor();
    await runCommand(page, 'Control Plane: Switch Connection…');
    assert.deepEqual(await quickPickItems(page), [
      `${new URL(scene.controlPlane.url).host} · ${scene.controlPlane.url}`,
      'Connect to Another…',
    ]);
    await dismiss(page);
    assert.isEmpty(evil.admin.requests());
  });

  it('F50 is nowhere but in the secret storage, whatever goes wrong', async () => {
    const { page, controlPlane, window } = scene;
    await openContainer(page, 'Control Plane');
    await connect(scene, canary);
    await follow(scene, 'Everything');
    // A wrong one, errors of every kind, a report, a revocation.
    await runCommand(page, 'Control Plane: Connect…');
    await answer(page, controlPlane.url);
    await answer(page, wrongCanary);
    await eventually(
      () => inputMessage(page),
      (message) => message.includes('does not accept'),
      'the wrong key is refused',
    );
    await dismiss(page);
    for (const kind of ['html', 'reset', 'malformedJson', 'wrongSchema'] as const) {
      controlPlane.admin.fault({ kind, endpoint: 'post_logs_query' });
    }
    controlPlane.admin.fault({ kind: 'redirect', location: `${evil.url}/v1/api/logs/query` });
    await runCommand(page, 'Control Plane: Check Connection and Permissions');
    await page.locator('.editor-group-container').getByText('not tried').first().waitFor();
    controlPlane.admin.revokeKey('canary');
    await statusBarItem(page, 'failed: signed out').waitFor();
    await showOutput(page, 'Control Plane');
    await waitForOutput(page, '/logs/tail');
    assert.isEmpty(evil.admin.requests());

    const places = await filesBelow(path.dirname(window.userDataDir));
    assert.isTrue(
      [...places.keys()].some((file) => file.endsWith('Control Plane.log')),
      'the diagnostics are among the files',
    );
    for (const [file, text] of await filesBelow(folder)) places.set(file, text);
    const kept = await pageStorage(page);
    assert.include(kept, controlPlane.url, 'the state of the workspace is among what is kept');
    places.set('the page', kept);
    places.set('the console', consoleTexts.join('\n'));
    places.set(
      'URLs',
      controlPlane.admin
        .requests()
        .map(({ url }) => url)
        .join('\n'),
    );
    for (const key of [canary, wrongCanary]) {
      const forms = [key, Buffer.from(key).toString('base64').replace(/=+$/, '')];
      const found = [...places].filter(([, text]) => forms.some((form) => text.includes(form)));
      assert.deepEqual(
        found.map(([place]) => place),
        [],
      );
    }
    // The search would have found it: this is where it may be.
    const used = controlPlane.admin.requests().map(({ headers }) => headers['authorization']);
    assert.include(used, `Bearer ${canary}`);
  });
});
