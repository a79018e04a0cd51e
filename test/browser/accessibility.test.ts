import { readFile } from 'node:fs/promises';
import { assert } from 'chai';
import { openRow, treeRowAt } from '../host/treeRows';
import {
  answer,
  clickPick,
  clickRowAction,
  quickPickItems,
  runCommand,
  treeRow,
  view,
} from '../host/workbench';
import { connect, enterConnection, inEachLook, keyOf, picture, sideBar, type Scene } from './scene';
import { openTrees, showOnly } from './trees';

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly {
    readonly html: string;
    readonly target: readonly string[];
    readonly failureSummary?: string;
  }[];
}

/** What VS Code's own markup breaks wherever it stands, whatever an extension says. */
const notOurs = [
  // The buttons of a view lie in its header, which is a button itself.
  'nested-interactive',
  // Every welcome text is a region by the name of “Welcome”.
  'landmark-unique',
  // There is no blank between label and description of a row, so no name can hold both as they stand;
  // that ours hold one after the other is asked below.
  'label-content-name-mismatch',
];

async function lookInto({ page }: Scene): Promise<void> {
  await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
}

const settled = `Promise.all(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished.catch(() => undefined)))
  .then(() => undefined)`;

async function findsNothing({ page }: Scene): Promise<void> {
  const rules = Object.fromEntries(notOurs.map((id) => [id, { enabled: false }]));
  await inEachLook(page, async (look) => {
    // What fades in is hard to read for a moment.
    await page.evaluate(settled);
    const { violations, passes } = await page.evaluate<{
      violations: Finding[];
      passes: Finding[];
    }>(`axe.run({ include: ['${sideBar}'] }, { rules: ${JSON.stringify(rules)} })`);
    const found = violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, target, failureSummary = '' }) =>
        [id, help, target.join(' '), html, failureSummary].join(': '),
      ),
    );
    assert.deepEqual(found, [], look);
    assert.isAbove(passes.length, 10, 'it has looked');
  });
}

/** That each row tells what it shows, first of all. */
async function rowsTellWhatTheyShow({ page }: Scene): Promise<void> {
  for (const row of await page.locator(sideBar).getByRole('treeitem').all()) {
    const parts = await row.locator('.label-name, .label-description').allTextContents();
    const name = (await row.getAttribute('aria-label')) ?? '';
    const shown = parts.filter(Boolean).join(', ').replaceAll(' · ', ', ');
    assert.isTrue(name.replaceAll(' · ', ', ').startsWith(shown), `${name}: ${shown}`);
  }
}

describe('axe finds nothing in the trees', () => {
  let scene: Scene;
  before(async () => {
    scene = await openTrees();
    await view(scene.page, 'Integrations').locator('.pane-header').click();
    await lookInto(scene);
  });
  after(() => scene.close());

  it('where nothing is connected', () => findsNothing(scene));

  it('with rows of every kind, of which each tells what it shows', async () => {
    const { page } = scene;
    await connect(scene);
    await openRow(page, 'Sources', ['data-platform', 'production', 'search']);
    await openRow(page, 'Sources', ['data-platform', 'production', 'Secret Keys', 'runtime']);
    await openRow(page, 'Servers', ['hel-data-1', 'Alert Rules']);
    await openRow(page, 'Integrations', ['Repositories']);
    await findsNothing(scene);
    await rowsTellWhatTheyShow(scene);
    const search = view(page, 'Sources').getByRole('treeitem', { name: /^search, / });
    assert.equal(
      await search.getAttribute('aria-label'),
      'search, running, healthy, drifted: 2 reasons, ingress ready',
    );
  });

  it('where nothing matches, and where the key may do nothing', async () => {
    const { page } = scene;
    await runCommand(page, 'Control Plane: Filter Sources…');
    await answer(page, 'no such thing');
    await view(page, 'Sources').getByText('Nothing matches').waitFor();
    await findsNothing(scene);
    await runCommand(page, 'Control Plane: Reset Filter of Sources');
    await connect(scene, keyOf(scene, 'demo-none'));
    await view(page, 'Sources').getByText('lacks the permission').waitFor();
    await findsNothing(scene);
  });
});

describe('axe finds nothing in what is followed and searched', () => {
  let scene: Scene;
  before(async () => {
    const searches = [
      { name: 'errors', query: 'severity:error last:1h' },
      { name: 'of another shop', query: 'severity:fatal', origin: 'https://other.example' },
    ];
    scene = await openTrees(() => ({
      size: { width: 1280, height: 1200 },
      settings: { 'controlPlane.logs.savedSearches': searches },
    }));
    await enterConnection(scene.page, scene.controlPlane.url, keyOf(scene, 'demo-full'));
    await lookInto(scene);
  });
  after(() => scene.close());

  it('with tails that run, wait and have ended, saved and recent searches', async () => {
    const { page } = scene;
    await (await treeRowAt(page, 'Logs', ['Saved Searches', 'errors'])).click();
    await openRow(page, 'Logs', ['Recent Searches']);
    const followed = ['severity:warn', 'severity:error', 'severity:fatal'];
    for (const query of followed) {
      await runCommand(page, 'Control Plane: Follow Logs…');
      await quickPickItems(page);
      await page.keyboard.type(query);
      await clickPick(page, query);
      await treeRow(page, 'Logs', `${query}live`).waitFor();
    }
    await clickRowAction(page, 'Logs', 'severity:errorlive', 'Pause Logs');
    await clickRowAction(page, 'Logs', 'severity:fatallive', 'Stop Logs');
    await treeRow(page, 'Logs', 'severity:fatalstopped').waitFor();
    await findsNothing(scene);
    await rowsTellWhatTheyShow(scene);
  });

  it('where all is twice as large, in each view', async () => {
    const { page } = scene;
    // A window of 1,280 × 800 pixels at 200 %.
    await page.setViewportSize({ width: 640, height: 400 });
    for (const title of ['Sources', 'Servers', 'Integrations', 'Activity', 'Logs'] as const) {
      await runCommand(page, `Control Plane: Focus on ${title} View`);
      await showOnly(page, title);
      await findsNothing(scene);
      await picture(scene, `${title.toLowerCase()}-at-200-percent`);
    }
  });
});
