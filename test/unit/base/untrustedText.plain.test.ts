import { assert } from 'chai';
import * as fc from 'fast-check';
import {
  markdownText,
  boxText,
  breakable,
  clipboardText,
  cut,
  cutMiddle,
  diagnosticLine,
  labelText,
  oneLine,
  plainText,
  rowText,
} from '../../../src/base/untrustedText';
import { covers } from '../covers';
import { anyText } from '../logs/anyText';
import { hostile, markup, rendered, unescaped } from './hostileText';

/** What VS Code shows of an icon and of a link, as in its `renderLabelWithIcons` and `parseLinkedText`. */
const icons = (text: string): string =>
  text.replace(/(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/g, (all, escape) =>
    escape === undefined ? '<icon>' : all.slice(1),
  );
const links = (text: string): string =>
  text.replace(
    /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi,
    '<a $1>',
  );

/** The text of the paragraph that Markdown shows; its HTML if that is anything else. */
function paragraph(markdown: string): string {
  const html = rendered(markdown);
  const [, text] = /^<p>([^<>]*)<\/p>\n$/.exec(html) ?? [];
  return text === undefined ? html : unescaped(text);
}

const same = (text: string): string => text;
/** The places, what makes a text safe for each, and what VS Code shows there. */
const places: readonly (readonly [string, (text: string) => string, (text: string) => string])[] = [
  ['a row', (text) => rowText(text), same],
  ['a label', (text) => labelText(text), icons],
  ['a box', boxText, (text) => icons(links(text)).replaceAll('] (', '](')],
  ['a notification', (text) => plainText(text), links],
  ['a line of Markdown', (text) => markdownText(oneLine(text)), paragraph],
];

describe('Server text', () => {
  it(`has no links, icons or second lines ${covers('F56', 'unit')}`, () => {
    assert.equal(plainText('[x](command:y)\n z\u001b[31m'), '[x] (command:y) z\\u{1b}[31m');
    assert.equal(plainText('x'.repeat(301)), `${'x'.repeat(300)}…`);
    assert.equal(labelText('$(error) [x](command:y)'), '\\$(error) [x](command:y)');
    assert.equal(oneLine(' a\t\tb\r\n'), 'a b');
  });

  for (const [place, show, seen] of places) {
    describe(`in ${place}`, () => {
      for (const text of hostile) {
        it(`is seen as it is: ${JSON.stringify(text)}`, () => {
          assert.equal(seen(show(text)), place === 'a notification' ? plainText(text) : text);
        });
      }

      it('is seen as it is, whatever it is', () => {
        fc.assert(
          fc.property(fc.oneof(anyText(60), markup), (text) => {
            const shown = seen(show(text));
            assert.notInclude(shown, '<a ');
            // A box breaks up what is like a link.
            assert.equal(shown.replaceAll('] (', ']('), oneLine(text).replaceAll('] (', ']('));
          }),
        );
      });
    });
  }

  it('is cut between characters', () => {
    assert.equal(cut('ab😀c', 3), 'ab…');
    assert.equal(cut('ab😀c', 4), 'ab😀…');
    assert.equal(cut('ab😀', 4), 'ab😀');
  });

  it('loses words of its middle and keeps its end, where messages differ', () => {
    const message = "TypeError: Cannot read properties of undefined (reading 'percent')";
    assert.equal(cutMiddle(message, 36), "TypeError: … (reading 'percent')");
    assert.equal(cutMiddle(message, message.length), message);
    const long = 'x'.repeat(100);
    assert.equal(cutMiddle(message, 24), "… (reading 'percent')");
    assert.equal(cutMiddle(long, 30), `… ${'x'.repeat(28)}`);
    for (let length = 10; length < 60; length++) {
      const text = cutMiddle('😀'.repeat(60), length);
      assert.isAtMost(text.length, length);
      assert.notMatch(text, /\p{Surrogate}/u, 'no half character');
    }
  });

  it('keeps its line breaks on the clipboard, and no other control character', () => {
    assert.equal(clipboardText('a\r\n\u001b[2J\rb\n\u202e'), 'a\n\\u{1b}[2J\\u{d}b\n\\u{202e}');
  });

  it(`is one line of the diagnostics, without anything that misleads a terminal or a reader ${covers('F77', 'unit')}`, () => {
    const forged = 'No.\n2026-11-20 12:00:00.000 [error] all is lost';
    assert.equal(diagnosticLine(forged), forged.replace('\n', '\\u{a}'));
    assert.equal(diagnosticLine('a\u001b[2Jb\u202ec\u2028d'), 'a\\u{1b}[2Jb\\u{202e}c\\u{2028}d');
    assert.equal(diagnosticLine('x'.repeat(5000)), `${'x'.repeat(4000)}…`);
    fc.assert(
      fc.property(anyText(200), (text) => {
        assert.notMatch(diagnosticLine(text), /[\r\n\u2028\u2029\u0085\u202a-\u202e]/);
        assert.notInclude(diagnosticLine(text), '\u001b');
      }),
    );
  });

  it('gets line break opportunities in long words, and is otherwise unchanged', () => {
    const host = 'control-plane.production.internal.example';
    assert.equal(
      breakable(`at ${host} now`),
      'at control-plane.produc\u200btion.internal.exampl\u200be now',
    );
    fc.assert(
      fc.property(anyText(200), (text) => {
        const plain = plainText(text);
        const broken = breakable(plain);
        assert.equal(broken.replaceAll('\u200b', ''), plain);
        for (const word of broken.split(/[\s\u200b]/)) assert.isAtMost(word.length, 48);
        assert.notInclude(broken, '](');
      }),
    );
  });
});
