import { assert } from 'chai';
import * as fc from 'fast-check';
import { readSgr, stripSgr } from '../../../../src/logs/record/terminalColors';
import { covers } from '../../covers';
import { isLinear } from '../../linear';
import { anyText } from '../anyText';

/** The styled pieces of a text, such as `200:sgr-fg-2`. */
function styled(text: string): string[] {
  const { text: plain, spans } = readSgr(text);
  return spans.map(({ start, end, style }) => `${plain.slice(start, end)}:${style}`);
}

describe(`SGR sequences ${covers('F54', 'unit')}`, () => {
  it('are left out of a text, and no other sequence is', () => {
    assert.equal(stripSgr('GET /new \x1b[32m200\x1b[39m 16ms'), 'GET /new 200 16ms');
    assert.equal(stripSgr('\x1b[1;31mred\x1b[m \x9b4mline\x9b0m'), 'red line');
    for (const other of ['\x1b[2J', '\x1b]8;;http://x\x07', '\x1b[?25l', '\x1bc', '\x1b[31']) {
      assert.equal(stripSgr(other), other);
    }
  });

  it('become the classes of terminal colours and styles', () => {
    assert.deepEqual(styled('GET \x1b[32m200\x1b[39m 16ms'), ['200:sgr-fg-2']);
    assert.deepEqual(styled('\x1b[1;91ma\x1b[22mb\x1b[0mc'), ['a:sgr-bold sgr-fg-9', 'b:sgr-fg-9']);
    assert.deepEqual(styled('\x1b[2;3;4;9ma\x1b[22;23;24;29mb'), [
      'a:sgr-dim sgr-italic sgr-underline sgr-strike',
    ]);
    assert.deepEqual(styled('\x1b[97;41mFAIL\x1b[49mx\x1b[m'), [
      'FAIL:sgr-fg-15 sgr-bg-1',
      'x:sgr-fg-15',
    ]);
  });

  it('of 256 colours and of RGB take the closest terminal colour', () => {
    assert.deepEqual(styled('\x1b[38;5;9ma'), ['a:sgr-fg-9']);
    assert.deepEqual(styled('\x1b[38;5;196ma'), ['a:sgr-fg-9']);
    assert.deepEqual(styled('\x1b[38;5;22ma'), ['a:sgr-fg-2']);
    assert.deepEqual(styled('\x1b[38;5;244ma'), ['a:sgr-fg-8']);
    assert.deepEqual(styled('\x1b[38;2;250;200;20ma'), ['a:sgr-fg-11']);
    assert.deepEqual(styled('\x1b[48;2;0;0;120;1ma'), ['a:sgr-bold sgr-bg-4']);
    assert.deepEqual(styled('\x1b[38;5;999ma'), []);
  });

  it('leave the same text in both ways of reading, for any text', () => {
    const part = fc.oneof(
      anyText(10),
      fc.constantFrom('\x1b[', '\x1b[31m', '\x9b0m', ';', '38;5;', 'm'),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const text = parts.join('');
        const { text: plain, spans } = readSgr(text);
        assert.equal(plain, stripSgr(text));
        for (const { start, end, style } of spans) {
          assert.isTrue(start < end && end <= plain.length);
          assert.match(style, /^[a-z\d -]{1,100}$/);
        }
      }),
    );
  });

  it(`of a hostile text cost linear time and few spans ${covers('F76', 'unit')}`, () => {
    const styled = (size: number): string => '\x1b[31ma\x1b[32mb'.repeat(size);
    isLinear(12_500, styled, (text) => {
      const { spans } = readSgr(text);
      assert.isAtMost(spans.length, 200);
    });
    isLinear(25_000, (size) => '\x1b['.repeat(size), stripSgr);
  });
});
