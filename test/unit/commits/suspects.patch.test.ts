import { assert } from 'chai';
import { lineBefore, readPatch } from '../../../src/commits/suspects';

const patch = [
  'diff --git a/a.ts b/a.ts',
  '--- a/a.ts',
  '+++ b/a.ts',
  '@@ -1,4 +1,5 @@',
  ' one',
  '-two',
  '+2',
  '+2b',
  ' three',
  ' four',
  '@@ -10,2 +10,0 @@ function rest() {',
  '-ten',
  '--- eleven',
  '@@ -20,0 +20 @@',
  '+twenty',
  '\\ No newline at end of file',
].join('\n');

describe('A patch', () => {
  it('has its changes, each with the lines of both sides', () => {
    assert.deepEqual(readPatch(patch), [
      { oldLine: 2, removed: 1, newLine: 2, added: ['2', '2b'] },
      { oldLine: 10, removed: 2, newLine: 11, added: [] },
      { oldLine: 21, removed: 0, newLine: 20, added: ['twenty'] },
    ]);
    assert.isEmpty(readPatch(''));
    assert.isEmpty(readPatch('Binary files a/a.png and b/a.png differ'));
  });

  it('tells where a line stood before', () => {
    const changes = readPatch(patch);
    const before = [1, 2, 3, 4, 10, 11, 19, 20, 21].map((line) => lineBefore(changes, line));
    assert.deepEqual(before, [1, 2, 2, 3, 9, 12, 20, 21, 21]);
  });
});
