import { assert } from 'chai';
import type { Deployment } from '../../../src/api/types';
import { type CacheKey, resourceKeyOf } from '../../../src/data/cacheKeys';
import { sourceNodes } from '../../../src/trees/sources/sourceNodes';
import { makeNode, type TreeNode } from '../../../src/trees/nodes';
import { plain } from '../../../src/trees/status';
import type { Sorting, TreeFilter } from '../../../src/trees/treeOrder';
import { createExpandedRows, createTreeView, type TreeView } from '../../../src/trees/treeView';
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
  readonly view: TreeView;
  readonly set: (members: { filter?: Partial<TreeFilter>; sorting?: Sorting }) => void;
  readonly text: () => string;
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
      listResources: (id) =>
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
      listDeployments: (id) => {
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
  const view = createTreeView({
    roots: () => sourceNodes(made.context),
    filter: () => filter,
    sorting: () => sorting,
  });
  const textOf = (id?: string, indent = ''): string =>
    view
      .children(id)
      .map((child) => `${indent}${view.node(child)!.label}\n${textOf(child, `${indent}  `)}`)
      .join('');
  const loadAll = (): Promise<void> =>
    made.load(
      ...sources.map(({ id }) => ({ kind: 'resources', sourceId: id }) as const),
      ...world.apps.map(({ name }) => ({ kind: 'deployments', resourceId: idOf(name) }) as const),
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
    loadAll,
  };
}

describe('A tree view', () => {
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
    assert.deepEqual(view.update(), { kind: 'all' });
    assert.equal(view.shown, 0);
    assert.equal(view.unfiltered, 2);
  });

  it('knows the states for a filter', async () => {
    const { view } = await draw();
    assert.deepEqual(view.states(), ['crashed', 'running', 'succeeded']);
  });

  it('draws one row again if one deployment has changed', async () => {
    const { view, text, world, loadAll } = await draw();
    text();
    assert.deepEqual(view.update(), { kind: 'nodes', ids: [] });
    world.deployments['web-api']![0] = { ...world.deployments['web-api']![0], state: 'failed' };
    await loadAll();
    const redraw = view.update();
    if (redraw.kind !== 'nodes') throw new Error('It draws all.');
    assert.lengthOf(redraw.ids, 1);
    const node = view.node(redraw.ids[0]!)!;
    assert.equal(node.kind, 'deployment');
    assert.equal(node.status.words, 'failed');
    assert.deepEqual(view.update(), { kind: 'nodes', ids: [] }, 'once');
  });

  it('draws one row again if only a field of its tooltip has changed', async () => {
    const { view, text, world, loadAll } = await draw();
    text();
    world.deployments['search']![0] = { ...world.deployments['search']![0], hostname: 'new' };
    await loadAll();
    const redraw = view.update();
    assert.lengthOf(redraw.kind === 'nodes' ? redraw.ids : [], 1);
  });

  it('draws the parent if rows were added, removed or moved', async () => {
    const { view, text, world, loadAll } = await draw();
    text();
    world.deployments['search']!.push(at(5, { id: uuid(77) }));
    await loadAll();
    const redraw = view.update();
    if (redraw.kind !== 'nodes') throw new Error('It draws all.');
    assert.deepEqual(
      redraw.ids.map((id) => view.node(id)!.label),
      ['search'],
    );
    world.apps.pop();
    await loadAll();
    const other = view.update();
    if (other.kind !== 'nodes') throw new Error('It draws all.');
    assert.deepEqual(
      other.ids.map((id) => view.node(id)!.label),
      ['production'],
    );
    assert.notInclude(text(), 'payments');
  });

  it('builds only rows that are requested', async () => {
    const { view, world, loadAll } = await draw();
    view.children();
    world.apps.push({ name: 'zoo' });
    await loadAll();
    assert.deepEqual(view.update(), { kind: 'nodes', ids: [] });
    assert.isUndefined(view.node(`source ${source}/environment ${environment.id}`));
  });

  it('draws everything if the roots have changed', async () => {
    const { view, text, set } = await draw();
    assert.deepEqual(view.update(), { kind: 'all' }, 'nothing was drawn yet');
    text();
    set({ filter: { text: 'payments' } });
    assert.deepEqual(view.update(), { kind: 'all' });
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

const integrations: CacheKey = { kind: 'integrations' };
const repositories: CacheKey = { kind: 'repositories', search: '' };

/** A tree of these rows: the path of each is its id, and it depends on these resource keys. */
function tree(rows: Readonly<Record<string, readonly CacheKey[]>>): {
  expanded: ReturnType<typeof createExpandedRows>;
  remove: (id: string) => void;
  keys: () => string[];
} {
  const nodes = new Map<string, TreeNode>(
    Object.entries(rows).map(([id, cacheKeys]) => [
      id,
      makeNode({ id, kind: 'source', label: id, status: plain('repo'), cacheKeys }),
    ]),
  );
  const expanded = createExpandedRows({
    node: (id) => nodes.get(id),
    parent: (id) => (id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : undefined),
  });
  return {
    expanded,
    remove: (id) => void nodes.delete(id),
    keys: () => expanded.cacheKeys().map(resourceKeyOf),
  };
}

describe('Expanded rows', () => {
  it('report the resource keys of their visible children, each once', () => {
    const { expanded, keys } = tree({ a: [integrations], b: [integrations, repositories] });
    assert.deepEqual(keys(), []);
    expanded.open('a');
    assert.deepEqual(keys(), ['integrations ']);
    expanded.open('b');
    assert.deepEqual(keys(), ['integrations ', 'repositories ']);
    expanded.close('b');
    assert.deepEqual(keys(), ['integrations ']);
  });

  it('count only if everything above them is expanded too', () => {
    const { expanded, keys } = tree({ a: [], 'a/b': [], 'a/b/c': [repositories] });
    ['a', 'a/b', 'a/b/c'].forEach((id) => expanded.open(id));
    assert.deepEqual(keys(), ['repositories ']);
    expanded.close('a');
    assert.deepEqual(keys(), [], 'it stays expanded, but hidden');
    expanded.open('a');
    assert.deepEqual(keys(), ['repositories ']);
  });

  it('open with their parent if they are expanded at first, until a person closes them', () => {
    const nodes = ['none', 'closed', 'open'].map((id, at) =>
      makeNode({
        id,
        kind: 'source',
        label: id,
        status: plain('repo'),
        isExpanded: id === 'open',
        ...(at === 0 ? {} : { children: () => [] }),
      }),
    );
    const expanded = createExpandedRows({
      node: (id) => nodes.find((node) => node.id === id),
      parent: () => undefined,
    });
    const opening = (): string[] => ['none', 'closed', 'open'].filter((id) => expanded.opens(id));
    assert.deepEqual(opening(), ['open']);
    expanded.close('open');
    expanded.open('closed');
    assert.deepEqual(opening(), ['closed']);
    expanded.open('open');
    assert.deepEqual(opening(), ['closed', 'open']);
  });

  it('are forgotten when they are removed', () => {
    const { expanded, remove, keys } = tree({ a: [], 'a/b': [repositories] });
    ['a', 'a/b'].forEach((id) => expanded.open(id));
    remove('a');
    expanded.prune();
    assert.deepEqual(keys(), [], 'its parent is collapsed');
    assert.doesNotThrow(() => expanded.close('never opened'));
  });
});
