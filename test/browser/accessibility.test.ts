import { readFile } from 'node:fs/promises';
import { assert } from 'chai';
import { openRow } from '../host/treeRows';
import { answer, runCommand, view } from '../host/workbench';
import { connect, inEachLook, keyOf, sideBar, type Scene } from './scene';
import { openTrees } from './trees';

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly target: readonly string[] }[];
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

describe('axe finds nothing in the trees', () => {
  let scene: Scene;
  before(async () => {
    scene = await openTrees();
    await view(scene.page, 'Integrations').locator('.pane-header').click();
    await scene.page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
  });
  after(() => scene.close());

  async function findsNothing(): Promise<void> {
    const rules = Object.fromEntries(notOurs.map((id) => [id, { enabled: false }]));
    await inEachLook(scene.page, async (look) => {
      const { violations, passes } = await scene.page.evaluate<{
        violations: Finding[];
        passes: Finding[];
      }>(`axe.run({ include: ['${sideBar}'] }, { rules: ${JSON.stringify(rules)} })`);
      const found = violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ html, target }) => `${id}: ${help}: ${target.join(' ')}: ${html}`),
      );
      assert.deepEqual(found, [], look);
      assert.isAbove(passes.length, 10, 'it has looked');
    });
  }

  it('where nothing is connected', () => findsNothing());

  it('with rows of every kind, of which each tells what it shows', async () => {
    const { page } = scene;
    await connect(scene);
    await openRow(page, 'Sources', ['data-platform', 'production', 'search']);
    await openRow(page, 'Sources', ['data-platform', 'production', 'Secret Keys', 'runtime']);
    await openRow(page, 'Servers', ['hel-data-1', 'Alert Rules']);
    await openRow(page, 'Integrations', ['Repositories']);
    await findsNothing();
    const rows = page.locator(sideBar).getByRole('treeitem');
    for (const row of await rows.all()) {
      const parts = await row.locator('.label-name, .label-description').allTextContents();
      const name = (await row.getAttribute('aria-label')) ?? '';
      assert.isTrue(name.startsWith(parts.filter(Boolean).join(', ')), `${name}: ${parts.join()}`);
    }
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
    await findsNothing();
    await runCommand(page, 'Control Plane: Reset Filter of Sources');
    await connect(scene, keyOf(scene, 'demo-none'));
    await view(page, 'Sources').getByText('lacks the permission').waitFor();
    await findsNothing();
  });
});
