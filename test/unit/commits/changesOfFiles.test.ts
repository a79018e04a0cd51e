import { assert } from 'chai';
import { type ChangesReader, readChanges } from '../../../src/commits/changesOfFiles';
import type { Commit } from '../../../src/commits/commitRange';

/** A line of commits that all change one file, newest first in Git's list unless it is reversed. */
function lineOf(count: number, patch: string | undefined = '@@ -1 +1 @@\n-a\n+b\n') {
  const commits = Array.from({ length: count }, (_, index): Commit => ({
    sha: `c${index}`,
    title: '',
    parents: [`c${index + 1}`],
  }));
  const asked: string[] = [];
  const reader: ChangesReader = {
    allBetween: () => Promise.resolve([...commits].reverse()),
    commitsOfFile: () => Promise.resolve(commits),
    patchOf(_, sha) {
      asked.push(sha);
      return Promise.resolve(patch);
    },
    renameOf: () => Promise.resolve(undefined),
  };
  const read = (signal = new AbortController().signal) =>
    readChanges(reader, { from: `c${count}`, to: 'c0', files: ['a.ts'] }, signal);
  return { asked, read };
}

describe('The changes of files between two commits', () => {
  it('are read from the newest on, at most 200, in whatever order Git lists the commits', async () => {
    const { asked, read } = lineOf(250);
    const { changes } = await read();
    const newest = Array.from({ length: 200 }, (_, index) => `c${index}`);
    assert.deepEqual(asked, newest);
    assert.deepEqual(
      changes.map(({ sha }) => sha),
      newest,
    );
    assert.deepEqual(changes[0]?.origins?.get('a.ts'), { sha: 'c1', path: 'a.ts' });
  });

  it('are those of all branches that were merged, each before those that it comes from', async () => {
    const commit = (sha: string, ...parents: string[]): Commit => ({ sha, title: '', parents });
    const commits = [
      commit('merge', 'a', 'b'),
      commit('b', 'c'),
      commit('a', 'c'),
      commit('c', 'd'),
    ];
    const { changes } = await readChanges(
      {
        allBetween: () => Promise.resolve(commits),
        commitsOfFile: () => Promise.resolve(commits),
        patchOf: (parent, sha) => Promise.resolve(`${parent} ${sha}`),
        renameOf: () => Promise.resolve(undefined),
      },
      { from: 'd', to: 'merge', files: ['a.ts'] },
      new AbortController().signal,
    );
    assert.deepEqual(
      changes.map(({ patches, origins }) => [patches.get('a.ts'), origins?.get('a.ts')?.sha]),
      [
        ['a merge', 'a'],
        ['b merge', 'b'],
        ['c b', 'c'],
        ['c a', 'c'],
        ['d c', undefined],
      ],
    );
  });

  it('are bounded in all', async () => {
    const { asked, read } = lineOf(40, '+'.repeat(0.75 * 1024 * 1024));
    const { changes, tooLarge } = await read();
    assert.lengthOf(changes, 2);
    assert.lengthOf(asked, 3);
    assert.deepEqual(tooLarge, ['a.ts']);
  });

  it('end with the signal, before the next question', async () => {
    const { asked, read } = lineOf(5);
    const error = await read(AbortSignal.abort(new Error('gone'))).catch((one: unknown) => one);
    assert.propertyVal(error, 'message', 'gone');
    assert.isEmpty(asked);
  });
});
