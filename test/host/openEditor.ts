import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { launchBrowser } from './browser';
import { wantedRelease, type EditorRelease } from './editor';
import { manifest, startEditorServer, type EditorServer } from './editorServer';
import { atEnd, temporaryFolder } from './processes';
import { scaled } from './slowness';

export const repository = path.resolve(__dirname, '../..');

/** The default color themes, by their ids in each release. */
const themes = {
  newest: { dark: 'Dark Modern', light: 'Light Modern', highContrast: 'Default High Contrast' },
  oldest: {
    dark: 'Default Dark Modern',
    light: 'Default Light Modern',
    highContrast: 'Default High Contrast',
  },
};

export interface OpenEditorOptions {
  /**
   * Its extensions, installed: folders as they are now, and `.vsix` files. Default: this
   * repository, which must be built.
   */
  extensions?: readonly string[];
  /** The folder to open, or a `.code-workspace` file; default: an empty temporary folder. */
  folder?: string;
  /** User settings. */
  settings?: Readonly<Record<string, unknown>>;
  /** Environment variables of the extensions (in the Node host). */
  env?: NodeJS.ProcessEnv;
  theme?: keyof (typeof themes)['newest'];
  /** The language that extensions see; the texts of VS Code stay English. */
  language?: string;
  headless?: boolean;
  /** Where the extensions run: the server's Node host, or the web worker of the page. */
  host?: 'node' | 'web';
  /** The size of the window, in pixels. */
  size?: { width: number; height: number };
  /** Leaves workspace trust on: the folder starts untrusted, and VS Code asks. */
  workspaceTrust?: boolean;
  release?: EditorRelease;
  /** As that of the server. */
  plain?: boolean;
  /** As that of the server. */
  guarded?: boolean;
  /** Called for every console message of the page and the web worker host. */
  onConsole?(text: string): void;
  /** Runs before the server starts, with the folder of the installed extensions. */
  prepareExtensions?: (extensionsDir: string) => Promise<void>;
  /** Runs before the page loads, to prepare it. */
  prepare?(page: Page): Promise<void>;
  /**
   * Tests that the editor runs by itself: an `index.js` inside one of the extensions, which are
   * then folders under development. Such a window shows no notifications or dialogs.
   */
  testsPath?: string;
}

/** A window of a real VS Code, driven by Playwright. */
export interface EditorWindow {
  page: Page;
  browser: Browser;
  server: EditorServer;
  /** The address of the window; other browsers on this machine may open it too. */
  url: string;
  folder: string;
  userDataDir: string;
  /** Opens a second window on the same server, user data and secrets. */
  newWindow(): Promise<Page>;
  /** Ends window, browser, server and extension hosts. */
  close(): Promise<void>;
}

/**
 * Opens a real VS Code in a browser window and waits until the workbench is visible.
 *
 * @throws if that takes longer than a minute, with the end of its logs.
 */
export async function openEditor(options: OpenEditorOptions = {}): Promise<EditorWindow> {
  const extensions = options.extensions ?? [repository];
  const folder = options.folder ?? (await temporaryFolder('workspace'));
  const release = options.release ?? wantedRelease();
  const server = await startEditorServer({
    release,
    extensions: options.testsPath ? [] : extensions,
    settings: {
      'workbench.colorTheme': themes[release][options.theme ?? 'dark'],
      ...(options.host === 'web' ? { 'remote.extensionKind': await webOnly(extensions) } : {}),
      ...options.settings,
    },
    ...(options.env ? { env: options.env } : {}),
    ...(options.prepareExtensions ? { prepare: options.prepareExtensions } : {}),
    ...(options.workspaceTrust ? { workspaceTrust: true } : {}),
    ...(options.plain ? { plain: true } : {}),
    ...(options.guarded ? { guarded: true } : {}),
  });
  const url = windowUrl(
    server.url,
    folder,
    options.testsPath && payloadOf(server, extensions, options.testsPath),
  );
  const browser = await launchBrowser({ headless: options.headless ?? true }).catch(
    async (error: unknown) => {
      await server.close();
      throw error;
    },
  );
  const forget = atEnd(() => browser.close());
  const close = async (): Promise<void> => {
    forget();
    await browser.close();
    await server.close();
  };
  try {
    const context = await browser.newContext({
      viewport: options.size ?? { width: 1400, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(scaled(30_000));
    if (options.language !== undefined) {
      // A language pack would come from the gallery.
      const language = JSON.stringify(options.language);
      await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${language};`);
    }
    if (options.testsPath) await switchDriverOn(context);
    const newWindow = async (): Promise<Page> => {
      const page = await context.newPage();
      page.on('console', (message) => options.onConsole?.(message.text()));
      await options.prepare?.(page);
      await page.goto(url);
      await page.locator('.monaco-workbench .statusbar').waitFor({ timeout: scaled(60_000) });
      return page;
    };
    const page = await newWindow();
    return {
      page,
      browser,
      server,
      url,
      folder,
      userDataDir: server.userDataDir,
      newWindow,
      close,
    };
  } catch (error) {
    const logs = await server.logs();
    await close();
    throw new Error(`The window of VS Code did not open.\n${logs}`, { cause: error });
  }
}

/** The setting that moves extensions to the web worker host. */
export async function webOnly(extensions: readonly string[]): Promise<Record<string, string[]>> {
  const folders = extensions.map((file) => (file.endsWith('.vsix') ? repository : file));
  const manifests = await Promise.all(folders.map(manifest));
  return Object.fromEntries(manifests.map(({ id }) => [id, ['web']]));
}

/**
 * The address of a window with a folder or a `.code-workspace` file.
 *
 * @param payload what the window does besides.
 */
export function windowUrl(server: string, folder: string, payload?: string): string {
  const url = new URL(server);
  url.searchParams.set(folder.endsWith('.code-workspace') ? 'workspace' : 'folder', folder);
  if (payload) url.searchParams.set('payload', payload);
  return url.href;
}

/** What makes a window run tests in extensions under development. */
function payloadOf(server: EditorServer, extensions: readonly string[], testsPath: string): string {
  const remote = (file: string): string => `vscode-remote://${server.authority}${file}`;
  return JSON.stringify([
    ...extensions.map((extension) => ['extensionDevelopmentPath', remote(extension)]),
    ['extensionTestsPath', remote(testsPath)],
  ]);
}

/**
 * A built VS Code uses the `payload` of the address (extensions under development, tests) only if
 * its page enables the smoke test driver, so this changes the page. The oldest release has no
 * server option for it.
 */
async function switchDriverOn(context: BrowserContext): Promise<void> {
  await context.addInitScript({
    content: `new MutationObserver((_, observer) => {
      const meta = document.getElementById('vscode-workbench-web-configuration');
      if (!meta) return;
      observer.disconnect();
      const settings = JSON.parse(meta.dataset.settings);
      settings.developmentOptions = { ...settings.developmentOptions, enableSmokeTestDriver: true };
      meta.dataset.settings = JSON.stringify(settings);
    }).observe(document, { childList: true, subtree: true });`,
  });
}
