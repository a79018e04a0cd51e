import path from 'node:path';
import { buildExtension } from '../../.config/build';
import { startControlPlane } from '../control-plane/server';
import { addDemoRemote, createDemoRepository } from './repository';
import { openEditor, repository } from '../host/openEditor';
import {
  act,
  connect,
  drag,
  follow,
  openDetails,
  openSource,
  pictureFailure,
  push,
  search,
  showErrors,
  showTrees,
  writeStory,
  toggleSideBar,
} from './pictureScenes';
import { runScript, temporaryFolder } from '../host/processes';
import * as workbench from '../host/workbench';

/**
 * Takes the pictures of README.md in a real VS Code that is connected to the embedded control plane. Run
 * it after a visible change. Two runs differ in times, and in the number of lines of the last seconds.
 */

/** Small enough to be readable when a page scales the pictures to 800 pixels. */
const size = { width: 1100, height: 720 };

const sideBar = '.part.sidebar';
const servers = '.pane:has([aria-label^="Servers"])';

/** Hides parts of VS Code that have nothing to do with the extension. */
const tidySettings = {
  'breadcrumbs.enabled': false,
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'editor.stickyScroll.enabled': false,
  'remote.autoForwardPorts': false,
  'window.title': '${activeEditorShort}${separator}${rootName}',
};

async function savePictures(): Promise<void> {
  const folder = path.join(await temporaryFolder('pictures'), 'shop');
  const releases = await createDemoRepository(folder);
  await addDemoRemote(folder);
  const options = { seed: 7, live: false, operationSeconds: 6, releases };
  const controlPlane = await startControlPlane(options);
  const { world } = controlPlane;
  const window = await openEditor({
    folder,
    size,
    settings: {
      ...tidySettings,
      'git.enabled': true,
      'controlPlane.sources': world.sources.map(({ id, name }) => ({ id, label: name })),
      'controlPlane.servers': world.servers.map(({ id, name }) => ({ id, label: name })),
    },
  });
  const { page } = window;
  const picture = async (file: string, part?: string): Promise<void> => {
    const name = `media/readme/${file}.png`;
    // So that no hover or tooltip is visible.
    await page.mouse.move(0, 0);
    await workbench.screenshot(page, path.join(repository, name), part);
    console.log(name);
  };
  try {
    await pictureFailure(page, async () => {
      await workbench.openContainer(page, 'Control Plane');
      await connect(page, controlPlane);

      await page.setViewportSize({ width: 1100, height: 890 });
      await drag(page, sideBar, 'right', 180);
      await showTrees(page);
      await drag(page, servers, 'top', -25);
      await picture('trees', sideBar);

      await page.setViewportSize({ width: 1100, height: 520 });
      await drag(page, sideBar, 'right', -150);
      await showErrors(page);
      const analysis = workbench.statusBarItem(page, 'Analyzing');
      await analysis.waitFor();
      await analysis.waitFor({ state: 'hidden' });
      await picture('errors');

      await page.setViewportSize(size);
      await drag(page, sideBar, 'right', -30);
      await follow(page);
      await drag(page, '.part.panel', 'top', -60);
      // The view updates the rate only now and then, so the story continues until it does.
      const rate = workbench.treeRow(page, 'logs', /live · (?!0 )/);
      do await writeStory(page, controlPlane);
      while (!(await rate.isVisible()));
      await picture('following');
      await toggleSideBar(page);
      await openSource(page);
      await search(page);
      await openDetails(page);
      await picture('explorer');

      await toggleSideBar(page);
      await drag(page, sideBar, 'right', 100);
      await act(page);
      await picture('activity');

      await push(page, controlPlane, folder, () => picture('push-status', '.part.statusbar'));
      await picture('push');
    });
  } finally {
    await window.close();
    await controlPlane.close();
  }
}

async function main(): Promise<void> {
  await buildExtension();
  await savePictures();
}

runScript(main);
