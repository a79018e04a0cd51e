import { assert } from 'chai';
import { ApiError } from '../../../src/api/errors';
import type { ControlPlaneClient } from '../../../src/api/client';
import type { Head, Position } from '../../../src/commits/commitFacts';
import {
  readBranch,
  type BranchReading,
  type SourceChoice,
  branchText,
  readSourceChoice,
  withChoice,
} from '../../../src/deployed/branch';
import { cacheKeyId, type CacheKey } from '../../../src/data/store';
import { uiText } from '../../host/texts';
import { counted, gives, lines, read, scene, t, uuid, type Scene } from '../trees/treeText';

const web = { id: uuid(1), label: 'shop-web' };
const other = { id: uuid(2), label: 'other' };
const production = { id: uuid(3), name: 'production', branch: 'main' };
const staging = { id: uuid(4), name: 'staging', branch: 'develop' };
const a = 'a'.repeat(40);
const b = 'b'.repeat(40);
const head = 'f'.repeat(40);
const main: Head = { branch: 'main', commit: head };
const onIdea = { head: { branch: 'idea', commit: head } };
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

const runsA = uiText('Control plane: {0} runs {1}', 'production', 'aaaaaaa');
const ofMain = uiText('Environment of branch {0}:', 'main');
const onMain = uiText('branch {0}', 'main');
const notFetched = uiText('not fetched');
const oneMore = uiText('+{0} more', 1);
const uncommitted = uiText('Uncommitted changes are not counted.');
const byName = uiText('Source: {0} (same name as the repository)', 'shop-web');

const forbidden = new ApiError({ kind: 'http', status: 403, code: 'no', message: 'no leave' });
const strange = ['https://codehost.example/example/strange'];

interface World {
  readonly resources?: object[];
  readonly deployments?: Record<string, object[]>;
  readonly client?: Partial<ControlPlaneClient>;
}

function world({ resources = [api], deployments = {}, client = {} }: World = {}): Scene {
  return scene(
    {
      listResources: ({ sourceId: id }) =>
        Promise.resolve(read('ResourceListing', { resources: id === web.id ? resources : [] })),
      listDeployments: ({ resourceId: id }) =>
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
  /** Whether the repository has the commits of its sources. */
  readonly holds?: boolean;
}

function look({ context, store }: Scene, given: Given = {}): BranchReading {
  return readBranch({
    remotes: given.remotes ?? ['https://codehost.example/example/shop-web'],
    head: 'head' in given ? given.head : main,
    choice: given.choice,
    sources: context.sources(),
    store,
    holds: () => given.holds ?? false,
  });
}

/** Loads what is requested until nothing is left, as polling does. */
async function settled(made: Scene, given: Given = {}): Promise<BranchReading> {
  for (;;) {
    const found = look(made, given);
    const missing = found.cacheKeys.filter((key) => made.store.entry(key).triedAt === undefined);
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

async function settledWords(made: Scene, given: Given = {}): Promise<string> {
  return words(made, await settled(made, given));
}

function keys(cacheKeys: readonly CacheKey[]): string[] {
  return cacheKeys.map(cacheKeyId);
}

describe('The checked-out branch', () => {
  it('shows the environment of the branch, its deployed commit and the distance of HEAD', async () => {
    const made = world({ deployments: { [api.id]: [succeeded(a, 9)] } });
    const found = await settled(made);
    const headIs = uiText('HEAD is {0} commits ahead and {1} behind', 2, 1);
    assert.equal(
      words(made, found, { [a]: { kind: 'counted', ahead: 2, behind: 1 } }),
      lines(`
        production aaaaaaa 2↑ 1↓
        ${runsA}, ${headIs}
        ${ofMain}
        production (${onMain})
          aaaaaaa · 3 hr. ago · ${headIs}
        ${uncommitted}
        ${byName}
      `),
    );
    assert.deepEqual(keys(found.cacheKeys), [`resources ${web.id}`, `deployments ${api.id}`]);
  });

  it('says how HEAD relates to the deployed commit', async () => {
    const made = world({ deployments: { [api.id]: [succeeded(a, 9)] } });
    const found = await settled(made);
    const counted = (ahead: number, behind: number): Position => ({
      kind: 'counted',
      ahead,
      behind,
    });
    const ahead = uiText('HEAD is {0} commit ahead', 1);
    const behind = uiText('HEAD is {0} commits behind', 3);
    const cases: readonly (readonly [Position, sign: string, sentence: string])[] = [
      [counted(0, 0), '✓', uiText('the checked-out commit')],
      [counted(1, 0), '1↑', ahead],
      [counted(0, 3), '3↓', behind],
      [{ kind: 'notFetched' }, notFetched, notFetched],
    ];
    for (const [position, sign, sentence] of cases) {
      const [text, label] = words(made, found, { [a]: position }).split('\n');
      assert.deepEqual([text, label], [`production aaaaaaa ${sign}`, `${runsA}, ${sentence}`]);
    }
  });

  it('shows the newest of several commits, and which apps run each', async () => {
    const made = world({
      resources: [api, worker],
      deployments: { [api.id]: [succeeded(a, 9)], [worker.id]: [succeeded(b, 11)] },
    });
    // Not all apps run the checked-out commit, so there is no ✓.
    const positions: Record<string, Position> = {
      [a]: { kind: 'notFetched' },
      [b]: { kind: 'counted', ahead: 0, behind: 0 },
    };
    assert.equal(
      words(made, await settled(made), positions),
      lines(`
        production bbbbbbb ${uiText('(mixed)')}
        ${uiText('Control plane: {0} runs {1}', 'production', 'bbbbbbb')}, ${uiText('and other commits')}, ${uiText('the checked-out commit')}
        ${ofMain}
        production (${onMain})
          ${uiText('Apps and jobs run different commits, newest first:')}
          bbbbbbb · worker · 1 hr. ago · ${uiText('the checked-out commit')}
          aaaaaaa · api · 3 hr. ago · ${notFetched}
        ${uncommitted}
        ${byName}
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
      await settledWords(made),
      lines(`
        ~production aaaaaaa ${oneMore}
        ${runsA}
        ${uiText('Environments of branch {0}:', 'main')}
        production (${onMain})
          aaaaaaa · 3 hr. ago
          ${uiText('deploying: {0}', 'bbbbbbb')}
        staging (${onMain})
          ${uiText('No deployments')}
        ${uncommitted}
        ${byName}
      `),
    );
  });

  it('shows the preview of a branch without an environment', async () => {
    const preview = { environment: 'preview', gitRef: 'refs/heads/fix/cart' };
    const made = world({
      resources: [api, worker],
      deployments: { [api.id]: [succeeded(a, 9), succeeded(b, 10, preview)], [worker.id]: [] },
    });
    assert.equal(
      await settledWords(made, { head: { branch: 'fix/cart', commit: head } }),
      lines(`
        preview bbbbbbb
        ${uiText('Control plane: {0} runs {1}', 'preview', 'bbbbbbb')}
        ${uiText('Preview of branch {0}:', 'fix/cart')}
        preview (${uiText('branch {0}', 'fix/cart')})
          bbbbbbb · 2 hr. ago
        ${uncommitted}
        ${byName}
      `),
    );
    assert.include(await settledWords(made), 'production aaaaaaa', 'a preview is not production');
  });

  it('shows production for comparison if the branch has no environment, or no branch is checked out', async () => {
    const stage = { id: uuid(12), name: 'stage', environment: staging };
    const made = world({
      resources: [stage, api],
      deployments: { [api.id]: [succeeded(a, 9)], [stage.id]: [succeeded(b, 9)] },
    });
    assert.equal(
      await settledWords(made, onIdea),
      lines(`
        production aaaaaaa
        ${runsA}
        ${uiText('Branch {0} has no environment. For comparison:', 'idea')}
        production (${onMain})
          aaaaaaa · 3 hr. ago
        ${uncommitted}
        ${byName}
      `),
    );
    assert.include(
      await settledWords(made, { head: { commit: head } }),
      uiText('No branch is checked out. For comparison:'),
    );
  });

  it('is compared with production, otherwise with a main branch', async () => {
    for (const [first, second] of [
      ['next main', 'Production x'],
      ['next develop', 'test trunk'],
      ['preprod x', 'test master'],
    ] as const) {
      const resources = [first, second].map((text) => {
        const [name, branch] = text.split(' ');
        return { ...api, environment: { name, branch } };
      });
      const name = second.split(' ')[0];
      assert.equal((await settledWords(world({ resources }), onIdea)).split('\n')[0], name, first);
    }
  });

  it('uses the upstream branch if the own name has no environment', async () => {
    const stage = { id: uuid(12), name: 'stage', environment: staging };
    const made = world({ resources: [stage, api] });
    const followed = { head: { branch: 'mine', upstream: 'develop', commit: head } };
    assert.match(await settledWords(made, followed), /^staging\n/);
  });

  it('prefers the environment of its own name to that of the upstream branch', async () => {
    const stage = { id: uuid(12), name: 'stage', environment: staging };
    const both = { head: { branch: 'main', upstream: 'develop', commit: head } };
    for (const resources of [
      [stage, api],
      [api, stage],
    ]) {
      assert.match(await settledWords(world({ resources }), both), /^production\n/);
    }
  });

  it('has an environment, but no distance, before its first commit', async () => {
    const made = world({ deployments: { [api.id]: [succeeded(a, 9)] } });
    const text = await settledWords(made, { head: { branch: 'main' } });
    assert.match(text, /^production aaaaaaa\n/);
    assert.include(text, uiText('This repository has no commits yet.'));
  });

  it('says why the deployed commit is not known', async () => {
    const made = world({ client: { listDeployments: () => Promise.reject(forbidden) } });
    assert.equal(
      await settledWords(made),
      lines(`
        production
        ${uiText('Control plane: {0}', 'production')}
        ${ofMain}
        production (${onMain})
          no leave
        ${uncommitted}
        ${byName}
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
    const text = await settledWords(made);
    assert.equal(text.split('\n')[0], `staging ${oneMore}`);
    assert.include(text, `production (${onMain}, ${uiText('disconnected')})`);
  });

  const apps = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...api,
      id: uuid(20 + index),
      name: `app-${index}`,
    }));

  it('reads twenty apps and jobs of an environment, and says how many there are', async () => {
    const made = world({ resources: apps(30) });
    const found = await settled(made);
    assert.lengthOf(found.cacheKeys, 21);
    assert.include(words(made, found), uiText('Shows {1} of {0} apps and jobs.', 30, 20));
  });

  it('names five commits and five apps of each, and counts the others', async () => {
    const deployments: Record<string, object[]> = {};
    for (const [index, { id }] of apps(12).entries()) {
      deployments[id] = [index < 6 ? succeeded(a, 11) : succeeded(String(index - 6).repeat(40), 9)];
    }
    const text = await settledWords(world({ resources: apps(12), deployments }));
    const names = uiText('{0} and {1} more', 'app-0, app-1, app-2, app-3, app-4', 1);
    assert.include(text, `\n  aaaaaaa · ${names} · 1 hr. ago\n`);
    assert.lengthOf(text.match(/ · app-/g) ?? [], 5);
    assert.include(text, `\n  ${uiText('{0} more', 2)}\n`);
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
    assert.match(await settledWords(made), /^production aaaaaaa\n/);
  });

  it('requests nothing without a repository that has a HEAD, or if it is disabled', async () => {
    const made = world();
    for (const given of [{ head: undefined }, { choice: 'none' as const }]) {
      assert.deepEqual(await settled(made, given), {
        state: { kind: 'nothing' },
        cacheKeys: [],
      });
    }
  });

  it('requests the resources of possible sources, once', async () => {
    const made = world({ resources: [] });
    const resources = [web, other].map(({ id }) => `resources ${id}`);
    assert.deepEqual(keys(look(made, { remotes: strange }).cacheKeys), resources);
    assert.deepEqual(await settled(made, { remotes: strange }), {
      state: { kind: 'nothing' },
      cacheKeys: [],
    });
  });

  it('prefers the chosen source, unless it no longer exists', async () => {
    const made = world();
    const chosen = await settledWords(made, { remotes: strange, choice: { sourceId: web.id } });
    assert.include(chosen, uiText('Source: {0} (chosen for this folder)', 'shop-web'));
    assert.include(await settledWords(made, { choice: { sourceId: uuid(99) } }), byName);
  });

  it('shows the source whose commit it has; of several, none', async () => {
    const resources = [{ ...api, sourceRevision: a }];
    assert.include(
      await settledWords(world({ resources }), { remotes: strange, holds: true }),
      uiText('Source: {0} (this repository has its commit)', 'shop-web'),
    );
    const listResources = gives('ResourceListing', { resources });
    const both = world({ client: { listResources } });
    const { state, cacheKeys } = await settled(both, { remotes: strange, holds: true });
    assert.deepEqual([state, cacheKeys], [{ kind: 'severalSources', sources: [web, other] }, []]);
  });

  it('shows the other sources if one cannot be read', async () => {
    const listResources: ControlPlaneClient['listResources'] = ({ sourceId }) =>
      sourceId === other.id
        ? Promise.reject(forbidden)
        : Promise.resolve(read('ResourceListing', { resources: [{ ...api, name: 'strange' }] }));
    assert.include(
      await settledWords(world({ client: { listResources } }), { remotes: strange }),
      uiText('Source: {0} (its app or job has the name of the repository)', 'shop-web'),
    );
  });
});

const own = 'file:///code/mine';
const theirs = 'file:///code/theirs';

describe('The chosen source of a repository', () => {
  it('is kept for that repository, and removed on its own', () => {
    let kept: unknown = withChoice(undefined, own, { sourceId: uuid(1) });
    kept = withChoice(kept, theirs, 'none');
    assert.deepEqual(readSourceChoice(kept, own), { sourceId: uuid(1) });
    assert.equal(readSourceChoice(kept, theirs), 'none');
    kept = withChoice(kept, own, 'none');
    assert.equal(readSourceChoice(kept, own), 'none');
    kept = withChoice(kept, own, undefined);
    assert.isUndefined(readSourceChoice(kept, own));
    assert.deepEqual(kept, { [theirs]: 'none' });
  });

  it('is not set at first, nor if the kept value is invalid', () => {
    const invalid = [7, 'text', null, [uuid(1)], { [own]: 'text' }, { [own]: { sourceId: 7 } }];
    for (const kept of [undefined, ...invalid]) {
      assert.isUndefined(readSourceChoice(kept, own), JSON.stringify(kept));
      const next = withChoice(kept, own, { sourceId: uuid(1) });
      assert.deepEqual(readSourceChoice(next, own), { sourceId: uuid(1) }, JSON.stringify(kept));
    }
  });
});
