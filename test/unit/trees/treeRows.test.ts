import { assert } from 'chai';
import type { Deployment } from '../../../src/api/types';
import { cacheKeyId } from '../../../src/data/store';
import { sourceNodes } from '../../../src/trees/sources/sourceNodes';
import { makeNode, type TreeNode } from '../../../src/trees/nodes';
import { plain } from '../../../src/trees/status';
import type { Sorting, TreeFilter } from '../../../src/trees/treeOrder';
import { TreeRows } from '../../../src/trees/treeRows';
import { fakeClock } from '../fakeClock';
import { lines, read, scene, type Scene, uuid } from './treeText';

const source = uuid(1);
const environment = { id: uuid(2), name: 'production' };
const sources = [
  { id: source, label: 'shop' },
  { id: uuid(5), label: 'Data' },
];

/** The data of the server, which a test changes. */
interface World {
  apps: { name: string; observedState?: string }[];
  deployments: Record<string, Deployment[]>;
}

interface Drawn extends Scene {
  readonly world: World;
  readonly view: TreeRows;
  readonly set: (members: { filter?: Partial<TreeFilter>; sorting?: Sorting }) => void;
  readonly text: () => string;
  /** The labels of the rows to draw again, or `all`. */
  readonly changed: () => readonly string[];
  /** Lets the rows that were given reach the window. */
  readonly arrive: () => Promise<void>;
  readonly loadAll: () => Promise<void>;
}

function idOf(name: string): string {
  return uuid(10 + ['web-api', 'search', 'payments', 'zoo'].indexOf(name));
}

function at(minutesAgo: number, members: object = {}): Deployment {
  const createdAt = new Date(Date.UTC(2026, 10, 20, 12) - minutesAgo * 60_000).toISOString();
  const deployment = { id: uuid(1000 + minutesAgo), state: 'succeeded', createdAt, ...members };
  return read('DeploymentListing', { deployments: [deployment] }).deployments![0]!;
}

/** A tree with all rows drawn, as with everything expanded. */
async function draw(): Promise<Drawn> {
  const world: World = {
    apps: [
      { name: 'web-api', observedState: 'running' },
      { name: 'search', observedState: 'crashed' },
      { name: 'payments', observedState: 'running' },
    ],
    deployments: { 'web-api': [at(60), at(30)], search: [at(600)], payments: [at(10)] },
  };
  const made = scene(
    {
      listResources: ({ sourceId: id }) =>
        Promise.resolve(
          read('ResourceListing', {
            resources: (id === source ? world.apps : []).map(({ name, observedState }) => ({
              id: idOf(name),
              name,
              environment,
              runtimeState: { observedState },
            })),
          }),
        ),
      listDeployments: ({ resourceId: id }) => {
        const name = world.apps.find((app) => idOf(app.name) === id)?.name ?? '';
        return Promise.resolve(
          read('DeploymentListing', {
            deployments: structuredClone(world.deployments[name] ?? []),
          }),
        );
      },
    },
    { sources },
  );
  let filter: TreeFilter = { text: '', states: [] };
  let sorting: Sorting = 'name';
  const view = new TreeRows(
    () => sourceNodes(made.context),
    () => ({ filter, sorting }),
    made.clock,
  );
  const textOf = (id?: string, indent = ''): string =>
    view
      .children(id)
      .map((child) => `${indent}${view.node(child)!.label}\n${textOf(child, `${indent}  `)}`)
      .join('');
  const loadAll = (): Promise<void> =>
    made.load(
      ...sources.map(({ id }) => ({ kind: 'resources', id }) as const),
      ...world.apps.map(({ name }) => ({ kind: 'deployments', id: idOf(name) }) as const),
    );
  await loadAll();
  return {
    ...made,
    world,
    view,
    set(members) {
      filter = { ...filter, ...members.filter };
      sorting = members.sorting ?? sorting;
    },
    text: () => textOf(),
    changed() {
      const ids = view.update();
      return ids === 'all' ? [ids] : ids.map((id) => view.node(id)!.label);
    },
    arrive: () => made.clock.advance(1000),
    loadAll,
  };
}

/** The same, after all rows have reached the window. */
async function onScreen(): Promise<Drawn> {
  const drawn = await draw();
  drawn.text();
  await drawn.arrive();
  return drawn;
}

describe('The rows of a tree', () => {
  it('is sorted by name, by state or by last deployment', async () => {
    const { set, text } = await draw();
    const apps = (): string[] => text().match(/(?<=^ {4})\S.*$/gm) ?? [];
    assert.deepEqual(text().match(/^\S.*$/gm), ['Data', 'shop']);
    assert.deepEqual(apps(), ['payments', 'search', 'web-api']);
    set({ sorting: 'state' });
    assert.deepEqual(apps(), ['search', 'payments', 'web-api']);
    set({ sorting: 'lastDeployment' });
    assert.deepEqual(apps(), ['payments', 'web-api', 'search']);
    assert.deepEqual(text().match(/^\S.*$/gm), ['shop', 'Data'], 'never deployed is last');
  });

  it('keeps the rows above and below a match of the filter', async () => {
    const { set, text, view } = await draw();
    set({ filter: { text: ' SEARCH ' } });
    assert.equal(
      text(),
      `${lines(`
        shop
          production
            search
              00000000
      `)}\n`,
    );
    set({ filter: { text: '', states: ['Crashed'] } });
    assert.include(text(), 'search');
    assert.notInclude(text(), 'web-api');
    set({ filter: { text: 'web', states: ['crashed'] } });
    assert.equal(text(), '', 'both must match');
    assert.equal(view.unfiltered, 2);
    set({ filter: { text: 'Loading', states: [] } });
    assert.equal(text(), '', 'placeholder texts are not searched');
  });

  it('counts the visible roots, as last drawn, and all roots without the filter', async () => {
    const { set, view } = await draw();
    assert.equal(view.shown, 2, 'before a row is requested');
    set({ filter: { text: 'search' } });
    assert.equal(view.shown, 2);
    view.update();
    assert.equal(view.shown, 1);
    assert.equal(view.unfiltered, 2);
    set({ filter: { text: 'nothing has this name' } });
    assert.equal(view.update(), 'all');
    assert.equal(view.shown, 0);
    assert.equal(view.unfiltered, 2);
  });

  it('knows the states for a filter', async () => {
    const { view } = await draw();
    assert.deepEqual(view.states(), ['crashed', 'running', 'succeeded']);
  });

  it('draws one row again if one deployment, or only a field of its tooltip, has changed', async () => {
    const { view, world, loadAll } = await onScreen();
    assert.deepEqual(view.update(), []);
    for (const change of [{ state: 'failed' }, { hostname: 'new' }]) {
      world.deployments['web-api']![0] = { ...world.deployments['web-api']![0], ...change };
      await loadAll();
      const [id, ...others] = view.update();
      assert.isEmpty(others);
      const node = view.node(id!)!;
      assert.equal(node.kind, 'deployment');
      assert.equal(node.status.words, 'failed');
      assert.deepEqual(view.update(), [], 'once');
    }
  });

  it('draws what is above a changed row that is on its way to the window', async () => {
    const { view, world, clock, changed, loadAll } = await draw();
    const changedBy = async (hostname: string): Promise<readonly string[]> => {
      world.deployments['search']![0] = { ...world.deployments['search']![0], hostname };
      await loadAll();
      return changed();
    };
    const open = (...path: string[]): void => {
      path.reduce<string | undefined>((above, label) => {
        const ids = view.children(above);
        return ids.find((id) => view.node(id)!.label === label);
      }, undefined);
    };
    open('shop', 'production');
    await clock.advance(500);
    open('shop', 'production', 'search', '00000000');
    await clock.advance(499);
    assert.deepEqual(await changedBy('one'), ['all'], 'the roots were just given');
    await clock.advance(1);
    assert.deepEqual(await changedBy('two'), ['production'], 'given with the roots');
    await clock.advance(500);
    assert.deepEqual(await changedBy('three'), ['00000000'], 'all are there');
    view.children(`source ${source}`);
    assert.deepEqual(await changedBy('four'), ['00000000'], 'no row is new');
  });

  it('draws the parent if rows were added, removed or moved', async () => {
    const { text, world, changed, loadAll } = await onScreen();
    world.deployments['search']!.push(at(5, { id: uuid(77) }));
    await loadAll();
    assert.deepEqual(changed(), ['search']);
    world.apps.pop();
    await loadAll();
    assert.deepEqual(changed(), ['production']);
    assert.notInclude(text(), 'payments');
  });

  it('draws other children again until VS Code requests them', async () => {
    const { view, world, clock, changed, arrive, loadAll, text } = await draw();
    const openAll = (ids: readonly string[]): void => {
      for (const id of ids) {
        view.setOpen(id, true);
        openAll(view.children(id));
      }
    };
    openAll(view.children());
    await arrive();
    world.deployments['search']!.push(at(5, { id: uuid(77) }));
    await loadAll();
    assert.deepEqual(changed(), ['search']);
    // It answered a request that was on its way before, with the old children.
    await clock.advance(999);
    assert.deepEqual(changed(), []);
    assert.isTrue(view.isUnsure);
    await clock.advance(1);
    assert.deepEqual(changed(), ['search']);
    text();
    await arrive();
    assert.deepEqual(changed(), []);
    assert.isFalse(view.isUnsure);

    const app = world.apps.find(({ name }) => name === 'search')!;
    app.observedState = 'running';
    await loadAll();
    assert.deepEqual(changed(), ['shop'], 'its children look the same');
    const [shop] = view.children().filter((id) => view.node(id)!.label === 'shop');
    view.children(shop);
    await arrive();
    assert.deepEqual(changed(), ['production'], 'what is below was not requested');
    text();
    await arrive();
    assert.isFalse(view.isUnsure);

    world.deployments['search']!.pop();
    await loadAll();
    assert.deepEqual(changed(), ['search']);
    view.setOpen(`source ${source}`, false);
    await arrive();
    assert.deepEqual(changed(), [], 'it is not on the screen');
    assert.isFalse(view.isUnsure);
  });

  it('builds only rows that are requested', async () => {
    const { view, world, arrive, loadAll } = await draw();
    view.children();
    await arrive();
    world.apps.push({ name: 'zoo' });
    await loadAll();
    assert.deepEqual(view.update(), []);
    assert.isUndefined(view.node(`source ${source}/environment ${environment.id}`));
  });

  it('draws everything if the roots have changed', async () => {
    const { view, text, arrive, set } = await draw();
    assert.equal(view.update(), 'all', 'nothing was drawn yet');
    text();
    await arrive();
    set({ filter: { text: 'payments' } });
    assert.equal(view.update(), 'all');
  });

  it('knows parents, and forgets removed rows', async () => {
    const { view, text, world, loadAll } = await draw();
    text();
    const app = [
      `source ${source}`,
      `environment ${environment.id}`,
      `resource ${idOf('payments')}`,
    ];
    const id = app.join('/');
    assert.equal(view.node(id)?.label, 'payments');
    assert.equal(view.parent(id), app.slice(0, 2).join('/'));
    assert.isUndefined(view.parent(`source ${source}`));
    const deployment = view.children(id)[0]!;
    world.apps = world.apps.filter(({ name }) => name !== 'payments');
    await loadAll();
    view.update();
    assert.isUndefined(view.node(id));
    assert.isUndefined(view.node(deployment));
    assert.deepEqual(view.children(id), []);
  });
});

/** A tree of these rows, which a test changes. */
class SmallTree {
  readonly clock = fakeClock();
  readonly rows = new TreeRows(
    () => this.below(''),
    () => ({ filter: { text: '', states: [] }, sorting: 'name' }),
    this.clock,
  );

  /** @param parents by the id of a row its parent; empty: it is a root. The key of each row is its id. */
  constructor(public parents: Readonly<Record<string, string>>) {
    const give = (id?: string): void => this.rows.children(id).forEach(give);
    give();
  }

  open(...ids: string[]): void {
    for (const id of ids) this.rows.setOpen(id, true);
  }

  keys(): string[] {
    return this.rows.cacheKeys().map((key) => cacheKeyId(key).split(' ')[1]!);
  }

  private below(parent: string): TreeNode[] {
    return Object.entries(this.parents)
      .filter(([, above]) => above === parent)
      .map(([id]) =>
        makeNode({
          id,
          kind: 'source',
          label: id,
          status: plain('repo'),
          cacheKeys: [
            { kind: 'repositories', id },
            { kind: 'repositories', id: 'shared' },
          ],
          children: () => this.below(id),
        }),
      );
  }
}

describe('Redraws of a tree', () => {
  it('include a row of which only the menu has changed', async () => {
    const clock = fakeClock();
    let tokens: string[] = [];
    const rows = new TreeRows(
      () => [makeNode({ id: 'a', kind: 'source', label: 'a', status: plain('repo'), tokens })],
      () => ({ filter: { text: '', states: [] }, sorting: 'name' }),
      clock,
    );
    rows.children();
    await clock.advance(1000);
    assert.deepEqual(rows.update(), []);
    tokens = ['canRename'];
    assert.deepEqual(rows.update(), ['a']);
  });

  it('end after a few tries if VS Code never requests the children', async () => {
    const tree = new SmallTree({ a: '', b: 'a' });
    tree.open('a');
    await tree.clock.advance(1000);
    tree.parents = { a: '', b: 'a', c: 'a' };
    let redraws = 0;
    do {
      redraws += tree.rows.update().length;
      assert.isAtMost(redraws, 20);
      await tree.clock.advance(1000);
    } while (tree.rows.isUnsure);
    assert.isAbove(redraws, 1);
    assert.isEmpty(tree.rows.update());
  });
});

describe('Open rows of a tree', () => {
  it('report the resource keys of their visible children, each once', () => {
    const tree = new SmallTree({ a: '', b: '' });
    assert.deepEqual(tree.keys(), []);
    tree.open('a', 'b');
    assert.deepEqual(tree.keys(), ['a', 'shared', 'b']);
    tree.rows.setOpen('b', false);
    assert.deepEqual(tree.keys(), ['a', 'shared']);
  });

  it('count only if everything above them is open too', () => {
    const tree = new SmallTree({ a: '', b: 'a', c: 'b' });
    tree.open('b', 'c');
    assert.deepEqual(tree.keys(), []);
    tree.open('a');
    assert.deepEqual(tree.keys(), ['a', 'shared', 'b', 'c']);
  });

  it('are forgotten when they are removed', () => {
    const tree = new SmallTree({ a: '', b: 'a' });
    tree.open('a', 'b');
    tree.parents = {};
    tree.rows.update();
    assert.deepEqual(tree.keys(), []);
    tree.parents = { a: '', b: 'a' };
    tree.rows.update();
    assert.isFalse(tree.rows.isOpen('a'));
    assert.doesNotThrow(() => tree.rows.setOpen('unknown', true));
  });

  it('stay known when they move to another parent, whichever of the two comes first', () => {
    const tree = new SmallTree({ a: '', b: '', c: 'a' });
    for (const parent of ['', 'b', 'a', '', 'a']) {
      tree.parents = { a: '', b: '', c: parent };
      tree.rows.update();
      assert.equal(tree.rows.node('c')?.label, 'c', `below ${parent}`);
      assert.equal(tree.rows.parent('c') ?? '', parent);
    }
  });
});
