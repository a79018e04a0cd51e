import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { assert } from 'chai';
import { releaseProblems } from '../../.config/release';

const root = path.resolve(__dirname, '../..');

describe('a release', () => {
  const changelog = '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-21\n\n### Added\n';

  it('is of the version of package.json, which the change log tells of', () => {
    assert.isEmpty(releaseProblems('v1.2.3', '1.2.3', changelog));
    assert.lengthOf(releaseProblems('v1.2.4', '1.2.3', changelog), 1);
    assert.lengthOf(releaseProblems('v1.2.4', '1.2.4', changelog), 1);
    assert.lengthOf(releaseProblems('v1x2x3', '1x2x3', changelog), 1);
    assert.lengthOf(releaseProblems('', '1.2.4', changelog), 2);
  });
});

describe('the change log', () => {
  const text = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  const headings = [...text.matchAll(/^(##+) (.*)$/gm)].map(([, level, title = '']) => ({
    level,
    title,
  }));
  const versions = headings.filter(({ level }) => level === '##').map(({ title }) => title);

  it('has what is not released first, then each version with its date, the newest first', () => {
    const [first, ...released] = versions;
    assert.equal(first, '[Unreleased]');
    const dates = released.map(
      (title) => /^\[\d+\.\d+\.\d+\] - (\d{4}-\d\d-\d\d)$/.exec(title)?.[1],
    );
    assert.notInclude(dates, undefined);
    assert.deepEqual(dates, [...dates].sort().reverse());
    for (const title of versions) assert.include(text, `\n${title.replace(/\].*/, ']')}: https://`);
  });

  it('names kinds of changes as Keep a Changelog does, each once a version', () => {
    const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
    let seen = new Set<string>();
    for (const { level, title } of headings) {
      if (level === '##') seen = new Set();
      else {
        assert.include(kinds, title);
        assert.isFalse(seen.has(title), title);
        seen.add(title);
      }
    }
    assert.isAbove(headings.length, versions.length);
  });
});

const faulty = `name: Faulty
on: push
jobs:
  one:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@main
      - run: echo \${{ github.head_ref }}
      - run: echo
        if: nothing(1)
  two:
    needs: three
    runs-on: ubuntu-latest
    steps: [{ run: echo }]
`;

describe('the linter of the workflows', function () {
  this.timeout(30_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'workflows-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** What it prints of the files that are named, or of ours. */
  const lint = (...files: string[]): Promise<string> =>
    promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', '.config/lintWorkflows.ts', ...files],
      { cwd: root },
    ).then(
      () => '',
      (error: unknown) => String((error as { stderr: unknown }).stderr),
    );

  it('finds what is wrong', async () => {
    const file = path.join(folder, 'faulty.yml');
    await writeFile(file, faulty);
    const found = await lint(file);
    assert.include(found, 'does not say which permissions');
    assert.include(found, 'actions/checkout@main is not pinned');
    assert.include(found, 'An expression stands in a script');
    assert.include(found, "line 10: Unrecognized function: 'nothing'");
    assert.match(found, /line 12: .*three/);
  });

  it('finds nothing in ours', async () => {
    assert.equal(await lint(), '');
  });
});
