import { assert } from 'chai';
import { channels } from '../../src/vscode/contributions';
import { commandTitle } from '../host/titles';
import { treeRows } from '../host/treeRows';
import {
  clickLink,
  clickPick,
  clickRowAction,
  dismiss,
  inputBox,
  outputLines,
  quickPickItems,
  runCommand,
  statusBarItem,
  treeRow,
  view,
  waitForOutput,
} from '../host/workbench';
import { eventually, picture, setScene } from './scene';
import { knownThings, showOnly } from './trees';

describe('following', () => {
  const scene = setScene({ keepsWindow: true, connected: null, settings: knownThings });
  beforeEach(async () => {
    await showOnly(scene.page, 'logs');
    await scene.reconnect();
    // A button of a row of the connection before would do nothing.
    await eventually(
      () => treeRows(scene.page, 'logs'),
      (shown) => !shown.some((row) => row.startsWith('everything')),
      'a row of the connection before',
    );
    await scene.driver.run('controlPlane.followLogs', {});
    await statusBarItem(scene.page, 'live').waitFor();
    await rows(/^everything live/m);
  });

  const emit = (body: string): void => void scene.controlPlane.admin.emit([{ body }]);
  const rows = (pattern: RegExp): Promise<string[]> =>
    eventually(
      () => treeRows(scene.page, 'logs'),
      (shown) => pattern.test(shown.join('\n')),
      `rows like ${String(pattern)}`,
    );

  it('shows state and rate in the view and in the status bar', async () => {
    emit('one line');
    await waitForOutput(scene.page, 'one line');
    await rows(/^everything live · .*lines\/s$/);
    await statusBarItem(scene.page, /live · .*lines\/s/).waitFor();
    await picture(scene, 'following');
  });

  it('pauses with the button of the row, counts, and resumes', async () => {
    const { page } = scene;
    await clickRowAction(page, 'logs', 'everything', 'pauseLogs');
    await rows(/^everything paused \(0 new\)$/);
    emit('while paused 1');
    emit('while paused 2');
    await rows(/^everything paused \(2 new\)$/);
    await statusBarItem(page, 'paused (2 new)').waitFor();
    assert.notInclude((await outputLines(page)).join('\n'), 'while paused');
    await picture(scene, 'paused');
    await clickRowAction(page, 'logs', 'everything', 'resumeLogs');
    await waitForOutput(page, 'while paused 2');
    const shown = (await outputLines(page)).filter((line) => line.includes('while paused'));
    assert.deepEqual(
      shown.map((line) => line.slice(-1)),
      ['1', '2'],
    );
  });

  it('F64 shows every record once and in order over twelve pauses of a busy tail', async () => {
    const { driver } = scene;
    let emitted = 0;
    const busy = setInterval(() => emit(`busy ${(emitted += 1)}`), 20);
    const someMore = (): Promise<number> => {
      const before = emitted;
      return eventually(
        () => Promise.resolve(emitted),
        (now) => now >= before + 5,
        'records that are emitted',
      );
    };
    try {
      for (let pauses = 0; pauses < 12; pauses++) {
        await driver.run('controlPlane.pauseLogs');
        await someMore();
        await driver.run('controlPlane.resumeLogs');
        await someMore();
      }
    } finally {
      clearInterval(busy);
    }
    const all = Array.from({ length: emitted }, (_, index) => `busy ${index + 1}`);
    const shown = await eventually(
      async () => (await driver.channel(channels.logs)).match(/busy \d+$/gm) ?? [],
      (lines) => lines.length >= all.length,
      `${all.length} lines`,
    );
    assert.deepEqual(shown, all);
  });

  it('offers actions in the status bar', async () => {
    const { page } = scene;
    await statusBarItem(page, 'live').click();
    const items = await quickPickItems(page);
    assert.includeMembers(items, [
      'Show Logs',
      'Pause',
      'Stop',
      commandTitle('followLogs'),
      commandTitle('showOutput'),
    ]);
    await picture(scene, 'menu');
    await dismiss(page);
  });

  it('F23 shows that it is rate limited, and for how long', async () => {
    const { controlPlane, page } = scene;
    await clickRowAction(page, 'logs', 'everything', 'stopLogs');
    await rows(/^everything stopped$/);
    controlPlane.admin.fault({
      kind: 'status',
      status: 429,
      headers: { 'retry-after': '30' },
      endpoint: 'post_logs_tail',
    });
    await clickRowAction(page, 'logs', 'everything', 'resumeLogs');
    await statusBarItem(page, /rate limited \d+ s/).waitFor();
    await rows(/^everything rate limited \d+ s$/);
    // Users who do not look there get one notification.
    await page
      .locator('.statusbar a[role="status"]', { hasText: /everything, rate limited \d+ s/ })
      .waitFor();
    await picture(scene, 'rate-limited');
    await clickRowAction(page, 'logs', 'everything', 'stopLogs');
    await rows(/^everything stopped$/);
    await clickRowAction(page, 'logs', 'everything', 'removeLogs');
    await view(page, 'logs')
      .getByRole('button', { name: commandTitle('followLogs') })
      .first()
      .waitFor();
  });

  it('opens the source of a stack frame with a click', async () => {
    const { page } = scene;
    emit('TypeError: no\n    at priceOf (/app/web-api/src/pricing.ts:3:5)');
    await waitForOutput(page, 'pricing.ts:3:5');
    await clickLink(page.locator('.output-view .view-line'), 'pricing.ts:3:5');
    await page.locator('.tab.active', { hasText: 'pricing.ts' }).waitFor();
    await statusBarItem(page, 'Ln 3, Col 5').waitFor();
    await picture(scene, 'link');
  });

  it('F48 ends its streams on sign-out, says so and offers to connect', async () => {
    const { page } = scene;
    await runCommand(page, 'signOut');
    await statusBarItem(page, 'failed: signed out').waitFor();
    assert.equal(scene.controlPlane.admin.streams(), 0);
    await treeRow(page, 'logs', 'failed: signed out').waitFor();
    await picture(scene, 'signed-out');
    await statusBarItem(page, 'failed: signed out').click();
    await clickPick(page, commandTitle('connect'));
    assert.include((await inputBox(page)).message, 'Enter the URL of the control plane.');
    await dismiss(page);
    // The view has a button for it, too.
    await view(page, 'logs').hover();
    await page
      .getByRole('button', { name: commandTitle('connect') })
      .first()
      .click();
    assert.include((await inputBox(page)).message, 'Enter the URL of the control plane.');
    await dismiss(page);
  });

  it('reports what the connection and its key can do', async () => {
    const { page } = scene;
    await scene.reconnect('demo-readonly');
    await runCommand(page, 'checkConnection');
    const editor = page.locator('.editor-group-container .view-lines');
    await editor.getByText('not tested').first().waitFor();
    const text = (await editor.innerText()).replaceAll(/\s/g, ' ');
    assert.include(text, 'Reachable: yes');
    assert.match(text, /logs\.read.*✓ granted/);
    await picture(scene, 'check-connection');
  });
});
