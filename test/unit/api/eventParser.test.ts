import { assert } from 'chai';
import { createEventParser } from '../../../src/api/eventParser';
import type { StreamItem } from '../../../src/api/streamItem';
import { page } from './inMemoryServer';
import { encoder, parse, records, summary } from './streamText';

describe('the event parser', () => {
  it('takes comments and other events for heartbeats (F4)', () => {
    assert.strictEqual(summary(parse(':\n\n')), 'heartbeat');
    assert.strictEqual(summary(parse(': a\n: b\n')), 'heartbeat, heartbeat');
    assert.strictEqual(summary(parse('data: x\n\n')), 'heartbeat');
    assert.strictEqual(summary(parse('event: Records\ndata: {}\n\n')), 'heartbeat');
  });

  it('joins lines of data, with and without a space after the colon (F5)', () => {
    const lines = JSON.stringify({ ...page, followCursor: 'c1' }, null, 1).split('\n');
    const text = lines.map((line, index) => `data:${index % 2 === 0 ? ' ' : ''}${line}\n`).join('');
    assert.strictEqual(summary(parse(`event: records\n${text}\n`)), 'c1');
  });

  it('reads a line of 10 MB in pieces of 1 KB within the time of a test (F6)', () => {
    const bytes = encoder.encode(records('x'.repeat(10_000_000)));
    const parser = createEventParser('');
    const items: StreamItem[] = [];
    for (let start = 0; start < bytes.length; start += 1024) {
      items.push(...parser.push(bytes.subarray(start, start + 1024)));
    }
    assert.strictEqual(summary({ items, failure: undefined }).length, 10_000_000);
  });

  it('gives up on a line or an event without end (F7)', () => {
    const chunk = encoder.encode('x'.repeat(1024 * 1024));
    const line = createEventParser('');
    line.push(encoder.encode('event: records\ndata: '));
    let chunks = 0;
    while (line.failure === undefined) {
      line.push(chunk);
      chunks++;
    }
    assert.strictEqual(chunks, 16);
    assert.deepInclude(line.failure, { kind: 'protocol', code: 'tooLarge' });
    assert.lengthOf(line.push(encoder.encode(records('c1'))), 0, 'nothing comes after it');

    const event = createEventParser('');
    let lines = 0;
    while (event.failure === undefined) {
      event.push(encoder.encode(`data: ${'x'.repeat(1024 * 1024)}\n`));
      lines++;
    }
    assert.isAtMost(lines, 17);
  });

  it('discards a half event at the end (F8)', () => {
    for (const end of ['', '\n']) {
      const text = records('c2').slice(0, -2) + end;
      assert.strictEqual(summary(parse(records('c1') + text)), 'c1');
    }
  });

  it('gives up on an event of empty lines, and on none that is one of many (F7, F76)', () => {
    for (const line of ['data:\n', 'data: \r\n', ': nothing\n', 'data\r']) {
      const parser = createEventParser('');
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
      const parser = createEventParser('');
      const many = encoder.encode(`: ${'x'.repeat(1024 * 1024)}${end}${page}`);
      for (let pushes = 0; pushes < 40; pushes++) parser.push(many);
      assert.isUndefined(parser.failure);
    }
  });

  it('ignores or bounds what is unusual (F9)', () => {
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

  it('fails at malformed JSON and gives what came before (F10)', () => {
    for (const data of ['{', 'null,', "{'a': 1}", '\u0000', 'undefined', 'NaN']) {
      const outcome = parse(`${records('c1')}event: records\ndata: ${data}\n\n${records('c2')}`);
      assert.strictEqual(summary(outcome), 'c1, ! notJson');
    }
  });

  it('fails at a wrong schema and says where, in a bounded text (F11)', () => {
    const broken: [object, string][] = [
      [{ records: {} }, 'records'],
      [{ followCursor: undefined }, 'followCursor'],
      [{ nextCursor: 7 }, 'nextCursor'],
      [{ records: [null] }, 'records[0]'],
    ];
    for (const [changes, field] of broken) {
      const parser = createEventParser('');
      assert.lengthOf(parser.push(encoder.encode(records('c1') + records('c2', changes))), 1);
      assert.deepInclude(parser.failure, { kind: 'protocol', code: 'wrongSchema' });
      assert.match(
        parser.failure?.message ?? '',
        new RegExp(`^${field.replace(/[[\]]/g, '\\$&')} of`),
      );
    }
    for (const data of ['null', '[]', '7', '"x"', '{}']) {
      assert.strictEqual(summary(parse(`event: records\ndata: ${data}\n\n`)), '! wrongSchema');
    }
  });

  it('tolerates members that it does not know (F11)', () => {
    assert.strictEqual(
      summary(parse(records('c1', { more: { of: ['this'] }, localization: null }))),
      'c1',
    );
  });

  it('is not harmed by __proto__, huge numbers or depth (F59)', () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const data = JSON.stringify(page).replace(
      '{',
      `{"__proto__":{"polluted":1},"deep":${deep},"big":90071992547409931,`,
    );
    assert.strictEqual(summary(parse(`event: records\ndata: ${data}\n\n`)), 'c1');
    assert.isUndefined(({} as Record<string, unknown>)['polluted']);
    const nested = JSON.stringify(page).replace('"records":[]', `"records":${deep}`);
    assert.strictEqual(summary(parse(`event: records\ndata: ${nested}\n\n`)), '! wrongSchema');
  });
});

describe('an error that comes as an event (F25)', () => {
  function errorOf(data: string, key = 'cp_key'): ReturnType<typeof createEventParser>['failure'] {
    const parser = createEventParser(key);
    parser.push(encoder.encode(`event: error\ndata: ${data}\n\n`));
    return parser.failure;
  }
  const error = (code: string, more: object = {}): string =>
    JSON.stringify({ error: { code, message: 'm', requestId: 'req_1', ...more } });

  it('has the status that its code is the usual name of', () => {
    const table: [string, number | undefined][] = [
      ['unauthorized', 401],
      ['FORBIDDEN', 403],
      ['not-found', 404],
      ['Conflict', 409],
      ['cursor_expired', 410],
      ['payload_too_large', 413],
      ['unprocessable_entity', 422],
      ['RateLimited', 429],
      ['too_many_requests', 429],
      ['internal_error', 500],
      ['service_unavailable', 503],
      ['quota_of_the_moon', undefined],
      ['constructor', undefined],
    ];
    for (const [code, status] of table) {
      assert.deepInclude(errorOf(error(code)), {
        kind: 'http',
        code,
        status,
        requestId: 'req_1',
        message: 'm',
      });
    }
  });

  it('has the status that it names by number', () => {
    assert.deepInclude(errorOf(error('x', { status: 403 })), { status: 403 });
    assert.deepInclude(errorOf('{"status": 429, "error": {"code": "x"}}'), {
      status: 429,
      code: 'x',
    });
    assert.deepInclude(errorOf(error('forbidden', { status: 200 })), { status: 403 });
  });

  it('is an error without a reason where it says nothing', () => {
    for (const data of [
      'x',
      '{}',
      '[]',
      'null',
      '{"error": 7}',
      '{"error": {"code": 7}}',
      '{"error":{"code":""}}',
    ]) {
      assert.deepInclude(errorOf(data), { kind: 'http', code: 'noErrorObject', status: undefined });
    }
  });

  it('is bounded and holds no key (F50)', () => {
    const failure = errorOf(
      error('c'.repeat(5000), { message: `${'m'.repeat(1995)}cp_key${'m'.repeat(1e6)}` }),
    );
    assert.lengthOf(failure?.code ?? '', 201);
    assert.lengthOf(failure?.message ?? '', 2001);
    assert.notInclude(failure?.message ?? '', 'cp_k');
  });
});
