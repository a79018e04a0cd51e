import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { assert } from 'chai';
import type { LogRecord } from '../../../src/api/types';
import { createIngest, guessSeverity, type Ingest } from '../../control-plane/ingest';
import { createRandom } from '../../control-plane/random';
import { Harness, nextPage } from './harness';

describe('The embedded control plane follows log files', () => {
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

  /** The bodies of what came since the last call, the entry that was held back included. */
  async function bodies(): Promise<unknown[]> {
    ingest ??= createIngest([file], createRandom(1), (record) => seen.push(record));
    // Twice: the last entry is held back until nothing more comes.
    await ingest.poll();
    await ingest.poll();
    return seen.splice(0).map(({ body }) => body);
  }
  beforeEach(() => (ingest = undefined));

  it('shows what is there, then what is added, whole lines only', async () => {
    await writeFile(file, 'one\ntwo\nthr');
    assert.deepEqual(await bodies(), ['one', 'two']);
    await appendFile(file, 'ee\r\nf\u00fc');
    assert.deepEqual(await bodies(), ['three']);
    await appendFile(file, 'nf\n\n\n');
    assert.deepEqual(await bodies(), ['fünf']);
    assert.deepEqual(await bodies(), []);
  });

  it('keeps a character that is cut in two by the end of the file', async () => {
    const bytes = Buffer.from('a€b\n');
    await writeFile(file, bytes.subarray(0, 2));
    assert.deepEqual(await bodies(), []);
    await appendFile(file, bytes.subarray(2));
    assert.deepEqual(await bodies(), ['a€b']);
  });

  it('goes on at the front of a file that was emptied', async () => {
    await writeFile(file, 'one\ntwo\n');
    await bodies();
    await truncate(file);
    assert.deepEqual(await bodies(), []);
    await appendFile(file, 'new\n');
    assert.deepEqual(await bodies(), ['new']);
  });

  it('reads a file that is moved away to its end and goes on with the next one', async () => {
    await writeFile(file, 'one\n');
    await bodies();
    await appendFile(file, 'last\n');
    await rename(file, `${file}.1`);
    assert.deepEqual(await bodies(), ['last']);
    await appendFile(`${file}.1`, 'too late\n');
    await writeFile(file, 'first\n');
    assert.deepEqual(await bodies(), ['too late', 'first']);
    await appendFile(`${file}.1`, 'nobody looks\n');
    assert.deepEqual(await bodies(), []);
  });

  it('waits for a file that is not there yet', async () => {
    assert.deepEqual(await bodies(), []);
    await writeFile(file, 'hello\n');
    assert.deepEqual(await bodies(), ['hello']);
  });

  it('shows the end of a long file, from the start of a line', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index} ${'x'.repeat(40)}`);
    await writeFile(file, `${lines.join('\n')}\n`);
    const shown = await bodies();
    assert.isAbove(shown.length, 1000);
    assert.deepEqual(shown, lines.slice(-shown.length));
  });

  it('joins stack traces', async () => {
    const java =
      'ERROR failed\njava.lang.IllegalStateException: x\n\tat a.B.c(B.java:1)\nCaused by: y\n\tat d';
    const python = 'Traceback (most recent call last):\n  File "a.py", line 1\n    x\nKeyError: 1';
    await writeFile(file, `${java}\n${python}\nINFO on we go\n`);
    const [first = '', ...trace] = java.split('\n');
    assert.deepEqual(await bodies(), [first, trace.join('\n'), python, 'INFO on we go']);
  });

  it('guesses the severity', () => {
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

  it('serves their lines as records, under the name of the file', async () => {
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
    assert.isTrue(refused, 'a folder is no log file');
  });
});
