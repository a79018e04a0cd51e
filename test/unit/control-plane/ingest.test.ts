import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { assert } from 'chai';
import type { LogRecord } from '../../../src/api/types';
import { createIngest, guessSeverity, type Ingest } from '../../control-plane/ingest';
import { createRandom } from '../../control-plane/random';
import { Harness, nextPage } from './harness';

describe('Log files in the embedded control plane', () => {
  let folder: string;
  let file: string;
  let ingest: Ingest;
  let seen: Partial<LogRecord>[];
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'ingest-'));
    file = path.join(folder, 'app.log');
    seen = [];
    ingest = createIngest([file], createRandom(1), (record) => seen.push(record));
  });
  afterEach(async () => {
    await ingest.stop();
    await rm(folder, { recursive: true });
  });

  /** The bodies of the entries since the last call, including the one that is held back. */
  async function bodies(): Promise<unknown[]> {
    await ingest.poll();
    await ingest.poll();
    return seen.splice(0).map(({ body }) => body);
  }

  const start = Buffer.from('€\n').subarray(0, 2);
  for (const [what, steps] of [
    [
      'are read to the end, then followed, in whole lines',
      [
        [() => writeFile(file, 'one\ntwo\nthr'), ['one', 'two']],
        [() => appendFile(file, 'ee\r\nf\u00fc'), ['three']],
        [() => appendFile(file, 'nf\n\n\n'), ['fünf']],
      ],
    ],
    [
      'are awaited if they do not exist yet, or end within a character',
      [
        [() => Promise.resolve(), []],
        [() => writeFile(file, start), []],
        [() => writeFile(file, '€\n'), ['€']],
      ],
    ],
    [
      'are read from the start after they were truncated or replaced',
      [
        [() => writeFile(file, 'one\ntwo\n'), ['one', 'two']],
        [() => truncate(file), []],
        [() => appendFile(file, 'new\n'), ['new']],
        [() => appendFile(file, 'last\n').then(() => rename(file, `${file}.1`)), ['last']],
        [() => writeFile(file, 'first\n'), ['first']],
      ],
    ],
  ] as const) {
    it(what, async () => {
      for (const [change, expected] of steps) {
        await change();
        assert.deepEqual(await bodies(), [...expected]);
      }
    });
  }

  it('start with the end of a long file, at the start of a line', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index} ${'x'.repeat(40)}`);
    await writeFile(file, `${lines.join('\n')}\n`);
    const shown = await bodies();
    assert.isAbove(shown.length, 1000);
    assert.deepEqual(shown, lines.slice(-shown.length));
  });

  it('keep stack traces together', async () => {
    const java = 'java.lang.IllegalStateException: x\n\tat a.B.c(B.java:1)\nCaused by: y\n\tat d';
    const python = 'Traceback (most recent call last):\n  File "a.py", line 1\n    x\nKeyError: 1';
    await writeFile(file, `ERROR failed\n${java}\n${python}\nINFO on we go\n`);
    assert.deepEqual(await bodies(), ['ERROR failed', java, python, 'INFO on we go']);
  });

  for (const [line, severity] of [
    ['kernel panic - not syncing', 'fatal'],
    ['2026-11-20 ERROR x', 'error'],
    ['TypeError: x is not a function', 'error'],
    ['level=warning msg=x', 'warn'],
    ['[INFO] no error, no warning', 'info'],
    ['DEBUG x', 'debug'],
    ['informal terror', 'unknown'],
  ] as const) {
    it(`have lines of severity ${severity}: ${line}`, () => {
      assert.equal(guessSeverity(line), severity);
    });
  }

  it('become records of a workload with the name of the file', async () => {
    await writeFile(file, 'ERROR one\n');
    const harness = await Harness.start({ ingest: [file] });
    try {
      const tail = await harness.tail();
      await appendFile(file, 'two\n');
      const all = [...(await harness.query()).records, ...(await nextPage(tail)).records];
      tail.close();
      assert.deepEqual(
        all.map(({ body, severity, workloadName }) => `${workloadName} ${severity} ${body}`),
        ['app.log error ERROR one', 'app.log unknown two'],
      );
    } finally {
      await harness.server.close();
    }
  });

  it('are no folders', async () => {
    const failed = await Harness.start({ ingest: [folder] }).catch((error: unknown) => error);
    assert.instanceOf(failed, Error);
  });
});
