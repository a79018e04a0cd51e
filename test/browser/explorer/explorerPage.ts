import { readFile } from 'node:fs/promises';
import { assert } from 'chai';
import type { Frame, FrameLocator, Locator } from 'playwright';
import { pageText } from './pageTexts';
import type { StringId } from '../../../src/logs/explorer/ui/pageStrings';
import { eventually, setScene, usualSize, type Scene, type SceneOptions } from '../scene';
import { knownThings, showOnly } from '../trees';

/** A window with the Log Explorer in it. */
export interface ExplorerScene extends Scene {
  /** The page, inside the two frames of VS Code. */
  readonly explorer: FrameLocator;
  /** The query bar. */
  readonly bar: Locator;
  /** The button of the page with this text. */
  readonly button: (id: StringId, ...values: readonly (string | number)[]) => Locator;
  /** The button with exactly this text, which depends on the results. */
  readonly buttonSaying: (text: string) => Locator;
  /** The button at an end of the list. */
  readonly end: (end: 'older' | 'newer') => Locator;
  /** The button of a severity, such as `warn`. */
  readonly severity: (severity: string) => Locator;
  /** Clicks an item in the menu of the toolbar. */
  readonly more: (id: StringId) => Promise<void>;
  /** The element with the focus in the page. */
  focused(): Locator;
  /**
   * Waits until the query in the bar is this text, or matches the predicate. @returns the query.
   */
  readonly becomes: (query: string | ((query: string) => boolean)) => Promise<string>;
}

/** Counts connections: each test has one with its own name. */
let connections = 0;

/**
 * A window that is connected and knows its sources and servers, so that only the test starts
 * searches. Each test has a newly opened Log Explorer on its own connection: no results, no saved
 * state. There are no records unless the options say so.
 */
export function setExplorer({ controlPlane, ...rest }: SceneOptions = {}): ExplorerScene {
  const { size = usualSize } = rest;
  const scene = setScene({
    connected: null,
    keepsWindow: true,
    settings: knownThings,
    controlPlane: { historyRecords: 0, ...controlPlane },
    ...rest,
    size,
  });
  const explorer = (): FrameLocator => explorerPage(scene);
  const bar = (): Locator => explorer().getByRole('combobox', { name: pageText('query.label') });
  beforeEach(async () => {
    await scene.page.setViewportSize(size);
    await scene.page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
    await scene.driver.run('workbench.action.closeAllEditors');
    await scene.reconnect('demo-full', `explorer ${++connections}`);
    // The view Errors sends searches, too: one would use up the fault that a test wants for its own.
    await showOnly(scene.page, 'sources', 'servers', 'logs', 'activity');
    await scene.driver.run('controlPlane.searchLogs');
    await bar().waitFor();
    // The first search has ended.
    await explorer().locator('.summary:not(:empty)').waitFor();
  });
  const own = {
    get explorer() {
      return explorer();
    },
    get bar() {
      return bar();
    },
    button: (id: StringId, ...values: readonly (string | number)[]) =>
      own.buttonSaying(pageText(id, ...values)),
    buttonSaying: (name: string) => explorer().getByRole('button', { name, exact: true }),
    end: (end: 'older' | 'newer') => explorer().locator(`.end.${end} button`),
    severity: (severity: string) => explorer().locator(`.severities .${severity}`),
    async more(id: StringId) {
      await explorer().locator('.menu-place button').first().click();
      await explorer()
        .locator('.menu-item', { hasText: pageText(id) })
        .click();
    },
    focused: () => explorer().locator(':focus'),
    becomes: (query: string | ((query: string) => boolean)) =>
      eventually(
        () => bar().inputValue(),
        (now) => (typeof query === 'string' ? now === query : query(now)),
        'the query in the bar',
      ),
  };
  // Reads the members of the scene on access: they exist once its tests run.
  return Object.setPrototypeOf(own, scene) as ExplorerScene;
}

export function explorerPage({ page }: Pick<Scene, 'page'>): FrameLocator {
  return page.frameLocator('iframe.webview.ready:visible').frameLocator('iframe#active-frame');
}

/** The search requests that the control plane has received, oldest first. */
export function searches({ controlPlane }: Scene): SearchBody[] {
  return controlPlane.admin
    .requests()
    .filter(({ method, url }) => method === 'POST' && url.endsWith('/logs/query'))
    .map(({ body = '{}' }) => JSON.parse(body) as SearchBody);
}

export interface SearchBody {
  /** Only in requests for a further page. */
  readonly cursor?: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly direction?: 'older' | 'newer';
}

/** Runs a query as typed, and waits until its results are in the list. */
export async function search(scene: ExplorerScene, query: string): Promise<SearchBody> {
  await scene.bar.fill(query);
  return asked(scene, () => scene.bar.press('Enter'));
}

/**
 * Records in the page that a search has ended: with its first rows, or a failure. The previous rows
 * stay visible until then, and accept keys like the new ones.
 */
const noteOutcome = `(() => {
  window.hasOutcome = false;
  addEventListener('message', ({ data }) => {
    if ((data.kind === 'rows' && data.change === 'replace') || data.view?.failure) {
      window.hasOutcome = true;
    }
  });
})()`;

/** Runs an action and returns the search request that it causes, once its result is in the page. */
export async function asked(
  scene: ExplorerScene,
  action: () => Promise<unknown>,
): Promise<SearchBody> {
  const begun = (): SearchBody[] => searches(scene).filter(({ cursor }) => cursor === undefined);
  const before = begun().length;
  const frame = await findPage(scene.page.frames());
  await frame?.evaluate(noteOutcome);
  await action();
  await eventually(
    () => Promise.resolve(begun().length),
    (now) => now > before,
    'the number of searches',
  );
  const [body] = begun().slice(before);
  if (body === undefined) throw new Error('There was no search.');
  await eventually(
    async () => frame === undefined || frame.isDetached() || frame.evaluate('window.hasOutcome'),
    (has) => has === true,
    'the result of the search',
  );
  await scene.explorer.locator('.summary').filter({ hasText: /\d/ }).waitFor();
  return body;
}

/** The same, but waits until other records are visible. */
export async function shown(
  scene: ExplorerScene,
  action: () => Promise<unknown>,
): Promise<SearchBody> {
  const summary = scene.explorer.locator('.summary');
  const before = await summary.textContent();
  const body = await asked(scene, action);
  await eventually(
    () => summary.textContent(),
    (now) => now !== before,
    'the visible records have not changed',
  );
  await scene.explorer.locator('.running.on').waitFor({ state: 'detached' });
  return body;
}

/** The value of an expression in the page. */
export async function inPage<T>({ page }: Pick<Scene, 'page'>, expression: string): Promise<T> {
  return (await pageFrame(page.frames())).evaluate<T>(expression);
}

/** Asserts that axe finds nothing in the page. */
export async function isAccessible({ page }: Pick<Scene, 'page'>, when?: string): Promise<void> {
  const frame = await pageFrame(page.frames());
  if (!(await frame.evaluate<boolean>("'axe' in window"))) {
    await frame.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
  }
  const { violations, passes } = await frame.evaluate<{
    violations: Finding[];
    passes: Finding[];
  }>('axe.run(document)');
  const findings = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, target }) => `${id}: ${help}: ${target.join(' ')}: ${html}`),
  );
  assert.deepEqual(findings, [], when);
  assert.isAtLeast(passes.length, 10, 'axe has run');
}

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly target: readonly string[] }[];
}

async function pageFrame(frames: readonly Frame[]): Promise<Frame> {
  const frame = await findPage(frames);
  if (frame === undefined) throw new Error('There is no page of the Log Explorer.');
  return frame;
}

async function findPage(frames: readonly Frame[]): Promise<Frame | undefined> {
  for (const frame of frames) {
    if ((await frame.locator('#page').count()) > 0) return frame;
  }
  return undefined;
}
