import { assert } from 'chai';
import { readableDetails, type DetailsOptions } from '../../../../src/logs/explorer/details';
import type { DetailField } from '../../../../src/logs/explorer/protocol/messages';
import type { LogRecord } from '../../../../src/api/types';
import type { LogFilter } from '../../../../src/logs/query/fields';
import { joinRecords } from '../../../../src/logs/record/joinRecords';
import { covers } from '../../covers';
import { sampleRecord } from '../sampleRecord';

const hex = (length: number): string => 'ab'.repeat(length / 2);

function details(changes: Partial<LogRecord> = {}, options: Partial<DetailsOptions> = {}) {
  return readableDetails(sampleRecord(changes), { timeZone: 'utc', filter: {}, ...options });
}

function field(fields: readonly DetailField[], name: string): DetailField {
  return fields.find((one) => one.field === name) ?? assert.fail(`There is no ${name}.`);
}

describe('details of a record', () => {
  it('contain every field of the record', () => {
    const all = details({
      deploymentId: '7c2b3f91-1d2e-4f30-9b4c-5d6e7f809102',
      previewId: '8c2b3f91-1d2e-4f30-9b4c-5d6e7f809102',
      traceId: hex(32),
      spanId: hex(16),
    });
    const shown = Object.keys(sampleRecord()).length - ['body', 'attributes'].length;
    // The name of the workload stands with its id, and `truncated` behind the body.
    assert.lengthOf(all.fields, shown - 2);
    assert.equal(
      field(all.fields, 'workload').value,
      'web-api (6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102)',
    );
    assert.equal(field(all.fields, 'timestamp').value, '2026-11-20 12:00:00.123');
    assert.notInclude(
      details().fields.map((one) => one.field),
      'trace',
    );
  });

  it('contain each record of an entry', () => {
    const options = { timeZone: 'utc', filter: {} };
    const records = ['Error: lost', '    at a (/app/a.ts:1:2)\u202e'].map((body, index) =>
      sampleRecord({ body, timestamp: `2026-11-20T12:00:00.00${index}Z` }),
    );
    const [entry = sampleRecord()] = joinRecords(records);
    assert.equal(
      readableDetails(entry, options).records,
      '2026-11-20 12:00:00.000  Error: lost\n' +
        '2026-11-20 12:00:00.001      at a (/app/a.ts:1:2)\\u{202e}',
    );
    assert.isUndefined(details().records);
  });

  it('show an unknown severity with that of the server, on one short line', () => {
    const shown = (severityText: string): string =>
      field(details({ severity: 'unknown', severityText }).fields, 'severity').value;
    assert.equal(shown('NOTICE\u001b'), 'unknown (NOTICE\\u{1b})');
    assert.isBelow(shown('x\n'.repeat(1000)).length, 150);
  });

  it('link the place that members or attributes name', () => {
    const linked = (changes: Partial<LogRecord>): readonly string[] =>
      details(changes).body.flatMap(({ position }) =>
        position === undefined ? [] : [`${position.path}:${position.line}`],
      );
    const inMembers = JSON.stringify({
      msg: 'charged',
      source: { function: 'main.charge', file: '/app/main.go', line: 42 },
    });
    assert.deepEqual(linked({ body: inMembers }), ['/app/main.go:42']);
    const logback = JSON.stringify({
      ...{ message: 'no', caller_class_name: 'a.B', caller_file_name: 'B.java' },
      ...{ caller_line_number: 7, stack_trace: 'a.E: no\n\tat a.C.d(C.java:3)' },
    });
    assert.deepEqual(linked({ body: logback }).slice(-2), ['a/B.java:7', 'a/C.java:3']);
    const attributes = { 'code.filepath': '/app/pay.py', 'code.lineno': '9' };
    assert.deepEqual(linked({ body: 'paid', attributes }), ['/app/pay.py:9']);
    // What the body says is a link in it.
    assert.deepEqual(linked({ body: 'at /app/pay.py:9', attributes }), ['/app/pay.py:9']);
    assert.deepEqual(linked({ body: '{"caller":"a/b.go:3","msg":"paid"}' }), ['a/b.go:3']);
  });

  it('show names for ids', () => {
    const { fields } = details(
      { workloadName: '' },
      { nameOf: (kind) => (kind === 'server' ? 'eu-1\u202e' : undefined) },
    );
    assert.equal(
      field(fields, 'server').value,
      'eu-1\\u{202e} (5b1a2f80-0c1d-4e2f-8a3b-4c5d6e7f8091)',
    );
    assert.equal(field(fields, 'workload').value, '6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102');
  });

  it('say which values can be added to the query or excluded', () => {
    const can = (filter: LogFilter, name: string): [boolean, boolean] => {
      const { fields, attributes } = details(
        { attributes: { user: '42', [hex(200)]: 'x' }, stream: 'stderr' },
        { filter },
      );
      const { canAdd, canExclude } = field([...fields, ...attributes], name);
      return [canAdd, canExclude];
    };
    assert.deepEqual(can({}, 'service'), [true, true]);
    assert.deepEqual(can({}, 'severity'), [true, true]);
    assert.deepEqual(can({}, 'attr.user'), [true, true]);
    assert.deepEqual(can({}, 'timestamp'), [false, false]);
    assert.deepEqual(can({}, 'eventId'), [false, false]);
    // Longer than the API takes.
    assert.deepEqual(can({}, `attr.${hex(200)}`), [false, false]);
    // Without it nothing would be asked for.
    assert.deepEqual(can({ severities: ['warn'] }, 'severity'), [true, false]);
    const or: LogFilter = {
      conditionGroup: {
        match: 'or',
        conditions: [
          { field: 'service', operator: 'equals', value: 'a' },
          { field: 'service', operator: 'equals', value: 'b' },
        ],
      },
    };
    assert.deepEqual(can(or, 'stream'), [true, false]);
  });

  it('have harmless names and values of attributes', () => {
    const { attributes } = details({ attributes: { 'a\u202eb': 'c\u0000', constructor: 'mine' } });
    assert.deepEqual(
      attributes.map(({ field: name, value }) => [name, value]),
      [
        ['attr.a\\u{202e}b', 'c\\u{0}'],
        ['attr.constructor', 'mine'],
      ],
    );
  });

  it('split the body at links to source files', () => {
    const body =
      'Error: no\u0007\n    at run (/app/src/a.ts:12:5)\n  File "/app/b.py", line 3\nend';
    const { body: pieces } = details({ body, truncated: true });
    assert.deepEqual(
      pieces.map(({ text, position }) => [text, position?.path, position?.line]),
      [
        ['Error: no\\u{7}\n    at run (', undefined, undefined],
        ['/app/src/a.ts:12:5', '/app/src/a.ts', 12],
        [')\n  File "', undefined, undefined],
        ['/app/b.py", line 3', '/app/b.py', 3],
        ['\nend [truncated]', undefined, undefined],
      ],
    );
  });

  it('have the message and the stack trace of a structured body, and the body as it came', () => {
    const stack = 'Error: no\u0007\n    at run (/app/src/a.ts:12:5)\n';
    const body = JSON.stringify({ msg: '\u001b[31mfailed', err: { stack } });
    const found = details({ body });
    assert.deepEqual(
      found.body.map(({ text, position }) => [text, position?.path]),
      [
        ['failed\nError: no\\u{7}\n    at run (', undefined],
        ['/app/src/a.ts:12:5', '/app/src/a.ts'],
        [')', undefined],
      ],
    );
    const textOf = ({ body: pieces }: typeof found): string =>
      pieces.map(({ text }) => text).join('');
    assert.include(found.raw, '"msg": "\\u001b[31mfailed"');
    assert.notProperty(details({ body: 'Error: no\n    at run (/app/src/a.ts:12:5)' }), 'raw');
    const colored = details({ body: 'GET \u001b[32m200\u001b[39m' });
    assert.equal(textOf(colored), 'GET 200');
    assert.equal(colored.raw, 'GET \\u{1b}[32m200\\u{1b}[39m');
  });

  it('limit the number of links in a hostile body', () => {
    const { body } = details({
      body: '/a/b.ts:1:2 '.repeat(20_000).replaceAll(' /a/b.ts:1:2 /', '\n/'),
    });
    assert.isAtMost(body.length, 1001);
    assert.isAtLeast(body.length, 500);
  });

  it('format JSON, which stays harmless', () => {
    assert.equal(
      details({ body: '{"a":[1,"\u202e"]}' }).raw,
      '{\n  "a": [\n    1,\n    "\\u{202e}"\n  ]\n}',
    );
    assert.notProperty(details(), 'raw');
  });

  it(`limit the number of attributes and say how many are left out ${covers('F76', 'unit')}`, () => {
    const attributes = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`name-${index}`, 'value']),
    );
    const { attributes: shown } = details({ attributes });
    assert.lengthOf(shown, 201);
    assert.deepEqual(shown.at(-1), {
      field: '…',
      value: '[+4800]',
      canAdd: false,
      canExclude: false,
    });
  });
});
