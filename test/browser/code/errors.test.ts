import type { Locator } from 'playwright';
import type { LogRecord } from '../../../src/api/types';
import { uiPattern, uiText } from '../../host/texts';
import type { CommandName, TextName } from '../../host/titles';
import { openRow, treeRowAt } from '../../host/treeRows';
import {
  clickPick,
  clickRowAction,
  focusOn,
  statusBarItem,
  treeRow,
  view,
  waitForMark,
} from '../../host/workbench';
import { chooseInMenu, typeCommand } from '../actionScene';
import { chooseOfRow } from '../rowMenu';
import { eventually, expect, picture, setScene, sideBar } from '../scene';
import {
  knownThings,
  message,
  showOnly,
  tooltipOf,
  treeIs,
  welcomeIs,
  welcomeLines,
} from '../trees';

const file = 'web-api/src/pricing.ts';
/** A kind that came with the last deployment. */
const fresh = 'TypeError: no percent';
/** A kind that is not in the code of the workspace. */
const known = 'the lease has expired';
const oneMuted = uiText('{0} muted', 1);
const mayHaveMoved = uiText('Without Git, lines in code may have moved.');
const minute = 60_000;
const hour = 60 * minute;

const rows = `
  70 × connection reset web-api · n ago
  24 × ${known} web-api · n ago
  10 × no answer from <address> web-api · n ago
  3 × ${fresh} pricing.ts:4 · web-api · n ago
`;

describe('the view Errors', () => {
  const scene = setScene({
    keepsWindow: true,
    connected: null,
    settings: knownThings,
    size: { width: 1280, height: 1000 },
    controlPlane: { historyRecords: 0 },
    prepare({ admin, world }) {
      const { deploymentId, name: workloadName } = world.workloads[0]!;
      const deployedAt = Date.now() - 2 * hour;
      const [createdAt, finishedAt] = [deployedAt - 2 * minute, deployedAt];
      admin.change(deploymentId, {
        createdAt: new Date(createdAt).toISOString(),
        finishedAt: new Date(finishedAt).toISOString(),
      });
      const errors = (count: number, last: number, body: string): Partial<LogRecord>[] =>
        Array.from({ length: count }, (_, index) => {
          const at = last - index * minute;
          const isNow = at >= deployedAt;
          return {
            ...{ workloadName, severity: 'error', body },
            deploymentId: isNow ? deploymentId : null,
            timestamp: new Date(at).toISOString(),
          };
        });
      const now = Date.now();
      const before = deployedAt - hour;
      admin.emit([
        ...errors(70, before, 'connection reset'),
        ...errors(22, before, known),
        ...errors(2, now - 20 * minute, known),
        ...errors(5, before, 'no answer from 10.0.0.4'),
        ...errors(5, now - 10 * minute, 'no answer from 10.0.0.7'),
        ...errors(3, now - 5 * minute, `${fresh}\n    at total (/app/${file}:4:5)`),
      ]);
    },
  });
  /** How many connections there were. Each test has its own, so that nothing is muted and filtered. */
  let connections = 0;

  before(() =>
    scene.driver.set({ 'controlPlane.code.errors': 'marks', 'workbench.hover.delay': 50 }),
  );
  after(() =>
    scene.driver.set({ 'controlPlane.code.errors': 'off', 'workbench.hover.delay': null }),
  );
  beforeEach(async () => {
    await scene.driver.run('workbench.action.closeAllEditors');
    await scene.reconnect('demo-full', `errors ${++connections}`);
    await showOnly(scene.page, 'errors');
    // The rows are drawn again when the deployments come, and a menu of that moment may lose its row.
    await has(fresh, uiText('new since the last deployment'));
  });

  /** Waits until a row has this state. */
  const has = (text: string, state: string): Promise<void> =>
    treeRow(scene.page, 'errors', text)
      .and(scene.page.locator(`[aria-label$=", ${state}"]`))
      .waitFor();
  const shows = (expected: string): Promise<void> => treeIs(scene.page, 'errors', expected);
  /** The last button of a welcome text. */
  const button = (text: TextName<'welcome'>): Locator =>
    view(scene.page, 'errors').getByRole('button', {
      name: welcomeLines(text).split('\n').at(-1) ?? '',
      exact: true,
    });
  const header = (): Locator => view(scene.page, 'errors').locator('.pane-header');
  const icon = (): Locator =>
    scene.page.locator('.activitybar').getByRole('tab', { name: /Control Plane/ });
  const badgeIs = async (text: string): Promise<void> => {
    const badge = (): Promise<string[]> => icon().locator('.badge-content:visible').allInnerTexts();
    await expect.poll(async () => (await badge()).join()).toBe(text);
  };
  /** Chooses what the view shows. */
  async function choose(command: CommandName, label: string): Promise<void> {
    void scene.driver.run(`controlPlane.${command}`);
    await clickPick(scene.page, label);
  }

  it('shows kinds of errors with counts, what changed and how much was looked at, sorted, and opens their line, which is marked', async () => {
    const { page, driver } = scene;
    await shows(rows);
    await has('no answer', uiText('more than before'));
    await has('connection reset', uiText('gone since the last deployment'));
    await expect
      .poll(() => message(page, 'errors'))
      .toBe(`${uiText('{0} errors in {1}.', 107, uiText('24 h'))} ${mayHaveMoved}`);
    await expect(header()).toContainText(uiText('all workloads'));

    await choose('sortErrors', uiText('By Last Occurrence: Newest First'));
    const byTime = rows
      .trim()
      .split('\n')
      .reverse()
      .map((row) => `  ${row.trim()}`);
    await shows(byTime.join('\n'));
    await driver.run('controlPlane.refreshErrors');
    await shows(byTime.join('\n'));
    void driver.run('controlPlane.sortErrors');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: uiText('current') })
      .waitFor();
    await picture(scene, 'errors-sort');
    await clickPick(page, uiText('By Count: Most Frequent First'));
    await shows(rows);

    await openRow(page, 'errors', [`3 × ${fresh}`]);
    await treeRowAt(page, 'errors', [`3 × ${fresh}`, 'pricing.ts:4']);
    await picture(scene, 'errors', sideBar);
    const tooltip = await tooltipOf(page, treeRow(page, 'errors', fresh), uiText('First seen'));
    const deployments = new RegExp(`^${uiText('Deployments')}: [0-9a-f]{7}$`, 'm');
    await expect.poll(() => tooltip.innerText()).toMatch(deployments);
    await treeRow(page, 'errors', fresh).click();
    await statusBarItem(page, 'Ln 4').waitFor();
    await waitForMark(page);
    await picture(scene, 'errors-and-marks');
  });

  it('says why it is empty, with a button for what leaves nothing', async () => {
    const { page, controlPlane } = scene;
    await shows(rows);
    await choose('filterErrors', uiText('preview'));
    await welcomeIs(page, 'errors', 'errors.empty.day', 'errors.chosen', 'errors.change');
    await picture(scene, 'errors-filtered', sideBar);
    await choose('changeErrorsFilter', uiText('7 d'));
    await welcomeIs(page, 'errors', 'errors.empty.week', 'errors.chosen', 'errors.change');
    await button('errors.chosen').click();
    await shows(rows);

    await choose('filterErrors', uiText('Of this folder only'));
    await welcomeIs(page, 'errors', 'errors.noSource');
    await expect(header()).toContainText(uiText('this folder'));
    await picture(scene, 'errors-no-source', sideBar);
    await button('errors.noSource').click();
    await shows(rows);

    controlPlane.admin.addKey('blind', ['logs.read']);
    controlPlane.admin.restrict('blind', () => false);
    await scene.reconnect('blind');
    await welcomeIs(page, 'errors', 'errors.empty.day', 'errors.change');
    await picture(scene, 'errors-none', sideBar);
    await button('errors.change').click();
    await clickPick(page, uiText('1 h'));
    await welcomeIs(page, 'errors', 'errors.empty.hour', 'errors.change');
    await scene.reconnect('demo-without-logs-read');
    await welcomeIs(page, 'errors', 'errors.missing.logs.read');
    await scene.signOut();
    await view(page, 'errors').waitFor({ state: 'detached' });
  });

  it('needs no mouse: open the code, mute and unmute', async () => {
    const { page } = scene;
    await shows(rows);
    const focused = (row: RegExp): Promise<unknown> =>
      eventually(
        async () => {
          const rowsNow = view(page, 'errors').locator('.monaco-list-row.focused');
          return (await rowsNow.allInnerTexts()).join();
        },
        (text) => row.test(text),
        `the row ${String(row)} does not have the focus`,
      );
    await typeCommand(scene, focusOn('errors'));
    await view(page, 'errors').locator('.monaco-list:focus').waitFor();
    await page.keyboard.press('End');
    await focused(/no percent/);
    await page.keyboard.press('Enter');
    await statusBarItem(page, 'Ln 4').waitFor();
    // The focus is still in the view.
    await page.keyboard.press('Shift+F10');
    await chooseInMenu(scene, 'muteError');
    await treeRow(page, 'errors', oneMuted).waitFor();
    await page.keyboard.press('End');
    await focused(uiPattern('{0} muted', 1));
    await page.keyboard.press('ArrowRight');
    await treeRowAt(page, 'errors', [oneMuted, `3 × ${fresh}`]);
    await page.keyboard.press('ArrowDown');
    await focused(/no percent/);
    await page.keyboard.press('Shift+F10');
    await chooseInMenu(scene, 'unmuteError');
    await shows(rows);
  });

  // The last one, because its error stays.
  it('hides a kind that is muted, shows it again from the row that counts those, and counts new kinds in its badge', async () => {
    const { page, driver, controlPlane } = scene;
    await shows(rows);
    await clickRowAction(page, 'errors', fresh, 'muteError');
    const others = rows.trim().split('\n').slice(0, -1).join('\n');
    await shows(`\n  ${others.trim()}\n  ${oneMuted}\n`);
    await badgeIs('');
    await openRow(page, 'errors', [oneMuted]);
    await picture(scene, 'errors-muted', sideBar);
    await clickRowAction(page, 'errors', fresh, 'unmuteError');
    await shows(rows);
    await badgeIs('1');

    await badgeIs('1');
    await expect(icon()).toHaveAttribute(
      'aria-label',
      uiPattern('{0} kind of error is new since the last deployment', '1'),
    );
    const { deploymentId, name: workloadName } = controlPlane.world.workloads[0]!;
    controlPlane.admin.emit([
      { workloadName, deploymentId, severity: 'fatal', body: 'out of memory' },
    ]);
    await driver.run('controlPlane.refreshErrors');
    await badgeIs('2');
    await chooseOfRow(page, 'errors', ['1 × out of memory'], 'muteError', 'mouse');
    await badgeIs('1');
  });
});
