import { assert } from 'chai';
import { channels } from '../../../src/vscode/contributions';
import { uiPattern, uiText } from '../../host/texts';
import { commandTitle } from '../../host/titles';
import { treeRows } from '../../host/treeRows';
import {
  answer,
  clickLink,
  clickPick,
  clickRowAction,
  dialog,
  dismiss,
  inputBox,
  outputLines,
  proceed,
  quickPickItems,
  runCommand,
  statusBarItem,
  treeRow,
  view,
  waitForOutput,
} from '../../host/workbench';
import { covers } from '../../unit/covers';
import { eventually, expect, picture, setScene } from '../scene';
import { knownThings, showOnly } from '../trees';

const everything = uiText('everything');
const live = new RegExp(`${uiText('live')} · ${uiPattern('{0} lines/s').source}`);

describe('following', () => {
  const scene = setScene({ keepsWindow: true, connected: null, settings: knownThings });
  /** Counts connections: a Retry-After of one, which outlives its sign-out, holds no other back. */
  let connections = 0;
  beforeEach(async () => {
    await scene.reconnect('demo-full', `following ${++connections}`);
    await showOnly(scene.page, 'logs');
    // A button of a row of the connection before would do nothing.
    await eventually(
      () => treeRows(scene.page, 'logs'),
      (shown) => !shown.some((row) => row.startsWith(everything)),
      'a row of the connection before',
    );
    await scene.driver.run('controlPlane.followLogs', {});
    await statusBarItem(scene.page, uiText('live')).waitFor();
    await rowIs(live);
  });

  const emit = (body: string): void => void scene.controlPlane.admin.emit([{ body }]);
  /** Waits until the row of all logs has this state. */
  function rowIs(state: RegExp): Promise<string[]> {
    const row = new RegExp(`^${everything} ${state.source}$`);
    return eventually(
      () => treeRows(scene.page, 'logs'),
      (shown) => shown.some((one) => row.test(one)),
      `a row like ${String(row)}`,
    );
  }

  it('has what there is to do with a record in the menu of its line', async () => {
    const containerId = 'ef'.repeat(32);
    // Its channel has nothing else: a stack trace of the history that may go on is shown half a second
    // later, and would move the line away from the pointer.
    await scene.driver.run('controlPlane.followLogs', 'menu');
    scene.controlPlane.admin.emit([{ containerId, body: 'a line with a menu' }]);
    await waitForOutput(scene.page, 'a line with a menu');
    const line = scene.page.locator('.output-view .view-line', { hasText: 'with' });
    await line.last().click({ button: 'right' });
    const menu = scene.page.locator('.context-view .monaco-menu');
    const others = [
      'showRecordTrace',
      'showRecordContext',
      'goToLogStatement',
      'pauseLogs',
    ] as const;
    for (const command of others) {
      await menu.getByRole('menuitem', { name: commandTitle(command) }).waitFor();
    }
    await picture(scene, 'channel-menu');
    await menu.getByRole('menuitem', { name: commandTitle('copyRecordLink'), exact: true }).click();
    await eventually(
      () => scene.page.evaluate<string>('navigator.clipboard.readText()'),
      (copied) => copied.includes('/record?q=') && copied.includes(containerId),
      'the link',
    );
  });

  it('shows state and rate in the view and in the status bar, which offers actions', async () => {
    const { page } = scene;
    emit('one line');
    await waitForOutput(page, 'one line');
    await rowIs(live);
    await statusBarItem(page, live).waitFor();
    await picture(scene, 'following');
    await statusBarItem(page, uiText('live')).click();
    const items = await quickPickItems(page);
    assert.includeMembers(items, [
      uiText('Show Logs'),
      uiText('Pause'),
      uiText('Stop'),
      commandTitle('followLogs'),
      commandTitle('showOutput'),
    ]);
    await picture(scene, 'menu');
    await dismiss(page);
  });

  it('pauses with the button of the row, counts, and resumes', async () => {
    const { page } = scene;
    await clickRowAction(page, 'logs', everything, 'pauseLogs');
    await rowIs(uiPattern('paused ({0} new)', 0));
    emit('while paused 1');
    emit('while paused 2');
    await rowIs(uiPattern('paused ({0} new)', 2));
    await statusBarItem(page, uiText('paused ({0} new)', 2)).waitFor();
    const lines = await outputLines(page);
    assert.notInclude(lines.join('\n'), 'while paused');
    await picture(scene, 'paused');
    await clickRowAction(page, 'logs', everything, 'resumeLogs');
    await waitForOutput(page, 'while paused 2');
    const shown = (await outputLines(page)).filter((line) => line.includes('while paused'));
    assert.deepEqual(
      shown.map((line) => line.slice(-1)),
      ['1', '2'],
    );
  });

  it(`shows that it is rate limited, and for how long ${covers('F23', 'editor')}`, async () => {
    const { controlPlane, page } = scene;
    await clickRowAction(page, 'logs', everything, 'stopLogs');
    await rowIs(uiPattern('stopped'));
    controlPlane.admin.fault({
      kind: 'status',
      status: 429,
      headers: { 'retry-after': '30' },
      endpoint: 'post_logs_tail',
    });
    await clickRowAction(page, 'logs', everything, 'resumeLogs');
    const rateLimited = uiPattern('rate limited {0} s', /\d+/);
    await statusBarItem(page, rateLimited).waitFor();
    await rowIs(rateLimited);
    // Users who do not look there get one notification.
    await page
      .locator('.statusbar a[role="status"]', {
        hasText: uiPattern('{0}, {1}', everything, rateLimited),
      })
      .waitFor();
    await picture(scene, 'rate-limited');
    await clickRowAction(page, 'logs', everything, 'stopLogs');
    await rowIs(uiPattern('stopped'));
    await clickRowAction(page, 'logs', everything, 'removeLogs');
    await view(page, 'logs')
      .getByRole('button', { name: commandTitle('followLogs') })
      .first()
      .waitFor();
  });

  it('follows errors in addition, in a channel of their own, and then instead', async () => {
    const { driver, page } = scene;
    const query = 'severity:error';
    const own = `${query} - ${channels.logs}`;
    const shownIn = (channel: string, text: string): Promise<string> =>
      eventually(
        () => driver.channel(channel),
        (all) => all.includes(text),
        `${channel} does not show ${text}`,
      );
    const follow = async (how: string): Promise<void> => {
      const followed = driver.run('controlPlane.followLogs');
      await answer(page, query);
      await picture(scene, 'instead-or-in-addition');
      await clickPick(page, how);
      await followed;
    };
    await follow(uiText('In Addition'));
    // Older errors may follow that line.
    await shownIn(own, uiText('Following {0}.', query));
    scene.controlPlane.admin.emit([
      { body: 'an error', severity: 'error' },
      { body: 'all is well', severity: 'info' },
    ]);
    await waitForOutput(page, 'an error');
    const shown = await driver.channel(own);
    assert.notInclude(shown, 'all is well');
    await driver.run('controlPlane.showLogs');
    const all = await shownIn(channels.logs, 'all is well');
    assert.include(all, 'an error');

    await clickRowAction(page, 'logs', everything, 'pauseLogs');
    const both = `${uiText('paused ({0} new)', 0)} · ${uiText('live')} · `;
    await statusBarItem(page, both).waitFor();
    await picture(scene, 'paused-and-live');

    const row = treeRow(page, 'logs', query);
    await clickRowAction(page, 'logs', query, 'stopLogs');
    await clickRowAction(page, 'logs', query, 'removeLogs');
    await row.waitFor({ state: 'detached' });
    await eventually(
      () => driver.channel(own),
      (text) => text === '',
      'its channel is still there',
    );
    await follow(uiText('Instead'));
    await shownIn(channels.logs, uiText('Stopped following {0}.', everything));
    await eventually(
      () => treeRows(page, 'logs'),
      (rows) => rows.length === 1 && rows[0]?.startsWith(query) === true,
      'something else is followed, too',
    );
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

  it(`ends its streams on sign-out, says so and offers to connect ${covers('F48', 'editor')}`, async () => {
    const { page } = scene;
    const is = uiText('signed out');
    const question = uiText(
      'Enter the URL of the control plane. The API key is sent only to this URL.',
    );
    await runCommand(page, 'signOut');
    await proceed(dialog(page)).click();
    await statusBarItem(page, is).waitFor();
    assert.equal(scene.controlPlane.admin.streams(), 0);
    // One view offers to connect, and the others are gone.
    await view(page, 'logs').waitFor({ state: 'detached' });
    await picture(scene, 'signed-out');
    await statusBarItem(page, is).click();
    await clickPick(page, commandTitle('connect'));
    await expect.poll(async () => (await inputBox(page)).message).toContain(question);
    await dismiss(page);
    // The view has a button for it, too.
    await page
      .getByRole('button', { name: commandTitle('connect') })
      .first()
      .click();
    await expect.poll(async () => (await inputBox(page)).message).toContain(question);
    await dismiss(page);
  });
});
