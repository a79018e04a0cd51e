import { assert } from 'chai';
import type { ActivityEntry } from '../../../src/activity/activityEntry';
import { activityNodes } from '../../../src/activity/activityNodes';
import { cleanupText } from '../../../src/api/validateRequest';
import { minute } from '../../../src/base/clock';
import { createNumbers } from '../../../src/base/textFormat';
import type { DataContext } from '../../../src/data/labels';
import { ErrorGroups } from '../../../src/logs/errors/errorGroups';
import { errorNodes, KindOrder } from '../../../src/logs/errors/errorNodes';
import {
  integrationKeys,
  integrationNodes,
} from '../../../src/trees/integrations/integrationNodes';
import { spokenText, type TreeNode } from '../../../src/trees/nodes';
import { serverKeys, serverNodes } from '../../../src/trees/servers/serverNodes';
import { sourceNodes } from '../../../src/trees/sources/sourceNodes';
import { likes } from '../../control-plane/faces';
import { type InMemoryControlPlane, inMemoryControlPlane } from '../../control-plane/inMemory';
import { pseudo } from '../../host/translations';
import { dataOf, untranslated } from '../../host/untranslated';
import { connection, kinds } from '../activity/windows';
import { testClient } from '../api/testClient';
import { start } from '../control-plane/harness';
import { fakeClock, settle } from '../fakeClock';
import { scene, uuid } from './treeText';

/** What a reader stops at. */
const faults: Readonly<Record<string, RegExp>> = {
  'an unknown state': /(?<!outcome )\bunknown\b/i,
  'a missing value': /undefined|\bnull\b|NaN|\[object/,
  'cut in front': /^(?:…|\.{3})/,
  'a part without its value': /[:,·] *(?:[,·]|$)|^ *[:,·]|\( *\)/,
  'a word twice': /\b([a-z]{3,}) \1\b/i,
  'two signs in place of one': / {2}|\.\.(?!\.)/,
};
const nameOfApi = /\b[a-z]+_[a-z]+\b|\b[a-z]+[A-Z][a-z]+\b/;

/** The parts of a row that are seen or heard at once. */
function shownTexts(node: TreeNode): readonly string[] {
  return [node.label, node.description ?? '', spokenText(node)].filter((text) => text !== '');
}

/** The beginning of a commit or a revision. */
const hash = /\b[0-9a-f]{7,12}\b/g;

/** The same without what others have named in other words than ours: metrics, and members of JSON. */
function shownInWords(node: TreeNode): readonly string[] {
  const isNamed = node.kind === 'rule' || node.kind === 'provider';
  return isNamed ? shownTexts({ ...node, label: '' }) : shownTexts(node);
}

/**
 * What is wrong with a row, by its texts.
 *
 * @param ids of what has a name.
 */
function faultsOf(node: TreeNode, ids: readonly string[]): readonly string[] {
  const { description = '' } = node;
  const shown = shownTexts(node);
  const details = node.details().map(({ label, value }) => `${label}: ${value}`);
  const found = [...shown, node.sentence(), ...details]
    .filter(Boolean)
    .flatMap((text) =>
      Object.entries(faults).flatMap(([name, sign]) =>
        sign.test(text) ? [`${name}: ${text}`] : [],
      ),
    );
  // Labels are names that others gave.
  const said = spokenText({ ...node, label: '' });
  const parts = said.split(/, | · /);
  const unnamed = [
    ...shown.filter((text) => ids.some((id) => text.includes(id.slice(0, 8)))),
    // The id of what the row shows has a line, and that of something else is behind its name.
    ...details.filter((line) =>
      ids.some((id) => line.includes(id) && line !== `ID: ${id}` && !line.includes(`(${id})`)),
    ),
  ];
  return [
    ...found,
    ...[description, node.sentence()].filter((text) => nameOfApi.test(text)),
    ...parts
      .filter((part, at) => parts.indexOf(part) !== at)
      .map((part) => `${part}, twice: ${said}`),
    ...unnamed.map((text) => `an id in place of a name: ${text}`),
  ];
}

function withAllBelow(nodes: readonly TreeNode[]): readonly TreeNode[] {
  return nodes.flatMap((node) => [node, ...withAllBelow(node.children())]);
}

for (const like of likes) {
  describe(`The texts of the rows of a control plane like ${like}`, () => {
    const server = inMemoryControlPlane({ clock: fakeClock(start), historyRecords: 2000, like });
    afterEach(() => {
      assert.isEmpty(server.admin.takeReports(), 'a client must not do this');
    });

    it('read as a person says them, in each view', async () => {
      const { rows } = await allRows(server, (text) => text);
      const { sources, servers, workloads } = server.world;
      const ids = [...sources, ...servers, ...workloads].map(({ id }) => id);
      assert.isAbove(rows.length, 100);
      assert.deepEqual([...new Set(rows.flatMap((row) => faultsOf(row, ids)))], []);
    });

    it('are translated whole', async () => {
      const { rows, answers } = await allRows(server, pseudo);
      const data = dataOf([answers, server.world, ['main']]);
      const texts = rows.flatMap(shownInWords).map((text) => text.replaceAll(hash, ''));
      assert.deepEqual([...new Set(untranslated(texts, data))], []);
    });
  });
}

interface Rows {
  readonly rows: readonly TreeNode[];
  /** What the control plane has said. */
  readonly answers: readonly unknown[];
}

/** All rows of all trees, with everything expanded. */
async function allRows(
  server: InMemoryControlPlane,
  translate: (text: string) => string,
): Promise<Rows> {
  const { world, url: baseUrl } = server;
  const answers: unknown[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const response = await server.fetch(request);
    answers.push(await response.clone().json());
    return response;
  };
  const client = testClient({ baseUrl, token: () => server.key, fetch, clock: fakeClock(start) });
  const { context: english, load } = scene(client, {
    sources: world.sources.map(({ id, name }) => ({ id, label: name })),
    servers: world.servers.map(({ id, name }) => ({ id, label: name })),
  });
  const t = (message: string, ...args: (string | number)[]): string =>
    english.t(translate(message), ...args);
  const context: DataContext = { ...english, t, counted: createNumbers(t, 'en', 'en').counted };
  await load(
    ...world.sources.flatMap(({ id }) => [
      { kind: 'resources', id } as const,
      { kind: 'secrets', id } as const,
    ]),
    ...serverKeys(context),
    ...integrationKeys(context),
    { kind: 'repositories', id: '' },
  );
  await load(...world.workloads.map(({ id }) => ({ kind: 'deployments', id }) as const));
  const rows = withAllBelow([
    ...sourceNodes(context),
    ...serverNodes(context),
    ...integrationNodes(context),
    ...(await errorRows(server, context)),
    ...activityNodes(context, kinds, entriesOf(server)),
  ]);
  return { rows, answers };
}

async function errorRows(
  server: InMemoryControlPlane,
  context: DataContext,
): Promise<readonly TreeNode[]> {
  const groups = new ErrorGroups(settle, () => Promise.resolve(undefined));
  // What they say is not ours.
  const [first] = server.world.workloads;
  await groups.add(
    server.log
      .filter(({ severity, workloadId }) => severity === 'error' && workloadId === first?.id)
      .map((record) => ({ ...record, body: 'Nó ánswér.' })),
  );
  return errorNodes(context, {
    kinds: new KindOrder().sorted(groups.kinds, 'frequent', true),
    hidden: new Map(),
    muted: [],
    cameBack: new Map(),
    suspicionOf: () => undefined,
    pathOf: (file) => file,
    lineOf: ({ line }) => line,
  });
}

/** What a person has started and pushed, in several states. */
function entriesOf({ world }: InMemoryControlPlane): readonly ActivityEntry[] {
  const [source] = world.sources;
  const [server] = world.servers;
  const apps = world.workloads.filter((one) => one.source === source);
  const base = { connection, at: start - minute };
  const [following, over] = [{ kind: 'following' }, { kind: 'over' }];
  const items = ['web-api-old', 'tmp-worker'];
  const cleanUp = {
    ...base,
    kind: 'cleanUp',
    serverId: server?.id,
    serverName: server?.name,
    items,
  };
  const of = { sourceId: source?.id, sourceName: source?.name };
  const sync = {
    ...base,
    ...of,
    kind: 'sync',
    environmentId: uuid(6),
    environmentName: 'production',
  };
  const push = { ...base, ...of, kind: 'push', repository: 'file:///shop', branch: 'main' };
  const pushed = (...states: readonly string[]): object[] => [
    {
      ...{ id: uuid(6), name: 'production', isPreview: false },
      apps: states.map((state, index) => ({
        ...{ resourceId: apps[index]?.id, name: apps[index]?.name, isOptional: false, state },
        deployment: { id: uuid(20 + index), state: state === 'live' ? 'succeeded' : 'building' },
      })),
    },
  ];
  const sent = { idempotencyKey: uuid(3), body: cleanupText(items), operationId: uuid(4) };
  const states = ['succeeded', 'running', 'failed'];
  const kept = [
    ...states.map((state) => ({
      ...{ ...cleanUp, ...sent, progress: state === 'running' ? following : over },
      operation: { state, phase: state === 'succeeded' ? 'done' : 'removing' },
    })),
    { ...cleanUp, ...sent, progress: { kind: 'unknown', why: 'noAnswer' } },
    ...[following, over, { kind: 'left', why: 'nothing' }].map((progress) => ({
      ...{ ...sync, progress, sentAt: base.at, before: {} },
      deployments: [{ id: uuid(20), state: 'succeeded', createdAt: '2026-11-20T12:00:00Z' }],
    })),
    ...[
      ['waiting', 'waiting'],
      ['live', 'deploying'],
      ['live', 'live'],
      ['live', 'failed'],
    ].map((ends) => ({
      ...{ ...push, sha: '1'.repeat(40), pushedAt: base.at, progress: following },
      environments: pushed(...ends),
    })),
  ];
  return kept.map((entry, index) => {
    const read = kinds.read({ ...entry, id: uuid(100 + index) });
    assert.isDefined(read, JSON.stringify(entry));
    return read;
  });
}
