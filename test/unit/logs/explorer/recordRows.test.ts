import { assert } from 'chai';
import {
  capabilitiesOf,
  createRowFormat,
  rowKey,
  createReadColumns,
} from '../../../../src/logs/explorer/recordRows';
import { shownAttribute } from '../../../../src/logs/explorer/recordFields';
import { readToPanel } from '../../../../src/logs/explorer/protocol/messages';
import { withOnly } from '../../../../src/logs/query/narrow';
import type { LogRecord } from '../../../../src/api/types';
import { covers } from '../../covers';
import { isLinear } from '../../linear';
import { sampleRecord } from '../sampleRecord';

const rowOf = createRowFormat('utc', { bodies: 'readable', severity: 'body' });
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const container = 'ab'.repeat(32);
const deploymentId = '7c2b3f91-1d2e-4f30-9b4c-5d6e7f809102';

describe('row', () => {
  it('shows the values of its record', () => {
    const record = sampleRecord();
    assert.deepEqual(rowOf(record), {
      key: rowKey(record),
      at: Date.parse('2026-11-20T12:00:00.123Z'),
      time: '2026-11-20 12:00:00.123',
      severity: 'warn',
      workload: 'web-api',
      body: 'slow request',
      hasContext: true,
    });
  });

  it('says what is cut of its body, here and by the server', () => {
    const { body } = rowOf(sampleRecord({ body: 'x'.repeat(20_000), truncated: true }));
    assert.match(body, /x \[\+\d+\] \[truncated\]$/);
  });

  it('has the id of its trace if filters accept it', () => {
    assert.equal(rowOf(sampleRecord({ traceId: trace })).trace, trace);
    assert.isUndefined(rowOf(sampleRecord({ traceId: 'x' })).trace);
  });

  it('shows the severity of the server if it is unknown, on one short line', () => {
    const text = (severityText: string): string | undefined =>
      rowOf({ ...sampleRecord({ severity: 'unknown' }), severityText }).severityText;
    assert.equal(text('NOTICE'), 'NOTICE');
    assert.equal(text('a\nb\u202e'), 'a\\u{a}b\\u{202e}');
    assert.match(text('x'.repeat(100)) ?? '', /^x{40} \[\+60\]$/);
  });

  it('shows the level of its body, and the stream that the server took its severity from', () => {
    const record = sampleRecord({
      body: '{"level":"info","msg":"ready"}',
      severity: 'error',
      stream: 'stderr',
    });
    const { severity, stream, body } = rowOf(record);
    assert.deepEqual([severity, stream, body], ['info', 'stderr', 'ready']);
    const ofServer = createRowFormat('utc', { bodies: 'readable', severity: 'server' })(record);
    assert.deepEqual([ofServer.severity, ofServer.stream], ['error', undefined]);
    assert.equal(ofServer.body, 'ready  level=info');
  });

  it('shows its time in the requested time zone', () => {
    const inTokyo = createRowFormat('Asia/Tokyo', { bodies: 'readable', severity: 'body' });
    assert.equal(inTokyo(sampleRecord()).time, '2026-11-20 21:00:00.123');
  });

  it('accepts any text as a timestamp', () => {
    const { at, time } = rowOf(sampleRecord({ timestamp: 'never\u202e' }));
    assert.deepEqual([at, time], [null, 'never\\u{202e}']);
    assert.equal(rowOf(sampleRecord({ timestamp: '' })).time, '-');
  });

  it('shows the preview after the workload, and the service if the workload has no name', () => {
    const previewId = '6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102';
    assert.equal(rowOf(sampleRecord({ previewId })).workload, 'web-api preview 6c2b3f91');
    assert.equal(rowOf(sampleRecord({ workloadName: '' })).workload, 'web');
    assert.equal(rowOf(sampleRecord({ workloadName: '', service: '' })).workload, '-');
    assert.equal(rowOf(sampleRecord({ workloadName: 'w\u0000\nx' })).workload, 'w\\u{0}\\u{a}x');
  });

  it(`has the styles of its body, in place where something is made visible ${covers('F54', 'unit')}`, () => {
    const plain = rowOf(sampleRecord({ body: 'GET \x1b[32m200\x1b[39m\n16ms' }));
    assert.equal(plain.body, 'GET 200\n16ms');
    assert.deepEqual(plain.spans, [[4, 7, 'sgr-fg-2']]);
    const { body, spans = [] } = rowOf(sampleRecord({ body: 'a\x1b[2J\r\n\x1b[31mred\x1b[m' }));
    assert.equal(body, 'a\\u{1b}[2J\nred');
    assert.deepEqual(
      spans.map(([start, end]) => body.slice(start, end)),
      ['red'],
    );
  });

  it(`of a hostile body takes time that is linear in its length ${covers('F76', 'unit')}`, () => {
    const hostile = (size: number): LogRecord => {
      const styled = (n: number): string => `\x1b[3${n % 8}m${'x\u200b'.repeat(9)}`;
      return sampleRecord({ body: `é\u202e\r\n${[...Array(size).keys()].map(styled).join('')}` });
    };
    isLinear(25, hostile, (record) => {
      for (let times = 0; times < 50; times++) rowOf(record);
    });
    const { body, spans = [] } = rowOf(hostile(200));
    for (const [from, to] of spans) assert.equal(body.slice(from, to), 'x\\u{200b}'.repeat(9));
  });

  it('shows a structured body by its message, or as it came', () => {
    const record = sampleRecord({ body: '{"level":"warn","msg":"slow","ms":900}' });
    assert.deepInclude(rowOf(record), { body: 'slow  ms=900', spans: [[4, 12, 'dim']] });
    const raw = createRowFormat('utc', { bodies: 'raw', severity: 'body' })(record);
    assert.deepEqual([raw.body, raw.spans], [record.body, undefined]);
  });
});

describe('keys of rows', () => {
  const asks = (key: string): unknown =>
    readToPanel({ kind: 'request', id: 1, request: { kind: 'details', key } });

  it('are our own, since the id of an event can be any text', () => {
    for (const eventId of ['', 'x'.repeat(65_536), '\u202e\0']) {
      const record = sampleRecord({ eventId });
      const { key } = rowOf(record);
      assert.match(key, /^\d{1,16}$/);
      assert.isDefined(asks(key), 'the page can ask for its details');
      assert.equal(rowOf(record).key, key, 'the same record has the same key');
      assert.notEqual(rowOf(sampleRecord({ eventId })).key, key);
    }
  });
});

describe('capabilities of a record', () => {
  it('include everything that the record has', () => {
    const record = sampleRecord({ traceId: trace, containerId: container, deploymentId });
    assert.deepEqual(capabilitiesOf(record), {
      hasTrace: true,
      hasContext: true,
      hasDeployment: true,
      hasResource: true,
    });
  });

  it('exclude what the record does not have', () => {
    const none = {
      hasTrace: false,
      hasContext: false,
      hasDeployment: false,
      hasResource: false,
    };
    for (const missing of [null, '']) {
      const ids = { traceId: missing, deploymentId: missing, workloadId: '', containerId: '' };
      assert.deepEqual(capabilitiesOf(sampleRecord(ids)), none);
    }
  });

  it('include only values that filters accept; a trace id of zeros is not accepted', () => {
    for (const value of [trace, trace.toUpperCase(), trace.slice(1), `${trace} `, 'x']) {
      const { hasTrace } = capabilitiesOf(sampleRecord({ traceId: value }));
      assert.equal(hasTrace, withOnly({}, { field: 'trace', value }) !== undefined, value);
    }
    for (const value of [container, container.toUpperCase(), container.slice(1), 'web']) {
      const { hasContext } = capabilitiesOf(sampleRecord({ containerId: value }));
      assert.equal(hasContext, withOnly({}, { field: 'container', value }) !== undefined, value);
    }
    assert.isFalse(capabilitiesOf(sampleRecord({ traceId: '0'.repeat(32) })).hasTrace);
  });

  it(`exclude the context if no request can name its time ${covers('F68', 'unit')}`, () => {
    const far = '9999-12-31T23:59:59Z';
    for (const [timestamp, ingestedAt, hasContext] of [
      ['never', 'soon', false],
      ['', '', false],
      [far, far, false],
      ['+099999-01-01T00:00:00Z', '', false],
      ['never', '2026-11-20T12:00:00Z', true],
    ] as const) {
      assert.equal(capabilitiesOf(sampleRecord({ timestamp, ingestedAt })).hasContext, hasContext);
    }
  });
});

const hostile = JSON.parse('{"__proto__":"own","a\\u202eb":"c\\u001b","n":"1"}') as Record<
  string,
  string
>;

describe('values of columns', () => {
  const values = (fields: readonly string[], record: Partial<LogRecord> = {}) =>
    createReadColumns(fields, 'Asia/Tokyo', (kind) => (kind === 'server' ? 'eu-1' : undefined))(
      sampleRecord(record),
    );

  it('are those of the fields that not every row has', () => {
    assert.isUndefined(values(['timestamp', 'severity', 'workload']));
    assert.deepEqual(values(['service', 'workload', 'stream']), {
      service: 'web',
      stream: 'stdout',
    });
    assert.isUndefined(values(['attr.missing', 'trace', 'constructor', '__proto__']));
  });

  it('show names for ids and formatted times', () => {
    const { server, ingestedAt, deployment } =
      values(['server', 'ingestedAt', 'deployment'], {
        ingestedAt: '2026-11-20T12:00:00Z',
        deploymentId: 'd-1',
      }) ?? {};
    assert.deepEqual([server, deployment], ['eu-1', 'd-1']);
    assert.match(ingestedAt ?? '', /^2026-11-20 21:00:00/);
  });

  it(`are harmless and short ${covers('F54', 'unit')}`, () => {
    const fields = Object.keys(hostile).map(shownAttribute);
    assert.deepEqual(fields, ['attr.__proto__', 'attr.a\\u{202e}b', 'attr.n']);
    assert.deepEqual(values(fields, { attributes: hostile }), {
      'attr.__proto__': 'own',
      'attr.a\\u{202e}b': 'c\\u{1b}',
      'attr.n': '1',
    });
    const { 'attr.long': long = '' } =
      values(['attr.long'], { attributes: { long: 'x\n'.repeat(10_000) } }) ?? {};
    assert.isBelow(long.length, 300);
    assert.notInclude(long, '\n');
  });
});
