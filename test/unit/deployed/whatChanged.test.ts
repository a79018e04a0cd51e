import { assert } from 'chai';
import type { Commit, CommitRange } from '../../../src/commits/commitRange';
import {
  comparedCommits,
  commitText,
  rangeTitle,
  sectionsOf,
} from '../../../src/deployed/whatChanged';
import { counted, scene, t } from '../trees/treeText';

const [one, two, base] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
];
const texts = { t, counted };

function commits(count: number): Commit[] {
  return Array.from({ length: count }, (_, index) => ({
    sha: String(index).padStart(40, '0'),
    title: `commit ${index}`,
    parents: [],
  }));
}

function range(members: Partial<CommitRange>): CommitRange {
  return { from: one, to: two, base: one, added: [], removed: [], ...members };
}

describe('The commits of a deployment and of the one before', () => {
  const cases: readonly (readonly [string, object | undefined, object, object])[] = [
    ['are two', { commitSha: one.toUpperCase() }, { commitSha: two }, { before: one, now: two }],
    ['are the same one', { commitSha: one }, { commitSha: one }, { kind: 'same', sha: one }],
    ['are one, of the first deployment', undefined, { commitSha: one }, { kind: 'first' }],
    ['are unknown without a commit', {}, { commitSha: one }, { kind: 'unknown' }],
    ['are only hashes', { commitSha: '--all' }, { commitSha: one }, { kind: 'unknown' }],
  ];
  for (const [does, previous, deployment, expected] of cases) {
    it(does, () => {
      assert.deepInclude(comparedCommits({ previous, deployment }), expected);
    });
  }
});

describe('The list of what changed', () => {
  it('has the commits that came, and at most 200 of them', () => {
    const [section, ...others] = sectionsOf(range({ added: commits(203) }), texts);
    assert.isEmpty(others);
    assert.equal(section?.heading, '203 commits deployed');
    assert.lengthOf(section?.commits ?? [], 200);
    assert.equal(section?.more, 3);
  });

  it('says what a rollback undid, and what a force push left out', () => {
    const headings = (members: Partial<CommitRange>): string[] =>
      sectionsOf(range(members), texts).map(({ heading }) => heading);
    assert.deepEqual(headings({ base: two, removed: commits(1) }), ['Rollback: 1 commit undone']);
    assert.deepEqual(headings({ base, added: commits(2), removed: commits(1) }), [
      '2 commits deployed',
      '1 commit no longer deployed',
    ]);
    assert.isEmpty(headings({}));
  });

  it('names both commits, and how their histories relate', () => {
    const title = (members: Partial<CommitRange>): string => rangeTitle(range(members), texts);
    assert.equal(title({}), 'What changed from 1111111 to 2222222');
    assert.equal(title({ base: two }), 'Rollback from 1111111 to 2222222');
    assert.include(title({ base }), 'not in the history');
    assert.include(title({ base: undefined }), 'no common history');
  });

  it('says who wrote a commit, when, and how many files it has, as far as that is known', () => {
    const { context } = scene({});
    const at = context.timeFormat.now() - 2 * 86_400_000;
    const commit = { sha: one, title: '', parents: [] };
    const { timeFormat } = context;
    assert.equal(
      commitText({ ...commit, author: 'A Person', at, files: 1 }, { counted, timeFormat }),
      '1111111 · A Person · 2 days ago · 1 file',
    );
    assert.equal(commitText(commit, { counted, timeFormat }), '1111111');
  });
});
