import { assert } from 'chai';
import {
  lineMarks,
  type LineMark,
  neighborOf,
  type SpotPlace,
  FileMarks,
  type OpenText,
  type SpottedKind,
  changedBadges,
  fileBadges,
} from '../../../../src/logs/errors/marks';
import type { ErrorKind, ErrorSpot } from '../../../../src/logs/errors/errorKind';
import { settle } from '../../fakeClock';
import { kindWith, spotAt, spotted, file } from './spottedKinds';
import { errorAt } from './errorRecords';

const [oldSha, newSha] = ['a'.repeat(40), 'b'.repeat(40)];

/** Where the lines are now: a line later than in the new deployment, which is the same as the old. */
const moved = ({ line }: { line: number }): SpotPlace => ({
  ...{ line: line + 1, certainty: 'same', sha: newSha },
});

const shown = ({ line, kinds }: LineMark): string =>
  `${line}: ${kinds.map(({ kind, count }) => `${count} ${kind.template}`).join(', ')}`;

describe('the marks of lines', () => {
  it('are in the order of the lines, with the most frequent kind first', () => {
    const kinds = [
      kindWith('rare', [spotAt(7), spotAt(2, { count: 3 })]),
      kindWith('often', [spotAt(7, { count: 9 })]),
    ];
    assert.deepEqual(lineMarks(spotted(...kinds), moved).map(shown), [
      '3: 3 rare',
      '8: 9 often, 1 rare',
    ]);
    assert.deepEqual(lineMarks([], moved), []);
  });

  it('count what different lines of several deployments have in common now', () => {
    const places = new Map<string | null, SpotPlace>([
      ['one', { line: 5, certainty: 'same', sha: oldSha }],
      ['two', { line: 5, certainty: 'changed', sha: newSha }],
    ]);
    const spots = [
      spotAt(3, { deploymentId: 'one', count: 2 }, 10),
      spotAt(4, { deploymentId: 'two', count: 5 }, 20),
      spotAt(9, { deploymentId: 'loading' }),
    ];
    const kind = kindWith('E', spots);
    const marks = lineMarks(spotted(kind), ({ deploymentId }) => places.get(deploymentId));
    assert.deepEqual(marks, [
      {
        line: 5,
        kinds: [
          {
            kind,
            count: 7,
            lastSeen: '2026-11-20T12:00:20.000Z',
            spots: [
              { ...spots[1]!, sha: newSha },
              { ...spots[0]!, sha: oldSha },
            ],
          },
        ],
        certainty: 'same',
        changedSince: undefined,
      },
    ]);
  });

  it('name the latest commit since which a line was changed', () => {
    const shas = [oldSha, newSha, undefined];
    const spots = shas.map((_, index) => spotAt(index, {}, index));
    const [mark] = lineMarks(spotted(kindWith('E', spots)), ({ line }) => ({
      ...{ line: 1, sha: shas[line] },
      certainty: shas[line] === undefined ? 'unknown' : 'changed',
    }));
    assert.include(mark, { certainty: 'changed', changedSince: newSha });
    const unknown = lineMarks(spotted(kindWith('E', spots)), () => ({
      ...{ line: 1, certainty: 'unknown', sha: newSha },
    }));
    assert.deepInclude(unknown[0], { certainty: 'unknown', changedSince: undefined });
  });

  it('are those of the most frequent errors, if there are too many', () => {
    const spots = Array.from({ length: 600 }, (_, index) => spotAt(index, { count: index + 1 }));
    const marks = lineMarks(spotted(kindWith('E', spots)), moved);
    assert.lengthOf(marks, 500);
    assert.equal(marks[0]?.line, 101);
    assert.equal(marks.at(-1)?.line, 600);
  });
});

describe('the neighbor of a line', () => {
  const spots = [2, 5, 9].map((line) => spotAt(line));
  const marks = lineMarks(spotted(kindWith('E', spots)), (spot) => ({
    ...{ line: spot.line, certainty: 'same', sha: undefined },
  }));
  const lines = (direction: 'next' | 'previous'): (number | undefined)[] =>
    [1, 2, 3, 9, 10].map((from) => neighborOf(marks, from, direction)?.line);

  it('is the next or the previous mark, around the ends of the file', () => {
    assert.deepEqual(lines('next'), [2, 5, 5, 2, 2]);
    assert.deepEqual(lines('previous'), [9, 9, 2, 5, 9]);
    assert.isUndefined(neighborOf([], 3, 'next'));
    assert.isUndefined(neighborOf([], 3, 'previous'));
  });
});

const sha = 'a'.repeat(40);
const deployed = ['one', 'two', 'three'];

/** An open file, of which a test changes the text. */
function opened(...lines: string[]) {
  const open = {
    uri: file,
    version: 1,
    lineCount: lines.length,
    reads: 0,
    write(...next: string[]): void {
      lines = next;
      open.lineCount = lines.length;
      open.version++;
    },
    getText(): string {
      open.reads++;
      return lines.join('\n');
    },
  };
  return open;
}

function setup() {
  let errors: readonly SpottedKind[] = [];
  /** What waits for the text of the commit. */
  let waiting: (() => void)[] = [];
  const requested: unknown[] = [];
  const marks = new FileMarks(
    () => errors,
    {
      commitOf: ({ deploymentId }) => (deploymentId === null ? undefined : sha),
      isLoading: () => false,
      load: (spots) => void requested.push(spots),
    },
    {
      async linesAt() {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return deployed;
      },
    },
    settle,
  );
  return {
    requested,
    /** These errors are there now, and no others. */
    become: (...kinds: readonly ErrorKind[]): void => {
      errors = spotted(...kinds);
      marks.invalidate();
    },
    /** Answers what waits for the text, until nothing does. */
    answer: async (): Promise<void> => {
      await settle();
      while (waiting.length > 0) {
        const all = waiting;
        waiting = [];
        for (const resolve of all) resolve();
        await settle();
      }
    },
    linesOf: async (open: OpenText): Promise<string[]> =>
      (await marks.marksOf(open)).map(
        ({ line, kinds }) => `${line} ${kinds.map(({ kind }) => kind.template).join()}`,
      ),
  };
}

const at = (line: number): ErrorSpot => spotAt(line, { deploymentId: 'one' });

describe('the marks of an open file', () => {
  it('request nothing for a file without errors', async () => {
    const { linesOf, requested } = setup();
    assert.deepEqual(await linesOf(opened('one')), []);
    assert.isEmpty(requested);
  });

  it('are on the lines of the text when they are known', async () => {
    const { linesOf, answer, become } = setup();
    become(kindWith('E', [at(2)]));
    const open = opened(...deployed);
    const first = linesOf(open);
    open.write('zero', ...deployed);
    await answer();
    assert.deepEqual(await first, ['3 E']);
  });

  it('are never those of errors that are gone, such as those of another connection', async () => {
    const { linesOf, answer, become } = setup();
    become(kindWith('before', [at(2)]));
    const open = opened(...deployed);
    const before = linesOf(open);
    become(kindWith('now', [at(3)]));
    const now = linesOf(open);
    await answer();
    assert.deepEqual(await Promise.all([before, now]), [['3 now'], ['3 now']]);
    become();
    assert.deepEqual(await linesOf(open), []);
  });

  it('compare a text with its commit once, however often the errors change', async () => {
    const { linesOf, answer, become } = setup();
    const open = opened('zero', ...deployed);
    for (let line = 1; line <= 3; line++) {
      become(kindWith('E', [at(line)]));
      const lines = linesOf(open);
      await answer();
      assert.deepEqual(await lines, [`${line + 1} E`]);
    }
    assert.equal(open.reads, 1);
  });
});

const other = 'file:///shop/src/server.ts';

describe('the badges of files', () => {
  it('count the kinds of errors that happen in a file, not those that it calls', () => {
    const late = errorAt(500, 'late');
    const badges = fileBadges([
      kindWith('one', [spotAt(1, { count: 3 }), spotAt(8, { file: other, count: 3 })], {
        count: 3,
      }),
      kindWith('two', [spotAt(2)], { count: 4, last: late }),
      kindWith('three', [spotAt(2)], { count: 1 }),
      kindWith('nowhere', []),
    ]);
    assert.deepEqual([...badges], [[file, { kinds: 3, count: 8, lastSeen: late.timestamp }]]);
  });

  it('are drawn again only where they differ', () => {
    const before = fileBadges([
      kindWith('one', [spotAt(1)]),
      kindWith('b', [spotAt(1, { file: other })]),
    ]);
    const more = fileBadges([kindWith('one', [spotAt(1)]), kindWith('two', [spotAt(1)])]);
    assert.isEmpty(changedBadges(before, before));
    assert.sameMembers([...changedBadges(before, more)], [file, other]);
    assert.deepEqual([...changedBadges(new Map(), more)], [file]);
  });
});
