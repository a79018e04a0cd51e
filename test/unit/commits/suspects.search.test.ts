import { assert } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findSuspects, type SuspectQuestion } from '../../../src/commits/suspects';
import { createGitFolder } from '../../host/gitFolder';
import { GitCommandLine } from './gitCommandLine';

describe('The search for the commit behind an error', () => {
  let folder: string;
  let reader: GitCommandLine;
  const commits: string[] = [];
  const code = (value: string): string =>
    ['function price(order) {', `  return ${value};`, '}', ''].join('\n');

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'suspect-'));
    const repository = await createGitFolder(folder);
    reader = new GitCommandLine(repository);
    commits.push(await repository.commit('price.js', code('order.sum'), 'Start'));
    commits.push(await repository.commit('README.md', 'Orders\n', 'Say what it is'));
    commits.push(await repository.commit('price.js', code('order.total.sum'), 'Count all'));
    commits.push(await repository.commit('README.md', 'All orders\n', 'Say more'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const find = (
    from: number,
    to: number,
    file = 'price.js',
    signal = new AbortController().signal,
  ) => {
    const question: SuspectQuestion = {
      before: commits[from] ?? '',
      now: commits[to] ?? '',
      message: "Cannot read properties of undefined (reading 'sum')",
      places: [{ file, line: 2 }],
    };
    return findSuspects(reader, question, signal);
  };

  it('finds the one that changed the line, with author and time', async () => {
    const [suspect, ...others] = (await find(0, 3)) ?? [];
    assert.isEmpty(others);
    assert.deepInclude(suspect, { reason: 'line', file: 'price.js' });
    const { sha, title, author } = suspect?.commit ?? {};
    assert.deepEqual([sha, title, author], [commits[2], 'Count all', 'A Person']);
  });

  it('finds none if no commit touches the stack, and after a rollback', async () => {
    assert.deepEqual(await find(2, 3), []);
    assert.deepEqual(await find(3, 0), []);
    assert.deepEqual(await find(0, 3, 'other.js'), []);
  });

  it('does not know without the commits, and ends with its row', async () => {
    commits.push('0123456789abcdef0123456789abcdef01234567');
    assert.isUndefined(await find(0, 4));
    const signal = AbortSignal.abort(new Error('gone'));
    const error = await find(0, 3, 'price.js', signal).catch((reason: unknown) => reason);
    assert.propertyVal(error, 'message', 'gone');
  });
});
