import { readFile } from 'node:fs/promises';
import { assert } from 'chai';
import { uiText } from '../../host/texts';
import { openRow, treeRowAt } from '../../host/treeRows';
import { answer, clickRowAction, treeRow, view } from '../../host/workbench';
import { expect, inEachLook, picture, sideBar, type Scene } from '../scene';
import { setNamedTrees, showOnly, steady, trees, welcomeLines } from '../trees';

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly {
    readonly html: string;
    readonly target: readonly string[];
    readonly failureSummary?: string;
  }[];
}

/** Violations of VS Code's own markup that no extension can avoid. */
const notOurs = [
  // The header of a view is a button that contains the buttons of the view.
  'nested-interactive',
  // Every welcome text is a region with the name “Welcome”.
  'landmark-unique',
  // VS Code has no space between label and description of a row, so an accessible name cannot
  // contain both in sequence; that ours contain one after the other is checked below.
  'label-content-name-mismatch',
];

async function lookInto({ page }: Scene): Promise<void> {
  await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
}

const settled = `Promise.all(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished.catch(() => undefined)))
  .then(() => undefined)`;

/** Checks the side bar; `isAgain`: only the rules that depend on the color theme. */
async function findsNothing({ page }: Scene, what: string, isAgain = false): Promise<void> {
  const rules = Object.fromEntries(notOurs.map((id) => [id, { enabled: false }]));
  const options = {
    // Details of passed rules are not needed.
    resultTypes: ['violations'],
    ...(isAgain ? { runOnly: ['color-contrast'] } : { rules }),
  };
  // Fading elements have too little contrast for a moment.
  await page.evaluate(settled);
  const { violations, passes } = await page.evaluate<{
    violations: Finding[];
    passes: Finding[];
  }>(`axe.run({ include: ['${sideBar}'] }, ${JSON.stringify(options)})`);
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, target, failureSummary = '' }) =>
      [id, help, target.join(' '), html, failureSummary].join(': '),
    ),
  );
  assert.deepEqual(found, [], what);
  assert.isAbove(passes.length, isAgain ? 0 : 10, 'axe has run');
}

async function findsNothingInAnyLook(scene: Scene): Promise<void> {
  await inEachLook(scene.page, (look) => findsNothing(scene, look, look !== 'dark'));
}

/** The properties of a row in the page that are used; the tests are compiled without the DOM. */
interface RowElement {
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): Iterable<{ readonly textContent: string }>;
}

/** The accessible name of each row must start with its visible text. */
async function rowsTellWhatTheyShow({ page }: Scene): Promise<void> {
  const rows = await page
    .locator(sideBar)
    .getByRole('treeitem')
    .evaluateAll((elements: RowElement[]) =>
      elements.map((row) => ({
        name: row.getAttribute('aria-label') ?? '',
        parts: [...row.querySelectorAll('.label-name, .label-description')].map(
          ({ textContent }) => textContent,
        ),
      })),
    );
  assert.isNotEmpty(rows);
  for (const { name, parts } of rows) {
    const shown = parts.filter(Boolean).join(', ').replaceAll(' · ', ', ');
    assert.isTrue(name.replaceAll(' · ', ', ').startsWith(shown), `${name}: ${shown}`);
  }
}

describe('Accessibility of the side bar: axe finds no violations', () => {
  const scene = setNamedTrees(
    {},
    {
      'controlPlane.logs.savedSearches': [
        { name: 'errors', query: 'severity:error last:1h' },
        { name: 'of another shop', query: 'severity:fatal', origin: 'https://other.example' },
      ],
    },
  );
  before(() => lookInto(scene));
  beforeEach(async () => {
    await scene.driver.run('controlPlane.resetSourcesFilter');
    await scene.reconnect();
    await showOnly(scene.page, ...trees, 'logs');
  });

  it('without a connection, without a match and without permissions', async () => {
    const { page, driver } = scene;
    const says = (text: string): Promise<void> => view(page, 'sources').getByText(text).waitFor();
    const filtered = driver.run('controlPlane.filterSources');
    await answer(page, 'no such thing');
    await filtered;
    await says(welcomeLines('sources.noMatch').split('\n')[0]!);
    await findsNothing(scene, 'nothing matches');
    await driver.run('controlPlane.resetSourcesFilter');
    await scene.reconnect('demo-none');
    await says(welcomeLines('sources.missing.repository.read').split('\n')[0]!);
    await findsNothing(scene, 'no permission');
    await scene.signOut();
    await driver.set({ 'controlPlane.connections': null });
    await says(welcomeLines('sources.none').split('\n')[0]!);
    await findsNothing(scene, 'not connected');
  });

  it('in trees with rows of every kind, whose accessible names start with their visible text, also in each view at 200 % zoom', async () => {
    const { page } = scene;
    await openRow(page, 'integrations', [uiText('Repositories')]);
    await openRow(page, 'servers', ['hel-data-1', uiText('Alert Rules')]);
    // With other views expanded, a view has no room for all of its rows, and hidden rows are not in
    // the page.
    await showOnly(page, 'sources');
    await openRow(page, 'sources', ['data-platform', 'production', 'search']);
    await openRow(page, 'sources', [
      'data-platform',
      'production',
      uiText('Secret Keys'),
      'runtime',
    ]);
    await showOnly(page, ...trees);
    await findsNothingInAnyLook(scene);
    await rowsTellWhatTheyShow(scene);
    const search = view(page, 'sources').getByRole('treeitem', { name: /^search, / });
    const drifted = `${uiText('drifted')}: ${uiText('{0} reasons', 2)}`;
    await expect
      .poll(async () => steady((await search.getAttribute('aria-label')) ?? ''))
      .toBe(`search, ${drifted}, running · # · n ago, healthy, ${uiText('ingress')}: ready`);

    const size = page.viewportSize()!;
    // A window of 1,280 × 800 pixels at 200 %.
    await page.setViewportSize({ width: 640, height: 400 });
    try {
      for (const name of [...trees, 'activity', 'logs'] as const) {
        await scene.driver.run(`controlPlane.${name}.focus`);
        await showOnly(page, name);
        await findsNothing(scene, name);
        await picture(scene, `${name}-at-200-percent`);
      }
    } finally {
      await page.setViewportSize(size);
    }
  });

  it('for running, waiting and ended tails, and saved and recent searches', async () => {
    const { page, driver } = scene;
    await showOnly(page, 'logs');
    await (await treeRowAt(page, 'logs', [uiText('Saved Searches'), 'errors'])).click();
    await openRow(page, 'logs', [uiText('Recent Searches')]);
    for (const query of ['severity:warn', 'severity:error', 'severity:fatal']) {
      await driver.run('controlPlane.followLogs', query);
      await treeRow(page, 'logs', query + uiText('live')).waitFor();
    }
    await clickRowAction(page, 'logs', `severity:error${uiText('live')}`, 'pauseLogs');
    await clickRowAction(page, 'logs', `severity:fatal${uiText('live')}`, 'stopLogs');
    await treeRow(page, 'logs', `severity:fatal${uiText('stopped')}`).waitFor();
    await findsNothingInAnyLook(scene);
    await rowsTellWhatTheyShow(scene);
  });
});
