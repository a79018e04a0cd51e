import { assert } from 'chai';
import fc from 'fast-check';
import type { LogRecord } from '../../../../src/api/types';
import {
  csv,
  ndjson,
  loadedRecords,
  writeExport,
  type WriteRequest,
  textFormat,
} from '../../../../src/logs/explorer/writeExport';
import type { ExportEnd } from '../../../../src/logs/explorer/exportRecords';
import { covers } from '../../covers';
import { sampleRecord } from '../sampleRecord';
import { clipboardText, sanitise } from '../../../../src/base/untrustedText';
import { isLinear } from '../../linear';
import { anyText } from '../anyText';

const record = (body: string): LogRecord => sampleRecord({ eventId: body, body });

async function* pages(
  bodies: readonly (readonly string[])[],
  end: ExportEnd | Error,
): AsyncGenerator<readonly LogRecord[], ExportEnd> {
  for (const page of bodies) yield await Promise.resolve(page.map(record));
  if (end instanceof Error) throw end;
  return end;
}

function setup(room = Infinity) {
  let text = '';
  let isEnded = false;
  const controller = new AbortController();
  const run = (
    batches: WriteRequest['batches'],
    more: Partial<WriteRequest> = {},
  ): ReturnType<typeof writeExport> =>
    writeExport({
      format: ndjson,
      batches,
      sink: {
        write(piece) {
          const fits = text.length + piece.length <= room;
          if (fits) text += piece;
          return Promise.resolve(fits);
        },
        end(piece) {
          text += piece;
          isEnded = true;
          return Promise.resolve();
        },
      },
      signal: controller.signal,
      describe: (outcome, error) =>
        error instanceof Error ? `${outcome}: ${error.message}` : outcome,
      now: () => '2026-11-20T12:00:00Z',
      ...more,
    });
  return {
    run,
    controller,
    isEnded: () => isEnded,
    text: () => text,
    lines: () =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

describe('writeExport', () => {
  it('writes the records of all pages', async () => {
    const { run, lines, isEnded } = setup();
    assert.deepEqual(await run(pages([['a', 'b'], ['c']], 'complete')), {
      outcome: 'complete',
      records: 3,
    });
    assert.deepEqual(
      lines().map(({ body }) => body),
      ['a', 'b', 'c'],
    );
    assert.isTrue(isEnded());
  });

  it('starts with the head of the format', async () => {
    const { run, text } = setup();
    await run(pages([], 'complete'), { format: csv });
    assert.equal(text(), csv.head);
  });

  for (const end of ['bound', 'partial', 'accessChanged', 'stuck'] as const) {
    it(`notes in the file why it is incomplete: ${end}`, async () => {
      const { run, lines } = setup();
      assert.deepEqual(await run(pages([['a']], end)), { outcome: end, records: 1 });
      assert.deepInclude(lines().at(-1), { partial: true, why: end });
    });
  }

  it('keeps the records before a failure and says why it failed', async () => {
    const { run, lines, isEnded } = setup();
    const error = new Error('no more');
    const exported = await run(pages([['a'], ['b']], error));
    assert.deepEqual(exported, { outcome: 'failed', records: 2, error });
    assert.lengthOf(lines(), 3);
    assert.deepInclude(lines().at(-1), { partial: true, why: 'failed: no more' });
    assert.isTrue(isEnded());
  });

  it('keeps the records before one that cannot be written, and says why it failed', async () => {
    const { run, text, isEnded } = setup();
    let deep: object = {};
    for (let level = 0; level < 50_000; level++) deep = { deep };
    const format = {
      ...ndjson,
      record: (one: LogRecord) => ndjson.record(one.body === 'c' ? { ...one, ...deep } : one),
    };
    const { outcome, records, error } = await run(pages([['a'], ['b', 'c', 'd']], 'complete'), {
      format,
    });
    assert.deepEqual([outcome, records], ['failed', 2]);
    assert.instanceOf(error, RangeError);
    const lines = text().trimEnd().split('\n');
    assert.lengthOf(lines, 3);
    assert.include(lines[2], 'failed');
    assert.isTrue(isEnded());
  });

  it('keeps the records before it is cancelled', async () => {
    const { run, lines, controller } = setup();
    const all = Array.from({ length: 1500 }, (_, index) => record(`${index}`));
    const pause = (): Promise<void> => {
      controller.abort();
      return Promise.resolve();
    };
    const loaded = loadedRecords(all, false, pause, controller.signal);
    assert.deepEqual(await run(loaded), { outcome: 'cancelled', records: 1000 });
    assert.lengthOf(lines(), 1001);
    assert.deepInclude(lines().at(-1), { partial: true, why: 'cancelled' });
  });

  it('ends when the file is full, without further requests', async () => {
    const { run, lines } = setup(JSON.stringify(record('a')).length + 10);
    let asked = 0;
    async function* counted(): AsyncGenerator<readonly LogRecord[], ExportEnd> {
      for (const body of ['a', 'b', 'c']) {
        asked++;
        yield await Promise.resolve([record(body)]);
      }
      return 'complete';
    }
    assert.deepEqual(await run(counted()), { outcome: 'full', records: 1 });
    assert.deepInclude(lines().at(-1), { partial: true, why: 'full' });
    assert.equal(asked, 2);
  });

  it('fails if the file cannot be written', async () => {
    const { run } = setup();
    const broken = {
      write: () => Promise.reject(new Error('disk full')),
      end: () => Promise.resolve(),
    };
    const error = await run(pages([['a']], 'complete'), { sink: broken }).catch((e: unknown) => e);
    assert.instanceOf(error, Error);
    assert.equal(error.message, 'disk full');
  });
});

describe('loadedRecords', () => {
  it('returns pieces, so that other tasks run', async () => {
    const { run, lines, controller } = setup();
    let pauses = 0;
    const all = Array.from({ length: 2001 }, (_, index) => record(`${index}`));
    const pause = (): Promise<void> => {
      pauses++;
      return Promise.resolve();
    };
    const { signal } = controller;
    const exported = await run(loadedRecords(all, false, pause, signal));
    assert.deepEqual(exported, { outcome: 'complete', records: 2001 });
    assert.deepEqual(
      lines().map(({ body }) => body),
      all.map(({ body }) => body),
    );
    assert.equal(pauses, 3);
  });

  it('is partial if the control plane left out records', async () => {
    const { run, lines, controller } = setup();
    const pause = (): Promise<void> => Promise.resolve();
    const loaded = loadedRecords([record('a')], true, pause, controller.signal);
    assert.equal((await run(loaded)).outcome, 'partial');
    assert.deepInclude(lines().at(-1), { partial: true });
  });
});

const at = '2026-11-20T12:00:00Z';

/** Reads one row of RFC 4180 back. */
function cellsOf(row: string): string[] {
  assert.isTrue(row.endsWith('\r\n'));
  const cells: string[] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n$)/y;
  for (pattern.lastIndex = 0; pattern.lastIndex < row.length;) {
    const [whole, quoted, plain] = pattern.exec(row) ?? assert.fail(row);
    cells.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (whole.endsWith('\r\n')) break;
  }
  return cells;
}

const anyRecord: fc.Arbitrary<LogRecord> = fc
  .record({
    body: fc.oneof(anyText(30), fc.constantFrom('=1+1', '@x', '-2', '"', 'a,b', '\r\n')),
    service: anyText(5, 1),
    attributes: fc.dictionary(anyText(4, 1), anyText(4)),
    traceId: fc.option(anyText(4)),
  })
  .map(sampleRecord);

/** It sets the clipboard of a terminal, clears it and turns the reading direction. */
const hostile = '\u001b]52;c;cm0gLXJmIH4K\u0007\u001b[2J\u009b31m\u202ereversed';

describe('NDJSON format', () => {
  it('contains each record as it was sent, one per line', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const line = ndjson.record(record);
        assert.equal(line.indexOf('\n'), line.length - 1);
        assert.deepEqual(JSON.parse(line), record);
        assert.equal(sanitise(line.slice(0, -1)), line.slice(0, -1), 'nothing in it is invisible');
      }),
    );
  });

  it(`escapes what a terminal would run, and keeps its meaning ${covers('F54, F55', 'unit')}`, () => {
    const record = sampleRecord({ body: hostile, attributes: { [hostile]: hostile } });
    const line = ndjson.record(record);
    assert.include(line, '\\u001b]52;c;');
    assert.include(line, '\\u009b31m\\u202e');
    assert.deepEqual(JSON.parse(line), record);
  });

  it('says in the last line that it is partial', () => {
    const line = ndjson.partial('a "bound"', at);
    assert.deepEqual(JSON.parse(line), { partial: true, why: 'a "bound"', timestamp: at });
  });
});

describe('CSV format', () => {
  const columns = cellsOf(csv.head);

  it('contains everything that a record has', () => {
    assert.sameMembers(columns, Object.keys(sampleRecord()));
  });

  it('can be read back for any text', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const cells = cellsOf(csv.record(record));
        assert.lengthOf(cells, columns.length);
        const read = (name: string): string => cells[columns.indexOf(name)] ?? '';
        const unquoted = (text: string): string => text.replaceAll("'", '');
        // What is invisible is an escape; line breaks stay.
        assert.equal(unquoted(read('body')), unquoted(clipboardText(record.body)));
        assert.equal(unquoted(read('traceId')), unquoted(clipboardText(record.traceId ?? '')));
        assert.deepEqual(JSON.parse(read('attributes')), record.attributes);
        for (const one of cells) assert.equal(clipboardText(one), one);
      }),
    );
  });

  it(`contains no formulas, also after characters that spreadsheets skip or take for separators ${covers('F78', 'unit')}`, () => {
    for (const [text, cell] of [
      ['=HYPERLINK("x")', `'=HYPERLINK("x")`],
      ['+1', "'+1"],
      ['-1', "'-1"],
      ['@SUM', "'@SUM"],
      ['\t=1', "'\t'=1"],
      ['\r=1', '\\u{d}=1'],
      ['  =1', "'  =1"],
      ['\u00a0@SUM', "'\u00a0@SUM"],
      ['\u200b=1', '\\u{200b}=1'],
      ['\ufeff\u2060+1', '\\u{feff}\\u{2060}+1'],
      ['\uff1d1', "'\uff1d1"],
      ['\uff0b1', "'\uff0b1"],
      ['\u22121', "'\u22121"],
      ['a;=1', "a;'=1"],
      ['a; \u200b-1', 'a; \\u{200b}-1'],
      ['a\t=1', "a\t'=1"],
      ['a|@b', "a|'@b"],
      ['a\n=1', "a\n'=1"],
      ['a\r\n+1', "a\n'+1"],
      ['a;;|=1', "a;;|'=1"],
      [';=1', ";'=1"],
      ['|\u200b+1', '|\\u{200b}+1'],
      [' \t@x', " \t'@x"],
      ['"=1', `"'=1`],
      ['a"=1', `a"'=1`],
      ['a;"=1', `a;"'=1`],
      ['a;" -1', `a;" '-1`],
      ['a "b" = c', `a "b" '= c`],
      ['a = b - c', 'a = b - c'],
      ['x;y', 'x;y'],
      ['user@host', 'user@host'],
    ] as const) {
      const cells = cellsOf(csv.record(sampleRecord({ body: text, service: text })));
      for (const name of ['body', 'service']) {
        assert.equal(cells[columns.indexOf(name)], cell, JSON.stringify(text));
      }
    }
    assert.include(csv.record(sampleRecord({ body: 'x;y' })), '"x;y"');
    const attributes = { 'a;b': ';=1|+2' };
    const line = csv.record(sampleRecord({ attributes }));
    assert.notMatch(line.slice(line.indexOf('{')), /[;|]/);
    assert.deepEqual(JSON.parse(cellsOf(line).at(-1) ?? ''), attributes);
  });

  it(`shows what a terminal would run ${covers('F54, F55', 'unit')}`, () => {
    const line = csv.record(
      sampleRecord({ body: hostile, service: hostile, attributes: { [hostile]: hostile } }),
    );
    const cells = cellsOf(line);
    const shown = '\\u{1b}]52;c;cm0gLXJmIH4K\\u{7}\\u{1b}[2J\\u{9b}31m\\u{202e}reversed';
    assert.equal(cells[columns.indexOf('body')], shown);
    assert.equal(cells[columns.indexOf('service')], shown);
    assert.deepEqual(JSON.parse(cells.at(-1) ?? ''), { [hostile]: hostile });
    assert.equal(clipboardText(line.trimEnd()), line.trimEnd());
  });

  it(`takes linear time for any text ${covers('F78', 'unit')}`, () => {
    for (const body of ['\t', ';', ' =', '"', '\u200b', '\r', '=\n']) {
      isLinear(
        20_000,
        (size) => sampleRecord({ body: `${body.repeat(size / body.length)}x` }),
        (record) => csv.record(record),
        JSON.stringify(body),
      );
    }
  });

  it('says in the last row that it is partial', () => {
    const cells = cellsOf(csv.partial('cancelled, "early"', at));
    assert.equal(cells[0], 'PARTIAL: cancelled, "early"');
    assert.lengthOf(cells, columns.length);
  });
});

describe('text format', () => {
  const text = textFormat({ timeZone: 'utc', showAttributes: false });

  it(`contains the harmless lines of the channel ${covers('F54', 'unit')}`, () => {
    const record = sampleRecord({ body: 'a\u001b[31m\u001b[2Jb\nc' });
    assert.equal(
      text.record(record),
      '2026-11-20 12:00:00.123 [warning] [web-api] a\\u{1b}[2Jb\n    c\n',
    );
  });

  it('says in the last line that it is partial', () => {
    const line = text.partial('It ended early.', at);
    assert.include(line, '[warning]');
    assert.isTrue(line.endsWith('It ended early.\n'));
  });
});
