import { assert } from 'chai';
import { readRefMoves, refMoves } from '../../../src/commits/refLog';

const [none, a, b] = ['0', 'a', 'b'].map((digit) => digit.repeat(40)) as [string, string, string];

describe('The log of a ref', () => {
  it('has its moves, and skips lines that are none', () => {
    const lines = [
      `${none} ${a} A Person <a@example.com> 1790000000 +0200\tupdate by push`,
      `${a} ${b.toUpperCase()} An 1 +0000 Other <> 1790000001 -0930\tfetch origin: fast-forward\tx`,
      `${b} ${a} No Message <a@example.com> 1790000002 +0000`,
      `${b} ${a} A Person <a@example.com> later +0000\tupdate by push`,
      `${b} main A Person <a@example.com> 1790000003 +0000\tupdate by push`,
      '',
    ];
    assert.deepEqual(refMoves(lines.join('\n')), [
      { from: undefined, to: a, at: 1_790_000_000_000, message: 'update by push' },
      { from: a, to: b, at: 1_790_000_001_000, message: 'fetch origin: fast-forward' },
      { from: b, to: a, at: 1_790_000_002_000, message: '' },
    ]);
  });

  const line = `${none} ${a} A <a@example.com> 1790000000 +0000\tupdate by push\n`;
  /** Where the log of a repository is found, from its files. */
  const places: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'in its folder': { '/code/.git/logs/refs/remotes/origin/main': line },
    'in the folder of a submodule': {
      '/code/.git': 'gitdir: ../.git/modules/code\n',
      '/code/../.git/modules/code/logs/refs/remotes/origin/main': line,
    },
    'in the folder that worktrees share': {
      '/code/.git': 'gitdir: /main/.git/worktrees/code\n',
      '/main/.git/worktrees/code/commondir': '../..\n',
      '/main/.git/worktrees/code/../../logs/refs/remotes/origin/main': line,
    },
    'on a drive of Windows': {
      '/code/.git': 'gitdir: C:/main/.git/worktrees/code\r\n',
      'C:/main/.git/worktrees/code/commondir': 'C:/main/.git\r\n',
      'C:/main/.git/logs/refs/remotes/origin/main': line,
    },
  };
  for (const [where, files] of Object.entries(places)) {
    it(`is ${where}`, async () => {
      const moves = await readRefMoves(
        (path) => Promise.resolve(files[path]),
        '/code',
        'refs/remotes/origin/main',
      );
      assert.lengthOf(moves, 1);
    });
  }

  it('is nowhere if Git keeps none, and never outside of its folder', async () => {
    const read: string[] = [];
    const readFile = (path: string): Promise<undefined> => {
      read.push(path);
      return Promise.resolve(undefined);
    };
    assert.isEmpty(await readRefMoves(readFile, '/code', 'refs/remotes/../../config'));
    assert.isEmpty(read);
    assert.isEmpty(await readRefMoves(readFile, '/code', 'refs/remotes/origin/main'));
    assert.include(read, '/code/.git/logs/refs/remotes/origin/main');
  });
});
