import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import type { Page } from 'playwright-core';
import {
  startControlPlane,
  type ControlPlane,
  type ControlPlaneOptions,
} from '../control-plane/server';
import type { Driver } from '../host/driver';
import { manifest } from '../host/editorServer';
import { repository } from '../host/openEditor';
import * as workbench from '../host/workbench';
import { sharedWindow, type SharedWindow, type WindowOptions } from './sharedWindow';

export interface SceneOptions {
  /** Logs stand still until a test emits some, and 300 records are there, where this says nothing else. */
  readonly controlPlane?: ControlPlaneOptions;
  /** The folder or `.code-workspace` file; the demo sources where it is left out. */
  readonly folder?: string | (() => string | Promise<string>);
  /** User settings; they may depend on the control plane. */
  readonly settings?: Settings | ((controlPlane: ControlPlane) => Settings);
  /** Settings of the machine that the server is on, as nobody may choose there where a key goes. */
  readonly remoteSettings?: (controlPlane: ControlPlane) => Settings;
  readonly size?: { readonly width: number; readonly height: number };
  /** What extensions take for the language of VS Code, whose own texts stay English. */
  readonly language?: string;
  /** Where the extension runs: the server's Node host, or the web worker of the page. */
  readonly host?: 'node' | 'web';
  /** Texts by their paths in the scheme `memory`. */
  readonly memoryFiles?: Readonly<Record<string, string>>;
  /** Leaves workspace trust on: the folder starts untrusted. */
  readonly workspaceTrust?: boolean;
  /** Runs before the window loads: keys, faults, files. */
  prepare?(controlPlane: ControlPlane): void | Promise<void>;
  /** The name of the key that the window is connected with (`demo-full`); null: not connected. */
  readonly connected?: string | null;
  /** What is followed from the start: an argument of `controlPlane.followLogs`. */
  readonly follow?: unknown;
  /** Loads the window anew for each test (false: once for all tests of the `describe`). */
  readonly each?: boolean;
  /**
   * Goes on in the window that another `describe` with this has left, where both want the same folder
   * and settings: a load of the page less. Tests take back what they change, but connections.
   */
  readonly keepsWindow?: boolean;
}

type Settings = Readonly<Record<string, unknown>>;

/** A control plane of its own, and the window of the run as if it had just been installed. */
export interface Scene {
  readonly controlPlane: ControlPlane;
  readonly window: SharedWindow;
  readonly page: Page;
  /** Runs commands without the palette, where a test is not about how they are run. */
  readonly driver: Driver;
  /** Connects by the command with a key by its name; as quick as that may be. */
  connect(key?: string, name?: string): Promise<void>;
  /**
   * Takes back every connection and connects anew: nothing is followed, searched for or known. Notes
   * like those of saved searches stay; those of a connection of another name are not seen.
   */
  reconnect(key?: string, name?: string): Promise<void>;
  /** Reloads the window, as a person does; everything that is kept stays. */
  reload(): Promise<void>;
  /** Leaves the window for an empty page, and loads it again after what is done meanwhile. */
  leave(meanwhile: () => Promise<unknown>): Promise<void>;
  /** Opens a second window on the same settings, state and secrets; it closes with the scene. */
  newWindow(): Promise<OtherWindow>;
}

export interface OtherWindow {
  readonly page: Page;
  readonly driver: Driver;
}

const windowLimit = 120_000;

/** The window that the next scene may go on in, by what it was loaded with. */
let kept: { readonly wanted: string; driver: Driver } | undefined;

/**
 * Sets the scene for the tests of a `describe`. Each test finds no notification, box, dialog or menu
 * open and no fault waiting; what else it needs it does itself, so that it passes alone. After each the
 * control plane must have seen nothing that no client may do.
 */
export function setScene(options: SceneOptions = {}): Scene {
  let window: SharedWindow | undefined;
  let controlPlane: ControlPlane | undefined;
  let driver: Driver | undefined;
  const there = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The scene is there once its tests run.');
    return value;
  };
  const scene: Scene = {
    get controlPlane() {
      return there(controlPlane);
    },
    get window() {
      return there(window);
    },
    get page() {
      return there(window).page;
    },
    get driver() {
      return there(driver);
    },
    async connect(key = 'demo-full', name) {
      await scene.driver.run('controlPlane.connect', {
        ...(name === undefined ? {} : { name }),
        baseUrl: scene.controlPlane.url,
        apiKey: keyOf(scene, key),
      });
    },
    async reconnect(key, name) {
      await scene.driver.run('controlPlane.signOut');
      await scene.driver.set({ 'controlPlane.connections': null });
      await scene.connect(key, name);
    },
    async reload() {
      const reloading = scene.driver;
      driver = await there(window).load(scene.page, () => {
        // The page of VS Code keeps its state before it goes, which no reload by the browser waits
        // for. With it goes what would answer.
        reloading.run('workbench.action.reloadWindow').catch(() => undefined);
        return Promise.resolve();
      });
      if (kept) kept.driver = driver;
    },
    async leave(meanwhile) {
      await scene.page.goto('about:blank');
      await meanwhile();
      driver = await scene.window.load(scene.page, () => scene.page.goto(scene.window.url));
      if (kept) kept.driver = driver;
    },
    async newWindow() {
      const page = await scene.window.context.newPage();
      return { page, driver: await scene.window.load(page, () => page.goto(scene.window.url)) };
    },
  };

  const open = async (): Promise<void> => {
    window = await sharedWindow();
    controlPlane = await startControlPlane({
      seed: 7,
      live: false,
      historyRecords: 300,
      ...options.controlPlane,
    });
    await options.prepare?.(controlPlane);
    const { folder = controlPlane.demoFolder, settings = {} } = options;
    const { size = { width: 1280, height: 800 } } = options;
    driver = await openWindow(window, {
      folder: typeof folder === 'function' ? await folder() : folder,
      size,
      language: options.language,
      memoryFiles: options.memoryFiles,
      remoteSettings: options.remoteSettings?.(controlPlane),
      settings: {
        ...(options.workspaceTrust ? { 'security.workspace.trust.enabled': true } : {}),
        ...(options.host === 'web' ? { 'remote.extensionKind': await webOnly() } : {}),
        ...(typeof settings === 'function' ? settings(controlPlane) : settings),
      },
    });
    const { connected = 'demo-full' } = options;
    await workbench.openContainer(scene.page, 'Control Plane');
    if (connected !== null) await scene.connect(connected);
    if (options.follow !== undefined) await driver.run('controlPlane.followLogs', options.follow);
  };
  const openWindow = async (where: SharedWindow, wanted: WindowOptions): Promise<Driver> => {
    const text = JSON.stringify({ ...wanted, size: undefined });
    if (options.keepsWindow && kept?.wanted === text) {
      await where.page.setViewportSize(wanted.size);
      return kept.driver;
    }
    kept = undefined;
    const opened = await where.open(wanted);
    if (options.keepsWindow) kept = { wanted: text, driver: opened };
    return opened;
  };
  const close = async (): Promise<void> => {
    if (kept) {
      // Nothing asks a control plane that is gone.
      await kept.driver.run('controlPlane.signOut');
      await kept.driver.set({ 'controlPlane.connections': null });
      for (const page of scene.window.context.pages()) if (page !== scene.page) await page.close();
    }
    await controlPlane?.close();
    controlPlane = undefined;
  };

  if (!options.each) {
    before(async function () {
      this.timeout(windowLimit);
      await open();
    });
    after(close);
  }
  beforeEach(async function () {
    this.timeout(windowLimit);
    if (options.each) await open();
    else await tidy(scene);
  });
  afterEach(async function () {
    // A test that provokes one takes it out.
    const reports = controlPlane?.admin.takeReports() ?? [];
    if (reports.length > 0 || this.currentTest?.state !== 'passed') {
      await explain(scene, this.currentTest?.fullTitle() ?? '');
      // What it has left behind is no start for others.
      kept = undefined;
    }
    if (options.each) await close();
    assert.deepEqual(
      reports.map(({ kind, what, request }) => `${kind}: ${what} (${request.url})`),
      [],
      'the control plane has seen what no client may do',
    );
  });
  return scene;
}

/** The setting that sends the extension to the web worker host. */
async function webOnly(): Promise<Record<string, string[]>> {
  return { [(await manifest(repository)).id]: ['web'] };
}

/** Puts away what a test before has left open, and takes back faults that none has met. */
async function tidy({ page, driver, controlPlane }: Scene): Promise<void> {
  controlPlane.admin.reset();
  await driver.run('notifications.clearAll');
  const open = page.locator(
    '.quick-input-widget:not([style*="display: none"]), .monaco-dialog-box, .monaco-menu',
  );
  for (let presses = 0; presses < 5 && (await open.count()) > 0; presses++) {
    await page.keyboard.press('Escape');
    await open
      .first()
      .waitFor({ state: 'hidden', timeout: 1000 })
      .catch(() => undefined);
  }
  await page.mouse.move(0, 0);
}

/** Keeps what helps to understand a failure: the window, what was printed, what was asked. */
async function explain(scene: Scene, title: string): Promise<void> {
  const name = title.replaceAll(/\W+/g, '-').slice(0, 100);
  const folder = path.join(repository, '.vscode-test', `failure-${name}`);
  await mkdir(folder, { recursive: true });
  const requests = scene.controlPlane.admin
    .requests()
    .map(({ at, method, url, status, key }) =>
      [new Date(at).toISOString(), method, url, status ?? 'no answer', key ?? 'no key'].join(' '),
    );
  await writeFile(path.join(folder, 'requests.txt'), requests.join('\n'));
  await writeFile(path.join(folder, 'page.log'), scene.window.consoleTexts.join('\n'));
  await writeFile(path.join(folder, 'host.log'), await scene.window.server.logs(1000));
  for (const [index, page] of scene.window.context.pages().entries()) {
    await workbench.screenshot(page, path.join(folder, `window-${index + 1}.png`));
  }
  console.log(`What was seen: ${folder}`);
}

/** The value of a demo key. */
export function keyOf({ controlPlane }: Scene, name: string): string {
  const key = controlPlane.keys[name];
  if (key === undefined) throw new Error(`There is no key ${name}.`);
  return key;
}

/** Types into the boxes of `Connect…` until there is no further one, and follows nothing yet. */
export async function enterConnection(page: Page, url: string, key: string): Promise<void> {
  await workbench.runCommand(page, 'Control Plane: Connect…');
  await workbench.answer(page, url);
  await workbench.answer(page, key);
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

/**
 * Takes pictures of the window, or of a part of it, in each look, for people to look at; only where
 * they are asked for (`npm test -- browser --pictures`), since they prove nothing.
 */
export async function picture({ page }: Scene, name: string, part = 'body'): Promise<void> {
  if (process.env['DCP_PICTURES'] !== '1') return;
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
  timeout = 60_000,
): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    const value = await read();
    if (isRight(value)) return value;
    if (Date.now() > end) throw new Error(`${what}: ${JSON.stringify(value, null, 1)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
