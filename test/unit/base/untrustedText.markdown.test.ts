import { assert } from 'chai';
import * as fc from 'fast-check';
import { markdownOf, markdownText, oneLine } from '../../../src/base/untrustedText';
import { anyText } from '../logs/anyText';
import { hostile, markup, rendered, unescaped } from './hostileText';

/** Every part with the same text in it. */
const everyPart = (text: string): string =>
  markdownOf([
    { heading: text },
    text,
    { lines: [text, text] },
    { list: [text, text] },
    { code: text, language: 'json' },
    text,
  ]);

/** The elements of the same parts with harmless text, and how often they show it. */
const elementsOf = (html: string): readonly string[] => html.match(/<[^>]*>/g) ?? [];
const elements = elementsOf(rendered(everyPart('text')));

describe('Markdown of untrusted text', () => {
  for (const text of hostile) {
    it(`is the same elements as of harmless text: ${JSON.stringify(text)}`, () => {
      const html = rendered(everyPart(text));
      assert.deepEqual(elementsOf(html), elements);
      const shown = html.split(/<[^>]*>/).map((part) => unescaped(part).trim());
      assert.lengthOf(
        shown.filter((part) => part === text),
        8,
        html,
      );
    });
  }

  it('is so whatever the text is', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(60), markup), (any) => {
        const text = oneLine(any);
        fc.pre(text !== '');
        assert.deepEqual(elementsOf(rendered(everyPart(text))), elements);
      }),
    );
  });

  it('keeps spaces before a line, has no second line, and shows control characters', () => {
    assert.equal(markdownText('  a'), '\u00a0\u00a0a');
    assert.equal(markdownText('a\n# b\u202e'), String.raw`a\\u\{a\}\# b\\u\{202e\}`);
    assert.equal(markdownOf([{ heading: '' }, 'a']), '\n\na');
  });

  it('keeps the lines of code, which no fence in it ends', () => {
    assert.equal(
      markdownOf([{ code: 'a\r\n```\n\u001b', language: 'log' }]),
      '````log\na\n```\n\\u{1b}\n````',
    );
  });

  it('cuts long texts', () => {
    assert.equal(markdownOf(['x'.repeat(1001)]), `${'x'.repeat(1000)}…`);
  });
});
