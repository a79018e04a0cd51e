import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import { repository } from '../host/openEditor';
import { temporaryFolder } from '../host/processes';
import * as workbench from '../host/workbench';
import { posts } from './actionScene';
import { connect, openScene, picture, type Scene } from './scene';

const { dialog } = workbench;

/** Item names as a model may make them up from what it has read. */
const items = ['old-api', '[x](command:workbench.action.quit) <b>**$(bug)** https://evil.example'];

/**
 * An extension that calls our tools, as chats do: one as soon as the window is there, the others by a
 * command. Their input comes by the environment.
 */
async function caller(): Promise<string> {
  const folder = path.join(await temporaryFolder('caller'), 'caller');
  await mkdir(folder);
  const command = (name: string) => ({
    command: `caller.${name}`,
    title: name,
    category: 'Caller',
  });
  const manifest = {
    ...{ name: 'caller', publisher: 'test', version: '0.0.1', main: './main.js' },
    engines: { vscode: '^1.103.0' },
    activationEvents: ['*'],
    contributes: { commands: [command('syncEnvironment'), command('cleanUpOrphans')] },
  };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(
    path.join(folder, 'main.js'),
    `const vscode = require('vscode');
     const invoke = (name, input) =>
       vscode.lm.invokeTool('controlPlane_' + name, { toolInvocationToken: undefined, input }).then(
         ({ content }) => content[0].value.slice(0, 60),
         (error) => error.name + ' ' + error.message,
       );
     exports.activate = ({ subscriptions }) => {
       const first = vscode.window.createStatusBarItem('caller.first');
       first.show();
       subscriptions.push(first);
       void invoke('listResources', {}).then((text) => (first.text = 'first: ' + text));
       for (const [name, input] of Object.entries(JSON.parse(process.env.TOOL_INPUTS))) {
         subscriptions.push(vscode.commands.registerCommand('caller.' + name, async () => {
           vscode.window.setStatusBarMessage('tool: ' + (await invoke(name, input)));
         }));
       }
     };`,
  );
  return folder;
}

describe('AI tools, in a window', () => {
  let scene: Scene;
  /** What came of the call with which the window began. */
  let first = '';
  const firstCall = () => workbench.statusBarItem(scene.page, /^first: /);
  before(async () => {
    const extensions = [repository, await caller()];
    scene = await openScene(({ world }) => {
      const [source, server] = [world.sources[0]!, world.servers[0]!];
      const inputs = {
        syncEnvironment: { sourceId: source.id, environmentId: source.environmentId },
        cleanUpOrphans: { serverId: server.id, items },
      };
      return {
        extensions,
        env: { TOOL_INPUTS: JSON.stringify(inputs) },
        settings: {
          'controlPlane.ai.enabled': true,
          'controlPlane.sources': [{ id: source.id, label: 'shop' }],
          'controlPlane.servers': [{ id: server.id, label: 'fra' }],
        },
      };
    });
    first = await firstCall().innerText();
    await workbench.openContainer(scene.page, 'Control Plane');
    await connect(scene);
  });
  after(() => scene.close());

  it('answer as the first thing that happens, signed in or not', async () => {
    const { page } = scene;
    assert.match(first, /^first: Not done: VS Code is not signed in to a control plane\./);
    await workbench.reload(page);
    assert.match(await firstCall().innerText(), /^first: \d+ resources found/);
  });

  it('that change something are confirmed with target and items as text, and not sent where that is cancelled', async () => {
    const { page } = scene;
    await workbench.runCommand(page, 'Caller: syncEnvironment');
    await dialog(page).waitFor();
    const text = await dialog(page).innerText();
    assert.match(text, /Sync an environment\?/);
    assert.match(
      text,
      /environment production \(.*\) of the source shop \(.*\) on the connection /,
    );
    assert.include(text, `on the connection ${new URL(scene.controlPlane.url).host}`);
    assert.match(text, /may deploy these apps and jobs:\n• web-api\n• storefront\n/);
    await picture(scene, 'tool-sync', '.monaco-dialog-box');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await workbench.statusBarItem(page, /tool: Canceled/).waitFor();
    assert.isEmpty(posts(scene, '/syncs'));
  });

  it('ask by the dialog of the command too before they clean up', async () => {
    const { page } = scene;
    await workbench.runCommand(page, 'Caller: cleanUpOrphans');
    const first = dialog(page).filter({ hasText: 'Clean up a server?' });
    await first.waitFor();
    const text = await first.innerText();
    assert.match(text, /Clean up the server fra \(.*\) on the connection /);
    // Every character that is shown otherwise elsewhere: nothing of a name is lost or at work.
    assert.include(text, '• old-api\n');
    const odd = '[x] (command:workbench.action.quit) \\u{3c}b>**$(bug)** https://evil.example';
    assert.include(text, `• ${odd}\n`);
    assert.equal(await first.locator('a[href], a[data-href], b, .codicon-bug').count(), 0);
    await picture(scene, 'tool-clean-up', '.monaco-dialog-box');
    await first.getByRole('button', { name: /^(?:Yes|Continue)$/ }).click();
    const second = dialog(page).filter({ hasText: 'Clean up 2 items on fra?' });
    await second.waitFor();
    assert.isEmpty(posts(scene, '/cleanup-orphans'));
    await page.keyboard.press('Escape');
    await workbench
      .statusBarItem(page, /tool: Nothing was sent: the person did not agree/)
      .waitFor();
    assert.isEmpty(posts(scene, '/cleanup-orphans'));
  });
});
