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
  let ingest: Ingest | undefined;
  let seen: Partial<LogRecord>[];
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'ingest-'));
    file = path.join(folder, 'app.log');
    seen = [];
  });
  afterEach(async () => {
    await ingest?.stop();
    await rm(folder, { recursive: true });
  });

  /** The bodies of the entries since the last call, including the one that is held back. */
  async function bodies(): Promise<unknown[]> {
    ingest ??= createIngest([file], createRandom(1), (record) => seen.push(record));
    // Twice: the last entry is held back until a poll finds nothing new.
    await ingest.poll();
    await ingest.poll();
    return seen.splice(0).map(({ body }) => body);
  }
  beforeEach(() => (ingest = undefined));

  it('are read to the end, then followed, in whole lines', async () => {
    await writeFile(file, 'one\ntwo\nthr');
    assert.deepEqual(await bodies(), ['one', 'two']);
    await appendFile(file, 'ee\r\nf\u00fc');
    assert.deepEqual(await bodies(), ['three']);
    await appendFile(file, 'nf\n\n\n');
    assert.deepEqual(await bodies(), ['fünf']);
    assert.deepEqual(await bodies(), []);
  });

  it('keep a character that is split at the end of the file', async () => {
    const bytes = Buffer.from('a€b\n');
    await writeFile(file, bytes.subarray(0, 2));
    assert.deepEqual(await bodies(), []);
    await appendFile(file, bytes.subarray(2));
    assert.deepEqual(await bodies(), ['a€b']);
  });

  it('are read from the start after they were truncated', async () => {
    await writeFile(file, 'one\ntwo\n');
    await bodies();
    await truncate(file);
    assert.deepEqual(await bodies(), []);
    await appendFile(file, 'new\n');
    assert.deepEqual(await bodies(), ['new']);
  });

  it('are read to the end after a move, then continue with the next file', async () => {
    await writeFile(file, 'one\n');
    await bodies();
    await appendFile(file, 'last\n');
    await rename(file, `${file}.1`);
    assert.deepEqual(await bodies(), ['last']);
    await appendFile(`${file}.1`, 'too late\n');
    await writeFile(file, 'first\n');
    assert.deepEqual(await bodies(), ['too late', 'first']);
    await appendFile(`${file}.1`, 'not followed\n');
    assert.deepEqual(await bodies(), []);
  });

  it('are awaited if they do not exist yet', async () => {
    assert.deepEqual(await bodies(), []);
    await writeFile(file, 'hello\n');
    assert.deepEqual(await bodies(), ['hello']);
  });

  it('start with the end of a long file, at the start of a line', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index} ${'x'.repeat(40)}`);
    await writeFile(file, `${lines.join('\n')}\n`);
    const shown = await bodies();
    assert.isAbove(shown.length, 1000);
    assert.deepEqual(shown, lines.slice(-shown.length));
  });

  it('keep stack traces together', async () => {
    const java =
      'ERROR failed\njava.lang.IllegalStateException: x\n\tat a.B.c(B.java:1)\nCaused by: y\n\tat d';
    const python = 'Traceback (most recent call last):\n  File "a.py", line 1\n    x\nKeyError: 1';
    await writeFile(file, `${java}\n${python}\nINFO on we go\n`);
    const [first = '', ...trace] = java.split('\n');
    assert.deepEqual(await bodies(), [first, trace.join('\n'), python, 'INFO on we go']);
  });

  it('get a guessed severity', () => {
    const guesses = {
      'kernel panic - not syncing': 'fatal',
      '2026-11-20 ERROR x': 'error',
      'TypeError: x is not a function': 'error',
      'level=warning msg=x': 'warn',
      '[INFO] no error, no warning': 'info',
      'DEBUG x': 'debug',
      'informal terror': 'unknown',
    };
    for (const [line, severity] of Object.entries(guesses)) {
      assert.equal(guessSeverity(line), severity, line);
    }
  });

  it('become records of a workload with the name of the file', async () => {
    await writeFile(file, 'ERROR one\n');
    const harness = await Harness.start({ ingest: [file], historyRecords: 0 });
    try {
      const tail = await harness.tail({});
      await appendFile(file, 'two\n');
      const { records } = await harness.query({});
      records.push(...(await nextPage(tail)).records);
      tail.close();
      assert.deepEqual(
        records.map(({ body, severity, workloadName }) => [body, severity, workloadName]),
        [
          ['ERROR one', 'error', 'app.log'],
          ['two', 'unknown', 'app.log'],
        ],
      );
    } finally {
      await harness.server.close();
    }
    let refused = false;
    await Harness.start({ ingest: [folder] }).catch(() => (refused = true));
    assert.isTrue(refused, 'a folder is not a log file');
  });
});
