import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright';
import texts from '../../../package.nls.json';
import { repository } from '../../host/openEditor';
import { temporaryFolder } from '../../host/processes';
import { uiText } from '../../host/texts';
import { commandTitle } from '../../host/titles';
import { answer, dismiss, statusBarItem, view } from '../../host/workbench';
import { eventually, inEachLook, keyOf, picture, setScene } from '../scene';

const steps = ['connect', 'follow', 'errors', 'search', 'push'] as const;
type Step = (typeof steps)[number];

/** The title of the drawing of a step. */
async function drawingTitle(step: Step): Promise<string> {
  const drawing = await readFile(path.join(repository, `media/walkthrough/${step}.svg`), 'utf8');
  return drawing.split(/<\/?title>/)[1] ?? 'no title';
}

/** The content of the visible webview: a drawing of the walkthrough, or the Log Explorer. */
const visibleWebview = (page: Page): FrameLocator =>
  page.frameLocator('iframe.webview.ready:visible').frameLocator('iframe#active-frame');

/** The properties of an element that are used; the tests are compiled without the DOM. */
interface StyledElement {
  readonly ownerDocument: {
    readonly defaultView: {
      getComputedStyle(element: StyledElement): { getPropertyValue(name: string): string };
    };
  };
}

const walkthrough = 'control-plane.deployment-control-plane#controlPlane.start';

describe('the walkthrough', () => {
  // Without sources and servers, because its steps are for the beginning. A narrow window has no
  // pictures.
  const scene = setScene({
    connected: null,
    folder: () => temporaryFolder('walkthrough'),
    // No view repeats its requests: one would use up the fault of a search.
    settings: { 'controlPlane.refresh.intervalSeconds': 0 },
    size: { width: 1600, height: 900 },
  });

  const header = (step: Step): Locator =>
    scene.page.locator(`.getting-started-step[data-step-id="${walkthrough}#${step}"]`);

  /** Shows the walkthrough in front of everything else. */
  async function show(): Promise<void> {
    await scene.driver.run('workbench.action.openWalkthrough', walkthrough);
    await header('connect').waitFor();
  }

  /** Expands a step, unless it is expanded. */
  async function open(step: Step): Promise<void> {
    const expanded = header(step).and(scene.page.locator('.expanded'));
    await eventually(
      async () => {
        if (!(await expanded.isVisible())) await header(step).locator('.step-title').click();
        return expanded.isVisible();
      },
      (isOpen) => isOpen,
      `${step} is not open`,
    );
  }

  /** Waits until exactly these steps have a tick. */
  async function doneAre(...expected: Step[]): Promise<void> {
    const isDone = async (step: Step): Promise<boolean> => {
      const box = scene.page.locator(`[data-done-step-id="${walkthrough}#${step}"]`);
      return (await box.getAttribute('aria-checked')) === 'true';
    };
    await eventually(
      async () => {
        const done = await Promise.all(steps.map(isDone));
        return steps.filter((_, index) => done[index]);
      },
      (done) => done.join() === expected.join(),
      `not these have a tick: ${expected.join()}`,
    );
  }

  it('draws each step in the colours of the theme', async () => {
    const { page } = scene;
    const drawing = visibleWebview(page).locator('svg');
    const isDrawn = async (step: Step): Promise<void> =>
      drawing
        .locator('title', { hasText: await drawingTitle(step) })
        .waitFor({ state: 'attached' });
    const fill = (): Promise<string> =>
      drawing
        .locator('text')
        .first()
        .evaluate((text: StyledElement) =>
          text.ownerDocument.defaultView.getComputedStyle(text).getPropertyValue('fill'),
        );
    let before = '';
    await show();
    await inEachLook(page, async (look) => {
      await open('connect');
      await isDrawn('connect');
      before = await eventually(
        fill,
        (now) => now !== before,
        `the drawing does not change its colours in the look ${look}`,
      );
    });
    for (const step of steps) {
      await open(step);
      await isDrawn(step);
      await picture(scene, `walkthrough-${step}`);
    }
  });

  it('is offered without a connection, and ticks each completed step', async () => {
    const { page, controlPlane, driver } = scene;
    await driver.run('workbench.action.closeAllEditors');
    await driver.run(
      'workbench.action.openWalkthrough',
      'control-plane.deployment-control-plane#controlPlane.start',
    );
    await page
      .locator('.gettingStartedContainer')
      .getByText(texts['walkthrough.title'])
      .first()
      .waitFor();
    await doneAre();
    await view(page, 'sources').waitFor();
    await view(page, 'servers').waitFor({ state: 'detached' });
    // A click on the button does not complete the step.
    await open('connect');
    await header('connect')
      .getByRole('button', { name: commandTitle('connect') })
      .click();
    await answer(page, controlPlane.url);
    await answer(page, 'wrong-key');
    await page
      .locator('.quick-input-message', {
        hasText: uiText(
          'The control plane does not accept this API key. Check that you copied all of it.',
        ),
      })
      .waitFor();
    await doneAre();
    await answer(page, keyOf(scene, 'demo-full'));
    await page.locator('.quick-input-title', { hasText: '(3/3)' }).waitFor();
    await dismiss(page);
    await doneAre('connect');

    await driver.run('controlPlane.followLogs', {});
    await statusBarItem(page, uiText('live')).waitFor();
    await doneAre('connect', 'follow');

    controlPlane.admin.fault({ kind: 'status', status: 400, endpoint: 'post_logs_query' });
    await driver.run('controlPlane.searchLogs', 'last:1h');
    const explorer = visibleWebview(page);
    await explorer
      .getByText(/request req_/)
      .first()
      .waitFor();
    await show();
    await doneAre('connect', 'follow');
    await driver.run('controlPlane.searchLogs', 'last:7d');
    await explorer.locator('.summary').filter({ hasText: /\d/ }).waitFor();
    await show();
    await doneAre('connect', 'follow', 'search');
    await picture(scene, 'walkthrough-done');
  });
});
