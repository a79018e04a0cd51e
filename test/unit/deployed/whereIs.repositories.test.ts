import { assert } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Deployment, Resource } from '../../../src/api/types';
import { whereIsCommit } from '../../../src/deployed/whereIs';
import { createRandom, type Random } from '../../control-plane/random';
import { createGitFolder } from '../../host/gitFolder';
import { GitCommandLine } from '../commits/gitCommandLine';
import { shortOrLong } from '../long';
import { uuid } from '../trees/treeText';

const start = Date.UTC(2026, 10, 1);
const minute = 60_000;
const at = (minutes: number): string => new Date(start + minutes * minute).toISOString();

/** What one deployment of an app did. */
interface Step {
  /** A commit by its number; `foreign` is not in the repository, and `unnamed` has no hash. */
  readonly commit: number | 'foreign' | 'unnamed';
  readonly state: 'succeeded' | 'failed' | 'cancelled' | 'running';
  /** In minutes since the start. */
  readonly begin: number;
  readonly end: number;
}

/** The parents of each commit, by number: the first has none, and some are merges. */
function makeParents(random: Random): readonly (readonly number[])[] {
  return Array.from({ length: 6 + random.int(10) }, (_, number) => {
    if (number === 0) return [];
    const parent = random.chance(0.6) ? number - 1 : random.int(number);
    const other = random.int(number);
    return random.chance(0.25) && other !== parent ? [parent, other] : [parent];
  });
}

function makeSteps(random: Random, commits: number): readonly Step[] {
  const count = random.int(8);
  return Array.from({ length: count }, (_, index): Step => {
    const isLast = index >= count - 2;
    const odd = random.int(20);
    const begin = index * 30 + random.int(10);
    return {
      commit: odd === 0 ? 'foreign' : odd === 1 ? 'unnamed' : random.int(commits),
      state:
        isLast && random.chance(0.5)
          ? 'running'
          : random.chance(0.7)
            ? 'succeeded'
            : random.chance(0.5)
              ? 'failed'
              : 'cancelled',
      begin,
      end: begin + 1 + random.int(15),
    };
  });
}

/**
 * Plays the deployments of an app in the order of time, with what the generator knows of the history. Knows nothing of
 * Git, and nothing of how the extension looks back.
 */
function replay(steps: readonly Step[], has: (commit: Step['commit']) => boolean | undefined) {
  let live: boolean | undefined = false;
  let since: number | undefined;
  let maybeEarlier = false;
  let ever = false;
  let failed = false;
  let running: (boolean | undefined)[] = [];
  for (const { commit, state, end } of steps) {
    if (state === 'failed' && has(commit) === true) failed = true;
    if (state === 'running') running.push(has(commit));
    if (state !== 'succeeded') continue;
    // What began before a deployment that succeeded is over.
    failed = false;
    running = [];
    if (live === true) ever = true;
    const now = has(commit);
    if (now === true && live !== true) {
      since = end;
      maybeEarlier = live === undefined;
    }
    live = now;
  }
  if (live === true) return { kind: 'live', since: start + (since ?? 0) * minute, maybeEarlier };
  if (running.includes(true)) return { kind: 'coming' };
  if (running.length > 0) return { kind: 'waits' };
  if (live === undefined) return { kind: 'unknown' };
  if (failed) return { kind: 'failed' };
  return { kind: ever ? 'gone' : 'absent' };
}

describe('Where a commit is, in histories of Git', () => {
  let base: string;
  const seen = new Map<string, number>();

  before(async () => {
    base = await mkdtemp(path.join(os.tmpdir(), 'where-is-'));
  });
  after(() => rm(base, { recursive: true, force: true }));

  const production = { id: uuid(2), name: 'production' };
  const staging = { id: uuid(3), name: 'staging' };

  async function tryHistory(seed: number): Promise<void> {
    const random = createRandom(seed);
    const parents = makeParents(random.fork('parents'));
    const folder = await createGitFolder(path.join(base, String(seed)));
    const stream = parents
      .map(([first, other], number) =>
        [
          `commit refs/heads/c${number}`,
          `mark :${number + 1}`,
          `committer A Person <person@example.com> ${1_790_000_000 + number} +0000`,
          `data ${String(number).length}`,
          String(number),
          ...(first === undefined ? [] : [`from :${first + 1}`]),
          ...(other === undefined ? [] : [`merge :${other + 1}`]),
          '',
        ].join('\n'),
      )
      .join('\n');
    spawnSync('git', ['fast-import', '--quiet'], { cwd: folder.folder, input: stream });
    const names = parents.map((_, number) => `refs/heads/c${number}`);
    const shas = (await folder.git('rev-parse', ...names)).split('\n');

    const wanted = random.int(parents.length);
    const within = (commit: number): boolean =>
      commit === wanted || (parents[commit] ?? []).some(within);
    const has = (commit: Step['commit']): boolean | undefined =>
      typeof commit === 'number' ? within(commit) : undefined;
    const shaOf = (commit: Step['commit']): string | undefined =>
      typeof commit === 'number' ? shas[commit] : commit === 'foreign' ? 'f'.repeat(40) : undefined;

    const apps = [production, production, staging].map((environment, index) => {
      const resource: Resource = { id: uuid(10 + index), name: `app-${index}`, environment };
      const steps = makeSteps(random.fork(`steps ${index}`), parents.length);
      const deployments = steps.map(({ commit, state, begin, end }, step): Deployment => {
        const sha = shaOf(commit);
        return {
          id: uuid(100 * index + step),
          ...(sha === undefined ? {} : { commitSha: sha }),
          state,
          targetEnvironment: environment,
          createdAt: at(begin),
          startedAt: at(begin),
          ...(state === 'running' ? {} : { finishedAt: at(end) }),
        };
      });
      // Of other places, which say nothing of this one.
      const last = { state: 'succeeded', commitSha: shas[wanted]!, createdAt: at(1000) };
      const others = [
        { ...last, targetEnvironment: environment === production ? staging : production },
        { ...last, environment: 'preview', gitRef: 'main' },
      ];
      const all = [...others, ...deployments];
      return { resource, steps, deployments: random.chance(0.5) ? all : all.reverse() };
    });

    const places = await whereIsCommit(
      apps.map(({ resource }) => resource),
      ({ id }) => apps.find(({ resource }) => resource.id === id)?.deployments ?? [],
      shas[wanted]!,
      new GitCommandLine(folder),
    );
    const expected = apps.map(({ steps }) => replay(steps, has));
    assert.deepEqual(
      places.map(({ where }) => where),
      expected as unknown as (typeof places)[number]['where'][],
      `seed ${seed}`,
    );
    for (const { kind } of expected) seen.set(kind, (seen.get(kind) ?? 0) + 1);
  }

  it('is what a replay of all deployments says', async () => {
    for (let seed = 1; seed <= shortOrLong(24, 50); seed++) await tryHistory(seed);
    for (const kind of ['live', 'coming', 'waits', 'gone', 'absent']) {
      assert.isAbove(seen.get(kind) ?? 0, 0, kind);
    }
  });
});
