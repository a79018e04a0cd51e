import { assert } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { ControlPlane } from '../control-plane/server';
import { treeRows } from '../host/treeRows';
import * as workbench from '../host/workbench';
import { eventually, setScene, type Scene, type SceneOptions } from './scene';

/** The titles of the trees. */
export type Tree = 'Sources' | 'Servers' | 'Integrations';
export const trees = ['Sources', 'Servers', 'Integrations'] as const;

/** The sources (by the names of their repositories) and servers of a control plane as settings. */
export function knownThings({ world }: ControlPlane): Record<string, unknown> {
  return {
    'controlPlane.sources': world.sources.map(({ id, name }) => ({ id, label: name })),
    'controlPlane.servers': world.servers.map(({ id }) => ({ id })),
  };
}

/** A scene of the trees, in a window so high that all rows have room. */
export function setTrees(options: SceneOptions = {}): Scene {
  const { settings = {}, controlPlane, ...rest } = options;
  return setScene({
    size: { width: 1280, height: 1900 },
    controlPlane: { historyRecords: 0, ...controlPlane },
    settings: (plane) => ({
      ...knownThings(plane),
      ...(typeof settings === 'function' ? settings(plane) : settings),
    }),
    ...rest,
  });
}

/** Opens this view and closes the others, so that it has the room. */
export async function showOnly(page: Page, tree: Tree | 'Logs' | 'Activity'): Promise<void> {
  for (const title of [tree, ...trees, 'Logs', 'Activity']) {
    const header = workbench.view(page, title).locator('.pane-header');
    const isOpen = (await header.getAttribute('aria-expanded')) === 'true';
    if (isOpen !== (title === tree)) await header.locator('h3').click();
  }
}

/** Waits until a tree reads like this: a row a line, indented; `n` for what changes by the second. */
export async function treeIs(page: Page, tree: Tree, expected: string): Promise<void> {
  await textIs(async () => steady((await treeRows(page, tree)).join('\n')), lines(expected));
}

/** Waits until a text that is read from the page is this one. */
export async function textIs(read: () => Promise<string>, expected: string): Promise<void> {
  for (const end = Date.now() + 20_000; ;) {
    const text = await read();
    if (text === expected) return;
    if (Date.now() > end) assert.equal(text, expected);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** With `n` for what changes by the second. */
export function steady(text: string): string {
  return text
    .replaceAll(/\b\d+ (?:sec|min)\. ago/g, 'n ago')
    .replaceAll(/for [\w ]+ so far/g, 'for n so far');
}

/** The lines of a text in a test, without the indentation of the test. */
function lines(text: string): string {
  const rows = text.split('\n').filter((row) => row.trim() !== '');
  const indent = Math.min(...rows.map((row) => row.length - row.trimStart().length));
  return rows.map((row) => row.slice(indent).trimEnd()).join('\n');
}

/** The line above the rows of a tree; empty where there is none. */
export async function message(page: Page, tree: Tree): Promise<string> {
  const line = workbench.view(page, tree).locator('.message:visible');
  if ((await line.count()) === 0) return '';
  // Long words have places to break them at.
  return (await line.first().innerText()).replaceAll('\u200b', '').trim();
}

/** The tooltip of a row, which holds this; a row that is drawn again closes it, so it is asked anew. */
export async function tooltipOf(page: Page, row: Locator, text: string): Promise<Locator> {
  const shown = page.locator('.workbench-hover', { hasText: text });
  await eventually(
    async () => {
      await page.mouse.move(900, 500);
      await row.hover();
      await shown.waitFor({ timeout: 2000 }).catch(() => undefined);
      return shown.count();
    },
    (count) => count > 0,
    'the tooltip',
  );
  return shown;
}

/** What stands in place of the rows, with its buttons. */
export async function welcome(page: Page, tree: Tree): Promise<string> {
  const text = workbench.view(page, tree).locator('.welcome-view-content:visible');
  return (await text.count()) === 0 ? '' : (await text.first().innerText()).trim();
}
