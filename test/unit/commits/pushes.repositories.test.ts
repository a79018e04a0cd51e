import { assert } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PushDetector, type PushSeen } from '../../../src/commits/pushes';
import { type GitFolder, gitFolder } from '../../host/gitFolder';
import { covers } from '../covers';
import { GitCommandLine } from './gitCommandLine';

/** How Git knows who commits. */
type Identity = 'global' | 'local' | 'environment';

const email = 'me@example.com';

/** A remote repository with a checkout of it, and a detector that has looked at that once. */
class Scene {
  private readonly detector = new PushDetector({ now: () => Date.now() });

  private constructor(
    readonly base: string,
    readonly own: GitFolder,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  static async create(base: string, identity: Identity = 'global'): Promise<Scene> {
    const settings = path.join(base, 'settings');
    const user = `[user]\n\tname = Me\n\temail = ${email}\n`;
    await writeFile(settings, identity === 'global' ? user : '');
    const env: NodeJS.ProcessEnv = { GIT_CONFIG_GLOBAL: settings };
    if (identity === 'environment') {
      Object.assign(env, { GIT_AUTHOR_NAME: 'Me', GIT_AUTHOR_EMAIL: email });
      Object.assign(env, { GIT_COMMITTER_NAME: 'Me', GIT_COMMITTER_EMAIL: email });
    }
    const outside = gitFolder(base, [], env);
    await outside.git('init', '--quiet', '--bare', '--initial-branch=main', 'origin.git');
    await outside.git('clone', '--quiet', 'origin.git', 'mine');
    const scene = new Scene(base, gitFolder(path.join(base, 'mine'), [], env), env);
    if (identity === 'local') {
      await scene.own.git('config', 'user.name', 'Me');
      await scene.own.git('config', 'user.email', email);
    }
    await scene.own.commit('a.txt', 'start\n');
    await scene.own.git('push', '--quiet', '--set-upstream', 'origin', 'main');
    await scene.see();
    return scene;
  }

  folder(name: string): GitFolder {
    return gitFolder(path.join(this.base, name), [], this.env);
  }

  async see(repository = this.own): Promise<PushSeen | undefined> {
    const reader = new GitCommandLine(repository);
    return this.detector.see(repository.folder, await reader.trackedBranch(), reader);
  }

  /** What the host does with a pull request of mine: a commit with my address. Returns its hash. */
  async squash(branch = 'main', file = 'squash.txt'): Promise<string> {
    const host = await mkdtemp(path.join(this.base, 'host-'));
    await gitFolder(this.base, [], this.env).git('clone', '--quiet', 'origin.git', host);
    const settings = ['-c', 'user.name=Me', '-c', `user.email=${email}`];
    const folder = gitFolder(host, settings, this.env);
    await folder.git('checkout', '--quiet', branch);
    const sha = await folder.commit(file, 'squash\n', 'My feature');
    await folder.git('push', '--quiet');
    return sha;
  }
}

describe('A push of a real repository', () => {
  let base: string;
  beforeEach(async () => {
    base = await mkdtemp(path.join(os.tmpdir(), 'pushes-'));
  });
  afterEach(() => rm(base, { recursive: true, force: true, maxRetries: 10 }));

  for (const identity of ['global', 'local', 'environment'] as const) {
    it(`is seen with its commit in one step, and a pull of one's own squash merge is none; identity: ${identity} ${covers('F97', 'unit')}`, async () => {
      const scene = await Scene.create(base, identity);
      const before = await scene.own.git('rev-parse', 'HEAD');
      const began = Math.floor(Date.now() / 1000) * 1000;
      const sha = await scene.own.commit('a.txt', 'two\n');
      await scene.own.git('push', '--quiet');
      const push = await scene.see();
      assert.deepInclude(push, { before, sha, branch: 'main' });
      assert.isAtLeast(push?.at ?? 0, began);
      assert.isAtMost(push?.at ?? Infinity, Date.now());
      assert.isUndefined(await scene.see(), 'once');

      await scene.squash();
      await scene.own.git('pull', '--quiet', '--ff-only');
      assert.isUndefined(await scene.see());
    });
  }

  it(`is not a fetch of what another clone of mine pushed, even of a commit that HEAD has ${covers('F97', 'unit')}`, async () => {
    const scene = await Scene.create(base);
    const sha = await scene.own.commit('a.txt', 'two\n');
    await scene.see();
    // To the address, which moves no remote branch here.
    await scene.own.git('push', '--quiet', path.join(base, 'origin.git'), 'main:refs/heads/other');
    await scene.own.git(
      'clone',
      '--quiet',
      '--branch=other',
      path.join(base, 'origin.git'),
      '../two',
    );
    await scene.folder('two').git('push', '--quiet', 'origin', 'other:main');
    await scene.own.git('fetch', '--quiet');
    assert.equal(await scene.own.git('rev-parse', 'origin/main'), sha);
    assert.isUndefined(await scene.see());
  });

  it('is not what a fresh clone finds', async () => {
    const scene = await Scene.create(base);
    await scene.own.git('clone', '--quiet', path.join(base, 'origin.git'), '../fresh');
    const fresh = scene.folder('fresh');
    assert.isUndefined(await scene.see(fresh));
    await scene.squash();
    await fresh.git('pull', '--quiet');
    assert.isUndefined(await scene.see(fresh));
    const before = await fresh.git('rev-parse', 'HEAD');
    const sha = await fresh.commit('a.txt', 'fresh\n');
    await fresh.git('push', '--quiet');
    assert.deepInclude(await scene.see(fresh), { before, sha });
  });

  it('is the last one of two between two looks, and the one before a fetch', async () => {
    const scene = await Scene.create(base);
    const first = await scene.own.commit('a.txt', 'two\n');
    await scene.own.git('push', '--quiet');
    const second = await scene.own.commit('a.txt', 'three\n');
    await scene.own.git('push', '--quiet');
    assert.deepInclude(await scene.see(), { before: first, sha: second });

    const third = await scene.own.commit('a.txt', 'four\n');
    await scene.own.git('push', '--quiet');
    await scene.squash();
    await scene.own.git('fetch', '--quiet');
    assert.deepInclude(await scene.see(), { before: second, sha: third });
  });

  it('comes after a pull with a rebase', async () => {
    const scene = await Scene.create(base);
    await scene.own.commit('a.txt', 'two\n');
    const before = await scene.squash();
    await scene.own.git('pull', '--quiet', '--rebase');
    await scene.own.git('push', '--quiet');
    const sha = await scene.own.git('rev-parse', 'HEAD');
    assert.deepInclude(await scene.see(), { before, sha });
  });

  it('goes back to an older commit by force, and forth again to the same one at another time', async () => {
    const scene = await Scene.create(base);
    const old = await scene.own.git('rev-parse', 'HEAD');
    const sha = await scene.own.commit('a.txt', 'two\n');
    const push = (commit: string, at: number): Promise<string> =>
      gitFolder(scene.own.folder, ['-c', 'user.name=Me', '-c', `user.email=${email}`], {
        GIT_COMMITTER_DATE: `${at} +0000`,
      }).git('push', '--quiet', '--force', 'origin', `${commit}:main`);
    await push(sha, 1_790_000_000);
    assert.deepInclude(await scene.see(), { before: old, sha, at: 1_790_000_000_000 });
    await push(old, 1_790_000_100);
    assert.deepInclude(await scene.see(), { before: sha, sha: old, at: 1_790_000_100_000 });
    await push(sha, 1_790_000_200);
    assert.deepInclude(await scene.see(), { before: old, sha, at: 1_790_000_200_000 });
    // A colleague forces it back, and a fetch shows that.
    const folder = path.join(base, 'colleague');
    await scene.own.git('clone', '--quiet', path.join(base, 'origin.git'), folder);
    await scene.folder('colleague').git('push', '--quiet', '--force', 'origin', `${old}:main`);
    await scene.own.git('fetch', '--quiet');
    assert.isUndefined(await scene.see());
  });

  it('goes to an upstream of another name, with slashes and letters of any language', async () => {
    const scene = await Scene.create(base);
    const git = (...args: string[]): Promise<string> => scene.own.git(...args);
    await git('checkout', '--quiet', '-b', 'größe/日本', '--no-track');
    const start = await scene.own.commit('a.txt', 'branch\n');
    assert.isUndefined(await scene.see());
    await git('push', '--quiet', '--set-upstream', 'origin', 'HEAD:Größe/ünder/日本語');
    assert.deepInclude(await scene.see(), { before: undefined, sha: start, branch: 'größe/日本' });
    await git('config', 'push.default', 'upstream');
    const sha = await scene.own.commit('a.txt', 'more\n');
    await git('push', '--quiet');
    assert.deepInclude(await scene.see(), { before: start, sha });
    await scene.squash('Größe/ünder/日本語');
    await git('pull', '--quiet');
    assert.isUndefined(await scene.see());
  });

  it('of a new branch is seen with its commit in one step, and a checkout is none', async () => {
    const scene = await Scene.create(base);
    const git = (...args: string[]): Promise<string> => scene.own.git(...args);
    await git('checkout', '--quiet', '-b', 'topic', '--no-track');
    await scene.see();
    const sha = await scene.own.commit('a.txt', 'topic\n');
    await git('push', '--quiet', '--set-upstream', 'origin', 'topic');
    assert.deepInclude(await scene.see(), { before: undefined, sha, branch: 'topic' });
    await git('checkout', '--quiet', 'main');
    assert.isUndefined(await scene.see());
    await git('checkout', '--quiet', 'topic');
    assert.isUndefined(await scene.see());
  });

  it('is seen with packed refs, and after the log was packed away', async () => {
    const scene = await Scene.create(base);
    const git = (...args: string[]): Promise<string> => scene.own.git(...args);
    await git('pack-refs', '--all');
    const sha = await scene.own.commit('a.txt', 'two\n');
    await git('push', '--quiet');
    await git('pack-refs', '--all');
    assert.deepInclude(await scene.see(), { sha });
    await git('reflog', 'expire', '--expire=now', '--all');
    const next = await scene.own.commit('a.txt', 'three\n');
    await git('push', '--quiet');
    assert.deepInclude(await scene.see(), { before: sha, sha: next });
  });

  it('from another worktree of the same repository is seen, and one in a worktree', async () => {
    const scene = await Scene.create(base);
    const git = (...args: string[]): Promise<string> => scene.own.git(...args);
    const sha = await scene.own.commit('a.txt', 'two\n');
    await git('worktree', 'add', '--quiet', '-b', 'topic', '../tree');
    const tree = scene.folder('tree');
    await tree.git('push', '--quiet', 'origin', 'main');
    assert.deepInclude(await scene.see(), { sha });

    await tree.git('push', '--quiet', '--set-upstream', 'origin', 'topic');
    await scene.see(tree);
    const topic = await tree.commit('b.txt', 'tree\n');
    await tree.git('push', '--quiet');
    const push = await scene.see(tree);
    assert.deepInclude(push, { sha: topic, before: sha });
    assert.isDefined(push?.at);
    await scene.squash('topic');
    await tree.git('pull', '--quiet');
    assert.isUndefined(await scene.see(tree));
  });

  it('in a submodule is seen', async () => {
    const scene = await Scene.create(base);
    const outer = gitFolder(scene.own.folder, ['-c', 'protocol.file.allow=always'], {
      GIT_CONFIG_GLOBAL: path.join(base, 'settings'),
    });
    await outer.git('submodule', '--quiet', 'add', path.join(base, 'origin.git'), 'inner');
    const inner = scene.folder('mine/inner');
    await scene.see(inner);
    const sha = await inner.commit('a.txt', 'inner\n');
    await inner.git('push', '--quiet');
    const push = await scene.see(inner);
    assert.deepInclude(push, { sha });
    assert.isDefined(push?.at);
  });

  it('is told by what HEAD had before if Git keeps no log', async () => {
    const scene = await Scene.create(base);
    const git = (...args: string[]): Promise<string> => scene.own.git(...args);
    await git('config', 'core.logAllRefUpdates', 'false');
    await rm(path.join(scene.own.folder, '.git', 'logs'), { recursive: true });
    const sha = await scene.own.commit('a.txt', 'two\n');
    assert.isUndefined(await scene.see());
    await git('push', '--quiet');
    assert.deepInclude(await scene.see(), { sha, at: undefined });
    await scene.squash();
    await git('pull', '--quiet');
    assert.isUndefined(await scene.see());
  });
});
