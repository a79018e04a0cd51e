import { readFile } from 'node:fs/promises';
import type { Frame, FrameLocator, Locator } from 'playwright-core';
import { eventually, setScene, type Scene, type SceneOptions } from './scene';
import { knownThings } from './trees';

/** A window with the Log Explorer in it. */
export interface ExplorerScene extends Scene {
  /** The page, within the two frames that VS Code puts around it. */
  readonly explorer: FrameLocator;
  /** The bar that queries are typed in. */
  readonly bar: Locator;
  /** The button of the page with exactly this name. */
  readonly button: (name: string) => Locator;
  /** What has the focus in the page. */
  focused(): Locator;
  /** Waits until the query in the bar is this one, or has what is asked for. @returns it. */
  readonly becomes: (query: string | ((query: string) => boolean)) => Promise<string>;
}

/** How many there were: each test has one of another name. */
let connections = 0;

/**
 * A window that is connected, and knows its sources and servers, so that nothing is searched for but by
 * the test. Each finds a Log Explorer that was just opened, on another connection than the test before:
 * nothing is shown, and nothing is kept. No record is there where the options say nothing else.
 */
export function setExplorer({ controlPlane, ...rest }: SceneOptions = {}): ExplorerScene {
  const { size = { width: 1280, height: 800 } } = rest;
  const scene = setScene({
    connected: null,
    keepsWindow: true,
    settings: knownThings,
    controlPlane: { historyRecords: 0, ...controlPlane },
    ...rest,
    size,
  });
  const explorer = (): FrameLocator => explorerPage(scene);
  const bar = (): Locator => explorer().getByRole('combobox', { name: 'Query' });
  beforeEach(async () => {
    await scene.page.setViewportSize(size);
    await scene.page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
    await scene.driver.run('workbench.action.closeAllEditors');
    await scene.reconnect('demo-full', `explorer ${++connections}`);
    await scene.driver.run('controlPlane.searchLogs');
    await bar().waitFor();
  });
  const own = {
    get explorer() {
      return explorer();
    },
    get bar() {
      return bar();
    },
    button: (name: string) => explorer().getByRole('button', { name, exact: true }),
    focused: () => explorer().locator(':focus'),
    becomes: (query: string | ((query: string) => boolean)) =>
      eventually(
        () => bar().inputValue(),
        (now) => (typeof query === 'string' ? now === query : query(now)),
        'the query in the bar',
      ),
  };
  // The members of the scene are read when they are asked for: it is there once its tests run.
  return Object.setPrototypeOf(own, scene) as ExplorerScene;
}

export function explorerPage({ page }: Pick<Scene, 'page'>): FrameLocator {
  return page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
}

/** What the control plane was asked for, oldest first. */
export function searches({ controlPlane }: Scene): SearchBody[] {
  return controlPlane.admin
    .requests()
    .filter(({ method, url }) => method === 'POST' && url.endsWith('/logs/query'))
    .map(({ body = '{}' }) => JSON.parse(body) as SearchBody);
}

export interface SearchBody {
  /** Only in what asks for a further page. */
  readonly cursor?: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly direction?: 'older' | 'newer';
}

/** Runs a query as it is typed, and waits until what came of it is in the list. */
export async function search(scene: ExplorerScene, query: string): Promise<SearchBody> {
  await scene.bar.fill(query);
  return asked(scene, () => scene.bar.press('Enter'));
}

/**
 * Notes in the page that something came of a search: its first rows, or why it failed. What was there
 * before stays in view until then, and takes keys as the new rows do.
 */
const noteOutcome = `(() => {
  window.hasOutcome = false;
  addEventListener('message', ({ data }) => {
    if ((data.kind === 'rows' && data.change === 'replace') || data.view?.failure) {
      window.hasOutcome = true;
    }
  });
})()`;

/**
 * Does something, and answers what the control plane is asked for then, once what came of it is in the
 * page: the one that there was, or the one that there is since.
 */
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
    'so many searches, and no more',
  );
  const [body] = begun().slice(before);
  if (body === undefined) throw new Error('Nothing was searched for.');
  await eventually(
    async () => frame === undefined || frame.isDetached() || frame.evaluate('window.hasOutcome'),
    (has) => has === true,
    'something came of the search',
  );
  await scene.explorer.locator('.summary').filter({ hasText: /\d/ }).waitFor();
  return body;
}

/** The same, once what came of it is shown: records of another time, or more or fewer of them. */
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
    'what is shown is still what it was',
  );
  await scene.explorer.locator('.running.on').waitFor({ state: 'detached' });
  return body;
}

/** The value that an expression has in the page. */
export async function inPage<T>({ page }: Pick<Scene, 'page'>, expression: string): Promise<T> {
  return (await pageFrame(page.frames())).evaluate<T>(expression);
}

/** What axe finds in the page, in words. */
export async function findings({ page }: Pick<Scene, 'page'>): Promise<string[]> {
  const frame = await pageFrame(page.frames());
  if (!(await frame.evaluate<boolean>("'axe' in window"))) {
    await frame.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
  }
  const { violations, passes } = await frame.evaluate<{
    violations: Finding[];
    passes: Finding[];
  }>('axe.run(document)');
  if (passes.length < 10) return ['axe has not looked'];
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, target }) => `${id}: ${help}: ${target.join(' ')}: ${html}`),
  );
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
