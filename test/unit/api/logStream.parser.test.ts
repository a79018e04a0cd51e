import { assert } from 'chai';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { EventParser, type StreamItem } from '../../../src/api/logStream';
import { covers } from '../covers';
import { isLinear } from '../linear';
import { shortOrLong } from '../long';
import { page } from './cannedAnswers';
import { encoder, parse, records, summary } from './streamText';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('the event parser', () => {
  it(`reads comments and other events as heartbeats ${covers('F4', 'unit')}`, () => {
    assert.strictEqual(summary(parse(':\n\n')), 'heartbeat');
    assert.strictEqual(summary(parse(': a\n: b\n')), 'heartbeat, heartbeat');
    assert.strictEqual(summary(parse('data: x\n\n')), 'heartbeat');
    assert.strictEqual(summary(parse('event: Records\ndata: {}\n\n')), 'heartbeat');
  });

  it(`joins lines of data, with and without a space after the colon ${covers('F5', 'unit')}`, () => {
    const lines = JSON.stringify({ ...page, followCursor: 'c1' }, null, 1).split('\n');
    const text = lines.map((line, index) => `data:${index % 2 === 0 ? ' ' : ''}${line}\n`).join('');
    assert.strictEqual(summary(parse(`event: records\n${text}\n`)), 'c1');
  });

  it(`reads a line of 10 MB in pieces of 1 KB in linear time ${covers('F6', 'unit')}`, () => {
    const pieceBytes = 1024;
    const line = (length: number) => encoder.encode(records('c1', { more: 'x'.repeat(length) }));
    isLinear(1_250_000, line, (bytes) => {
      const parser = new EventParser('');
      const items: StreamItem[] = [];
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        items.push(...parser.push(bytes.subarray(at, at + pieceBytes)));
      }
      assert.strictEqual(summary({ items, failure: undefined }), 'c1');
    });
  });

  it(`fails at a line or an event without end, and buffers no more of it ${covers('F7', 'unit')}`, () => {
    const mebibyte = 1024 * 1024;
    const chunk = encoder.encode('x'.repeat(mebibyte));
    const held = (): number => {
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      return (heapUsed + external) / mebibyte;
    };
    const before = held();
    const line = new EventParser('');
    line.push(encoder.encode('event: records\ndata: '));
    let chunks = 0;
    while (line.failure === undefined) {
      line.push(chunk);
      chunks++;
    }
    assert.strictEqual(chunks, 16);
    assert.deepInclude(line.failure, { kind: 'protocol', code: 'tooLarge' });
    const atFailure = held();
    assert.isBelow(atFailure - before, 20, 'one copy of the line');
    for (let more = 0; more < 500; more++) line.push(chunk);
    assert.isBelow(held() - atFailure, 1, 'later bytes are not buffered');
    assert.lengthOf(line.push(encoder.encode(records('c1'))), 0, 'no items after it');

    const event = new EventParser('');
    let lines = 0;
    while (event.failure === undefined) {
      event.push(encoder.encode(`data: ${'x'.repeat(mebibyte)}\n`));
      lines++;
    }
    assert.isAtMost(lines, 17);
    assert.isBelow(held() - before, 40);
  });

  it(`discards a half event at the end ${covers('F8', 'unit')}`, () => {
    for (const end of ['', '\n']) {
      const text = records('c2').slice(0, -2) + end;
      assert.strictEqual(summary(parse(records('c1') + text)), 'c1');
    }
  });

  it(`fails at an endless event of empty data lines, but not at one of many events ${covers('F7, F76', 'unit')}`, () => {
    const lines = ['data:\n', 'data: \r\n', ': nothing\n', 'data\r'];
    for (const line of shortOrLong(lines.slice(0, 1), lines)) {
      const parser = new EventParser('');
      const chunk = encoder.encode(line.repeat(Math.ceil((1024 * 1024) / line.length)));
      let pushes = 0;
      while (parser.failure === undefined && pushes < 40) {
        parser.push(chunk);
        pushes++;
      }
      assert.deepInclude(parser.failure, { kind: 'protocol', code: 'tooLarge' });
      assert.isAtMost(pushes, 18);
    }
    for (const [end, page] of [
      ['\n', records('c1')],
      ['\r\n', records('c1').replaceAll('\n', '\r\n')],
      ['\r', records('c1').replaceAll('\n', '\r')],
    ] as const) {
      const parser = new EventParser('');
      const many = encoder.encode(`: ${'x'.repeat(1024 * 1024)}${end}${page}`);
      for (let pushes = 0; pushes < 40; pushes++) parser.push(many);
      assert.isUndefined(parser.failure);
    }
  });

  it(`ignores or limits unusual fields ${covers('F9', 'unit')}`, () => {
    const table: [string, string][] = [
      ['retry: 0', 'retry 500'],
      ['retry: 3000', 'retry 3000'],
      ['retry: 60001', 'retry 60000'],
      [`retry: ${'9'.repeat(400)}`, 'retry 60000'],
      ['retry: 1e12', ''],
      ['retry: -5', ''],
      ['retry', ''],
      ['id: 7', ''],
      ['id: \0', ''],
      ['unknown: field', ''],
      ['no colon', ''],
    ];
    for (const [line, items] of table) {
      assert.strictEqual(summary(parse(`${line}\n\n`)), items);
      assert.strictEqual(
        summary(parse(`${line}\n${records('c1')}`)),
        items ? `${items}, c1` : 'c1',
      );
    }
  });

  for (const [code, texts] of [
    ['notJson', ['{', 'null,', "{'a': 1}", '\u0000', 'undefined', 'NaN']],
    ['wrongSchema', ['null', '[]', '7', '"x"', '{}']],
  ] as const) {
    it(`fails with ${code} at data such as ${texts[0]} after returning earlier items ${covers('F10, F11', 'unit')}`, () => {
      for (const data of texts) {
        const outcome = parse(`${records('c1')}event: records\ndata: ${data}\n\n${records('c2')}`);
        assert.strictEqual(summary(outcome), `c1, ! ${code}`);
      }
    });
  }
});

describe(`an error event ${covers('F25', 'unit')}`, () => {
  function errorOf(data: string, key = 'cp_key'): EventParser['failure'] {
    const parser = new EventParser(key);
    parser.push(encoder.encode(`event: error\ndata: ${data}\n\n`));
    return parser.failure;
  }
  const error = (code: string, more: object = {}): string =>
    JSON.stringify({ error: { code, message: 'm', requestId: 'req_1', ...more } });

  it('has its texts, and the status in a number or else that of its code', () => {
    for (const [code, more, status] of [
      ['rate_limited', {}, 429],
      ['surprise', {}, undefined],
      ['surprise', { status: 403 }, 403],
      ['forbidden', { status: 200 }, 403],
    ] as const) {
      const texts = { code, message: 'm', requestId: 'req_1' };
      assert.deepInclude(errorOf(error(code, more)), { kind: 'http', status, ...texts });
    }
    const beside = '{"status": 429, "error": {"code": "x"}}';
    assert.deepInclude(errorOf(beside), { status: 429, code: 'x' });
  });

  it('is an error without a reason if it is empty', () => {
    const odd = ['{"error": 7}', '{"error": {"code": 7}}', '{"error":{"code":""}}'];
    for (const data of ['x', '{}', '[]', 'null', ...odd]) {
      assert.deepInclude(errorOf(data), { kind: 'http', code: 'noErrorObject', status: undefined });
    }
  });

  it(`is bounded and contains no key ${covers('F50', 'unit')}`, () => {
    const failure = errorOf(
      error('c'.repeat(5000), { message: `${'m'.repeat(1995)}cp_key${'m'.repeat(1e6)}` }),
    );
    assert.lengthOf(failure?.code ?? '', 201);
    assert.lengthOf(failure?.message ?? '', 2001);
    assert.notInclude(failure?.message ?? '', 'cp_k');
  });
});
