import type { FrameLocator } from 'playwright';
import { findPage } from '../../host/pageFrame';
import { explorerParts, type ExplorerParts } from './explorerParts';
import { eventually, setScene, usualSize, type Scene, type SceneOptions } from '../scene';
import { knownThings, showOnly } from '../trees';

/** A window with the Log Explorer in it. */
export interface ExplorerScene extends Scene, ExplorerParts {
  /** The page, inside the two frames of VS Code. */
  readonly explorer: FrameLocator;
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
  const place = {
    get page() {
      return scene.page;
    },
    get explorer() {
      return explorerPage(scene);
    },
  };
  const parts = explorerParts(place);
  beforeEach(async () => {
    await scene.page.setViewportSize(size);
    await scene.page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
    await scene.driver.run('workbench.action.closeAllEditors');
    await scene.reconnect('demo-full', `explorer ${++connections}`);
    // The view Errors sends searches, too: one would use up the fault that a test wants for its own.
    await showOnly(scene.page, 'sources', 'servers', 'logs', 'activity');
    await scene.driver.run('controlPlane.searchLogs');
    await parts.bar.waitFor();
    // The first search has ended.
    await place.explorer.locator('.summary:not(:empty)').waitFor();
  });
  // Reads the members of the scene on access: they exist once its tests run.
  return Object.create(scene, {
    ...Object.getOwnPropertyDescriptors(parts),
    explorer: { get: () => place.explorer },
  }) as ExplorerScene;
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
