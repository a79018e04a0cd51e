import type { DeploymentListing, LogRecord, ResourceListing } from '../../../src/api/types';
import type { Store } from '../../../src/data/store';
import type { TreeNode } from '../../../src/trees/nodes';
import { sourceNodes } from '../../../src/trees/sources/sourceNodes';
import { TreeRows } from '../../../src/trees/treeRows';
import { read, scene } from '../../unit/trees/treeText';
import { figure, type Figure } from '../figures';
import { interleave } from '../timing';
import { workspaceAnswers } from '../workspaceAnswers';

/** The least number of rows: the deployments alone are nearly as many. */
const fewestRows = 60_000;

/** Answers as the client returns them. */
interface Answers {
  readonly resources: Map<string, ResourceListing>;
  readonly deployments: Map<string, DeploymentListing>;
}

/**
 * A large workspace from answers to rows, compared with the minimum: parsing the text of the same
 * answers. In practice not all rows of such a tree are open; that figure is for information.
 */
export async function trees(_records: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const { resources, deployments } = workspaceAnswers();
  const texts = [...resources.values(), ...deployments.values()];
  const parse = (text: string): object => JSON.parse(text) as object;
  const answers: Answers = {
    resources: new Map(
      [...resources].map(([id, text]) => [id, read('ResourceListing', parse(text))]),
    ),
    deployments: new Map(
      [...deployments].map(([id, text]) => [id, read('DeploymentListing', parse(text))]),
    ),
  };
  const times = await interleave(
    {
      parse: () => processorTime(() => texts.map(parse)),
      ours: () => processorTime(async () => build((await fill(answers)).roots())),
      drawn: () => processorTime(async () => draw(viewOf((await fill(answers)).roots))),
    },
    { rounds, warmUp: 1 },
  );
  const { store, roots } = await fill(answers);
  const view = viewOf(roots);
  draw(view);
  const resourceIds = [...deployments.keys()];
  const change = await interleave(
    { one: () => changeOne(answers, store, view, resourceIds.shift() ?? '') },
    { rounds, warmUp: 2 },
  );
  const against = ['JSON.parse', times.parse] as const;
  const all = '200 sources, 10,000 resources, 50,000 deployments: store and tree';
  const one = '…and one deployment changed: until its row is found';
  return [
    figure(all, 'ms', times.ours, { against, by: 'ratio', goal: '≤ 2' }),
    figure('…with every row open and drawn', 'ms', times.drawn, { against, by: 'ratio' }),
    figure(one, 'ms', change.one),
  ];
}

/** The milliseconds of all cores, including the threads of the garbage collector. */
async function processorTime(work: () => unknown): Promise<number> {
  globalThis.gc?.();
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** A store that has requested everything, and its tree. */
async function fill({ resources, deployments }: Answers) {
  const sources = [...resources.keys()].map((id, index) => ({ id, label: `source ${index}` }));
  const { store, context } = scene(
    {
      listResources: ({ sourceId: id }) => Promise.resolve(resources.get(id) ?? {}),
      listDeployments: ({ resourceId: id }) => Promise.resolve(deployments.get(id) ?? {}),
    },
    { sources },
  );
  await Promise.all([
    ...[...resources.keys()].map((sourceId) =>
      store.refresh({ kind: 'resources', id: sourceId }, 'person'),
    ),
    ...[...deployments.keys()].map((resourceId) =>
      store.refresh({ kind: 'deployments', id: resourceId }, 'person'),
    ),
  ]);
  return { store, roots: () => sourceNodes(context) };
}

/** Builds every row. */
function build(nodes: readonly TreeNode[]): void {
  const countRows = (some: readonly TreeNode[]): number =>
    some.reduce((sum, node) => sum + 1 + countRows(node.children()), 0);
  const rows = countRows(nodes);
  if (rows < fewestRows) throw new Error(`The tree has only ${rows} rows.`);
}

/** The rows of a tree; each time that they are looked at, those given before have reached the window. */
function viewOf(roots: () => readonly TreeNode[]): TreeRows {
  let time = 0;
  const monotonic = (): number => (time += 1000);
  return new TreeRows(roots, () => ({ filter: { text: '', states: [] }, sorting: 'name' }), {
    monotonic,
  });
}

/** Opens a row and every row below it; returns their number. */
function draw(view: TreeRows, id?: string): number {
  if (id !== undefined && view.node(id)?.collapsible === 'none') return 1;
  return view.children(id).reduce((sum, child) => sum + draw(view, child), 1);
}

/** Changes one deployment of a resource and requests it; the time until its row is found. */
async function changeOne(
  { deployments }: Answers,
  store: Store,
  view: TreeRows,
  resourceId: string,
): Promise<number> {
  const listing = structuredClone(deployments.get(resourceId));
  Object.assign(listing?.deployments?.[2] ?? {}, { state: 'changed' });
  deployments.set(resourceId, listing ?? {});
  return processorTime(async () => {
    await store.refresh({ kind: 'deployments', id: resourceId }, 'person');
    const changed = view.update();
    if (changed === 'all' || changed.length !== 1) {
      throw new Error(`${changed === 'all' ? changed : changed.length} to be drawn again.`);
    }
  });
}
