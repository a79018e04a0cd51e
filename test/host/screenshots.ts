import { cp } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { buildExtension } from '../../.config/build';
import { startControlPlane } from '../control-plane/server';
import { openEditor, repository } from './openEditor';
import { endAll, endOnSignals, temporaryFolder } from './processes';
import { makeSmaller } from './smallerPicture';
import * as workbench from './workbench';

/**
 * Takes the pictures of README.md and of the walkthrough, in light and dark, in a real VS Code that
 * is connected to the embedded control plane. Whoever changes what is seen takes them again.
 */

const looks = ['light', 'dark'] as const;
const forReadme = { width: 1400, height: 900 };
const forWalkthrough = { width: 900, height: 600 };

async function takePictures(look: (typeof looks)[number]): Promise<void> {
  const controlPlane = await startControlPlane({ seed: 7 });
  const folder = path.join(await temporaryFolder('pictures'), 'demo');
  await cp(controlPlane.demoFolder, folder, { recursive: true });
  const { world } = controlPlane;
  const window = await openEditor({
    folder,
    theme: look,
    size: forReadme,
    settings: {
      'controlPlane.sources': world.sources.map(({ id, name }) => ({ id, label: name })),
      'controlPlane.servers': world.servers.map(({ id, name }) => ({ id, label: name })),
    },
  });
  const { page } = window;
  const picture = async (file: string, size = forReadme): Promise<void> => {
    await page.setViewportSize(size);
    const name = `media/${file}-${look}.png`;
    await workbench.screenshot(page, path.join(repository, name));
    await makeSmaller(path.join(repository, name));
    console.log(name);
  };
  try {
    await workbench.openContainer(page, 'Control Plane');
    await connect(page, controlPlane.url, controlPlane.keys['demo-full'] ?? '', () =>
      picture('walkthrough/connect', forWalkthrough),
    );
    await page.setViewportSize(forReadme);
    await showTrees(page);
    await picture('readme/trees', { width: 900, height: 800 });
    await picture('walkthrough/discover', forWalkthrough);
    await page.setViewportSize(forReadme);
    await follow(page);
    await picture('readme/following');
    await picture('walkthrough/follow', forWalkthrough);
    await page.setViewportSize(forReadme);
    await search(page);
    await picture('readme/explorer');
    await toggleSideBar(page);
    await picture('walkthrough/search', forWalkthrough);
    await toggleSideBar(page);
    await page.setViewportSize(forReadme);
    await act(page);
    await picture('readme/activity');
    await picture('walkthrough/act', forWalkthrough);
  } finally {
    await window.close();
    await controlPlane.close();
  }
}

/** Goes through the boxes; `atUrl` is called once the URL is typed. */
async function connect(
  page: Page,
  url: string,
  key: string,
  atUrl: () => Promise<void>,
): Promise<void> {
  await workbench.runCommand(page, 'Control Plane: Connect…');
  await page.locator('.quick-input-widget input').first().fill(url);
  await atUrl();
  await workbench.answer(page, url);
  await workbench.answer(page, key);
  await workbench.statusBarItem(page, 'Connected to').waitFor();
  await page.locator('.quick-input-title', { hasText: 'Follow Logs' }).waitFor();
  await workbench.dismiss(page);
}

/** Shows a view with its rows, or its title alone. */
async function fold(page: Page, title: string, isOpen: boolean): Promise<void> {
  const header = workbench.view(page, title).locator('.pane-header');
  if (((await header.getAttribute('aria-expanded')) === 'true') !== isOpen) {
    await header.locator('h3').click();
  }
}

/** Opens rows of the trees as deep as there is something to see. */
async function showTrees(page: Page): Promise<void> {
  const open = async (title: string, row: string | RegExp): Promise<void> => {
    const item = workbench.treeRow(page, title, row);
    await item.click();
    if ((await item.getAttribute('aria-expanded')) === 'false') {
      await page.keyboard.press('ArrowRight');
    }
  };
  // Rows that have no room cannot be opened.
  for (const title of ['Servers', 'Logs']) await fold(page, title, false);
  await open('Sources', 'shop-web');
  await open('Sources', /^production/);
  await open('Sources', 'web-api');
  await fold(page, 'Servers', true);
  await open('Servers', 'fra-app-1');
  await page.mouse.move(700, 500);
}

async function follow(page: Page): Promise<void> {
  await workbench.runCommand(page, 'Go to File...');
  await page.locator('.quick-input-widget input').first().fill('pricing.ts');
  await workbench.clickPick(page, 'pricing.ts');
  await page.locator('.tab', { hasText: 'pricing.ts' }).waitFor();
  await workbench.runCommand(page, 'Control Plane: Follow Logs…');
  await workbench.clickPick(page, 'Everything');
  await fold(page, 'Servers', false);
  await fold(page, 'Logs', true);
  await workbench.statusBarItem(page, /live · (?!0 )/).waitFor();
}

async function search(page: Page): Promise<void> {
  await workbench.runCommand(page, 'View: Toggle Panel Visibility');
  await workbench.runCommand(page, 'Control Plane: Search Logs');
  const explorer = page.frameLocator('iframe.webview.ready').frameLocator('iframe');
  await explorer.getByRole('combobox').first().fill('severity:warn,error last:1h');
  await explorer.getByRole('combobox').first().press('Enter');
  await explorer.getByRole('row').nth(3).waitFor();
}

/** A narrow window has no room for both. */
async function toggleSideBar(page: Page): Promise<void> {
  await workbench.runCommand(page, 'View: Toggle Primary Side Bar Visibility');
}

async function act(page: Page): Promise<void> {
  await workbench.runCommand(page, 'View: Close All Editors');
  await workbench.runCommand(page, 'Control Plane: Sync Environment…');
  await workbench.clickPick(page, 'shop-web');
  await workbench.clickPick(page, 'production');
  await workbench.runCommand(page, 'Control Plane: Focus on Activity View');
  await workbench.treeRow(page, 'Activity', /Sync production/).waitFor();
}

async function main(): Promise<void> {
  await buildExtension();
  for (const look of looks) await takePictures(look);
}

endOnSignals();
main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .finally(() => endAll());
