import { assert } from 'chai';
import fc from 'fast-check';
import {
  createAgo,
  createServerClock,
  piecesOf,
  shownBody,
} from '../../../../media/logExplorer/rowCells';
import { covers } from '../../covers';
import { isLinear } from '../../linear';

describe('body of a row', () => {
  it('keeps the place of its spans when it is on one line', () => {
    const body = 'Error: no\n    at main\nend';
    const { text, at } = shownBody(body, false);
    for (const word of ['Error', 'at main', 'end']) {
      assert.equal(at(body.indexOf(word)), text.indexOf(word));
    }
    assert.equal(shownBody('x'.repeat(2000), false).at(1500), 1001);
  });

  it('is on one line with signs for line breaks, or unchanged when lines wrap', () => {
    assert.equal(
      shownBody('Error: no\n    at main\r\nend', false).text,
      'Error: no ↵ at main ↵ end',
    );
    assert.equal(shownBody('Error: no\n    at main', true).text, 'Error: no\n    at main');
  });

  it('is cut at a maximum length', () => {
    assert.equal(shownBody('x'.repeat(2000), false).text, `${'x'.repeat(1000)}…`);
    assert.equal(shownBody('x'.repeat(5000), true).text, `${'x'.repeat(4000)}…`);
    assert.equal(shownBody('x'.repeat(1000), false).text, 'x'.repeat(1000));
  });
});

describe('pieces of a body', () => {
  it('end where a match or a span does', () => {
    const shown = (found: [number, number][], spans: [number, number, string][]): string[] =>
      piecesOf('abcdef', found, spans).map(
        ({ text, style, isFound }) => `${text}${isFound ? '!' : ''}${style && `(${style})`}`,
      );
    assert.deepEqual(shown([], []), ['abcdef']);
    assert.deepEqual(
      shown(
        [
          [0, 1],
          [1, 3],
        ],
        [
          [2, 6, 'dim'],
          [2, 4, 'red'],
        ],
      ),
      ['a!', 'b!', 'c!(dim red)', 'd(dim red)', 'ef(dim)'],
    );
    assert.deepEqual(shown([], [[4, 9, 'dim']]), ['abcd', 'ef(dim)']);
    assert.deepEqual(shown([], [[6, 6, 'dim']]), ['abcdef']);
  });

  it('contain each part once for any spans', () => {
    const anySpans = fc.array(fc.tuple(fc.nat(20), fc.nat(20), fc.constant('x')));
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), anySpans, (text, spans) => {
        const pieces = piecesOf(text, [], spans);
        assert.equal(pieces.map((piece) => piece.text).join(''), text);
      }),
    );
  });

  it(`take little time if there are thousands ${covers('F76', 'unit')}`, () => {
    const found = (size: number) => Array.from({ length: size }, (_, at) => [at, at + 1] as const);
    const spans = Array.from({ length: 400 }, (_, at) => [at, at + 1, 'x'] as const);
    isLinear(4000, found, (some) => piecesOf('x'.repeat(some.length), some, spans));
  });
});

describe('relative time of a row', () => {
  it('has the largest unit that is not zero, and counts down to a time in the future', () => {
    const ago = createAgo('en');
    const now = Date.parse('2026-11-20T12:00:00Z');
    const texts: [seconds: number, text: string][] = [
      [0, '0s ago'],
      [0.9, '0s ago'],
      [59.9, '59s ago'],
      [60, '1m ago'],
      [3599, '59m ago'],
      [3600, '1h ago'],
      [86_400, '1d ago'],
      [800 * 86_400, '800d ago'],
      [-0.5, '0s ago'],
      [-90, 'in 1m'],
    ];
    for (const [seconds, text] of texts) {
      assert.equal(ago(now - seconds * 1000, now), text, String(seconds));
    }
    assert.equal(createAgo('de')(now - 5000, now), 'vor 5 s');
  });

  it(`is by the clock of the control plane, however wrong the one here is ${covers('F32', 'unit')}`, () => {
    let here = 0;
    const clock = createServerClock(() => here);
    clock.set(86_400_000);
    here = 2000;
    assert.equal(clock.now(), 86_402_000);
  });
});
