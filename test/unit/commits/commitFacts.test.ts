import { assert } from 'chai';
import { CommitAges, CommitFacts, hashesIn } from '../../../src/commits/commitFacts';
import { covers } from '../covers';
import { settle } from '../fakeClock';

interface Made {
  readonly facts: CommitFacts;
  readonly held: Set<string>;
  readonly asked: string[];
  readonly changes: () => number;
}

function make(...held: string[]): Made {
  const here = new Set(held);
  const asked: string[] = [];
  let changes = 0;
  const facts = new CommitFacts({
    holds(sha) {
      asked.push(`holds ${sha}`);
      return Promise.resolve(here.has(sha));
    },
    count(from, to) {
      asked.push(`${from}..${to}`);
      return to === 'broken'
        ? Promise.reject(new Error('no'))
        : Promise.resolve(from === 'a' ? 2 : 1);
    },
  });
  facts.onDidChange(() => changes++);
  return { facts, held: here, asked, changes: () => changes };
}

describe('Facts of a repository', () => {
  it('are requested once, and reported when they are available', async () => {
    const { facts, asked, changes } = make('a');
    assert.isUndefined(facts.holds('a'));
    assert.isUndefined(facts.holds('a'));
    await settle();
    assert.isTrue(facts.holds('a'));
    await settle();
    assert.deepEqual(asked, ['holds a']);
    assert.equal(changes(), 1);
  });

  it('count both ways from an existing commit', async () => {
    const { facts, changes } = make('a');
    assert.isUndefined(facts.position('a', 'head'));
    await settle();
    assert.deepEqual(facts.position('a', 'head'), { kind: 'counted', ahead: 2, behind: 1 });
    assert.equal(changes(), 1);
  });

  it('include a missing commit after the repository has changed', async () => {
    const { facts, held, asked, changes } = make();
    facts.position('a', 'head');
    await settle();
    assert.deepEqual(facts.position('a', 'head'), { kind: 'notFetched' });
    held.add('a');
    await settle();
    assert.deepEqual(facts.position('a', 'head'), { kind: 'notFetched' }, 'nothing has changed');

    facts.recheck();
    assert.deepEqual(facts.position('a', 'head'), { kind: 'notFetched' }, 'until it is known');
    await settle();
    assert.deepEqual(facts.position('a', 'head'), { kind: 'counted', ahead: 2, behind: 1 });
    assert.equal(changes(), 2);
    const { length } = asked;
    facts.recheck();
    facts.position('a', 'head');
    await settle();
    assert.lengthOf(asked, length, 'the counts are kept');
  });

  it(`say that a fetched commit is there, and ask no more for one that is ${covers('F94', 'unit')}`, async () => {
    const { facts, held, asked, changes } = make('a');
    facts.holds('a');
    facts.holds('b');
    await settle();
    assert.deepEqual([facts.holds('a'), facts.holds('b')], [true, false]);
    held.add('b');
    facts.recheck();
    assert.isFalse(facts.holds('b'), 'until it is known');
    facts.holds('a');
    await settle();
    assert.isTrue(facts.holds('b'));
    assert.deepEqual(asked, ['holds a', 'holds b', 'holds b']);
    assert.equal(changes(), 3);
  });

  it('are not reported if the answer is the same', async () => {
    const { facts, changes } = make();
    facts.position('a', 'head');
    await settle();
    facts.recheck();
    facts.position('a', 'head');
    await settle();
    assert.equal(changes(), 1);
  });

  it('stay unknown after a failure, which does not block others, and are requested again', async () => {
    const { facts, asked } = make('a', 'b');
    facts.position('a', 'broken');
    facts.holds('b');
    await settle();
    assert.isUndefined(facts.position('a', 'broken'));
    assert.isTrue(facts.holds('b'));
    facts.recheck();
    facts.position('a', 'broken');
    await settle();
    assert.lengthOf(
      asked.filter((one) => one === 'a..broken'),
      2,
    );
  });

  it('are requested one at a time', async () => {
    let running = 0;
    let most = 0;
    const answers: (() => void)[] = [];
    const facts = new CommitFacts({
      holds: () =>
        new Promise((resolve) => {
          most = Math.max(most, ++running);
          answers.push(() => {
            running--;
            resolve(true);
          });
        }),
      count: () => Promise.resolve(0),
    });
    for (const sha of ['a', 'b', 'c']) facts.holds(sha);
    for (let count = 0; count < 3; count++) {
      await settle();
      answers.pop()?.();
    }
    await settle();
    assert.isTrue(facts.holds('c'));
    assert.equal(most, 1);
  });
});

describe('The age of a commit, compared with a pushed one', () => {
  const names = ['base', 'pushed', 'other', 'later', 'merge', 'forced'] as const;
  type Name = (typeof names)[number];
  const sha = (name: Name): string => String(names.indexOf(name)).repeat(40);
  /** By name, what a commit has, without itself. */
  const within: Readonly<Record<Name, readonly Name[]>> = {
    base: [],
    pushed: ['base'],
    other: ['base'],
    later: ['base', 'pushed'],
    merge: ['base', 'pushed', 'other'],
    forced: ['base', 'other'],
  };
  const nameOf = (commit: string): Name => names[Number(commit[0])] ?? assert.fail(commit);

  async function agesOf(tip: Name, before?: Name): Promise<Record<string, string>> {
    const reader = {
      holds: () => Promise.resolve(true),
      resolve: (ref: string) =>
        Promise.resolve(ref === 'refs/remotes/origin/main' ? sha(tip) : undefined),
      count(from: string, to: string) {
        const has = new Set<Name>([nameOf(from), ...within[nameOf(from)]]);
        const missing = [nameOf(to), ...within[nameOf(to)]].filter((name) => !has.has(name));
        return Promise.resolve(missing.length);
      },
    };
    const ages = new CommitAges(reader, sha('pushed'), 'origin/main', before && sha(before));
    await ages.read(names.map(sha));
    return Object.fromEntries(names.map((name) => [name, ages.of(sha(name))]));
  }

  it('is unknown on another line, also if that was merged since', async () => {
    assert.deepEqual(await agesOf('merge'), {
      ...{ base: 'older', pushed: 'older', other: 'unknown' },
      ...{ later: 'newer', merge: 'newer', forced: 'unknown' },
    });
  });

  it('is newer on the line that took its place by force', async () => {
    const { other, later, forced } = await agesOf('forced');
    assert.deepEqual([other, later, forced], ['newer', 'newer', 'newer']);
  });

  it('is older on the line whose place it took by force', async () => {
    const { other, later, merge, forced } = await agesOf('pushed', 'merge');
    assert.deepEqual([other, later, merge, forced], ['older', 'newer', 'older', 'unknown']);
  });
});

describe('A list of commits to ignore', () => {
  it('has whole hashes, one a line, and comments', () => {
    const [a, b, c] = ['A', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];
    const text = `# Format\r\n${a}\r\n\n  ${b} # all\n# ${c}\n${c.slice(0, 7)}\nmain\n--all\n`;
    assert.deepEqual(hashesIn(text), [a.toLowerCase(), b]);
    assert.isEmpty(hashesIn(''));
  });
});
