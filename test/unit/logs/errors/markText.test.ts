import { assert } from 'chai';
import type { ErrorKind, ErrorSpot } from '../../../../src/logs/errors/errorKind';
import type { MappedLine } from '../../../../src/commits/lineMapping';
import { lineMarks, type LineMark } from '../../../../src/logs/errors/marks';
import {
  hoverLines,
  lineText,
  type MarkTexts,
  markPositionText,
  markProblemText,
} from '../../../../src/logs/errors/markText';
import { createNumbers } from '../../../../src/base/textFormat';
import { TimeFormat } from '../../../../src/base/timeFormat';
import { covers } from '../../covers';
import { t, uuid } from '../../trees/treeText';
import { start } from './errorRecords';
import { kindWith, spotAt, spotted, web } from './spottedKinds';

const sha = 'a1b2c3d4'.repeat(5);
const texts: MarkTexts = {
  t,
  number: createNumbers(t, 'en', 'en').number,
  timeFormat: new TimeFormat(
    () => ({}),
    () => 'utc',
    () => start + 3 * 60_000,
    'en',
  ),
};

/** The mark of spots that are all on one line now. */
function markOf(certainty: MappedLine['certainty'], ...kinds: ErrorKind[]): LineMark {
  const [mark] = lineMarks(spotted(...kinds), ({ deploymentId }: ErrorSpot) => ({
    ...{ line: 1, certainty, sha: deploymentId === 'known' ? sha : undefined },
  }));
  if (mark === undefined) throw new Error('There is no mark.');
  return mark;
}

const textOf = (mark: LineMark): string => lineText(mark, texts);
/** Of the most frequent kind. */
const problemOf = (mark: LineMark): string => markProblemText(mark, mark.kinds[0]!, texts);
const hoverOf = (mark: LineMark): string[] => hoverLines(mark, mark.kinds[0]!, texts);

const typeError = kindWith('TypeError: no percent', [spotAt(1, { count: 1400 })]);

describe('the text of a mark', () => {
  it('says how often, what and when', () => {
    const mark = markOf('same', typeError);
    assert.equal(textOf(mark), '1,400 × TypeError: no percent · 3 min. ago');
    assert.equal(problemOf(mark), '1,400 × TypeError: no percent');
    const all = [markOf('same', typeError), mark];
    assert.equal(
      markPositionText(mark, all, texts),
      'Error 2 of 2 · 1,400 × TypeError: no percent · 3 min. ago',
    );
  });

  it('counts other kinds on the line', () => {
    const other = kindWith('other', [spotAt(1)]);
    const third = kindWith('third', [spotAt(1)]);
    const mark = markOf('same', other, typeError, third);
    assert.equal(textOf(mark), '1,400 × TypeError: no percent +2 · 3 min. ago');
  });

  it('cuts a long message at its end', () => {
    const message = "TypeError: Cannot read properties of undefined (reading 'percent')";
    assert.equal(
      textOf(markOf('same', kindWith(message, [spotAt(1)]))),
      '1 × TypeError: Cannot read properties of und… · 3 min. ago',
    );
  });

  it('says if the line was changed, or may have moved', () => {
    const kind = kindWith('E', [spotAt(1, { deploymentId: 'known' })]);
    const end = (certainty: MappedLine['certainty'], of = kind): string =>
      textOf(markOf(certainty, of));
    assert.equal(end('changed'), '1 × E · 3 min. ago · changed since a1b2c3d');
    assert.equal(end('unknown'), '1 × E · 3 min. ago · may have moved');
    assert.equal(problemOf(markOf('changed', kind)), '1 × E · changed since a1b2c3d');
  });

  it(`is one bounded line without control characters, whatever was logged ${covers('F55', 'unit')}`, () => {
    const hostile = kindWith(`a\t[x](command:y) \u202e\u0000${'z'.repeat(1000)}`, [spotAt(1)], {
      workloads: [{ id: web, name: `\u001b[31m\n${'n'.repeat(1000)}`, count: 1 }],
    });
    const mark = markOf('unknown', hostile);
    const all = [textOf(mark), problemOf(mark), ...hoverOf(mark)];
    for (const text of all) {
      // eslint-disable-next-line no-control-regex -- that is what it is about
      assert.notMatch(text, /[\0-\x1f\x7f-\x9f\u202e]/);
      assert.isBelow(text.length, 400);
    }
    assert.match(all[0]!, /^1 × .{1,60} · /);
    const short = textOf(markOf('same', kindWith('a \u202e\u0000b', [spotAt(1)])));
    assert.include(short, 'a \\u{202e}\\u{0}b');
  });
});

describe('the hover of a mark', () => {
  it('has counts by workload and deployment, first and last time', () => {
    const kind = kindWith('TypeError: no percent', [
      spotAt(1),
      spotAt(1, { deploymentId: 'not-known', workloadId: uuid(7), count: 4 }),
      spotAt(1, { deploymentId: 'known', count: 5 }),
    ]);
    const mark = markOf('same', kind);
    assert.deepEqual(hoverOf(mark), [
      '10 × TypeError: no percent',
      'Workloads: web-api (6), 00000000 (4)',
      'Deployments: a1b2c3d (5), not-know (4), unknown (1)',
      'First seen 2026-11-20 12:00:00 UTC, last seen 2026-11-20 12:01:00 UTC (2 min. ago)',
    ]);
    const unsure = markOf('unknown', kind);
    assert.equal(hoverOf(unsure)[4], 'This line: may have moved');
  });

  it('has one time for one record', () => {
    const once = kindWith('E', [spotAt(1)]);
    const mark = markOf('same', { ...once, first: once.last });
    assert.equal(hoverOf(mark)[3], 'Last seen: 2026-11-20 12:01:00 UTC (2 min. ago)');
  });

  it('names the most frequent only', () => {
    const spots = Array.from({ length: 8 }, (_, index) =>
      spotAt(1, { workloadId: `${index}${uuid(0)}` }),
    );
    const mark = markOf('same', kindWith('E', spots));
    assert.include(hoverOf(mark)[1], '(1), and 3 more');
  });
});
