import { assert } from 'chai';
import * as fc from 'fast-check';
import {
  breakable,
  clipboardText,
  labelText,
  oneLine,
  plainText,
} from '../../../src/platform/plainText';
import { anyText } from '../logs/anyText';

describe('text of a server', () => {
  it('has no link, icon or second line left (F56)', () => {
    assert.equal(plainText('[x](command:y)\n z\u001b[31m'), '[x] (command:y) z\\u{1b}[31m');
    assert.equal(plainText('x'.repeat(301)), `${'x'.repeat(300)}…`);
    assert.equal(labelText('$(error) [x](command:y)'), '\\$(error) [x] (command:y)');
    assert.equal(oneLine(' a\t\tb\r\n'), 'a b');
  });

  it('keeps its line breaks on the clipboard, and no other control', () => {
    assert.equal(clipboardText('a\r\n\u001b[2J\rb\n\u202e'), 'a\n\\u{1b}[2J\\u{d}b\n\\u{202e}');
  });

  it('can be broken in long words, which stay the same else', () => {
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
