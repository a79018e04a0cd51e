import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Locator, Page } from 'playwright';
import { buildExtension } from '../../.config/build';
import { hour } from '../../src/base/clock';
import english from '../../package.nls.json';
import german from '../../package.nls.de.json';
import spanish from '../../package.nls.es.json';
import { type ControlPlane, startControlPlane } from '../control-plane/server';
import { createDriverHub, type Driver } from '../host/driver';
import { themeOfBrowser } from '../host/editorServer';
import { openEditor, repository } from '../host/openEditor';
import { atEnd, runScript, temporaryFolder } from '../host/processes';
import { buildHelperExtension } from '../host/testBuilds';
import type { ViewName } from '../host/titles';
import * as workbench from '../host/workbench';
import { addDemoRemote, createDemoRepository } from './repository';
import { drag, explorerOf, pictureFailure } from './pictureScenes';

/**
 * Takes pictures of what a person sees in the first hour, in each theme, language and width, to be looked at:
 * `dist/looks/LANGUAGE-SCENE-WIDTH-THEME.png`. `--language de` and `--scene trees` take some of them.
 */

const languages: Readonly<Record<string, Readonly<Record<`view.${ViewName}`, string>>>> = {
  en: english,
  de: german,
  es: spanish,
};

const walkthrough = 'control-plane.deployment-control-plane#controlPlane.start';
const height = 820;
/** The narrowest side bar that people have, in pixels. */
const narrow = 200;

interface Place {
  readonly page: Page;
  readonly driver: Driver;
  readonly controlPlane: ControlPlane;
  readonly view: (name: ViewName) => { readonly title: string };
}

/** Each prepares the window for a picture, from the state that the one before has left. */
const scenes: Readonly<Record<string, (place: Place) => Promise<unknown>>> = {
  async welcome({ page, view }) {
    await workbench.view(page, view('sources')).locator('.welcome-view-content').waitFor();
  },
  async walkthrough({ page, driver }) {
    await driver.run('workbench.action.openWalkthrough', walkthrough);
    const step = page.locator(`.getting-started-step[data-step-id="${walkthrough}#push"]`);
    await step.click();
    await page.locator('iframe.webview.ready:visible').waitFor();
  },
  async trees(place) {
    const { driver, controlPlane } = place;
    await driver.run('workbench.action.closeAllEditors');
    await driver.connect({
      baseUrl: controlPlane.url,
      apiKey: controlPlane.keys['demo-full'] ?? '',
    });
    await show(place, 'sources', 'servers');
    await opened(place, 'sources', 0);
    await opened(place, 'sources', 1);
    await opened(place, 'servers', 0);
  },
  async errors(place) {
    await show(place, 'errors');
    await rows(place, 'errors').filter({ hasText: 'TypeError' }).first().click();
    await place.page.keyboard.press('ArrowRight');
    await place.page.locator('.editor-container .monaco-editor').first().waitFor();
  },
  async following(place) {
    const { page, driver } = place;
    await show(place, 'logs');
    await driver.run('controlPlane.followLogs', {});
    // Whichever it is: each goes out of sight when others come.
    await workbench.waitForOutput(page, /\[web-api\]/);
  },
  async explorer({ page, driver }) {
    await driver.run('workbench.action.closePanel');
    await driver.run('workbench.action.closeAllEditors');
    await driver.run('controlPlane.searchLogs', 'severity:warn,error last:6h');
    const row = explorerOf(page).locator('.row[aria-selected]').last();
    await row.waitFor();
    await row.click();
    await explorerOf(page).locator('.details .content').waitFor();
  },
  async trace({ page, driver }) {
    await driver.run('workbench.action.closeAllEditors');
    await driver.run('controlPlane.searchLogs', '"checkout started" last:6h');
    const row = explorerOf(page).locator('.row[aria-selected]').last();
    await row.waitFor();
    await row.click();
    await explorerOf(page).locator('.details .actions button').first().click();
    await explorerOf(page).locator('.waterfall-row').first().waitFor();
  },
  async comparison({ page, driver }) {
    await driver.run('workbench.action.closeAllEditors');
    const now = Date.now();
    const range = (from: number, to: number): string =>
      `from:${new Date(now + from).toISOString()} to:${new Date(now + to).toISOString()}`;
    await driver.run('controlPlane.compareLogs', {
      query: range(-hour, 0),
      other: range(-2 * hour, -hour - 1),
    });
    await explorerOf(page).locator('.change-rows .change').first().waitFor();
  },
  async activity(place) {
    const { page, driver, controlPlane } = place;
    await driver.run('workbench.action.closeAllEditors');
    await show(place, 'activity');
    const [server] = controlPlane.world.servers;
    const items = ['web-api-old', 'tmp-worker'];
    void driver.run('controlPlane.cleanUpOrphans', { serverId: server?.id, items });
    await workbench.proceed(workbench.dialog(page)).click();
    await workbench.answer(page, server?.name ?? '');
    await rows(place, 'activity').first().waitFor();
    await opened(place, 'activity', 0);
  },
};

function rows({ page, view }: Place, name: ViewName): Locator {
  return workbench.view(page, view(name)).getByRole('treeitem');
}

/** Opens the views that are wanted, and closes the others. */
async function show({ page, view }: Place, ...wanted: readonly ViewName[]): Promise<void> {
  for (const name of ['errors', 'sources', 'servers', 'logs', 'activity'] as const) {
    if (!wanted.includes(name)) await workbench.setOpen(page, view(name), false);
  }
  for (const name of wanted) await workbench.setOpen(page, view(name), true);
}

/** Expands a row by its number. */
async function opened(place: Place, name: ViewName, index: number): Promise<void> {
  const row = rows(place, name).nth(index);
  await row.waitFor();
  if ((await row.getAttribute('aria-expanded')) !== 'false') return;
  await row.locator('.monaco-tl-twistie').click();
}

async function saveLooks(language: string, wanted: readonly string[]): Promise<void> {
  const folder = path.join(await temporaryFolder('looks'), 'shop');
  const releases = await createDemoRepository(folder);
  await addDemoRemote(folder);
  const controlPlane = await startControlPlane({ seed: 7, operationSeconds: 6, releases });
  const { sources, servers } = controlPlane.world;
  const hub = await createDriverHub();
  atEnd(() => hub.close());
  const helper = await buildHelperExtension('host/driver-extension', path.dirname(folder));
  const made: Awaited<ReturnType<typeof openEditor>>[] = [];
  const driver = await hub.next(async () => {
    made.push(
      await openEditor({
        extensions: [repository, helper],
        env: { DCP_DRIVER_URL: hub.url },
        folder,
        language,
        size: { width: 1400, height },
        settings: {
          ...themeOfBrowser,
          'git.enabled': true,
          'remote.autoForwardPorts': false,
          'controlPlane.sources': sources.map(({ id, name }) => ({ id, label: name })),
          'controlPlane.servers': servers.map(({ id, name }) => ({ id, label: name })),
        },
      }),
    );
  });
  const [window] = made;
  if (window === undefined) throw new Error('No window opened.');
  const { page } = window;
  const texts = languages[language] ?? english;
  const view = (name: ViewName): { title: string } => ({ title: texts[`view.${name}`] });
  const place = { page, driver, controlPlane, view };
  try {
    await pictureFailure(page, async () => {
      await workbench.openContainer(page, 'Control Plane');
      for (const [name, prepare] of Object.entries(scenes)) {
        await prepare(place);
        if (wanted.length > 0 && !wanted.includes(name)) continue;
        await picture(page, `${language}-${name}`);
      }
    });
  } finally {
    await window.close();
    await controlPlane.close();
  }
}

/** In three widths: of the window, and with a narrow side bar. */
async function picture(page: Page, name: string): Promise<void> {
  const save = (width: string): Promise<void> =>
    workbench.inEachLook(page, async (theme) => {
      const file = `dist/looks/${name}-${width}-${theme}.png`;
      await page.mouse.move(0, 0);
      await workbench.screenshot(page, path.join(repository, file));
      console.log(file);
    });
  await save('1400');
  await page.setViewportSize({ width: 900, height });
  await save('900');
  await page.setViewportSize({ width: 1400, height });
  const before = (await page.locator('.part.sidebar').boundingBox())?.width ?? narrow;
  await drag(page, '.part.sidebar', 'right', narrow - before);
  await save('narrow');
  await drag(page, '.part.sidebar', 'right', before - narrow);
}

runScript(async () => {
  const { values } = parseArgs({
    options: {
      language: { type: 'string', multiple: true, default: Object.keys(languages) },
      scene: { type: 'string', multiple: true, default: [] },
    },
  });
  await buildExtension();
  for (const language of values.language) await saveLooks(language, values.scene);
});
