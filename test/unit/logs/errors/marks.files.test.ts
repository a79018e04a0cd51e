import { assert } from 'chai';
import type { ErrorKind, ErrorSpot } from '../../../../src/logs/errors/errorKind';
import { FileMarks, type OpenText, type SpottedKind } from '../../../../src/logs/errors/marks';
import { settle } from '../../fakeClock';
import { file, kindWith, spotAt, spotted } from './spottedKinds';

const sha = 'a'.repeat(40);
const deployed = ['one', 'two', 'three'];

/** An open file, of which a test changes the text. */
function opened(...lines: string[]) {
  const open = {
    uri: file,
    version: 1,
    lineCount: lines.length,
    reads: 0,
    write(...next: string[]): void {
      lines = next;
      open.lineCount = lines.length;
      open.version++;
    },
    getText(): string {
      open.reads++;
      return lines.join('\n');
    },
  };
  return open;
}

function setup() {
  let errors: readonly SpottedKind[] = [];
  /** What waits for the text of the commit. */
  let waiting: (() => void)[] = [];
  const requested: unknown[] = [];
  const marks = new FileMarks(
    () => errors,
    {
      commitOf: ({ deploymentId }) => (deploymentId === null ? undefined : sha),
      isLoading: () => false,
      load: (spots) => void requested.push(spots),
    },
    {
      async linesAt() {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return deployed;
      },
    },
    settle,
  );
  return {
    requested,
    /** These errors are there now, and no others. */
    become: (...kinds: readonly ErrorKind[]): void => {
      errors = spotted(...kinds);
      marks.invalidate();
    },
    /** Answers what waits for the text, until nothing does. */
    answer: async (): Promise<void> => {
      await settle();
      while (waiting.length > 0) {
        const all = waiting;
        waiting = [];
        for (const resolve of all) resolve();
        await settle();
      }
    },
    linesOf: async (open: OpenText): Promise<string[]> =>
      (await marks.marksOf(open)).map(
        ({ line, kinds }) => `${line} ${kinds.map(({ kind }) => kind.template).join()}`,
      ),
  };
}

const at = (line: number): ErrorSpot => spotAt(line, { deploymentId: 'one' });

describe('the marks of an open file', () => {
  it('request nothing for a file without errors', async () => {
    const { linesOf, requested } = setup();
    assert.deepEqual(await linesOf(opened('one')), []);
    assert.isEmpty(requested);
  });

  it('are on the lines of the text when they are known', async () => {
    const { linesOf, answer, become } = setup();
    become(kindWith('E', [at(2)]));
    const open = opened(...deployed);
    const first = linesOf(open);
    open.write('zero', ...deployed);
    await answer();
    assert.deepEqual(await first, ['3 E']);
  });

  it('are never those of errors that are gone, such as those of another connection', async () => {
    const { linesOf, answer, become } = setup();
    become(kindWith('before', [at(2)]));
    const open = opened(...deployed);
    const before = linesOf(open);
    become(kindWith('now', [at(3)]));
    const now = linesOf(open);
    await answer();
    assert.deepEqual(await Promise.all([before, now]), [['3 now'], ['3 now']]);
    become();
    assert.deepEqual(await linesOf(open), []);
  });

  it('compare a text with its commit once, however often the errors change', async () => {
    const { linesOf, answer, become } = setup();
    const open = opened('zero', ...deployed);
    for (let line = 1; line <= 3; line++) {
      become(kindWith('E', [at(line)]));
      const lines = linesOf(open);
      await answer();
      assert.deepEqual(await lines, [`${line + 1} E`]);
    }
    assert.equal(open.reads, 1);
  });
});
