import { assert } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findSuspects, type FoundSuspects } from '../../../src/commits/suspects';
import { createGitFolder, type GitFolder } from '../../host/gitFolder';
import { covers } from '../covers';
import { GitCommandLine } from './gitCommandLine';

const good = '  return order.sum;';
const bad = '  return order.campaign.percent;';

/** Functions of ten lines: 40 is the line that fails, in the fourth. */
function code(line40 = good): string {
  const lines = Array.from({ length: 60 }, (_, index) => {
    if (index === 39) return line40;
    if (index % 10 === 0) return `function f${index}(order) {`;
    return index % 10 === 9 ? '}' : `  step(${index});`;
  });
  return `${lines.join('\n')}\n`;
}

const withTabs = (text: string): string => text.replace(/^ {2}/gm, '\t');

describe('The commit behind an error in a real repository', () => {
  let folder: string;
  let repository: GitFolder;
  /** The hash of the first commit. */
  let start: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'suspects-'));
    repository = await createGitFolder(folder);
    start = await repository.commit('price.js', code(), 'Start');
  });
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));

  const git = (...args: string[]): Promise<string> => repository.git(...args);
  const commit = (text: string, message: string, file = 'price.js'): Promise<string> =>
    repository.commit(file, text, message);

  async function find(line = 40, file = 'price.js', from = start): Promise<FoundSuspects> {
    const question = {
      ...{ before: from, now: await git('rev-parse', 'HEAD') },
      message: "Cannot read properties of undefined (reading 'percent')",
      places: [{ file, line }],
    };
    const reader = new GitCommandLine(repository);
    const found = await findSuspects(reader, question, new AbortController().signal);
    assert(found);
    return found;
  }

  /** `title (reason)` of each, the likeliest first. */
  async function suspects(line = 40, file = 'price.js'): Promise<string[]> {
    const { commits } = await find(line, file);
    return commits.map((one) => `${one.commit.title} (${one.reason})`);
  }

  it(`is not one that changed only white space: tabs, line ends, a blank line ${covers('F104', 'unit')}`, async () => {
    await commit(code(bad), 'Culprit');
    await commit(withTabs(code(bad)), 'Tabs');
    await commit(withTabs(code(bad)).replaceAll('\n', '\r\n'), 'Line ends');
    const shifted = withTabs(code(bad)).replace('\treturn', '\n\treturn').replaceAll('\n', '\r\n');
    await commit(shifted, 'A blank line');
    assert.deepEqual(await suspects(41), ['Culprit (line)']);
    // Of the formatting alone, none.
    const formatted = await find(41, 'price.js', await git('rev-parse', 'HEAD~3'));
    assert.isEmpty(formatted.commits);
  });

  it(`is found through renames, which are not suspected themselves ${covers('F104', 'unit')}`, async () => {
    await commit(code(bad), 'Culprit');
    await git('mv', 'price.js', 'order.js');
    await git('commit', '--quiet', '--message', 'Rename');
    await git('mv', 'order.js', 'total.js');
    await commit(`// licence\n// MIT\n${code(bad)}`, 'Rename and a licence', 'total.js');
    assert.deepEqual(await suspects(42, 'total.js'), ['Culprit (line)']);
    const [culprit] = (await find(42, 'total.js')).commits;
    assert.equal(culprit?.file, 'price.js', 'where it was at that commit');
  });

  it(`is none if a file was only renamed, and the one that added a new file ${covers('F104', 'unit')}`, async () => {
    await git('mv', 'price.js', 'order.js');
    await git('commit', '--quiet', '--message', 'Rename');
    assert.isEmpty(await suspects(40, 'order.js'));
    await commit(code(bad).replaceAll('step', 'other'), 'A new file', 'new.js');
    assert.deepEqual(await suspects(40, 'new.js'), ['A new file (line)']);
  });

  it(`is the one of the branch, never its clean merge, whichever side was merged ${covers('F104', 'unit')}`, async () => {
    await git('checkout', '--quiet', '-b', 'feature');
    await commit(code(bad), 'Culprit');
    await git('checkout', '--quiet', 'main');
    const top = ['// one', '// two', '// three', ''].join('\n');
    await commit(`${top}${code()}`, 'Other lines');
    await git('merge', '--quiet', '--no-ff', '--message', 'Merge feature', 'feature');
    assert.deepEqual(await suspects(43), ['Culprit (line)']);

    await git('checkout', '--quiet', 'feature');
    await commit(code(bad).replace('step(3)', 'step(33)'), 'More work');
    await git('merge', '--quiet', '--no-ff', '--message', 'Merge main', 'main~1');
    await git('merge', '--quiet', '--no-ff', '--message', 'Merge main again', 'main');
    assert.deepEqual(await suspects(43), ['Culprit (line)']);
  });

  it('is followed to where a merge took the file from', async () => {
    await git('checkout', '--quiet', '-b', 'feature');
    await commit(`// one\n// two\n${code(bad)}`, 'Culprit');
    await git('checkout', '--quiet', 'main');
    await commit('Orders\n', 'Say what it is', 'README.md');
    await git('merge', '--quiet', '--no-ff', '--message', 'Merge feature', 'feature');
    await commit('All orders\n', 'Say more', 'README.md');
    assert.deepEqual(await suspects(42), ['Culprit (line)']);
  });

  it('is not one whose line a merge did not take, but a merge that changed the line itself', async () => {
    await git('checkout', '--quiet', '-b', 'feature');
    await commit(code('  return order.percent;'), 'Dropped');
    await git('checkout', '--quiet', 'main');
    await commit(code(bad), 'Culprit');
    await git('merge', '--quiet', '--no-ff', '--message', 'Mine', '-s', 'ours', 'feature');
    assert.deepEqual(await suspects(), ['Culprit (line)']);

    await git('checkout', '--quiet', '-b', 'other', 'feature');
    await git('merge', '--quiet', '--no-commit', 'main~1').catch(() => undefined);
    await commit(code('  return order.campaign.code.percent;'), 'Merge by hand');
    assert.include(await git('log', '-1', '--format=%P'), ' ');
    assert.equal((await suspects())[0], 'Merge by hand (line)');
  });

  it('is followed through a merge that left out changes, which another one brought later', async () => {
    await git('checkout', '--quiet', '-b', 'feature');
    await commit(code().replace('step(3)', 'step(33)'), 'Left out');
    await git('checkout', '--quiet', 'main');
    await commit(code(bad), 'Culprit');
    await git('merge', '--quiet', '--no-ff', '--message', 'Mine', '-s', 'ours', 'feature');
    await git('checkout', '--quiet', '-b', 'again', 'feature');
    await commit(`// one\n${code().replace('step(3)', 'step(33)')}`, 'Top');
    await git('checkout', '--quiet', 'main');
    await git('merge', '--quiet', '--no-ff', '--message', 'Merge again', 'again');
    assert.deepEqual(await suspects(41), ['Culprit (line)']);
  });

  it('is not one whose line a merge by hand did not take', async () => {
    await git('checkout', '--quiet', '-b', 'feature');
    await commit(code('  return order.percent;'), 'Dropped');
    await git('checkout', '--quiet', 'main');
    await commit(code(bad), 'Culprit');
    await git('merge', '--quiet', '--no-commit', 'feature').catch(() => undefined);
    // The line is of one side, and another line of none.
    await commit(code(bad).replace('step(3)', 'step(33)'), 'Merge by hand');
    assert.deepEqual(await suspects(), ['Culprit (line)']);
  });

  it(`is in the order of history, whatever the dates of the authors say ${covers('F104', 'unit')}`, async () => {
    const at = (time: number, text: string, message: string): Promise<string> =>
      commit(text, message).then(() =>
        git('commit', '--quiet', '--amend', '--no-edit', '--date', `${time} +0000`),
      );
    const innocent = code(bad).replace('  step(36);', '  step(36 + 0);');
    await at(1_790_000_300, code(bad), 'Culprit');
    await at(1_790_000_400, innocent, 'Near');
    const licence = Array.from({ length: 30 }, (_, index) => `// ${index}\n`).join('');
    await at(1_780_000_000, `${licence}${innocent}`, 'Licence');
    assert.deepEqual(await suspects(70), ['Culprit (line)', 'Near (near)']);
    // Of two that changed the line, the last one is the likelier.
    await at(
      1_770_000_000,
      `${licence}${innocent.replace(bad, '  return order.campaign.percent();')}`,
      'Last',
    );
    assert.deepEqual((await suspects(70)).slice(0, 2), ['Last (line)', 'Culprit (line)']);
  });

  it(`is none of those that the repository says to ignore ${covers('F104', 'unit')}`, async () => {
    await commit(code(bad), 'Culprit');
    const sha = await commit(code(bad).replaceAll(';', ' ;'), 'Format');
    await commit(code(bad).replaceAll(';', '').replaceAll('f30', 'total'), 'No semicolons');
    const format = await git('rev-parse', 'HEAD');
    assert.include(await suspects(), 'No semicolons (line)');
    await writeFile(
      path.join(folder, '.git-blame-ignore-revs'),
      `# Format all\n${format.toUpperCase()}  # no semicolons\n${sha.slice(0, 8)}\n`,
    );
    assert.deepEqual(await suspects(), ['Culprit (line)']);
  });

  it('says which file is too large to compare, and reads no more of it', async () => {
    const long = `${'x'.repeat(60)}\n`.repeat(1000);
    await commit(`${code(bad)}${long}`, 'Much');
    assert.deepEqual((await find()).tooLarge, []);
    await commit(`${code(bad)}${long}${long}`, 'Too much');
    assert.deepEqual(await find(), { commits: [], tooLarge: ['price.js'] });
    await commit(code(bad), 'Little again');
    const found = await find();
    assert.deepEqual(found.tooLarge, ['price.js']);
    assert.isEmpty(found.commits);
  });
});
