import { assert } from 'chai';
import { ApiError } from '../../../src/api/errors';
import type { ControlPlaneClient } from '../../../src/api/client';
import type { Head } from '../../../src/branch/branchEnvironments';
import { readBranch, type BranchReading, type SourceChoice } from '../../../src/branch/branch';
import { branchText } from '../../../src/branch/branchText';
import type { Position } from '../../../src/branch/commitFacts';
import { resourceKeyOf, type ResourceKey } from '../../../src/inventory/resourceKeys';
import { counted, lines, read, scene, t, uuid, type Scene } from '../inventory/treeText';

const web = { id: uuid(1), label: 'shop-web' };
const other = { id: uuid(2), label: 'other' };
const production = { id: uuid(3), name: 'production', branch: 'main' };
const staging = { id: uuid(4), name: 'staging', branch: 'develop' };
const a = 'a'.repeat(40);
const b = 'b'.repeat(40);
const head = 'f'.repeat(40);
const main: Head = { branch: 'main', commit: head };
const at = (hour: number): string => `2026-11-20T${String(hour).padStart(2, '0')}:00:00Z`;
const api = { id: uuid(10), name: 'api', environment: production };
const worker = { id: uuid(11), name: 'worker', environment: production };
const succeeded = (commitSha: string, hour: number, more: object = {}): object => ({
  id: uuid(100 + hour),
  commitSha,
  state: 'succeeded',
  createdAt: at(hour),
  ...more,
});

interface World {
  readonly resources?: object[];
  readonly deployments?: Record<string, object[]>;
  readonly client?: Partial<ControlPlaneClient>;
}

function world({ resources = [api], deployments = {}, client = {} }: World = {}): Scene {
  return scene(
    {
      listResources: (id) =>
        Promise.resolve(read('ResourceListing', { resources: id === web.id ? resources : [] })),
      listDeployments: (id) =>
        Promise.resolve(read('DeploymentListing', { deployments: deployments[id] ?? [] })),
      ...client,
    },
    { sources: [web, other] },
  );
}

interface Given {
  readonly head?: Head | undefined;
  readonly choice?: SourceChoice;
  readonly remotes?: string[];
}

function look({ context, store }: Scene, given: Given = {}): BranchReading {
  return readBranch({
    remotes: given.remotes ?? ['https://codehost.example/example/shop-web'],
    head: 'head' in given ? given.head : main,
    choice: given.choice,
    sources: context.sources(),
    store,
    holds: () => false,
  });
}

/** Loads what is requested until nothing is left, as polling does. */
async function settled(made: Scene, given: Given = {}): Promise<BranchReading> {
  for (;;) {
    const found = look(made, given);
    const missing = found.resourceKeys.filter((key) => made.store.entry(key).triedAt === undefined);
    if (missing.length === 0) return found;
    await made.load(...missing);
  }
}

function words(
  { context }: Scene,
  { state }: BranchReading,
  positions: Record<string, Position> = {},
): string {
  if (state.kind !== 'shown') return state.kind;
  const { text, label, tooltip, isBusy } = branchText(state.branch, {
    t,
    counted,
    timeFormat: context.timeFormat,
    positionOf: (sha) => positions[sha],
    sourceLabel: state.branch.source.label ?? '',
    describe: (error) => (error instanceof ApiError ? error.message : 'error'),
  });
  return [`${isBusy ? '~' : ''}${text}`, label, ...tooltip].join('\n');
}

function keys(resourceKeys: readonly ResourceKey[]): string[] {
  return resourceKeys.map(resourceKeyOf);
}

describe('The checked-out branch', () => {
  it('shows the environment of the branch, its deployed commit and the distance of HEAD', async () => {
    const made = world({ deployments: { [api.id]: [succeeded(a, 9)] } });
    const found = await settled(made);
    assert.equal(
      words(made, found, { [a]: { kind: 'counted', ahead: 2, behind: 1 } }),
      lines(`
        production aaaaaaa 2↑ 1↓
        Control plane: production runs aaaaaaa, HEAD is 2 commits ahead, 1 commit behind
        Environment of branch main:
        production (branch main)
          aaaaaaa · 3 hr. ago · HEAD is 2 commits ahead, 1 commit behind
        Uncommitted changes are not counted.
        Source: shop-web (same name as the repository)
      `),
    );
    assert.deepEqual(keys(found.resourceKeys), [`resources ${web.id}`, `deployments ${api.id}`]);
  });

  it('says if HEAD is deployed, and if the commit was not fetched', async () => {
    const made = world({ deployments: { [api.id]: [succeeded(a, 9)] } });
    const found = await settled(made);
    const firstLine = (position: Position): string | undefined =>
      words(made, found, { [a]: position }).split('\n')[0];
    assert.equal(firstLine({ kind: 'counted', ahead: 0, behind: 0 }), 'production aaaaaaa ✓');
    assert.equal(firstLine({ kind: 'counted', ahead: 0, behind: 3 }), 'production aaaaaaa 3↓');
    assert.equal(firstLine({ kind: 'notFetched' }), 'production aaaaaaa not fetched');
    assert.include(words(made, found, { [a]: { kind: 'notFetched' } }), 'not fetched');
  });

  it('shows the newest of several commits, and which apps run each', async () => {
    const made = world({
      resources: [api, worker],
      deployments: { [api.id]: [succeeded(a, 9)], [worker.id]: [succeeded(b, 11)] },
    });
    assert.equal(
      words(made, await settled(made), { [a]: { kind: 'notFetched' } }),
      lines(`
        production bbbbbbb (mixed)
        Control plane: production runs bbbbbbb, and other commits
        Environment of branch main:
        production (branch main)
          Apps and jobs run different commits, newest first:
          bbbbbbb · worker · 1 hr. ago
          aaaaaaa · api · 3 hr. ago · not fetched
        Uncommitted changes are not counted.
        Source: shop-web (same name as the repository)
      `),
    );
  });

  it('shows all environments of one branch, production first, and running deployments', async () => {
    const canary = { id: uuid(12), name: 'canary', environment: { ...staging, branch: 'main' } };
    const running = { commitSha: b, state: 'building', createdAt: at(11), startedAt: at(11) };
    const made = world({
      resources: [canary, api],
      deployments: { [api.id]: [succeeded(a, 9), running], [canary.id]: [] },
    });
    assert.equal(
      words(made, await settled(made)),
      lines(`
        ~production aaaaaaa +1 more
        Control plane: production runs aaaaaaa
        Environments of branch main:
        production (branch main)
          aaaaaaa · 3 hr. ago
          deploying: bbbbbbb
        staging (branch main)
          No deployments
        Uncommitted changes are not counted.
        Source: shop-web (same name as the repository)
      `),
    );
  });

  it('shows the preview of a branch without an environment', async () => {
    const preview = { environment: 'preview', gitRef: 'refs/heads/fix/cart' };
    const made = world({
      resources: [api, worker],
      deployments: { [api.id]: [succeeded(a, 9), succeeded(b, 10, preview)], [worker.id]: [] },
    });
    const onFix: Given = { head: { branch: 'fix/cart', commit: head } };
    const found = await settled(made, onFix);
    assert.equal(
      words(made, found),
      lines(`
        preview bbbbbbb
        Control plane: preview runs bbbbbbb
        Preview of branch fix/cart:
        preview (branch fix/cart)
          bbbbbbb · 2 hr. ago
        Uncommitted changes are not counted.
        Source: shop-web (same name as the repository)
      `),
    );
    assert.include(
      words(made, await settled(made)),
      'production aaaaaaa',
      'a preview is not production',
    );
  });

  it('shows production for comparison if the branch has no environment, or no branch is checked out', async () => {
    const stage = { id: uuid(12), name: 'stage', environment: staging };
    const made = world({
      resources: [stage, api],
      deployments: { [api.id]: [succeeded(a, 9)], [stage.id]: [succeeded(b, 9)] },
    });
    assert.equal(
      words(made, await settled(made, { head: { branch: 'idea', commit: head } })),
      lines(`
        production aaaaaaa
        Control plane: production runs aaaaaaa
        Branch idea has no environment. For comparison:
        production (branch main)
          aaaaaaa · 3 hr. ago
        Uncommitted changes are not counted.
        Source: shop-web (same name as the repository)
      `),
    );
    assert.include(
      words(made, await settled(made, { head: { commit: head } })),
      'No branch is checked out. For comparison:',
    );
  });

  it('uses the upstream branch if the own name has no environment', async () => {
    const stage = { id: uuid(12), name: 'stage', environment: staging };
    const made = world({ resources: [stage, api] });
    const followed = { head: { branch: 'mine', upstream: 'develop', commit: head } };
    assert.match(words(made, await settled(made, followed)), /^staging\n/);
  });

  it('has an environment, but no distance, before its first commit', async () => {
    const made = world({ deployments: { [api.id]: [succeeded(a, 9)] } });
    const text = words(made, await settled(made, { head: { branch: 'main' } }));
    assert.match(text, /^production aaaaaaa\n/);
    assert.include(text, 'This repository has no commits yet.');
  });

  it('says why the deployed commit is not known', async () => {
    const forbidden = new ApiError({ kind: 'http', status: 403, code: 'no', message: 'no leave' });
    const made = world({ client: { listDeployments: () => Promise.reject(forbidden) } });
    assert.equal(
      words(made, await settled(made)),
      lines(`
        production
        Control plane: production
        Environment of branch main:
        production (branch main)
          no leave
        Uncommitted changes are not counted.
        Source: shop-web (same name as the repository)
      `),
    );
  });

  it('lists a disconnected environment last, and says so', async () => {
    const gone = { ...production, id: uuid(5), disconnectedAt: at(1) };
    const made = world({
      resources: [
        { ...worker, environment: gone },
        { ...api, environment: { ...staging, branch: 'main' } },
      ],
    });
    const text = words(made, await settled(made));
    assert.match(text, /^staging \+1 more\n/);
    assert.include(text, 'production (branch main, disconnected)');
  });

  it('reads twenty apps and jobs of an environment, and says how many there are', async () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      id: uuid(1000 + index),
      name: `app-${index}`,
      environment: production,
    }));
    const made = world({ resources: many });
    const found = await settled(made);
    assert.lengthOf(found.resourceKeys, 21);
    assert.include(words(made, found), 'Shows 20 of 30 apps and jobs.');
  });

  it('ignores deployments of other environments and archived apps', async () => {
    const target = { targetEnvironment: { id: staging.id } };
    const own = { targetEnvironment: { id: production.id.toUpperCase() } };
    const made = world({
      resources: [api, { ...worker, archivedAt: at(1) }],
      deployments: {
        [api.id]: [succeeded(a, 9, own), succeeded(b, 10, target)],
        [worker.id]: [succeeded(b, 11)],
      },
    });
    assert.match(words(made, await settled(made)), /^production aaaaaaa\n/);
  });

  it('requests nothing without a repository that has a HEAD, or if it is disabled', async () => {
    const made = world();
    for (const given of [{ head: undefined }, { choice: 'none' as const }]) {
      assert.deepEqual(await settled(made, given), {
        state: { kind: 'nothing' },
        resourceKeys: [],
      });
    }
  });

  it('requests the resources of possible sources, once', async () => {
    const made = world({ resources: [] });
    const strange = { remotes: ['https://codehost.example/example/strange'] };
    assert.deepEqual(keys(look(made, strange).resourceKeys), [
      `resources ${web.id}`,
      `resources ${other.id}`,
    ]);
    const found = await settled(made, strange);
    assert.equal(found.state.kind, 'nothing');
    assert.deepEqual(found.resourceKeys, []);
  });

  it('prefers the chosen source, unless it no longer exists', async () => {
    const made = world();
    const chosen = await settled(made, {
      remotes: ['https://codehost.example/example/strange'],
      choice: { sourceId: web.id },
    });
    assert.include(words(made, chosen), 'Source: shop-web (chosen for this folder)');
    const gone = await settled(made, { choice: { sourceId: uuid(99) } });
    assert.include(words(made, gone), 'Source: shop-web (same name as the repository)');
  });

  it('shows the other sources if one cannot be read', async () => {
    const forbidden = new ApiError({ kind: 'http', status: 403, code: 'no', message: 'no leave' });
    const listResources = (id: string): ReturnType<ControlPlaneClient['listResources']> =>
      id === other.id
        ? Promise.reject(forbidden)
        : Promise.resolve(read('ResourceListing', { resources: [{ ...api, name: 'strange' }] }));
    const made = world({ client: { listResources } });
    const found = await settled(made, { remotes: ['https://codehost.example/example/strange'] });
    assert.include(words(made, found), 'its app or job has the name of the repository');
  });
});
