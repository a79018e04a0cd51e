import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import type { Browser, Page } from 'playwright';
import { buildExtension } from '../../.config/build';
import { pageHtml } from '../../src/logs/explorer/protocol/html';
import { launchBrowser } from '../host/browser';
import { repository } from '../host/openEditor';
import { hasContrast, isAccessibleInAnyTheme } from '../host/pageFrame';
import { scaled } from '../host/slowness';
import { type ThemeName, themeNames, themeScript, triedThemes } from './themes';

/** The other side of a page: what its panel would do. */
export interface PanelSide {
  /** A message of the page. */
  receive(message: unknown): void;
  dispose(): void;
}

/** A page in a browser, without VS Code. */
export interface PageScene<Panel> {
  readonly page: Page;
  readonly panel: Panel;
  /** Loads the page again, as a window that is reloaded does: what it saved stays. */
  reload(): Promise<void>;
  /** Asserts that axe finds nothing in the page, and in no theme a text with too little contrast. */
  isAccessible(): Promise<void>;
  /** Shows the page in each theme that is tried. */
  inEachTheme(action: (name: ThemeName) => Promise<void>): Promise<void>;
}

/** In pixels. */
const usualSize = { width: 1280, height: 800 };

/** Where the page has its files. Nothing else is there, and nothing is requested. */
const origin = 'https://page.example';
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
};

/** What the tests of a run share. A page of the browser has one document after the other: a new one costs far less. */
const shared: { browser?: Browser; opened?: Page | undefined } = {};

/** The test that runs. */
interface PageTest {
  readonly name: string;
  readonly panel: PanelSide;
  /** What went wrong in the page. */
  readonly problems: string[];
}
let running: PageTest | undefined;

before('build the pages and start a browser', async function () {
  this.timeout(scaled(120_000));
  // The runner of the stages has built them.
  if (process.env['DCP_BUILT'] !== '1') await buildExtension({ dev: true });
  shared.browser = await launchBrowser();
});
after(() => shared.browser?.close());

/**
 * What VS Code provides in a page: its bridge to the panel, and the state that survives a reload. What the document of
 * an earlier test still does changes nothing.
 */
const bridge = `
  window.fromPanel = (message) => window.postMessage(message);
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => void (window.isOver || window.toPanel(message)),
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: (state) => void (window.isOver || sessionStorage.setItem('state', JSON.stringify(state))),
  });
`;
const end = 'window.isOver = true; sessionStorage.clear();';

/** A page of the browser whose documents and files are those of the package. */
async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: usualSize, baseURL: origin });
  page.setDefaultTimeout(scaled(20_000));
  page.on('pageerror', (error) => running?.problems.push(String(error.stack)));
  page.on('console', (message) => {
    if (message.type() === 'error') running?.problems.push(message.text());
  });
  await page.route('**', async (route) => {
    const { pathname } = new URL(route.request().url());
    const name = running?.name ?? '';
    if (pathname === '/') {
      await route.fulfill({ contentType: 'text/html', body: documentOf(name) });
      return;
    }
    const file = path.join(repository, 'dist', name, path.basename(pathname));
    const contentType = types[path.extname(file)] ?? '';
    await route.fulfill({ contentType, body: await readFile(file) });
  });
  await page.exposeFunction('toPanel', (message: unknown) => running?.panel.receive(message));
  await page.addInitScript(bridge);
  return page;
}

/**
 * Each test of the `describe` has a newly loaded page. Its document and its files are those of the package, and what it
 * is not allowed, such as a style in an attribute, fails the test.
 *
 * @param connect makes the panel; `post` sends a message to the page.
 */
export function setPage<Panel extends PanelSide>(
  name: 'logExplorer' | 'logComparison',
  connect: (post: (message: unknown) => Promise<unknown>) => Panel,
  size = usualSize,
): PageScene<Panel> {
  let now: { readonly page: Page; readonly panel: Panel; readonly problems: string[] } | undefined;
  const there = (): NonNullable<typeof now> => {
    if (now === undefined) throw new Error('The page exists only while its tests run.');
    return now;
  };
  beforeEach(async () => {
    const page = (shared.opened ??= await openPage(shared.browser!));
    const panel = connect((message) => page.evaluate(`fromPanel(${JSON.stringify(message)})`));
    now = { page, panel, problems: [] };
    running = { name, panel, problems: now.problems };
    await page.setViewportSize(size);
    await page.mouse.move(0, 0);
    await page.goto('/');
  });
  afterEach(async function () {
    const { page, panel, problems } = there();
    panel.dispose();
    if (this.currentTest?.state === 'passed') await page.evaluate(end);
    else {
      // A key may still be pressed, for one.
      shared.opened = undefined;
      await page.close();
    }
    now = undefined;
    running = undefined;
    assert.deepEqual(problems, [], 'the page has problems');
  });
  const scene: PageScene<Panel> = {
    get page() {
      return there().page;
    },
    get panel() {
      return there().panel;
    },
    async reload() {
      await there().page.reload();
    },
    async isAccessible() {
      const { page, problems } = there();
      const before = problems.length;
      try {
        await isAccessibleInAnyTheme({ page });
        await scene.inEachTheme((name) => hasContrast({ page }, name));
      } finally {
        // Axe itself sets styles as attributes.
        problems.length = before;
      }
    },
    async inEachTheme(action) {
      // The usual one is the last.
      for (const name of [...triedThemes].reverse()) {
        await there().page.evaluate(themeScript(name));
        await action(name);
      }
    },
  };
  return scene;
}

function documentOf(name: string): string {
  const html = pageHtml({
    script: `${origin}/page.js`,
    style: `${origin}/page.css`,
    icons: `${origin}/codicon.css`,
    cspSource: origin,
    nonce: 'once',
    language: 'en',
    title: name,
  });
  // VS Code sets its variables by script, which the policy of the page allows.
  const script = themeScript(themeNames[0]);
  return html.replace('<body>', () => `<body><script nonce="once">${script}</script>`);
}
