import { assert } from 'chai';
import fc from 'fast-check';
import type { LogRecord } from '../../../../src/api/types';
import { csv, ndjson, textFormat } from '../../../../src/logs/explorer/exportFormat';
import { covers } from '../../covers';
import { anyText } from '../anyText';
import { sampleRecord } from '../sampleRecord';

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

describe('NDJSON format', () => {
  it('contains each record as it was sent, one per line', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const line = ndjson.record(record);
        assert.equal(line.indexOf('\n'), line.length - 1);
        assert.deepEqual(JSON.parse(line), record);
      }),
    );
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
        assert.equal(unquoted(read('body')), unquoted(record.body));
        assert.equal(unquoted(read('traceId')), unquoted(record.traceId ?? ''));
        assert.deepEqual(JSON.parse(read('attributes')), record.attributes);
      }),
    );
  });

  it('contains no formulas', () => {
    for (const body of ['=HYPERLINK("x")', '+1', '-1', '@SUM', '\t=1', '\r=1']) {
      const cells = cellsOf(csv.record(sampleRecord({ body, service: body })));
      for (const name of ['body', 'service'])
        assert.equal(cells[columns.indexOf(name)]?.replace(/(?<=^'\s)'/, ''), `'${body}`);
    }
  });

  it(`contains no formulas after characters that other spreadsheets skip or take for separators ${covers('F78', 'unit')}`, () => {
    const bodyOf = (body: string): string =>
      cellsOf(csv.record(sampleRecord({ body })))[columns.indexOf('body')] ?? '';
    for (const [body, cell] of [
      ['  =1', "'  =1"],
      ['\u00a0@SUM', "'\u00a0@SUM"],
      ['\u200b=1', "'\u200b=1"],
      ['\ufeff\u2060+1', "'\ufeff\u2060+1"],
      ['\uff1d1', "'\uff1d1"],
      ['\uff0b1', "'\uff0b1"],
      ['\u22121', "'\u22121"],
      ['a;=1', "a;'=1"],
      ['a; \u200b-1', "a; \u200b'-1"],
      ['a\t=1', "a\t'=1"],
      ['a|@b', "a|'@b"],
      ['a\n=1', "a\n'=1"],
      ['a\r\n+1', "a\r\n'+1"],
      ['a;;|=1', "a;;|'=1"],
      [';=1', ";'=1"],
      ['|\u200b+1', "|\u200b'+1"],
      [' \t@x', " \t'@x"],
      ['"=1', `"'=1`],
      ['a"=1', `a"'=1`],
      ['a;"=1', `a;"'=1`],
      ['a;" -1', `a;" '-1`],
      ['a "b" = c', `a "b" '= c`],
      ['a = b - c', 'a = b - c'],
      ['x;y', 'x;y'],
      ['user@host', 'user@host'],
    ]) {
      assert.equal(bodyOf(String(body)), cell, JSON.stringify(body));
    }
    assert.include(csv.record(sampleRecord({ body: 'x;y' })), '"x;y"');
    const attributes = { 'a;b': ';=1|+2' };
    const line = csv.record(sampleRecord({ attributes }));
    assert.notMatch(line.slice(line.indexOf('{')), /[;|]/);
    assert.deepEqual(JSON.parse(cellsOf(line).at(-1) ?? ''), attributes);
  });

  it(`takes linear time for any text ${covers('F78', 'unit')}`, () => {
    for (const body of ['\t'.repeat(1_000_000), `${';'.repeat(500_000)}x`, ' ='.repeat(300_000)]) {
      csv.record(sampleRecord({ body }));
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
