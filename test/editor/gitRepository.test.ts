import { assert } from 'chai';
import * as vscode from 'vscode';
import { wrapRepository, type GitRepository } from '../../src/branch/ui/gitRepository';

const root = vscode.Uri.file('/code/mine');
const hash = '0123456789abcdef0123456789abcdef01234567';
const page = vscode.Uri.joinPath(root, 'page.ts');
const old = vscode.Uri.joinPath(root, 'old.ts');

const api = { toGitUri: (uri: vscode.Uri, ref: string) => uri.with({ scheme: 'git', query: ref }) };

/** A repository of another extension, whose state and methods are as given. */
function wrap(state: object, methods: object = {}): GitRepository {
  const onDidChange = (): vscode.Disposable => new vscode.Disposable(() => undefined);
  const repository = { rootUri: root, state: { onDidChange, ...state }, ...methods };
  const wrapped = wrapRepository(api, repository, () => undefined);
  if (wrapped === undefined) throw new Error('It is taken for none.');
  return wrapped;
}

describe('a repository of the Git extension', () => {
  it('is none where it is something else', () => {
    for (const other of [undefined, null, 7, {}, { rootUri: '/code' }, { rootUri: root }]) {
      assert.isUndefined(wrapRepository(api, other, () => undefined));
    }
  });

  it('says where HEAD stands, as far as that is known', () => {
    assert.isUndefined(wrap({}).head);
    assert.deepEqual(wrap({ HEAD: {} }).head, {});
    const HEAD = { name: 'main', commit: hash.toUpperCase(), upstream: { name: 'trunk' } };
    assert.deepEqual(wrap({ HEAD }).head, { branch: 'main', commit: hash, upstream: 'trunk' });
    assert.deepEqual(wrap({ HEAD: { name: 7, commit: '', upstream: null } }).head, {});
  });

  it('names the URLs of its remotes', () => {
    const remotes = [{ fetchUrl: 'a', pushUrl: 'b' }, { name: 'none' }, null, { pushUrl: 'c' }];
    assert.deepEqual(wrap({ remotes }).remotes, ['a', 'b', 'c']);
    assert.deepEqual(wrap({ remotes: 'a' }).remotes, []);
  });

  it('holds a commit only where it is that very one', async () => {
    const getCommit = (name: string): Promise<object> =>
      name === 'gone'
        ? Promise.reject(new Error('bad revision'))
        : Promise.resolve(name === 'odd' ? {} : { hash });
    const repository = wrap({}, { getCommit });
    assert.isTrue(await repository.holds(hash));
    assert.isTrue(await repository.holds(hash.slice(0, 7)));
    // A branch may be called like the beginning of a hash.
    for (const name of ['abcdef0', 'gone', 'odd']) assert.isFalse(await repository.holds(name));
    assert.isFalse(await wrap({}).holds(hash));
  });

  it('counts the commits between two', async () => {
    const ranges: unknown[] = [];
    const log = (options: unknown): Promise<unknown> => {
      ranges.push(options);
      return Promise.resolve([{}, {}]);
    };
    assert.equal(await wrap({}, { log }).count('one', 'other'), 2);
    assert.deepEqual(ranges, [{ range: 'one..other' }]);
  });

  it('tells what differs from a commit: changed, added, deleted and renamed files', async () => {
    const changes = [
      { uri: page, originalUri: page, status: 5 },
      { uri: page, status: 1 },
      { uri: page, originalUri: page, status: 6 },
      { uri: page, originalUri: old, status: 3 },
      { status: 5 },
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

  it('fails with what is missing where the extension is another than expected', async () => {
    const failures = [
      [() => wrap({}).fetch(), 'There is no method fetch.'],
      [() => wrap({}).count('one', 'other'), 'There is no method log.'],
      [() => wrap({}, { log: () => 7 }).count('one', 'other'), 'lists no commits'],
      [() => wrap({}, { diffWith: () => undefined }).changesSince(hash), 'lists no changes'],
    ] as const;
    for (const [step, message] of failures) {
      const error: unknown = await step().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      assert.instanceOf(error, TypeError);
      assert.include(error.message, message);
    }
  });
});
