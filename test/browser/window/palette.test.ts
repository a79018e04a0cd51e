import { assert } from 'chai';
import { uiText } from '../../host/texts';
import { type CommandName, commandTitle } from '../../host/titles';
import {
  dialog,
  dismiss,
  proceed,
  quickPickItems,
  statusBarItem,
  view,
} from '../../host/workbench';
import { eventually, expect, picture, setScene } from '../scene';
import { knownThings } from '../trees';

describe('The Command Palette', () => {
  const scene = setScene({
    keepsWindow: true,
    connected: null,
    settings: knownThings,
    size: { width: 1400, height: 900 },
  });
  // As in a new installation: no sources and servers, and no command was used.
  const history = 'workbench.commandPalette.history';
  let known: Readonly<Record<string, unknown>> = {};
  before(async () => {
    known = knownThings(scene.controlPlane);
    await scene.driver.set({ [history]: 0 });
    await scene.forget();
  });
  after(() => scene.driver.set({ [history]: null, ...known }));

  /** Waits until typing this offers a list of our commands that fits. */
  async function offered(typed: string, fits: (titles: string[]) => boolean): Promise<string[]> {
    const { page } = scene;
    await page.keyboard.press('F1');
    const input = page.locator('.quick-input-widget .quick-input-box input');
    const titles = await eventually(
      async () => {
        // The palette lists what was possible when the text changed.
        await input.fill('>');
        await input.fill(`>Control Plane: ${typed}`);
        return (await quickPickItems(page)).flatMap(
          // `Focus on … View` is VS Code's own.
          (item) => /^Control Plane: (?!Focus on )([^·]*[^·\s])/.exec(item)?.[1] ?? [],
        );
      },
      fits,
      `what “${typed}” offers`,
    );
    await picture(scene, `palette-${typed.toLowerCase() || 'all'}-${titles.length}`);
    await dismiss(page);
    return titles;
  }
  const titlesOf = (...names: CommandName[]): string[] => names.map(commandTitle);

  it('offers a new user only what leads on', async () => {
    const first = titlesOf('connect', 'followLogs', 'searchLogs');
    const help = titlesOf('copyDiagnostics', 'accessibilityHelp', 'showOutput');
    const titles = await offered('', (all) => all.length === first.length + help.length);
    assert.sameMembers(titles, [...first, ...help]);
    assert.equal(titles[0], commandTitle('connect'));
  });

  it('offers to pause what is live, and to resume what is paused, with one key', async () => {
    const { page, driver } = scene;
    await scene.connect();
    await driver.run('controlPlane.followLogs', {});
    await statusBarItem(page, uiText('live')).waitFor();
    const is = (typed: string, ...names: CommandName[]): Promise<string[]> =>
      offered(typed, (all) => all.join() === titlesOf(...names).join());
    await is('Pause', 'pauseLogs');
    await is('Stop', 'stopLogs');
    const press = async (): Promise<void> => {
      for (const key of ['Control+k', 'Alt+l']) await page.keyboard.press(key);
    };
    await press();
    await statusBarItem(page, uiText('paused ({0} new)', 0)).waitFor();
    await is('Resume', 'resumeLogs');
    await press();
    await statusBarItem(page, uiText('live')).waitFor();
    await driver.run('controlPlane.stopLogs');
    await is('Resume', 'resumeLogs');
  });

  it('has the command that shows Integrations, and so does Retry Preview Reporting', async () => {
    const { page, driver } = scene;
    await scene.connect();
    await view(page, 'activity').waitFor();
    // Another test that shares the window may have shown it.
    if ((await view(page, 'integrations').count()) > 0) {
      await driver.run('controlPlane.integrations.removeView');
    }
    await expect(view(page, 'integrations')).toHaveCount(0);
    const retried = driver.run('controlPlane.retryPreviewReporting');
    await proceed(dialog(page)).click();
    await retried;
    await view(page, 'integrations').waitFor();
    await offered('Show Int', (all) => all.includes(commandTitle('showIntegrations')));
  });

  it('offers saved searches once there are some', async () => {
    const { driver } = scene;
    const isOffered = (titles: string[]): boolean => titles.includes(commandTitle('renameSearch'));
    await offered('Search', (all) => all.length > 0 && !isOffered(all));
    await driver.set({ 'controlPlane.logs.savedSearches': [{ name: 'a', query: 'b' }] });
    await offered('Search', isOffered);
    await driver.set({ 'controlPlane.logs.savedSearches': null });
  });
});
