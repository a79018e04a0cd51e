import { assert } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  filesOfRange,
  kindOfRange,
  missingCommits,
  readRange,
} from '../../../src/commits/commitRange';
import { createGitFolder, type GitFolder } from '../../host/gitFolder';
import { GitCommandLine } from './gitCommandLine';

describe('What changed between two commits', () => {
  let folder: string;
  let repository: GitFolder;
  let reader: GitCommandLine;
  /** The commits by their titles. */
  const commits: Record<string, string> = {};

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'range-'));
    repository = await createGitFolder(folder);
    reader = new GitCommandLine(repository);
    const commit = async (title: string, file: string, text: string): Promise<void> => {
      commits[title] = await repository.commit(file, text, title);
    };
    await commit('start', 'a.ts', 'a\nb\nc\n');
    await commit('both', 'b.ts', 'one\n');
    await commit('main 1', 'c.ts', 'c\n');
    await commit('main 2', 'b.ts', 'two\n');
    await repository.git('mv', 'a.ts', 'd.ts');
    await commit('main 3', 'd.ts', 'a\nb\nc\n');
    await repository.git('checkout', '--quiet', '-b', 'other', commits['both'] ?? '');
    await commit('other 1', 'b.ts', 'three\n');
    await commit('other 2', 'e.ts', 'e\n');
    await commit('other 3', 'a.ts', 'a\nb\nc\nd\n');
    await repository.git('checkout', '--quiet', '--orphan', 'foreign');
    await commit('foreign', 'f.ts', 'f\n');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  interface Case {
    readonly does: string;
    readonly from: string;
    readonly to: string;
    readonly kind: ReturnType<typeof kindOfRange>;
    readonly added?: readonly string[];
    readonly removed?: readonly string[];
    readonly files: readonly (readonly [before: string | undefined, after: string | undefined])[];
  }
  const none = undefined;
  const cases: readonly Case[] = [
    {
      does: 'lists the commits that came, newest first',
      ...{ from: 'both', to: 'main 3', kind: 'forward' },
      added: ['main 3', 'main 2', 'main 1'],
      files: [
        ['a.ts', 'd.ts'],
        ['b.ts', 'b.ts'],
        [none, 'c.ts'],
      ],
    },
    {
      does: 'lists what a rollback undid, with its files the other way round',
      ...{ from: 'main 3', to: 'both', kind: 'rollback' },
      removed: ['main 3', 'main 2', 'main 1'],
      files: [
        ['b.ts', 'b.ts'],
        ['c.ts', none],
        ['d.ts', 'a.ts'],
      ],
    },
    {
      does: 'lists both sides of a rewritten history, and a file that both changed once',
      ...{ from: 'main 3', to: 'other 2', kind: 'otherHistory' },
      added: ['other 2', 'other 1'],
      removed: ['main 3', 'main 2', 'main 1'],
      files: [
        ['b.ts', 'b.ts'],
        ['c.ts', none],
        ['d.ts', 'a.ts'],
        [none, 'e.ts'],
      ],
    },
    {
      does: 'compares a file that both sides changed under the names that it has there',
      ...{ from: 'main 3', to: 'other 3', kind: 'otherHistory' },
      added: ['other 3', 'other 2', 'other 1'],
      removed: ['main 3', 'main 2', 'main 1'],
      files: [
        ['b.ts', 'b.ts'],
        ['c.ts', none],
        ['d.ts', 'a.ts'],
        [none, 'e.ts'],
      ],
    },
    {
      does: 'lists the commits of histories that have nothing in common, without files',
      ...{ from: 'both', to: 'foreign', kind: 'otherHistory' },
      added: ['foreign'],
      removed: ['both', 'start'],
      files: [],
    },
    {
      does: 'is nothing between equal commits',
      from: 'both',
      to: 'both',
      kind: 'forward',
      files: [],
    },
  ];
  for (const { does, from, to, kind, added = [], removed = [], files } of cases) {
    it(does, async () => {
      const range = await readRange(reader, commits[from] ?? '', (commits[to] ?? '').slice(0, 7));
      assert(range);
      assert.equal(kindOfRange(range), kind);
      assert.deepEqual(
        [range.added, range.removed].map((list) => list.map(({ title }) => title)),
        [[...added], [...removed]],
      );
      const found = await filesOfRange(reader, range);
      assert.sameDeepMembers(
        found.map(({ before, after }) => [before, after]),
        files.map(([before, after]) => [before, after]),
      );
    });
  }

  it('is unknown if the repository does not have a commit', async () => {
    const gone = '0123456789abcdef0123456789abcdef01234567';
    const here = commits['both'] ?? '';
    assert.isUndefined(await readRange(reader, gone, here));
    assert.isUndefined(await readRange(reader, here, gone));
    assert.deepEqual(await missingCommits(reader, [here, gone]), [gone]);
  });

  it('has a file that both sides renamed by its names on both sides', async () => {
    const changed = new Map([
      ['base from', [{ before: 'a.ts', after: 'old.ts' }]],
      ['base to', [{ before: 'a.ts', after: 'new.ts' }]],
    ]);
    const filesBetween = (from: string, to: string) =>
      Promise.resolve(changed.get(`${from} ${to}`) ?? []);
    const range = { from: 'from', to: 'to', base: 'base', added: [], removed: [] };
    assert.deepEqual(await filesOfRange({ filesBetween }, range), [
      { before: 'old.ts', after: 'new.ts' },
    ]);
  });
});
