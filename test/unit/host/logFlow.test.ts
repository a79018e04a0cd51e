import { assert } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createFormatter } from '../../../src/logs/record/logLine';
import { createIngest } from '../../control-plane/ingest';
import { createRandom } from '../../control-plane/random';
import { showRecord } from '../../host/logFlow';
import { sampleRecord } from '../logs/sampleRecord';

/** How many rows a small window shows. */
const height = 12;

const files: Readonly<Record<string, string>> = {
  'output of Git, whose last lines begin no record': [
    'commit d1478102',
    'Date: Tue Nov 24 2026',
    '',
    '    A message',
    '',
    ...Array.from({ length: 40 }, (_, index) => ` src/file${index}.ts | ${index} +++---`),
    '',
  ].join('\n'),
  'a line that fills the window': `${'{"a":1},'.repeat(2000)}\n`,
  'lines with a time and a level': '2026-11-20 12:00:00 ERROR one\n2026-11-20 12:00:01 INFO two\n',
  'indented lines alone': '\t\tone\n\t\ttwo\n\n\n',
};

describe('A file that npm start serves', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(path.join(os.tmpdir(), 'flow-'))));
  afterEach(() => rm(folder, { recursive: true }));

  /** The last rows of a small window with the records of a file. */
  async function rowsOf(text: string): Promise<string[]> {
    const file = path.join(folder, 'a.log');
    await writeFile(file, text);
    const format = createFormatter({ timeZone: 'utc', showAttributes: false });
    let shown = '';
    const ingest = createIngest([file], createRandom(1), (record) => {
      shown += format(sampleRecord(record));
    });
    // Twice: the last entry is held back until a poll finds nothing new.
    await ingest.poll();
    await ingest.poll();
    await ingest.stop();
    const rows = shown.split('\n').flatMap((line) => line.match(/.{1,100}/g) ?? ['']);
    return rows.slice(-height);
  }

  for (const [name, text] of Object.entries(files)) {
    it(`has flown when its last rows are shown: ${name}`, async () => {
      const rows = await rowsOf(text);
      assert.isTrue(showRecord(rows), rows.join('\n'));
    });
  }

  it('has no rows if it is empty, and our own lines are none of its', async () => {
    assert.deepEqual(await rowsOf(''), ['']);
    const format = createFormatter({ timeZone: 'utc', showAttributes: false });
    const marker = format({ timestamp: '2026-11-20T12:00:00Z', level: 'warning', text: 'A gap.' });
    assert.isFalse(showRecord(['', ...marker.split('\n')]));
  });
});
