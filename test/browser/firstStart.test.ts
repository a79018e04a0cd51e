import { assert } from 'chai';
import { treeRows } from '../host/treeRows';
import {
  answer,
  clickPick,
  dismiss,
  inputBox,
  openContainer,
  outputLines,
  quickPickItems,
  runCommand,
  statusBarItem,
  view,
  waitForOutput,
} from '../host/workbench';
import { eventually, keyOf, openScene, picture, waitUntilConnected, type Scene } from './scene';

describe('the first start', () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
  });
  after(() => scene.close());

  it('says what to do where nothing is connected', async () => {
    const { page } = scene;
    await openContainer(page, 'Control Plane');
    await view(page, 'Logs').getByRole('button', { name: 'Connect…' }).waitFor();
    const text = await view(page, 'Logs').innerText();
    assert.include(text, 'Connect to a control plane to follow the logs of what it runs.');
    await picture(scene, 'first-start');
  });

  it('asks for a URL and a key, and says at once what is wrong with them', async () => {
    const { page, controlPlane } = scene;
    await view(page, 'Logs').getByRole('button', { name: 'Connect…' }).click();
    assert.include((await inputBox(page)).message, 'The URL of the control plane.');
    assert.equal((await inputBox(page)).title, 'Connect to a Control Plane (1/3)');
    await answer(page, 'http://control-plane.example.com');
    assert.include((await inputBox(page)).message, 'http is accepted on this machine only');
    await answer(page, 'not a url');
    assert.include((await inputBox(page)).message, 'This is not a URL.');
    await picture(scene, 'connect-url');
    await answer(page, `${controlPlane.url}/v1/api/`);

    const asked = await inputBox(page);
    assert.isTrue(asked.password, 'a key is not shown');
    await answer(page, 'wrong-key');
    const refused = await eventually(
      () => inputBox(page),
      ({ message }) => message.includes('does not accept'),
      'a wrong key is refused',
    );
    assert.include(refused.message, 'The control plane does not accept this API key.');
    await picture(scene, 'connect-key');
    await answer(page, keyOf(scene, 'demo-full'));
    await waitUntilConnected(scene);
  });

  it('goes on with what to follow, which can be left for later', async () => {
    const { page } = scene;
    await page.locator('.quick-input-title', { hasText: 'Follow Logs (3/3)' }).waitFor();
    await picture(scene, 'connect-follow');
    await dismiss(page);
    assert.isEmpty(await treeRows(page, 'Logs'));
  });

  it('goes back to an earlier question', async () => {
    const { page } = scene;
    await runCommand(page, 'Control Plane: Connect…');
    assert.equal((await inputBox(page)).value, scene.controlPlane.url, 'the known URL');
    await answer(page, 'https://elsewhere.example.com');
    assert.equal((await inputBox(page)).title, 'Connect to elsewhere.example.com (2/3)');
    await page.locator('.quick-input-widget').getByRole('button', { name: /^Back/ }).click();
    const again = await eventually(
      () => inputBox(page),
      ({ message }) => message.includes('The URL of the control plane'),
      'the first question',
    );
    assert.equal(again.value, 'https://elsewhere.example.com');
    await dismiss(page);
  });

  it('asks for the name last where the URL is known, and offers nothing then', async () => {
    const { page, controlPlane } = scene;
    const { host } = new URL(controlPlane.url);
    await runCommand(page, 'Control Plane: Connect…');
    await answer(page, controlPlane.url);
    await answer(page, keyOf(scene, 'demo-readonly'));
    const asked = await eventually(
      () => inputBox(page),
      ({ title }) => title === `Connect to ${host} (3/3)`,
      'the name',
    );
    assert.equal(asked.message.split('\n')[0]?.startsWith(`The key is for ${host}.`), true);
    assert.equal(asked.value, host);
    await answer(page, 'readonly');
    await statusBarItem(page, 'Connected to readonly').waitFor();
    await runCommand(page, 'Control Plane: Switch Connection…');
    assert.deepEqual(await quickPickItems(page), [
      `${host} · ${controlPlane.url}`,
      `readonly · ${controlPlane.url}`,
      'Connect to Another…',
    ]);
    await clickPick(page, host);
    await waitUntilConnected(scene);
  });

  it('offers what has logged lately, and follows it without taking the focus', async () => {
    const { page } = scene;
    await runCommand(page, 'Go to File...');
    await page.locator('.quick-input-widget .quick-input-box input').fill('README.md');
    await clickPick(page, 'README.md');
    const editor = page.locator('.editor-group-container .monaco-editor.focused');
    await editor.waitFor();

    await runCommand(page, 'Control Plane: Follow Logs…');
    const items = await eventually(
      () => quickPickItems(page),
      (shown) => shown.some((item) => item.startsWith('web-api')),
      'workloads seen lately',
    );
    assert.include(items[0], 'Everything');
    await picture(scene, 'follow-pick');
    await clickPick(page, 'Everything');
    await statusBarItem(page, 'live').waitFor();
    await editor.waitFor();

    scene.controlPlane.admin.emit([{ body: 'hello from the test', severity: 'warn' }]);
    const line = await waitForOutput(page, 'hello from the test');
    assert.match(
      line,
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[warning\] \[.+\] hello from the test$/,
    );
    const rows = await treeRows(page, 'Logs');
    assert.match(rows.join('\n'), /^everything live · /);
    await picture(scene, 'following');
  });

  it('refuses a query that nothing understands, in place', async () => {
    const { page } = scene;
    await runCommand(page, 'Control Plane: Follow Logs…');
    const input = page.locator('.quick-input-widget .quick-input-box input');
    await input.fill('severity:loud');
    const items = await eventually(
      () => quickPickItems(page),
      (shown) => shown.some((item) => item.includes('severity does not have the value loud')),
      'the problem',
    );
    assert.include(items.join('\n'), 'Allowed: trace, debug, info, warn, error, fatal, unknown.');
    await dismiss(page);
    assert.isNotEmpty(await outputLines(page));
  });
});
