import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, CDPSession, Page } from 'playwright';
import { buildHelperExtension } from '../host/testBuilds';
import { createPackage } from '../../.config/package';
import { launchBrowser } from '../host/browser';
import { createDriverHub, type Driver, type DriverHub } from '../host/driver';
import {
  plainSettings,
  quietSettings,
  startEditorServer,
  themeOfBrowser,
  type EditorServer,
} from '../host/editorServer';
import { windowUrl } from '../host/openEditor';
import { atEnd, endAll, temporaryFolder } from '../host/processes';
import { addPseudoLanguage } from '../host/pseudoLanguage';
import { scaled } from '../host/slowness';

/**
 * The server of VS Code and the Chromium that all scenes of a run share, with the extension
 * installed from its package. A scene gets it with fresh settings and storage by loading the page,
 * which takes a third of the time of a new window.
 */
export interface SharedWindow {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly server: EditorServer;
  /** What the page and the web worker host have printed and thrown since the page was loaded. */
  readonly consoleTexts: readonly string[];
  /** Loads the page in the state of a new installation. */
  open(options: WindowOptions): Promise<Driver>;
  /**
   * Loads a page with the server and storage of this window; resolves when its extension host is
   * ready.
   */
  load(page: Page, action: () => Promise<unknown>): Promise<Driver>;
  /** The address of the last opened window. */
  readonly url: string;
}

export interface WindowOptions {
  /** A path, a `.code-workspace` file, or a URI of the scheme `memory`. */
  readonly folder: string;
  /** User settings in addition to those for a quiet window. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Settings of the remote machine. */
  readonly remoteSettings?: Readonly<Record<string, unknown>> | undefined;
  readonly size: { readonly width: number; readonly height: number };
  /** The language that extensions see; the texts of VS Code stay English. */
  readonly language?: string | undefined;
  /** Texts by path in the scheme `memory`. */
  readonly memoryFiles?: Readonly<Record<string, string>> | undefined;
}

let started: Promise<SharedWindow> | undefined;

/** Starts the server and the browser, once for all tests. */
export function sharedWindow(): Promise<SharedWindow> {
  return (started ??= start());
}

// Steps of their own, so that a slow or failing one is named.
before('package the extension', async function () {
  this.timeout(scaled(120_000));
  await packaged();
});
before('start VS Code and a browser', async function () {
  this.timeout(scaled(120_000));
  await sharedWindow();
});
after(async function () {
  this.timeout(scaled(60_000));
  await endAll();
});

let packages: Promise<[vsix: string, driver: string]> | undefined;

/** The package of the extension, and the folder of the one that drives the window. */
function packaged(): NonNullable<typeof packages> {
  return (packages ??= (async () => {
    const folder = await temporaryFolder('package');
    const made = process.env['DCP_PACKAGE'];
    const file =
      made === undefined
        ? (await createPackage(folder, { build: process.env['DCP_BUILT'] !== '1' })).file
        : path.resolve(made);
    return [file, await buildHelperExtension('host/driver-extension', folder)];
  })());
}

const keptConsole = 500;

/**
 * Signs of progress do not turn, as they do also with reduced motion: a window that waits would draw all the time. A
 * string, since the tests are compiled without the DOM.
 */
const standStill = `{
  const sheet = new CSSStyleSheet();
  const signs = ['.progress-bit', '.codicon', '.codicon::before'];
  sheet.replaceSync(signs.join() + ' { animation: none !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}`;

async function start(): Promise<SharedWindow> {
  const base = await temporaryFolder('window');
  const memoryFile = path.join(base, 'memory.json');
  const [file, driverExtension] = await packaged();
  const hub = await createDriverHub();
  const server = await startServer(file, driverExtension, hub, memoryFile);
  atEnd(() => hub.close());
  const browser = await launchBrowser();
  atEnd(() => browser.close());
  const context = await browser.newContext({
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(scaled(60_000));
  await context.addInitScript(standStill);
  const page = await context.newPage();
  const consoleTexts: string[] = [];
  const keep = (text: string): void => {
    consoleTexts.push(text);
    if (consoleTexts.length > keptConsole) consoleTexts.shift();
  };
  context.on('console', (message) => keep(message.text()));
  context.on('weberror', (thrown) => keep(String(thrown.error().stack ?? thrown.error())));
  const devtools = await context.newCDPSession(page);
  let language = '';
  let languageScript: { identifier: string } | undefined;
  /** A language pack would come from the gallery. */
  const setLanguage = async (wanted = ''): Promise<void> => {
    if (wanted === language) return;
    language = wanted;
    if (languageScript) {
      await devtools.send('Page.removeScriptToEvaluateOnNewDocument', languageScript);
      languageScript = undefined;
    }
    if (wanted === '') return;
    await devtools.send('Page.enable');
    languageScript = await devtools.send('Page.addScriptToEvaluateOnNewDocument', {
      source: `globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(wanted)};`,
    });
  };
  let url = server.url;

  const load = (loaded: Page, action: () => Promise<unknown>): Promise<Driver> =>
    hub.next(async () => {
      await action();
      await loaded.locator('.monaco-workbench .statusbar').waitFor({ timeout: scaled(60_000) });
    });

  return {
    context,
    page,
    server,
    consoleTexts,
    get url() {
      return url;
    },
    load,
    async open({
      folder,
      settings,
      remoteSettings = {},
      size,
      language: wanted,
      memoryFiles = {},
    }) {
      // Ends the previous window and its extension hosts.
      for (const other of context.pages()) if (other !== page) await other.close();
      await page.goto('about:blank');
      consoleTexts.length = 0;
      await writeFile(memoryFile, JSON.stringify(memoryFiles));
      await resetServer(server, settings, remoteSettings);
      await resetBrowser(devtools, server.url);
      await setLanguage(wanted);
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
      await page.setViewportSize(size);
      url = windowUrl(server.url, folder);
      let driver = await load(page, () => page.goto(url));
      for (let loads = 1; !(await hasItsFolders(driver, folder)); loads++) {
        if (loads === 5) throw new Error(`The window has no folder of ${folder}.`);
        driver = await load(page, () => page.reload());
      }
      return driver;
    },
  };
}

async function startServer(
  packageFile: string,
  driverExtension: string,
  hub: DriverHub,
  memoryFile: string,
): Promise<EditorServer> {
  return startEditorServer({
    extensions: [driverExtension, packageFile],
    env: { DCP_DRIVER_URL: hub.url, DCP_MEMORY_FILES: memoryFile },
    plain: true,
    workspaceTrust: true,
    async prepare(extensionsDir) {
      const [installed] = (await readdir(extensionsDir)).filter((name) =>
        name.startsWith('control-plane.deployment-control-plane-'),
      );
      if (installed === undefined) throw new Error('The package is not installed.');
      await addPseudoLanguage(path.join(extensionsDir, installed));
    },
  });
}

/**
 * Whether the folders of a workspace file appear. A busy editor sometimes reads that file before
 * its provider is ready: then the folders are missing, or appear late in another extension host.
 */
async function hasItsFolders(driver: Driver, folder: string): Promise<boolean> {
  if (!folder.endsWith('.code-workspace')) return true;
  for (const end = Date.now() + 5000; Date.now() < end;) {
    const count = await driver.folders().catch(() => undefined);
    if (count !== 0) return count !== undefined;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

/** Resets user settings, settings of the remote and the storage of extensions on the server. */
async function resetServer(
  { userDataDir }: EditorServer,
  settings: WindowOptions['settings'],
  remoteSettings: WindowOptions['settings'],
): Promise<void> {
  for (const folder of ['Machine', 'User/globalStorage', 'User/workspaceStorage']) {
    // An extension host that ends may still write to it.
    await rm(path.join(userDataDir, folder), { recursive: true, force: true, maxRetries: 10 });
  }
  const write = async (folder: string, values: object): Promise<void> => {
    await mkdir(path.join(userDataDir, folder), { recursive: true });
    const file = path.join(userDataDir, folder, 'settings.json');
    await writeFile(file, JSON.stringify(values, null, 2));
  };
  await write('Machine', remoteSettings);
  await write('User', {
    ...quietSettings,
    ...plainSettings,
    'security.workspace.trust.enabled': false,
    'workbench.colorTheme': 'Dark Modern',
    ...themeOfBrowser,
    ...settings,
  });
}

/**
 * Clears the stored state of the page: state, secrets, recent commands. Keeps its caches, which
 * make it fast.
 */
async function resetBrowser(devtools: CDPSession, url: string): Promise<void> {
  await devtools.send('Storage.clearDataForOrigin', {
    origin: new URL(url).origin,
    storageTypes: 'cookies,indexeddb,local_storage',
  });
}
