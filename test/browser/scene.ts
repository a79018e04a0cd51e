import path from 'node:path';
import type { Page } from 'playwright-core';
import {
  startControlPlane,
  type ControlPlane,
  type ControlPlaneOptions,
} from '../control-plane/server';
import {
  openEditor,
  repository,
  type EditorWindow,
  type OpenEditorOptions,
} from '../host/openEditor';
import * as workbench from '../host/workbench';

/** A control plane whose logs stand still until a test emits some, and a window of VS Code. */
export interface Scene {
  readonly controlPlane: ControlPlane;
  readonly window: EditorWindow;
  readonly page: Page;
  close(): Promise<void>;
}

const open = new Set<Page>();

// A picture says more of a failure than its message.
afterEach(async function () {
  if (this.currentTest?.state !== 'failed') return;
  for (const page of open) {
    const name = `failure ${this.currentTest.fullTitle()}`.replaceAll(/\W+/g, '-').slice(0, 100);
    await workbench.screenshot(page, path.join(repository, 'dist/screenshots', `${name}.png`));
  }
});

/** @param options of the window; they may depend on the control plane. */
export async function openScene(
  options: OpenEditorOptions | ((controlPlane: ControlPlane) => OpenEditorOptions) = {},
  controlPlaneOptions: ControlPlaneOptions = {},
): Promise<Scene> {
  const controlPlane = await startControlPlane({
    seed: 7,
    live: false,
    historyRecords: 300,
    ...controlPlaneOptions,
  });
  const chosen = typeof options === 'function' ? options(controlPlane) : options;
  const window = await openEditor({
    folder: controlPlane.demoFolder,
    size: { width: 1280, height: 800 },
    ...chosen,
    // The theme follows the browser, which can change it at any time: see `picture`.
    settings: {
      'window.autoDetectColorScheme': true,
      'window.autoDetectHighContrast': true,
      ...chosen.settings,
    },
  });
  open.add(window.page);
  return {
    controlPlane,
    window,
    page: window.page,
    async close() {
      open.delete(window.page);
      await window.close();
      await controlPlane.close();
    },
  };
}

/** The value of a demo key. */
export function keyOf({ controlPlane }: Scene, name: string): string {
  const key = controlPlane.keys[name];
  if (key === undefined) throw new Error(`There is no key ${name}.`);
  return key;
}

/** Goes through the boxes of `Connect…` with the keyboard, and follows nothing yet. */
export async function connect(scene: Scene, key = keyOf(scene, 'demo-full')): Promise<void> {
  await enterConnection(scene.page, scene.controlPlane.url, key);
  await waitUntilConnected(scene);
}

/**
 * The same without waiting for what comes of it. The name is asked for where the URL is known; there
 * the one that is offered is taken where no other is given.
 */
export async function enterConnection(
  page: Page,
  url: string,
  key: string,
  { name }: { name?: string } = {},
): Promise<void> {
  await workbench.runCommand(page, 'Control Plane: Connect…');
  const isFirst = (await workbench.inputBox(page)).title.endsWith('(1/3)');
  await workbench.answer(page, url);
  const { title } = await workbench.inputBox(page);
  await workbench.answer(page, key);
  const total = Number(/\(2\/(\d)\)$/.exec(title)?.[1]);
  for (let step = 3; step <= total; step++) {
    // What to follow is the last one, and is not offered to a key that may not read logs.
    if (isFirst && /^demo-(none|without-logs-read)\b/.test(key)) return;
    const heading = page.locator('.quick-input-title', { hasText: `(${step}/${total})` });
    await heading.waitFor();
    if ((await heading.innerText()).startsWith('Follow Logs')) await workbench.dismiss(page);
    else await workbench.answer(page, name ?? (await workbench.inputBox(page)).value);
  }
}

/** Connected: the view offers to follow, or what was followed before goes on. */
export async function waitUntilConnected({ page }: Scene): Promise<void> {
  const offer = workbench.view(page, 'Logs').getByRole('button', { name: 'Follow Logs…' });
  await offer.or(workbench.statusBarItem(page, 'live')).locator('visible=true').first().waitFor();
}

/** Follows by the quick pick, which shows this label. */
export async function follow({ page }: Scene, label: string): Promise<void> {
  await workbench.runCommand(page, 'Control Plane: Follow Logs…');
  await workbench.clickPick(page, label);
  await workbench.statusBarItem(page, 'live').waitFor();
}

/** What the input box that is open says below its input. */
export async function inputMessage(page: Page): Promise<string> {
  return (await workbench.inputBox(page)).message;
}

/** How each look of the window is asked for, as the system of a person does, and how it is told. */
const looks = {
  light: [{ colorScheme: 'light', forcedColors: 'none' }, 'vs'],
  dark: [{ colorScheme: 'dark', forcedColors: 'none' }, 'vs-dark'],
  'high-contrast': [{ colorScheme: 'dark', forcedColors: 'active' }, 'hc-black'],
} as const;

/** The part of the window that the trees are in. */
export const sideBar = '.part.sidebar';

/** Does something in each look of the window. */
export async function inEachLook(
  page: Page,
  action: (look: keyof typeof looks) => Promise<unknown>,
): Promise<void> {
  for (const look of ['light', 'high-contrast', 'dark'] as const) {
    const [media, theme] = looks[look];
    await page.emulateMedia(media);
    await page.locator(`.monaco-workbench.${theme}`).waitFor();
    await action(look);
  }
}

/** Takes pictures of the window, or of a part of it, in each look, for people to look at. */
export async function picture({ page }: Scene, name: string, part = 'body'): Promise<void> {
  await inEachLook(page, (look) =>
    workbench.screenshot(
      page,
      path.join(repository, 'dist/screenshots', `${name}-${look}.png`),
      part,
    ),
  );
}

/** Waits until something that is read from the page is as expected; says what it was if it never is. */
export async function eventually<T>(
  read: () => Promise<T>,
  isRight: (value: T) => boolean,
  what: string,
  timeout = 20_000,
): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    const value = await read();
    if (isRight(value)) return value;
    if (Date.now() > end) throw new Error(`${what}: ${JSON.stringify(value, null, 1)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
