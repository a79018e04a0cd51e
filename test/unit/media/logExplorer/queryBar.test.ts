import { assert } from 'chai';
import fc from 'fast-check';
import { errorsToShow, piecesOf } from '../../../../media/logExplorer/queryBar';

const error = (start: number, end: number) => ({ start, end, message: 'wrong' });
const shown = (text: string, ...errors: [number, number][]): string =>
  piecesOf(
    text,
    errors.map(([start, end]) => error(start, end)),
  )
    .map(({ text, isWrong }) => (isWrong ? `[${text}]` : text))
    .join('');

describe('pieces of a query', () => {
  it('are split at errors', () => {
    assert.equal(shown('a nope:b c', [2, 8]), 'a [nope:b] c');
    assert.equal(shown('a b c', [4, 5], [0, 1]), '[a] b [c]');
    assert.equal(shown('abc'), 'abc');
  });

  it('contain each part once for any errors', () => {
    assert.equal(shown('abcdef', [1, 4], [2, 5]), 'a[bcd][e]f');
    assert.equal(shown('abc', [3, 3]), 'abc');
    assert.equal(shown('abc', [2, 90]), 'ab[c]');
    const anyErrors = fc.array(fc.tuple(fc.nat(20), fc.nat(20)));
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), anyErrors, (text, errors) => {
        const found = piecesOf(
          text,
          errors.map(([start, end]) => error(start, end)),
        );
        assert.equal(found.map((piece) => piece.text).join(''), text);
      }),
    );
  });
});

describe('errors while typing', () => {
  it('exclude the term at the cursor', () => {
    const all = [error(0, 3), error(5, 9)];
    assert.deepEqual(errorsToShow(all, 9), [error(0, 3)]);
    assert.deepEqual(errorsToShow(all, undefined), all);
    assert.deepEqual(errorsToShow(all, 12), all);
  });
});
