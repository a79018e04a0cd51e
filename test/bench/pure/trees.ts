import { readLenient } from '../../../src/api/readLenient';
import type { DeploymentListing, LogRecord, ResourceListing } from '../../../src/api/types';
import { createNumbers } from '../../../src/base/textFormat';
import { TimeFormat } from '../../../src/base/timeFormat';
import type { TreeNode } from '../../../src/trees/nodes';
import type { DataContext } from '../../../src/data/labels';
import { sourceNodes } from '../../../src/trees/sources/sourceNodes';
import { Store } from '../../../src/data/store';
import type { StoreClient } from '../../../src/data/fetchers';
import { TreeRows } from '../../../src/trees/treeRows';
import type { Figure } from '../figures';
import { interleave, median, medianRatio } from '../statistics';
import { workspaceAnswers, type WorkspaceAnswers } from '../workspaceAnswers';
import { clock } from './followChunks';

/** The least number of rows: the deployments alone are nearly as many. */
const fewestRows = 60_000;

/** Answers as the client returns them. */
interface Answers {
  readonly resources: Map<string, ResourceListing>;
  readonly deployments: Map<string, DeploymentListing>;
}

/** A store that has requested everything. */
interface Filled {
  readonly answers: Answers;
  readonly store: Store;
  readonly roots: () => readonly TreeNode[];
}

/**
 * A large workspace from answers to rows, compared with the minimum: parsing the text of the same
 * answers. In practice not all rows of such a tree are open; that figure is for information.
 */
export async function trees(_records: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const texts = workspaceAnswers();
  const answers = readAnswers(texts);
  const times = await interleave(
    {
      parse: () => timed(() => parse(texts)),
      ours: () => timed(async () => build((await fill(answers)).roots())),
      drawn: () => timed(async () => draw(viewOf(await fill(answers)))),
    },
    { rounds, warmUp: 1 },
  );
  const filled = await fill(answers);
  const view = viewOf(filled);
  draw(view);
  const resourceIds = [...texts.deployments.keys()];
  const change = await interleave(
    { one: () => changeOne(filled, view, resourceIds.shift() ?? '') },
    { rounds, warmUp: 2 },
  );
  const against = { measure: 'ms', other: { name: 'JSON.parse', value: median(times.parse) } };
  return [
    {
      ...against,
      what: '200 sources, 10,000 resources, 50,000 deployments: store and tree',
      ours: median(times.ours),
      result: medianRatio(times.ours, times.parse),
      unit: '×',
      goal: { is: '≤', value: 2 },
    },
    {
      ...against,
      what: '…with every row open and drawn',
      ours: median(times.drawn),
      result: medianRatio(times.drawn, times.parse),
      unit: '×',
    },
    {
      what: '…and one deployment changed: until its row is found',
      measure: 'ms',
      ours: median(change.one),
      result: median(change.one),
      unit: 'ms',
    },
  ];
}

/** The milliseconds of all cores, including the threads of the garbage collector. */
async function timed(work: () => unknown): Promise<number> {
  globalThis.gc?.();
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function parse({ resources, deployments }: WorkspaceAnswers): unknown[] {
  return [...resources.values(), ...deployments.values()].map(
    (text) => JSON.parse(text) as unknown,
  );
}

function readAnswers({ resources, deployments }: WorkspaceAnswers): Answers {
  const readAll = <T>(texts: ReadonlyMap<string, string>, read: (json: object) => T) =>
    new Map([...texts].map(([id, text]) => [id, read(JSON.parse(text) as object)]));
  return {
    resources: readAll(resources, (json) => readLenient('ResourceListing', json).value),
    deployments: readAll(deployments, (json) => readLenient('DeploymentListing', json).value),
  };
}

/** Answers the requests of the tree of sources; there are no others. */
function clientOf({ resources, deployments }: Answers): StoreClient {
  const refuse = (): Promise<never> => Promise.reject(new Error('This is never requested.'));
  return {
    listResources: (id) => Promise.resolve(resources.get(id) ?? {}),
    listDeployments: (id) => Promise.resolve(deployments.get(id) ?? {}),
    listAlertRules: refuse,
    listSecrets: refuse,
    listRepositories: refuse,
    listIntegrations: refuse,
  };
}

async function fill(answers: Answers): Promise<Filled> {
  const { resources, deployments } = answers;
  const store = new Store(clock);
  store.reset(clientOf(answers));
  await Promise.all([
    ...[...resources.keys()].map((sourceId) =>
      store.refresh({ kind: 'resources', sourceId }, 'person'),
    ),
    ...[...deployments.keys()].map((resourceId) =>
      store.refresh({ kind: 'deployments', resourceId }, 'person'),
    ),
  ]);
  // A clock that stands still: otherwise rows with relative times change by themselves.
  const start = clock.now();
  const now = (): number => start;
  const sources = [...resources.keys()].map((id, index) => ({ id, label: `source ${index}` }));
  const t: DataContext['t'] = (message, ...args) =>
    message.replace(/\{(\d+)\}/g, (_, index: string) => String(args[Number(index)]));
  const context: DataContext = {
    store,
    t,
    counted: createNumbers(t, 'en', 'en').counted,
    timeFormat: new TimeFormat(
      () => store.formats,
      () => 'utc',
      now,
      'en',
    ),
    now,
    sources: () => sources,
    servers: () => [],
    repositorySearch: () => '',
    checkedOut: () => undefined,
  };
  return { answers, store, roots: () => sourceNodes(context) };
}

/** Builds every row; returns their number. */
function build(nodes: readonly TreeNode[]): number {
  const rows = countRows(nodes);
  if (rows < fewestRows) throw new Error(`The tree has only ${rows} rows.`);
  return rows;
}

function countRows(nodes: readonly TreeNode[]): number {
  return nodes.reduce((sum, node) => sum + 1 + countRows(node.children()), 0);
}

/** The rows of a tree; each time that they are looked at, those given before have reached the window. */
function viewOf({ roots }: Filled): TreeRows {
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

/**
 * Changes one deployment of a resource and requests it; the milliseconds until its row is found.
 */
async function changeOne(
  { answers, store }: Filled,
  view: TreeRows,
  resourceId: string,
): Promise<number> {
  const listing = structuredClone(answers.deployments.get(resourceId));
  Object.assign(listing?.deployments?.[2] ?? {}, { state: 'changed' });
  answers.deployments.set(resourceId, listing ?? {});
  return timed(async () => {
    await store.refresh({ kind: 'deployments', resourceId }, 'person');
    const changed = view.update();
    if (changed === 'all' || changed.length !== 1) {
      throw new Error(`${changed === 'all' ? changed : changed.length} to be drawn again.`);
    }
  });
}
