import texts from '../../package.nls.json';
import type { Locator, Page } from 'playwright';
import type { ControlPlane } from '../control-plane/server';
import { type TextName, viewTitle } from '../host/titles';
import { treeRows } from '../host/treeRows';
import * as workbench from '../host/workbench';
import { eventually, expect, setScene, type Scene, type SceneOptions } from './scene';

export const trees = ['sources', 'servers', 'integrations'] as const;
export type Tree = (typeof trees)[number];
/** Those and the view that is a tree of errors. */
type TreeView = Tree | 'errors';

/** The sources (named after their repositories) and servers of a control plane as settings. */
export function knownThings({ world }: ControlPlane): Record<string, unknown> {
  return {
    'controlPlane.sources': world.sources.map(({ id, name }) => ({ id, label: name })),
    'controlPlane.servers': world.servers.map(({ id }) => ({ id })),
  };
}

/** A scene of the trees, in a window with room for all rows. */
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

/**
 * A scene of the trees in the window that files share: not connected, with names for the servers.
 *
 * @param settings other user settings for its tests, whose defaults return after them.
 */
export function setNamedTrees(options: SceneOptions = {}, settings: Settings = {}): Scene {
  const scene = setTrees({ keepsWindow: true, connected: null, ...options });
  let known: Settings = {};
  before(async () => {
    known = knownThings(scene.controlPlane);
    const servers = scene.controlPlane.world.servers.map(({ id, name }) => ({ id, label: name }));
    await scene.driver.run('workbench.action.closeAllEditors');
    await scene.driver.set({ 'controlPlane.servers': servers, ...settings });
  });
  after(() =>
    scene.driver.set({
      ...Object.fromEntries(Object.keys(settings).map((name) => [name, null])),
      ...known,
    }),
  );
  return scene;
}

type Settings = Readonly<Record<string, unknown>>;

/** Expands these views and collapses the others, to give them room. */
export async function showOnly(
  page: Page,
  ...shown: readonly (TreeView | 'logs' | 'activity')[]
): Promise<void> {
  const open = await workbench.openViews(page);
  const names = [...shown, ...(['errors', ...trees, 'logs', 'activity'] as const)];
  for (const name of new Set(names)) {
    const isOpen = open.get(viewTitle(name));
    // Without a connection, there is only the view that offers it.
    if (isOpen === undefined && !shown.includes(name)) continue;
    // Hidden by default.
    if (name === 'integrations' && isOpen === undefined) {
      await workbench.runCommand(page, workbench.focusOn(name));
    }
    if (isOpen !== shown.includes(name)) await workbench.setOpen(page, name, shown.includes(name));
  }
}

/**
 * Waits until a tree has this text: one row a line, indented; `n` for numbers that change with
 * time.
 */
export async function treeIs(page: Page, tree: TreeView, expected: string): Promise<void> {
  const rows = async (): Promise<string> => steady((await treeRows(page, tree)).join('\n'));
  await expect.poll(rows).toBe(lines(expected));
}

/** Replaces numbers that change with time by `n`. */
export function steady(text: string): string {
  return text
    .replaceAll(/\b\d+ (?:sec\.|min\.|hr\.|days?) ago/g, 'n ago')
    .replaceAll(/\b(?:in \d+ (?:sec\.|min\.|hr\.)|now)(?= ·|$)/gm, 'in n')
    .replaceAll(/\b[0-9a-f]{7}\b/g, '#');
}

/** The lines of a template text, without its indentation. */
function lines(text: string): string {
  const rows = text.split('\n').filter((row) => row.trim() !== '');
  const indent = Math.min(...rows.map((row) => row.length - row.trimStart().length));
  return rows.map((row) => row.slice(indent).trimEnd()).join('\n');
}

/** The message above the rows of a tree; empty if there is none. */
export async function message(page: Page, tree: TreeView): Promise<string> {
  // In one call: the message may disappear between two.
  const [line = ''] = await workbench.view(page, tree).locator('.message:visible').allInnerTexts();
  // Long words contain zero-width spaces for line breaks.
  return line.replaceAll('\u200b', '').trim();
}

/**
 * The tooltip of a row with this text. A row that is drawn again closes its tooltip, so this hovers
 * again.
 */
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

/** The welcome text of a view, with its buttons. */
export async function welcome(page: Page, tree: TreeView): Promise<string> {
  const text = workbench.view(page, tree).locator('.welcome-view-content:visible');
  return (await text.count()) === 0 ? '' : (await text.first().innerText()).trim();
}

/** The paragraphs and buttons of a welcome text, a line each. */
export function welcomeLines(key: WelcomeKey): string {
  return texts[`welcome.${key}`].replace(/\[([^\]]*)\]\(command:[^)]*\)/g, '$1');
}

type WelcomeKey = TextName<'welcome'>;

/** Waits until a tree shows these welcome texts, one below the other, and no rows. */
export async function welcomeIs(
  page: Page,
  tree: TreeView,
  ...keys: readonly WelcomeKey[]
): Promise<void> {
  const read = async (): Promise<string> =>
    (await welcome(page, tree)).replaceAll(/\s*\n\s*/g, '\n');
  await expect.poll(read).toBe(keys.map(welcomeLines).join('\n'));
  await expect.poll(() => treeRows(page, tree), 'there are also rows').toEqual([]);
}

/** A string, since the tests are compiled without the DOM. */
const watchScript = (title: string): string => `{
  const panes = [...document.querySelectorAll('.pane')];
  const pane = panes.find((one) => one.querySelector('.pane-header h3')?.textContent === '${title}');
  window.drawnRows = new Set();
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
      const row = element?.closest('.monaco-list-row');
      const label = row?.querySelector('.label-name')?.textContent;
      if (label) window.drawnRows.add(label);
    }
  }).observe(pane.querySelector('.monaco-list-rows'), {
    childList: true, subtree: true, characterData: true,
  });
}`;

/** Records the labels of rows that are drawn from now on; the returned function reads them. */
export async function watchDrawing(page: Page, tree: Tree): Promise<() => Promise<string[]>> {
  await page.evaluate(watchScript(viewTitle(tree)));
  return () => page.evaluate<string[]>('[...window.drawnRows].sort()');
}
