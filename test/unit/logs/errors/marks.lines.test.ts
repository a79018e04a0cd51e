import { assert } from 'chai';
import {
  lineMarks,
  type LineMark,
  neighborOf,
  type SpotPlace,
} from '../../../../src/logs/errors/marks';
import { kindWith, spotAt, spotted } from './spottedKinds';

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
