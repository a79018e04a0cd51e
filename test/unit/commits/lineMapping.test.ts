import { assert } from 'chai';
import fc from 'fast-check';
import {
  linesIn,
  mapLines,
  type MappedLine,
  unknownMapping,
} from '../../../src/commits/lineMapping';
import { shortOrLong } from '../long';

/** Where each line is now, such as `1 same`, in the order of the deployed text. */
function mapped(before: string, now: string): string[] {
  const [old, current] = [before.split(' '), now.split(' ')];
  const lineOf = mapLines(old, current);
  return old.map((_, index) => shown(lineOf(index + 1)));
}

const shown = ({ line, certainty }: MappedLine): string => `${line} ${certainty}`;

/** The length of a longest common subsequence, without any cleverness. */
function commonLength(one: readonly string[], other: readonly string[]): number {
  const table = [...one, ''].map(() => [...other, ''].map(() => 0));
  one.forEach((a, i) =>
    other.forEach((b, j) => {
      const longest = Math.max(table[i]![j + 1]!, table[i + 1]![j]!);
      table[i + 1]![j + 1] = a === b ? table[i]![j]! + 1 : longest;
    }),
  );
  return table[one.length]![other.length]!;
}

describe('the mapping of lines', () => {
  it('leaves the lines of an unchanged text where they are', () => {
    assert.deepEqual(mapped('a b c', 'a b c'), ['1 same', '2 same', '3 same']);
    assert.deepEqual(mapped('', ''), ['1 same']);
  });

  it('moves lines with what was added and removed above them', () => {
    assert.deepEqual(mapped('a b c', 'x a y b c'), ['2 same', '4 same', '5 same']);
    assert.deepEqual(mapped('a b c d', 'b d'), ['1 changed', '1 same', '2 changed', '2 same']);
  });

  it('puts a changed line where its replacement is', () => {
    assert.deepEqual(mapped('a b c', 'a x c'), ['1 same', '2 changed', '3 same']);
    assert.deepEqual(mapped('a b c d', 'a x y z d'), [
      ...['1 same', '2 changed', '3 changed', '5 same'],
    ]);
    assert.deepEqual(mapped('a b c d', 'a x d'), ['1 same', '2 changed', '2 changed', '3 same']);
  });

  it('puts a deleted line at the nearest line that is left', () => {
    const line = (before: string, now: string, of: number): string => mapped(before, now)[of - 1]!;
    assert.equal(line('a b c d e', 'a e', 2), '1 changed');
    assert.equal(line('a b c d e', 'a e', 4), '2 changed');
    assert.equal(line('a b', 'a', 2), '1 changed');
    assert.equal(line('a b c d', 'a', 4), '1 changed');
    assert.equal(line('a b', 'b', 1), '1 changed');
    assert.deepEqual(mapLines(['a', 'b'], [''])(2), { line: 1, certainty: 'changed' });
  });

  it('ignores indentation and the kind of line breaks', () => {
    const before = linesIn('a\r\nb\rc\nd');
    assert.deepEqual(before, ['a', 'b', 'c', 'd']);
    const lineOf = mapLines(before, linesIn('try {\n\ta\n\tb\n  c \n}\nd'));
    assert.deepEqual([1, 2, 3, 4].map(lineOf).map(shown), ['2 same', '3 same', '4 same', '6 same']);
    assert.equal(shown(mapLines(['\ufeffa'], ['a'])(1)), '1 same');
  });

  it('does not know lines that the deployed text does not have', () => {
    const lineOf = mapLines(['a', 'b'], ['a', 'x', 'y', 'b']);
    assert.deepEqual([0, -1, 3, 4, 5].map(lineOf).map(shown), [
      ...['1 unknown', '1 unknown', '3 unknown', '4 unknown', '4 unknown'],
    ]);
  });

  it('leaves lines as they came if the deployed text is unknown, within the text', () => {
    const lineOf = unknownMapping(3);
    assert.deepEqual([1, 3, 9].map(lineOf).map(shown), ['1 unknown', '3 unknown', '3 unknown']);
  });

  it('does not know the lines between too many differences, but those around them', () => {
    const old = Array.from({ length: 3000 }, (_, index) => `${index}`);
    const lineOf = mapLines(['a', ...old, 'z'], ['a', 'b', ...[...old].reverse(), 'z']);
    assert.equal(shown(lineOf(1)), '1 same');
    assert.equal(shown(lineOf(1500)), '1500 unknown');
    assert.equal(shown(lineOf(3002)), '3003 same');
    const huge = Array.from({ length: 100_001 }, () => '');
    assert.equal(shown(mapLines(huge, huge)(7)), '7 unknown');
  });

  it('knows which lines were changed if a text was rewritten', () => {
    const old = Array.from({ length: 3000 }, (_, index) => `old ${index}`);
    const lineOf = mapLines(old, [...old.slice(0, 1), ...old.map((line) => `new ${line}`)]);
    assert.equal(shown(lineOf(2000)), '2000 changed');
  });

  it('is that of the edits that were made, if no two lines are equal', () => {
    const edit = fc.constantFrom('keep', 'keep', 'keep', 'delete', 'change', 'insert');
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 60, size: 'max' }), (edits) => {
        const before: string[] = [];
        const now: string[] = [];
        const wanted: (number | undefined)[] = [];
        edits.forEach((kind, index) => {
          if (kind !== 'insert') before.push(`line ${index}`);
          if (kind === 'keep') now.push(`line ${index}`);
          else if (kind !== 'delete') now.push(`new ${index}`);
          if (kind !== 'insert') wanted.push(kind === 'keep' ? now.length : undefined);
        });
        const lineOf = mapLines(before, now.length === 0 ? [''] : now);
        const found = before.map((_, index) => lineOf(index + 1));
        assert.deepEqual(
          found.map(({ line, certainty }) => (certainty === 'same' ? line : undefined)),
          wanted,
        );
      }),
      { numRuns: shortOrLong(300, 20_000) },
    );
  });

  it('keeps as many lines as a naive comparison, in order, also if many are equal', () => {
    fc.assert(
      fc.property(textOf(30), textOf(30), (before, now) => keepsAsManyAsPossible(before, now)),
      { numRuns: shortOrLong(500, 20_000) },
    );
  });

  it('keeps as many lines also if there are many differences', () => {
    const long = fc.integer({ min: 0, max: 9 }).map((digit) => `line ${digit}`);
    const text = fc.array(fc.oneof(long, fc.uuid()), { minLength: 300, maxLength: 400 });
    fc.assert(
      fc.property(text, text, (before, now) => keepsAsManyAsPossible(before, now)),
      { numRuns: shortOrLong(5, 100) },
    );
  });
});

const textOf = (maxLength: number): fc.Arbitrary<string[]> =>
  fc.array(fc.constantFrom('{', '}', 'a', 'b', 'c', ''), { minLength: 1, maxLength, size: 'max' });

function keepsAsManyAsPossible(before: readonly string[], now: readonly string[]): void {
  const lineOf = mapLines(before, now);
  const found = before.map((_, index) => lineOf(index + 1));
  const kept = found.flatMap(({ line, certainty }, index) =>
    certainty === 'same' ? [[before[index], line] as const] : [],
  );
  assert.lengthOf(kept, commonLength(before, now));
  kept.forEach(([was, line]) => assert.equal(now[line - 1], was));
  const lines = found.map(({ line }) => line);
  assert.deepEqual(
    lines,
    [...lines].sort((a, b) => a - b),
  );
  assert.isTrue(lines.every((line) => line >= 1 && line <= now.length));
  assert.isTrue(found.every(({ certainty }) => certainty !== 'unknown'));
}
