import { assert } from 'chai';
import * as fc from 'fast-check';
import {
  markdownText,
  boxText,
  breakable,
  clipboardText,
  cut,
  diagnosticLine,
  labelText,
  oneLine,
  plainText,
  rowText,
  sanitise,
  sanitiseJson,
  markdownOf,
} from '../../../src/base/untrustedText';
import { covers } from '../covers';
import { anyText } from '../logs/anyText';
import { shortOrLong } from '../long';
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

  it('starts in a row as the whole does on one line, wherever it is cut', () => {
    fc.assert(
      fc.property(anyText(200), fc.nat(150), (text, most) => {
        assert.equal(rowText(text, most), cut(oneLine(text), most));
      }),
    );
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

/** What must never reach an editor, by code point and independent of the implementation. */
function isForbidden(codePoint: number): boolean {
  const within = (first: number, last: number): boolean => codePoint >= first && codePoint <= last;
  return (
    (within(0, 0x1f) && codePoint !== 9) ||
    within(0x7f, 0x9f) ||
    [0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xfeff, 0xffa0].includes(
      codePoint,
    ) ||
    within(0x180b, 0x180f) ||
    within(0x200b, 0x200f) ||
    within(0x2028, 0x202e) ||
    within(0x2060, 0x206f) ||
    within(0xd800, 0xdfff) ||
    within(0xfe00, 0xfe0d) ||
    within(0xfff0, 0xfffb) ||
    within(0x1bca0, 0x1bca3) ||
    within(0x1d173, 0x1d17a) ||
    within(0xe0000, 0xe0fff) ||
    (codePoint & 0xfffe) === 0xfffe ||
    within(0xfdd0, 0xfdef)
  );
}

/** One joiner in a Persian or Indic word, or between emoji. */
const allowedJoiners =
  // eslint-disable-next-line no-misleading-character-class -- it matches these
  /(?<=[\u0620-\u064a\u0671-\u06d3\u0905-\u0939\u094d])[\u200c\u200d](?=[\u0620-\u064a\u0671-\u06d3\u0905-\u0939])|(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})/gu;

function forbiddenIn(text: string): string[] {
  return Array.from(text.replace(allowedJoiners, '')).filter((character) =>
    isForbidden(character.codePointAt(0) ?? 0),
  );
}

describe('sanitise', () => {
  const examples: readonly (readonly [what: string, text: string, shown: string])[] = [
    ['colors', '\x1b[31mred\x1b[0m', '\\u{1b}[31mred\\u{1b}[0m'],
    ['C1 controls', '\x9b2J\x85', '\\u{9b}2J\\u{85}'],
    ['carriage returns', 'progress 10%\rprogress 20%', 'progress 10%\\u{d}progress 20%'],
    ['line breaks', 'one\ntwo\u2028\u2029', 'one\\u{a}two\\u{2028}\\u{2029}'],
    ['reading directions', 'user\u202etxt.exe', 'user\\u{202e}txt.exe'],
    ['invisible characters', 'a\u200bb\ufeffc\xad', 'a\\u{200b}b\\u{feff}c\\u{ad}'],
    ['hidden tags', '\u{e0068}\u{e0069}', '\\u{e0068}\\u{e0069}'],
    ['halves of characters', '\ud800 and \udc00', '\\u{d800} and \\u{dc00}'],
    [
      'hidden selectors',
      'a\ufe01\u{e0100}\ufe0f5\ufe0f',
      'a\\u{fe01}\\u{e0100}\\u{fe0f}5\\u{fe0f}',
    ],
    ['a second selector', '⚠\ufe0f\ufe0f', '⚠\ufe0f\\u{fe0f}'],
    [
      'joiners that join nothing',
      'a\u200db ی\u200c ⚠\u200d 5\u200c6',
      'a\\u{200d}b ی\\u{200c} ⚠\\u{200d} 5\\u{200c}6',
    ],
    ['a second joiner', 'می\u200c\u200cشود', 'می\\u{200c}\\u{200c}شود'],
  ];
  for (const [what, text, shown] of examples) {
    it(`shows ${what} ${covers('F54, F55', 'unit')}`, () => {
      assert.strictEqual(sanitise(text), shown);
    });
  }

  it(`keeps the emoji form of a character ${covers('F55', 'unit')}`, () => {
    const text = '⚠\ufe0f disk 90 %, step 5\ufe0f\u20e3';
    assert.strictEqual(sanitise(text), text);
  });

  it(`keeps one joiner within a word or an emoji ${covers('F55', 'unit')}`, () => {
    for (const text of ['می\u200cخواهم', 'क्\u200dष', 'ක්\u200dය', '👩🏽\u200d💻', '🏳\ufe0f\u200d🌈']) {
      assert.strictEqual(sanitise(text), text);
    }
  });

  it(`leaves no forbidden character of any plane ${covers('F54, F55', 'unit')}`, () => {
    for (let first = 0; first <= 0x10ffff; first += 0x1000) {
      // Planes 2 to 13 and from 15 on are uniform except for their last two characters.
      const plane = first >> 16;
      if (plane > 1 && plane !== 14 && (first & 0xf000) !== 0xf000) continue;
      const codePoints = Array.from({ length: 0x1000 }, (_, index) => first + index);
      const output = sanitise(codePoints.map((one) => `a${String.fromCodePoint(one)}`).join(''));
      assert.deepEqual(forbiddenIn(output), []);
      for (const codePoint of codePoints.filter(isForbidden)) {
        const shown = sanitise(`a${String.fromCodePoint(codePoint)}`);
        assert.strictEqual(shown, `a\\u{${codePoint.toString(16)}}`);
      }
    }
  });

  it(`leaves no forbidden character in any text, and changes nothing in a second run ${covers('F54, F55', 'unit')}`, () => {
    fc.assert(
      fc.property(anyText(100), (text) => {
        const output = sanitise(text);
        assert.deepEqual(forbiddenIn(output), []);
        assert.strictEqual(sanitise(output), output);
      }),
      { numRuns: shortOrLong(300, 2000) },
    );
  });

  it(`leaves no forbidden character in JSON with the same value ${covers('F54, F55', 'unit')}`, () => {
    fc.assert(
      fc.property(fc.dictionary(anyText(20), anyText(50)), (value) => {
        const json = sanitiseJson(JSON.stringify(value, null, 2));
        assert.deepEqual(forbiddenIn(json.replaceAll('\n', '')), []);
        assert.deepEqual(JSON.parse(json), value);
      }),
    );
  });

  it(`leaves clean text unchanged ${covers('F54', 'unit')}`, () => {
    const clean = 'GET /api?q=1\t200 · größe 漢字 नमस्ते 😀 👍🏽 🇩🇪 e\u0301 عربي \u0600';
    assert.strictEqual(sanitise(clean), clean);
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
        }),
        (text) => sanitise(text) === text,
      ),
    );
  });
});

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
