import { assert } from 'chai';
import fc from 'fast-check';
import { sanitise, sanitiseJson } from '../../../src/base/untrustedText';
import { covers } from '../covers';
import { shortOrLong } from '../long';
import { anyText } from '../logs/anyText';

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

function forbiddenIn(text: string): string[] {
  return Array.from(text).filter((character) => isForbidden(character.codePointAt(0) ?? 0));
}

describe('sanitise', () => {
  it(`escapes escape sequences, C1 controls and carriage returns ${covers('F54', 'unit')}`, () => {
    assert.strictEqual(sanitise('\x1b[31mred\x1b[0m'), '\\u{1b}[31mred\\u{1b}[0m');
    assert.strictEqual(
      sanitise('\x1b]8;;https://example.org\x07click\x1b]8;;\x07'),
      '\\u{1b}]8;;https://example.org\\u{7}click\\u{1b}]8;;\\u{7}',
    );
    assert.strictEqual(sanitise('\x1b]52;c;cm0gLXJm\x1b\\'), '\\u{1b}]52;c;cm0gLXJm\\u{1b}\\');
    assert.strictEqual(sanitise('\x9b2J\x85'), '\\u{9b}2J\\u{85}');
    assert.strictEqual(sanitise('progress 10%\rprogress 20%'), 'progress 10%\\u{d}progress 20%');
    assert.strictEqual(sanitise('lone \x1b'), 'lone \\u{1b}');
    assert.strictEqual(sanitise('one\ntwo'), 'one\\u{a}two');
  });

  it(`shows characters that are invisible or change the reading direction ${covers('F55', 'unit')}`, () => {
    assert.strictEqual(sanitise('user\u202etxt.exe'), 'user\\u{202e}txt.exe');
    assert.strictEqual(
      sanitise('a\u200bb\u2060c\ufeffd\xade'),
      'a\\u{200b}b\\u{2060}c\\u{feff}d\\u{ad}e',
    );
    assert.strictEqual(sanitise('\u{e0068}\u{e0069}'), '\\u{e0068}\\u{e0069}');
    assert.strictEqual(sanitise('\0\u2028\u2029\x85'), '\\u{0}\\u{2028}\\u{2029}\\u{85}');
    assert.strictEqual(sanitise('\ud800 and \udc00'), '\\u{d800} and \\u{dc00}');
    assert.strictEqual(sanitise('a\ufe01\u{e0100}'), 'a\\u{fe01}\\u{e0100}');
  });

  it(`keeps the emoji form of a character, and no hidden selector ${covers('F55', 'unit')}`, () => {
    assert.strictEqual(
      sanitise('⚠\ufe0f disk 90 %, step 5\ufe0f\u20e3'),
      '⚠\ufe0f disk 90 %, step 5\ufe0f\u20e3',
    );
    assert.strictEqual(sanitise('a\ufe0f5\ufe0f'), 'a\\u{fe0f}5\\u{fe0f}');
    assert.strictEqual(sanitise('⚠\ufe0f\ufe0f'), '⚠\ufe0f\\u{fe0f}');
  });

  it(`leaves no forbidden character of any plane ${covers('F54, F55', 'unit')}`, () => {
    for (let first = 0; first <= 0x10ffff; first += 0x1000) {
      // Planes 2 to 13 and from 15 on are uniform except for their last two characters.
      const plane = first >> 16;
      if (plane > 1 && plane !== 14 && (first & 0xf000) !== 0xf000) continue;
      const codePoints = Array.from({ length: 0x1000 }, (_, index) => first + index);
      const output = sanitise(codePoints.map((one) => `a${String.fromCodePoint(one)}`).join(''));
      assert.deepEqual(forbiddenIn(output), []);
      const shown = new Set(output.match(/\\u\{[^}]*\}/g));
      for (const codePoint of codePoints.filter(isForbidden)) {
        assert.isTrue(shown.has(`\\u{${codePoint.toString(16)}}`), codePoint.toString(16));
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
