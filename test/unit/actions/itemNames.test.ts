import { assert } from 'chai';
import * as fc from 'fast-check';
import {
  parseItemNames,
  readItemNames,
  dialogItems,
  escapedItem,
  escapedText,
} from '../../../src/actions/itemNames';
import { uiText } from '../../host/texts';
import { covers } from '../covers';
import { t } from '../trees/treeText';
import { anyText } from '../logs/anyText';

function count(number: number): string[] {
  return Array.from({ length: number }, (_, index) => `item-${index}`);
}

describe('item names', () => {
  it('are separated by line breaks or commas, trimmed, without duplicates, in order', () => {
    const { names, problem } = parseItemNames(' old-api, tmp \r\n\nold-api\n,\tcache ,\u2028edge');
    assert.deepEqual(names, ['old-api', 'tmp', 'cache', 'edge']);
    assert.isUndefined(problem);
  });

  it(`are 1 to 100 ${covers('F41', 'unit')}`, () => {
    assert.deepEqual(parseItemNames(' , \n').problem, { kind: 'none' });
    assert.isUndefined(parseItemNames('one').problem);
    assert.isUndefined(parseItemNames(count(100).join()).problem);
    assert.deepEqual(parseItemNames(count(101).join('\n')).problem, {
      kind: 'tooMany',
      count: 101,
      limit: { message: 'at most {0} items', args: [100] },
    });
    assert.isUndefined(
      parseItemNames([...count(100), 'item-3'].join()).problem,
      'without duplicates',
    );
  });

  it('can contain markup and control characters, but only complete characters', () => {
    const odd = '[x](command:go) <b> $(bug) \u001b[31m \u202e';
    assert.deepEqual(parseItemNames(odd), { names: [odd], problem: undefined });
    assert.deepEqual(parseItemNames('fine\n\ud83d').problem, {
      kind: 'malformed',
      place: 2,
      name: '\ud83d',
    });
    assert.isUndefined(parseItemNames('📦').problem);
  });

  it('are one for each item of an argument', () => {
    assert.deepEqual(readItemNames([' a,b ', 'c', 'a,b']), {
      names: ['a,b', 'c'],
      problem: undefined,
    });
    assert.deepEqual(readItemNames(['a', 7]).problem, { kind: 'notText', place: 2 });
    for (const value of [undefined, null, 'a', { length: 1 }, []]) {
      assert.deepEqual(readItemNames(value), { names: [], problem: { kind: 'none' } });
    }
    assert.equal(readItemNames(count(101)).problem?.kind, 'tooMany');
  });
});

const item = (name: string, maxUnits?: number): string => escapedItem(name, t, maxUnits);

describe('A name that the user confirms', () => {
  it(`shows spaces, control characters, links and codes as their code ${covers('F69', 'unit')}`, () => {
    const mark = ` — ${uiText('special characters are shown as codes')}`;
    assert.equal(item('old-api'), '• old-api');
    assert.equal(item('prod db (all)'), '• prod db (all)');
    assert.equal(item(' db '), `⚠ \\u{20}db\\u{20}${mark}`);
    assert.equal(item('prod  db\n\t(all)'), `⚠ prod \\u{20}db\\u{a}\\u{9}(all)${mark}`);
    assert.equal(item('[x](command:go)'), `⚠ [x]\\u{28}command:go)${mark}`);
    assert.equal(item('a\\u{20}b'), `⚠ a\\u{5c}u{20}b${mark}`);
    assert.equal(item('a\u001b[31m'), `⚠ a\\u{1b}[31m${mark}`);
  });

  it(`shows every letter outside ASCII as its code, because many look alike ${covers('F69', 'unit')}`, () => {
    const mark = ` — ${uiText('special characters are shown as codes')}`;
    assert.equal(item('оld-api'), `⚠ \\u{43e}ld-api${mark}`);
    assert.equal(item('осе'), `⚠ \\u{43e}\\u{441}\\u{435}${mark}`);
    assert.equal(item('café'), `⚠ caf\\u{e9}${mark}`);
    assert.equal(item('cafe\u0301'), `⚠ cafe\\u{301}${mark}`);
    assert.equal(item('\u00a0db\u200b'), `⚠ \\u{a0}db\\u{200b}${mark}`);
    assert.equal(item('処理'), `⚠ \\u{51e6}\\u{7406}${mark}`);
  });

  it(`keeps the start and the end of a long name ${covers('F69', 'unit')}`, () => {
    const [old, live] = ['old', 'live'].map((end) => item(`${'x'.repeat(500)}-${end}`, 40));
    assert.equal(old, `• ${'x'.repeat(20)}…[+464]…${'x'.repeat(16)}-old`);
    assert.equal(live, `• ${'x'.repeat(20)}…[+465]…${'x'.repeat(15)}-live`);
  });

  it(`never shows different names alike ${covers('F69', 'unit')}`, () => {
    const name = fc.oneof(
      anyText(20),
      fc.string({ unit: fc.constantFrom(...Array.from(' \u00a0\\u{20}аa(]')) }),
    );
    fc.assert(
      fc.property(name, name, (a, b) => {
        const shown = (text: string): string => escapedText(text).units.join('');
        assert.equal(shown(a) === shown(b), a === b);
        assert.match(shown(a), /^[ -~]*$/);
        assert.notInclude(shown(a), '](');
      }),
    );
  });

  it(`shows as many items in the dialog as fit ${covers('F69', 'unit')}`, () => {
    const few = dialogItems(['a', 'b', 'c'.repeat(200)], t);
    assert.deepEqual(few, { lines: ['• a', '• b', `• ${'c'.repeat(200)}`], isWhole: true });
    const many = dialogItems(
      Array.from({ length: 100 }, (_, index) => `item-${index}`),
      t,
    );
    assert.isFalse(many.isWhole);
    assert.deepEqual(many.lines.slice(0, 2), ['• item-0', '• item-1']);
    assert.isAtMost(many.lines.length, 20);
    const long = dialogItems([`${'x'.repeat(10_000)}-old`], t);
    assert.isFalse(long.isWhole);
    assert.match(long.lines.join('\n'), /^• x+…\[\+\d+\]…x+-old$/);
  });
});
