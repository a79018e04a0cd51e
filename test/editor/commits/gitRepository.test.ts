import { assert } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { GitRepository, type ApiRepository } from '../../../src/commits/ui/gitRepository';
import { createGitFolder, gitFolder } from '../../host/gitFolder';
import { covers } from '../../unit/covers';

const root = vscode.Uri.file('/code/mine');
const hash = '0123456789abcdef0123456789abcdef01234567';
const page = vscode.Uri.joinPath(root, 'page.ts');
const old = vscode.Uri.joinPath(root, 'old.ts');

const api = { toGitUri: (uri: vscode.Uri, ref: string) => uri.with({ scheme: 'git', query: ref }) };

function wrap(
  state: Partial<ApiRepository['state']>,
  methods: Partial<ApiRepository> = {},
  rootUri = root,
): GitRepository {
  const never = (): never => assert.fail('this is never called');
  const repository: ApiRepository = {
    ...{ rootUri, getCommit: never, log: never, diffWith: never, fetch: never },
    ...{ getObjectDetails: never, show: never, getMergeBase: never, diffBetween: never },
    ...{ getConfig: never, getGlobalConfig: never, diffBlobs: never, blame: never },
    ...methods,
    state: {
      ...{ HEAD: undefined, remotes: [] },
      onDidChange: () => new vscode.Disposable(() => undefined),
      ...state,
    },
  };
  return new GitRepository(api, repository);
}

describe('A repository of the Git extension', () => {
  it('returns branch, commit and upstream of HEAD as far as they are known', () => {
    assert.isUndefined(wrap({}).head);
    assert.deepEqual(wrap({ HEAD: {} }).head, {});
    const HEAD = {
      name: 'main',
      commit: hash.toUpperCase(),
      upstream: { remote: 'origin', name: 'trunk' },
    };
    assert.deepEqual(wrap({ HEAD }).head, { branch: 'main', commit: hash, upstream: 'trunk' });
  });

  it('returns the URLs of its remotes', () => {
    const remotes = [{ fetchUrl: 'a', pushUrl: 'b' }, {}, { pushUrl: 'c' }];
    assert.deepEqual(wrap({ remotes }).remotes, ['a', 'b', 'c']);
  });

  it('contains a commit only if the hash matches', async () => {
    const getCommit = (name: string): Promise<{ hash: string }> =>
      name === 'gone' ? Promise.reject(new Error('bad revision')) : Promise.resolve({ hash });
    const repository = wrap({}, { getCommit });
    assert.isTrue(await repository.holds(hash));
    assert.isTrue(await repository.holds(hash.slice(0, 7)));
    // A branch may have the same name as the beginning of a hash.
    for (const name of ['abcdef0', 'gone']) assert.isFalse(await repository.holds(name));
  });

  it(`reads a file at a commit, but none that is too large or not there ${covers('F94', 'editor')}`, async () => {
    const asked: string[][] = [];
    const repository = wrap(
      {},
      {
        getCommit: () => Promise.resolve({ hash }),
        diffWith: () => Promise.resolve([]),
        getObjectDetails: (...args) => {
          asked.push(args);
          if (args[1].endsWith('old.ts')) return Promise.reject(new Error('Path not known by git'));
          return Promise.resolve({ object: hash, size: 10 });
        },
        show: (...args) => {
          asked.push(args);
          return Promise.resolve('text');
        },
      },
    );
    assert.equal(await repository.textAt(hash.slice(0, 7), page, 10), 'text');
    // The whole hash, which no branch can have as its name.
    assert.deepEqual(asked, [
      [hash, page.fsPath],
      [hash, page.fsPath],
    ]);
    assert.isUndefined(await repository.textAt(hash, page, 9));
    assert.isUndefined(await repository.textAt(hash, old, 10));
    assert.isUndefined(await repository.textAt('abcdef0', page, 10));
    const count = asked.length;
    for (const sha of ['--output=x', 'HEAD', 'main', '0123456:page.ts', '']) {
      assert.isUndefined(await repository.textAt(sha, page, 10));
    }
    assert.lengthOf(asked, count);
  });

  it(`reads a renamed file at a commit by its former path ${covers('F94', 'editor')}`, async () => {
    let compared = 0;
    const repository = wrap(
      {},
      {
        getCommit: () => Promise.resolve({ hash }),
        getObjectDetails: (_, path) =>
          path === old.fsPath
            ? Promise.resolve({ object: hash, size: 10 })
            : Promise.reject(new Error('Path not known by git')),
        show: (_, path) => Promise.resolve(`text of ${path}`),
        diffWith: () => {
          compared++;
          return Promise.resolve([
            { uri: page, originalUri: old, status: 3 },
            { uri: old, originalUri: old, status: 5 },
          ]);
        },
      },
    );
    assert.equal(await repository.textAt(hash, page, 10), `text of ${old.fsPath}`);
    assert.isUndefined(await repository.textAt(hash, page, 9));
    assert.isUndefined(await repository.textAt(hash, root, 10));
    const names = (await repository.renamedSince(hash)).map(({ from, to }) => [from, to].join(' '));
    assert.deepEqual(names, [[old, page].join(' ')]);
    assert.isEmpty(await repository.renamedSince('--all'));
    assert.equal(compared, 1, 'once for each commit and HEAD');
  });

  it(`reads what moved a remote branch, of its worktrees too, unless the log is too large ${covers('F97', 'editor')}`, async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'moves-'));
    try {
      const code = await createGitFolder(path.join(folder, 'mine'));
      await code.git('init', '--quiet', '--bare', '../origin.git');
      await code.git('remote', 'add', 'origin', '../origin.git');
      const first = await code.commit('page.ts', 'export {};\n');
      await code.git('push', '--quiet', 'origin', 'main:größe/日本');
      await code.git('worktree', 'add', '--quiet', '-b', 'other', '../tree');
      const tree = gitFolder(path.join(folder, 'tree'));
      const second = await tree.commit('page.ts', 'export const a = 1;\n');
      await tree.git('push', '--quiet', 'origin', 'other:größe/日本');
      for (const { folder: path } of [code, tree]) {
        const repository = wrap({}, {}, vscode.Uri.file(path));
        const moves = await repository.upstreamMoves('origin/größe/日本');
        assert.deepEqual(
          moves.map(({ from, to, message }) => [from, to, message]),
          [
            [undefined, first, 'update by push'],
            [first, second, 'update by push'],
          ],
        );
        assert.isEmpty(await repository.upstreamMoves('origin/gone'));
      }
      const log = path.join(code.folder, '.git/logs/refs/remotes/origin/größe/日本');
      await writeFile(log, `${first} ${second} A <a@b.c> 1 +0000\tupdate by push\n`.repeat(50_000));
      const repository = wrap({}, {}, vscode.Uri.file(code.folder));
      assert.isEmpty(await repository.upstreamMoves('origin/größe/日本'));
    } finally {
      await rm(folder, { recursive: true, maxRetries: 10 });
    }
  });

  it('counts the commits between two commits', async () => {
    const ranges: unknown[] = [];
    const log: ApiRepository['log'] = (options) => {
      ranges.push(options);
      const commit = { hash, message: '', parents: [] };
      return Promise.resolve([commit, commit]);
    };
    assert.equal(await wrap({}, { log }).count('one', 'other'), 2);
    assert.deepEqual(ranges, [{ range: 'one..other' }]);
  });

  it('reads commits with what is known of them, and the files that they changed', async () => {
    const asked: unknown[] = [];
    const authorDate = new Date(1000);
    const changes = [
      { uri: page, originalUri: page, status: 1 },
      { uri: page, originalUri: page, status: 6 },
      { uri: page, originalUri: old, status: 3 },
    ];
    const message = 'Add a page\n\nIt is blue.';
    const repository = wrap(
      {},
      {
        log: (options) => {
          asked.push(options);
          const known = { authorName: 'A Person', authorDate, shortStat: { files: 2 } };
          const commit = { hash, message, parents: ['parent'] };
          return Promise.resolve([{ ...commit, ...known }, commit]);
        },
        diffBetween: (() => Promise.resolve(changes)) as unknown as ApiRepository['diffBetween'],
      },
    );
    const commit = { sha: hash, title: 'Add a page', parents: ['parent'] };
    assert.deepEqual(await repository.commitsBetween('one', 'other'), [
      { ...commit, author: 'A Person', at: 1000, files: 2 },
      commit,
    ]);
    await repository.commitsBetween('one', 'other', page);
    assert.deepEqual(asked, [
      { range: 'one..other', shortStats: true },
      { range: 'one..other', path: page.fsPath },
    ]);
    const [name, before] = [page.toString(), old.toString()];
    assert.deepEqual(await repository.filesBetween('one', 'other'), [
      { before: undefined, after: name },
      { before: name, after: undefined },
      { before, after: name },
    ]);
  });

  it('lists the changes since a commit: modified, added, deleted and renamed files', async () => {
    const changes = [
      { uri: page, originalUri: page, status: 5 },
      { uri: page, originalUri: page, status: 1 },
      { uri: page, originalUri: page, status: 6 },
      { uri: page, originalUri: old, status: 3 },
    ];
    const repository = wrap({}, { diffWith: () => Promise.resolve(changes) });
    const found = await repository.changesSince(hash);
    const before = (uri: vscode.Uri): string => api.toGitUri(uri, hash).toString();
    assert.deepEqual(
      found.map(({ original, modified }) => [original?.toString(), modified?.toString()]),
      [
        [before(page), page.toString()],
        [undefined, page.toString()],
        [before(page), undefined],
        [before(old), page.toString()],
      ],
    );
  });
});
