import { assert } from 'chai';
import fc from 'fast-check';
import { createFrameReader } from '../../../../src/logs/errors/errorPlaces';
import { covers } from '../../covers';
import { isLinear } from '../../linear';
import { anyText } from '../anyText';
import { errorAt, stackOf } from './errorRecords';

function frames(body: string, attributes: Record<string, string> = {}): string[] {
  const read = createFrameReader();
  const record = errorAt(1, body, { attributes });
  // The second time the stack is known.
  read(record);
  return read(record).map(({ path, line }) => `${path}:${line}`);
}

describe('the frames of an error', () => {
  it('are innermost first, also of Python', () => {
    assert.deepEqual(frames(stackOf('Error: x', 'a.ts:1', 'b.ts:2')), [
      '/app/a.ts:1',
      '/app/b.ts:2',
    ]);
    const python = ['a.py", line 1, in f', 'b.py", line 2, in g'].map(
      (one) => `  File "/app/${one}`,
    );
    assert.deepEqual(
      frames(['Traceback (most recent call last):', ...python, 'KeyError: 1'].join('\n')),
      ['/app/b.py:2', '/app/a.py:1'],
    );
  });

  it('are those of the message and of the stack', () => {
    assert.deepEqual(frames('failed at src/x.ts:3:1'), ['src/x.ts:3']);
    assert.deepEqual(frames(stackOf('x.ts:3:1 failed', 'a.ts:1')), ['x.ts:3', '/app/a.ts:1']);
  });

  it('are those of a structured body, otherwise of its attributes', () => {
    const stack = stackOf('E: x', 'a.ts:1');
    assert.deepEqual(frames(JSON.stringify({ msg: 'x', stack })), ['/app/a.ts:1']);
    assert.deepEqual(frames('x', { 'exception.stacktrace': stack }), ['/app/a.ts:1']);
    assert.deepEqual(frames('x', { other: stack }), []);
  });

  it(`are bounded, and come at once of bodies that are made to be slow ${covers('F76', 'unit')}`, () => {
    const long = Array.from({ length: 5000 }, (_, index) => `at x (/a${index}.ts:1:1)`);
    assert.isAtMost(frames(long.join('\n')).length, 70);
    for (const piece of ['a.ts:1:1 ', ':1', '/', '(', 'at ', '\n', '"a", line 1', '{"stack":']) {
      isLinear(25_000, (size) => piece.repeat(size), frames, piece);
      isLinear(25_000, (size) => `x\n${piece.repeat(size)}`, frames, piece);
    }
  });

  it('come of any text', () => {
    const frame = fc
      .tuple(fc.constantFrom('    at f (/app/a.ts:', '  File "/app/a.py", line '), fc.nat(20))
      .map(([start, line]) => `${start}${line}${start.includes('File') ? ', in f' : ':1)'}`);
    const stack = fc
      .array(fc.oneof(anyText(40), frame), { maxLength: 20 })
      .map((lines) => lines.join('\n'));
    let found = 0;
    fc.assert(
      fc.property(stack, stack, (body, attribute) => {
        for (const one of frames(body, { 'exception.stacktrace': attribute })) {
          assert.match(one, /:[1-9]\d*$/);
          found++;
        }
      }),
    );
    assert.isAbove(found, 100);
  });
});
