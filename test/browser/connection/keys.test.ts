import { assert } from 'chai';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { startControlPlane, type ControlPlane } from '../../control-plane/server';
import { uiPattern, uiText } from '../../host/texts';
import {
  answer,
  clickPick,
  dismiss,
  runCommand,
  showOutput,
  statusBarItem,
  waitForOutput,
} from '../../host/workbench';
import { covers } from '../../unit/covers';
import { pageStorage } from '../pageStorage';
import { enterConnection, eventually, expect, inputMessage, setScene, withoutIcon } from '../scene';
import { knownThings, showOnly } from '../trees';

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

describe('The API key', () => {
  const scene = setScene({ keepsWindow: true, connected: null, settings: knownThings });
  let other: ControlPlane;
  before(async () => {
    other = await startControlPlane({ seed: 8, live: false, historyRecords: 0 });
  });
  after(() => other.close());
  beforeEach(async () => {
    const { page, driver } = scene;
    other.admin.reset();
    await driver.run('workbench.action.closeAllEditors');
    // Without a connection there is one view.
    await scene.reconnect();
    await showOnly(page, 'logs');
    await driver.set({ 'controlPlane.connections': null });
    await driver.run('controlPlane.signOut');
  });

  /** The keys of the requests that a control plane has received, each once. */
  const keysOf = ({ admin }: ControlPlane): unknown[] => [
    ...new Set(admin.requests().map(({ headers }) => headers['authorization'])),
  ];

  it(`is not sent to another control plane if the connection changes while a check waits ${covers('F63', 'editor')}`, async () => {
    const { page, driver, controlPlane } = scene;
    const [first, second] = [controlPlane.keys['demo-full'], other.keys['demo-full']];
    assert.notEqual(first, second);
    const connect = (name: string, { url: baseUrl }: ControlPlane, apiKey = ''): Promise<unknown> =>
      driver.connect({ name, baseUrl, apiKey });
    await connect('first', controlPlane, first);
    const headers = { 'retry-after': '1' };
    controlPlane.admin.fault({ kind: 'status', status: 429, headers, times: 5 });
    await runCommand(page, 'checkConnection');
    await eventually(
      () => Promise.resolve(controlPlane.admin.requests()),
      (requests) => requests.some(({ status }) => status === 429),
      'the check does not wait',
    );
    await connect('second', other, second);
    await page
      .locator('.notifications-toasts', { hasText: uiPattern('Checking {0}…') })
      .waitFor({ state: 'hidden' });
    await driver.run('controlPlane.followLogs', {});
    await statusBarItem(page, uiText('live')).waitFor();
    assert.deepEqual(keysOf(controlPlane), [`Bearer ${first}`]);
    assert.deepEqual(keysOf(other), [`Bearer ${second}`]);
    await expect(page.locator('.tab', { hasText: `${uiText('Connection')}.txt` })).toHaveCount(0);
  });

  it(`is stored only in the secret storage, whatever fails ${covers('F50', 'editor')}`, async () => {
    const { page, driver, controlPlane, window } = scene;
    const { admin } = controlPlane;
    admin.addKey('canary', ['logs.read', 'alert.read'], canary);
    await enterConnection(page, controlPlane.url, canary);
    await clickPick(page, withoutIcon(uiText('$(broadcast) Follow Everything')));
    await statusBarItem(page, uiText('live')).waitFor();
    // A wrong key, errors of every kind, a report, a revocation.
    await runCommand(page, 'connect');
    await answer(page, controlPlane.url);
    await answer(page, wrongCanary);
    await eventually(
      () => inputMessage(page),
      (message) =>
        message.includes(
          uiText(
            'The control plane does not accept this API key. Check that you copied all of it.',
          ),
        ),
      'the wrong key is not refused',
    );
    await dismiss(page);
    for (const kind of ['html', 'reset', 'malformedJson', 'wrongSchema'] as const) {
      admin.fault({ kind, endpoint: 'post_logs_query' });
    }
    admin.fault({ kind: 'redirect', location: `${other.url}/v1/api/logs/query` });
    await driver.run('controlPlane.checkConnection');
    await page
      .locator('.editor-group-container')
      .getByText(uiText('– not tested: it would change something'))
      .first()
      .waitFor();
    admin.revokeKey('canary');
    await statusBarItem(page, uiText('failed: {0}', uiText('signed out'))).waitFor();
    await showOutput(page, 'Control Plane');
    await waitForOutput(page, '/integrations');
    assert.isEmpty(other.admin.requests());

    const places = await filesBelow(path.dirname(window.server.userDataDir));
    assert.isTrue(
      [...places.keys()].some((file) => file.endsWith('Control Plane.log')),
      'the diagnostics are among the files',
    );
    for (const [file, text] of await filesBelow(controlPlane.demoFolder)) places.set(file, text);
    const kept = await pageStorage(page);
    assert.include(kept, controlPlane.url, 'the state of the workspace is among what is kept');
    places.set('the page', kept);
    places.set('the console', window.consoleTexts.join('\n'));
    places.set(
      'URLs',
      admin
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
    // The key was used, so the search above could have found it.
    assert.include(keysOf(controlPlane), `Bearer ${canary}`);
  });
});
