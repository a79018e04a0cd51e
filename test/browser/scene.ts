import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import type { Page } from 'playwright';
import {
  startControlPlane,
  type ControlPlane,
  type ControlPlaneServer,
  type ControlPlaneOptions,
} from '../control-plane/server';
import type { Driver } from '../host/driver';
import { repository, webOnly } from '../host/openEditor';
import * as workbench from '../host/workbench';
import { sharedWindow, type SharedWindow, type WindowOptions } from './sharedWindow';
import { scaled } from '../host/slowness';

export { eventually } from '../host/eventually';
export { expect } from '../host/expect';
export { inEachLook } from '../host/workbench';

export interface SceneOptions {
  /** Default: 300 records, and no new ones until a test emits some. */
  readonly controlPlane?: ControlPlaneOptions;
  /** The folder or `.code-workspace` file; default: the demo sources. */
  readonly folder?: string | (() => string | Promise<string>);
  /** User settings; they may depend on the control plane. */
  readonly settings?: Settings | ((controlPlane: ControlPlane) => Settings);
  /** Settings of the remote machine, which must not decide where a key is sent. */
  readonly remoteSettings?: (controlPlane: ControlPlane) => Settings;
  readonly size?: { readonly width: number; readonly height: number };
  /** The language that extensions see; the texts of VS Code stay English. */
  readonly language?: string;
  /** Where the extension runs: the server's Node host, or the web worker of the page. */
  readonly host?: 'node' | 'web';
  /** Texts by path in the scheme `memory`. */
  readonly memoryFiles?: Readonly<Record<string, string>>;
  /** Leaves workspace trust on: the folder starts untrusted. */
  readonly workspaceTrust?: boolean;
  /** Runs before the window loads, to set up keys, faults and files. */
  prepare?(controlPlane: ControlPlane): void | Promise<void>;
  /** The name of the key to connect with (`demo-full`); null: not connected. */
  readonly connected?: string | null;
  /** What to follow from the start: an argument of `controlPlane.followLogs`. */
  readonly follow?: unknown;
  /** Loads the window again for each test (false: once for all tests of the `describe`). */
  readonly each?: boolean;
  /**
   * Reuses the window that another `describe` with this option has left, if both want the same
   * folder and settings: one page load less. Tests undo their changes, except connections.
   */
  readonly keepsWindow?: boolean;
}

type Settings = Readonly<Record<string, unknown>>;

/** A control plane for this scene, and the window of the run in the state of a new installation. */
export interface Scene {
  readonly controlPlane: ControlPlane;
  readonly window: SharedWindow;
  readonly page: Page;
  /** Runs commands without the palette, for tests that are not about it. */
  readonly driver: Driver;
  /** Connects with the command, by the name of a key; the fastest way. */
  connect(key?: string, name?: string): Promise<void>;
  /**
   * Removes every connection and connects again: nothing is followed, searched for or known. State
   * like saved searches stays; that of a connection with another name is not visible.
   */
  reconnect(key?: string, name?: string): Promise<void>;
  /** Signs out, and agrees to the question. */
  signOut(): Promise<void>;
  /** Removes every connection, source and server. */
  forget(): Promise<void>;
  /** Reloads the window as a user does; stored state stays. */
  reload(): Promise<void>;
  /** Leaves the window for an empty page, runs an action, and loads the window again. */
  leave(meanwhile: () => Promise<unknown>): Promise<void>;
  /** Opens a second window with the same settings, state and secrets; it closes with the scene. */
  newWindow(): Promise<OtherWindow>;
}

export interface OtherWindow {
  readonly page: Page;
  readonly driver: Driver;
}

/** In pixels. */
export const usualSize = { width: 1280, height: 800 };

const windowLimit = scaled(120_000);

/** The window that the next scene may reuse, with the options it was loaded with. */
let kept: { readonly wanted: string; driver: Driver } | undefined;

/**
 * Sets the scene for the tests of a `describe`. Each test starts without notifications, boxes,
 * dialogs, menus and pending faults; it prepares everything else itself, so that it passes alone.
 * After each test the control plane must have no reports.
 */
export function setScene(options: SceneOptions = {}): Scene {
  let window: SharedWindow | undefined;
  let controlPlane: ControlPlaneServer | undefined;
  let driver: Driver | undefined;
  const there = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The scene exists only while its tests run.');
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
      await scene.driver.connect({
        ...(name === undefined ? {} : { name }),
        baseUrl: scene.controlPlane.url,
        apiKey: keyOf(scene, key),
      });
    },
    async reconnect(key, name) {
      // Without a connection nothing asks.
      await scene.driver.set({ 'controlPlane.connections': null });
      await scene.driver.run('controlPlane.signOut');
      await scene.connect(key, name);
    },
    async signOut() {
      const signedOut = scene.driver.run('controlPlane.signOut');
      await workbench.proceed(workbench.dialog(scene.page)).click();
      await signedOut;
    },
    async forget() {
      await scene.driver.set({
        'controlPlane.connections': null,
        'controlPlane.sources': null,
        'controlPlane.servers': null,
      });
      await scene.driver.run('controlPlane.signOut');
    },
    async reload() {
      const reloading = scene.driver;
      driver = await there(window).load(scene.page, () => {
        // The page of VS Code stores its state before it is left, which a reload by the browser
        // does not wait for. The command gets no answer, since its host ends.
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
    // In the web worker host, the requests of the extension are those of its page.
    controlPlane.allowOrigin(new URL(window.server.url).origin);
    await options.prepare?.(controlPlane);
    const { folder = controlPlane.demoFolder, settings = {} } = options;
    const { size = usualSize } = options;
    driver = await openWindow(window, {
      folder: typeof folder === 'function' ? await folder() : folder,
      size,
      language: options.language,
      memoryFiles: options.memoryFiles,
      remoteSettings: options.remoteSettings?.(controlPlane),
      settings: {
        // An open file requests errors: only where a test is about that.
        'controlPlane.code.errors': 'off',
        ...(options.workspaceTrust ? { 'security.workspace.trust.enabled': true } : {}),
        ...(options.host === 'web' ? { 'remote.extensionKind': await webOnly([repository]) } : {}),
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
    if (!options.keepsWindow) return where.open(wanted);
    // VS Code takes sizes, such as that of the panel, from the height at load: they must not depend
    // on which scene was the first.
    const opened = await where.open({ ...wanted, size: usualSize });
    await where.page.setViewportSize(wanted.size);
    kept = { wanted: text, driver: opened };
    return opened;
  };
  const close = async (): Promise<void> => {
    if (kept) {
      // Stops all requests to a control plane that is about to close.
      await kept.driver.set({ 'controlPlane.connections': null });
      await kept.driver.run('controlPlane.signOut');
      for (const page of scene.window.context.pages()) if (page !== scene.page) await page.close();
    }
    await controlPlane?.close();
    controlPlane = undefined;
  };

  if (!options.each) {
    before('load the window', async function () {
      this.timeout(windowLimit);
      try {
        await open();
      } catch (error) {
        await explain(scene, this.test?.parent?.fullTitle() ?? '');
        throw error;
      }
    });
    after(close);
  }
  beforeEach(async function () {
    this.timeout(windowLimit);
    if (options.each) await open();
    else await tidy(scene);
  });
  afterEach(async function () {
    // A test that provokes a report removes it.
    const reports = controlPlane?.admin.takeReports() ?? [];
    if (reports.length > 0 || this.currentTest?.state !== 'passed') {
      await explain(scene, this.currentTest?.fullTitle() ?? '');
      // The next scene must not start with this state.
      kept = undefined;
    }
    if (options.each) await close();
    assert.deepEqual(
      reports.map(({ kind, what, request }) => `${kind}: ${what} (${request.url})`),
      [],
      'the control plane has reports',
    );
  });
  return scene;
}

/**
 * VS Code shows three notifications within this time, in milliseconds, and any further ones only in the list behind
 * its bell. Those of an earlier test must not count; nothing says when the time is over.
 */
const toastInterval = 800;

/** Closes everything that an earlier test has left open, and removes unused faults. */
async function tidy({ page, driver, controlPlane }: Scene): Promise<void> {
  controlPlane.admin.reset();
  const shown = await workbench.notifications(page);
  if (shown.length > 0) await page.waitForTimeout(toastInterval);
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

/** Keeps what helps to understand a failure: the window, the output, the requests. */
async function explain(scene: Scene, title: string): Promise<void> {
  const name = title.replaceAll(/\W+/g, '-').slice(0, 100);
  const folder = path.join(repository, '.vscode-test', `failure-${name}`);
  await mkdir(folder, { recursive: true });
  const keep = async (file: string, read: () => string | Promise<string>): Promise<void> => {
    // What cannot be kept, such as the requests of a control plane that did not start, is said.
    const text = await Promise.resolve().then(read).catch(String);
    await writeFile(path.join(folder, file), text);
  };
  await keep('requests.txt', () => requestsOf(scene.controlPlane).join('\n'));
  await keep('page.log', () => scene.window.consoleTexts.join('\n'));
  await keep('host.log', () => scene.window.server.logs(1000));
  await keep('windows.txt', async () => {
    const pages = scene.window.context.pages();
    for (const [index, page] of pages.entries()) {
      await workbench.screenshot(page, path.join(folder, `window-${index + 1}.png`));
    }
    return pages.map((page) => page.url()).join('\n');
  });
  await keep('frames.html', async () => {
    const pages = scene.window.context.pages();
    const frames = pages.flatMap((page) => page.frames().filter((one) => one !== page.mainFrame()));
    // A frame that is gone by now says so in its place.
    const documents = frames.map((frame) => frame.evaluate<string>(markup).catch(String));
    return (await Promise.all(documents)).join('\n');
  });
  console.log(`See ${folder}`);
}

/** In a frame: its document, and where it is scrolled to, which markup does not say. */
const markup = `[
  ...[...document.querySelectorAll('*')]
    .filter(({ scrollTop }) => scrollTop > 0)
    .map((one) => '<!-- ' + one.className + ' is at ' + one.scrollTop + ' of ' + one.scrollHeight + ' -->'),
  document.documentElement.outerHTML,
].join('\\n')`;

/** The requests that a control plane has received, one a line. */
function requestsOf({ admin }: ControlPlane): string[] {
  return admin
    .requests()
    .map(({ at, method, url, status, key }) =>
      [new Date(at).toISOString(), method, url, status ?? 'no answer', key ?? 'no key'].join(' '),
    );
}

/** The value of a demo key. */
export function keyOf({ controlPlane }: Scene, name: string): string {
  const key = controlPlane.keys[name];
  if (key === undefined) throw new Error(`No key ${name}.`);
  return key;
}

/** Completes the input boxes of `Connect…` and follows nothing yet. */
export async function enterConnection(page: Page, url: string, key: string): Promise<void> {
  await workbench.runCommand(page, 'connect');
  await workbench.answer(page, url);
  await workbench.answer(page, key);
}

/** A text as the page shows it: an icon at its start is no part of it. */
export function withoutIcon(text: string): string {
  return text.replace(/^\$\([\w-]+\) /, '');
}

/** The validation message of the open input box. */
export async function inputMessage(page: Page): Promise<string> {
  return (await workbench.inputBox(page)).message;
}

/** The part of the window with the trees. */
export const sideBar = '.part.sidebar';

/**
 * Takes pictures of the window, or of a part of it, in each theme, for review; only on request
 * (`npm test -- browser --pictures`), since they prove nothing.
 */
export async function picture({ page }: Scene, name: string, part = 'body'): Promise<void> {
  if (process.env['DCP_PICTURES'] !== '1') return;
  await workbench.inEachLook(page, (look) =>
    workbench.screenshot(
      page,
      path.join(repository, 'dist/screenshots', `${name}-${look}.png`),
      part,
    ),
  );
}
