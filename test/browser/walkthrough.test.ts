import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import { temporaryFolder } from '../host/processes';
import {
  answer,
  clickPick,
  dismiss,
  inputBox,
  openContainer,
  runCommand,
  statusBarItem,
  view,
} from '../host/workbench';
import { explorerPage } from './explorerPage';
import { eventually, inEachLook, keyOf, openScene, picture, type Scene } from './scene';

const steps = ['connect', 'discover', 'follow', 'search', 'act'] as const;
type Step = (typeof steps)[number];

const idOf = (step: Step): string =>
  `control-plane.deployment-control-plane#controlPlane.start#${step}`;

describe('the walkthrough', () => {
  let scene: Scene;
  before(async () => {
    // Without anything known: its steps are for whoever starts.
    const folder = await temporaryFolder('walkthrough');
    // A narrow one shows no pictures.
    scene = await openScene({ folder, size: { width: 1600, height: 900 } });
    await openContainer(scene.page, 'Control Plane');
  });
  after(() => scene.close());

  const header = (step: Step): Locator =>
    scene.page.locator(`.getting-started-step[data-step-id="${idOf(step)}"]`);

  /** The steps with a tick. */
  async function done(): Promise<Step[]> {
    const ticked = await Promise.all(
      steps.map(async (step) => {
        const box = scene.page.locator(`[data-done-step-id="${idOf(step)}"]`);
        return (await box.getAttribute('aria-checked')) === 'true';
      }),
    );
    return steps.filter((_, index) => ticked[index]);
  }

  /** Shows the walkthrough again, whatever is in front of it. */
  async function show(): Promise<void> {
    await runCommand(scene.page, 'Welcome: Open Walkthrough...');
    await clickPick(scene.page, 'Get Started with Deployment Control Plane');
    await header('connect').waitFor();
  }

  /** Shows the walkthrough, opens a step of it, and clicks its button. */
  async function begin(step: Step, button: string): Promise<void> {
    await show();
    await open(step);
    await header(step).getByRole('button', { name: button }).click();
  }

  /** The same, and picks a row of the box; the page takes the focus from a box that comes too soon. */
  async function beginAndPick(step: Step, button: string, text: string): Promise<void> {
    const { page } = scene;
    const row = page.locator('.quick-input-list .monaco-list-row:visible', { hasText: text });
    await open(step);
    await eventually(
      async () => {
        const isOpen = await row.first().isVisible();
        if (!isOpen) await header(step).getByRole('button', { name: button }).click();
        return row
          .first()
          .click({ timeout: 2000 })
          .then(() => true)
          .catch(() => false);
      },
      (isPicked) => isPicked,
      `${text} is picked`,
    );
  }

  async function open(step: Step): Promise<void> {
    const expanded = header(step).and(scene.page.locator('.expanded'));
    await eventually(
      async () => {
        if (!(await expanded.isVisible())) await header(step).locator('.step-title').click();
        return expanded.isVisible();
      },
      (isOpen) => isOpen,
      `${step} is open`,
    );
  }

  /** Waits until these steps and no others have a tick. */
  async function doneAre(...expected: Step[]): Promise<void> {
    await show();
    await eventually(done, (found) => found.join() === expected.join(), `done: ${expected.join()}`);
  }

  it('opens from the view of whoever is not connected, with nothing done', async () => {
    const { page } = scene;
    await view(page, 'Logs').getByRole('button', { name: 'Get Started' }).click();
    await page
      .locator('.gettingStartedContainer')
      .getByText('Get Started with Deployment Control Plane')
      .first()
      .waitFor();
    await header('connect').waitFor();
    assert.deepEqual(await done(), []);
  });

  it('shows a picture of each step, as light or dark as the window', async () => {
    const { page } = scene;
    for (const step of steps) {
      await open(step);
      await inEachLook(page, async (look) => {
        const shade = look === 'light' ? 'light' : 'dark';
        const image = page.locator(`.gettingStartedContainer img[srcset*="${step}-${shade}.png"]`);
        await image.waitFor();
        await eventually(
          () => image.evaluate((shown: { naturalWidth: number }) => shown.naturalWidth),
          (width) => width > 0,
          `the picture of ${step}`,
        );
        assert.isNotEmpty(await image.getAttribute('alt'));
      });
      await picture(scene, `walkthrough-${step}`);
    }
  });

  it('connects', async () => {
    const { page, controlPlane } = scene;
    await begin('connect', 'Connect…');
    await answer(page, controlPlane.url);
    await answer(page, 'wrong-key');
    await eventually(
      () => inputBox(page),
      ({ message }) => message.includes('does not accept'),
      'the wrong key is refused',
    );
    assert.deepEqual(await done(), []);
    await answer(page, keyOf(scene, 'demo-full'));
    await page.locator('.quick-input-title', { hasText: 'Follow Logs (3/3)' }).waitFor();
    await dismiss(page);
    await doneAre('connect');
  });

  it('discovers', async () => {
    const { page } = scene;
    await begin('discover', 'Discover…');
    await page.locator('.quick-input-widget').getByText('7 Selected').waitFor();
    assert.deepEqual(await done(), ['connect']);
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await doneAre('connect', 'discover');
  });

  it('follows', async () => {
    const { page } = scene;
    await show();
    assert.deepEqual(await done(), ['connect', 'discover']);
    await beginAndPick('follow', 'Follow Logs…', 'Everything');
    await statusBarItem(page, 'live').waitFor();
    await doneAre('connect', 'discover', 'follow');
  });

  it('searches', async () => {
    const { page, controlPlane } = scene;
    await begin('search', 'Search Logs…');
    const explorer = explorerPage(scene);
    const bar = explorer.getByRole('combobox', { name: 'Query' });
    controlPlane.admin.fault({ kind: 'status', status: 400, endpoint: 'post_logs_query' });
    await bar.fill('last:1h');
    await bar.press('Enter');
    await explorer
      .getByText(/request req_/)
      .first()
      .waitFor();
    await doneAre('connect', 'discover', 'follow');
    await page.locator('.tab', { hasText: 'Log Explorer' }).click();
    await bar.fill('last:7d');
    await bar.press('Enter');
    await explorer.locator('.summary').filter({ hasText: /\d/ }).waitFor();
    await doneAre('connect', 'discover', 'follow', 'search');
  });

  it('acts', async () => {
    await show();
    await beginAndPick('act', 'Sync Environment…', 'web-api');
    await clickPick(scene.page, 'production');
    await doneAre(...steps);
    await picture(scene, 'walkthrough-done');
  });
});
