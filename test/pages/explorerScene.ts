import {
  type ExplorerParts,
  explorerParts,
  type ExplorerPlace,
} from '../browser/explorer/explorerParts';
import { eventually } from '../host/eventually';
import { ExplorerSide } from './explorerSide';
import { type PageScene, setPage } from './pageScene';

/** The page of the Log Explorer alone. */
export interface ExplorerPageScene extends PageScene<ExplorerSide>, ExplorerParts, ExplorerPlace {
  /** Types a query and runs it. */
  readonly search: (query: string) => Promise<void>;
  /** Waits for the next query that runs, because of an action. @returns it. */
  readonly ran: (action: () => Promise<unknown>) => Promise<string>;
}

/** Each test of the `describe` has a newly loaded page, and a panel without records. */
export function setExplorerPage(): ExplorerPageScene {
  const scene = setPage('logExplorer', (post) => new ExplorerSide(post));
  const parts = explorerParts({
    get page() {
      return scene.page;
    },
    get explorer() {
      return scene.page;
    },
  });
  const own = {
    async search(query: string) {
      await parts.bar.fill(query);
      await own.ran(() => parts.bar.press('Enter'));
    },
    async ran(action: () => Promise<unknown>) {
      const before = scene.panel.searches.length;
      await action();
      const count = (): number => scene.panel.searches.length;
      await eventually(count, (now) => now > before, 'the number of searches');
      return scene.panel.searches[0] ?? '';
    },
  };
  // Reads the members of the scene on access: they exist once its tests run.
  return Object.create(scene, {
    ...Object.getOwnPropertyDescriptors(parts),
    ...Object.getOwnPropertyDescriptors(own),
    explorer: { get: () => scene.page },
  }) as ExplorerPageScene;
}
