import { assert } from 'chai';
import fc from 'fast-check';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import contract from '../../../src/api/openapi.json';
import { ApiError } from '../../../src/api/errors';
import { readLogAnswer, readLogPage } from '../../../src/api/readLogPage';
import { covers } from '../covers';
import { followed } from '../logs/tail/followed';
import { ids } from '../logs/logServer';
import { sampleRecord } from '../logs/sampleRecord';
import { page, queryAnswer } from './cannedAnswers';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const whole = sampleRecord({ attributes: { user: '42' } });
const of = (...records: unknown[]): Record<string, unknown> => ({ ...page, records });

function refusalOf(json: unknown): string {
  try {
    readLogPage(json);
  } catch (error) {
    return error instanceof ApiError ? `${error.code}: ${error.message}` : 'something else';
  }
  return 'none';
}

describe('readLogPage', () => {
  it('returns a valid page unchanged', () => {
    const json = of(whole);
    assert.strictEqual(readLogPage(json), json);
  });

  it(`reads an unknown severity and keeps its text ${covers('F73', 'unit')}`, () => {
    const { records } = readLogPage(of(whole, { ...whole, severity: 'notice' }, whole));
    assert.deepEqual(records, [
      whole,
      { ...whole, severity: 'unknown', severityText: 'notice' },
      whole,
    ]);
  });

  it(`reads records without the members that a tail does not need ${covers('F73', 'unit')}`, () => {
    const { eventId, timestamp, body } = whole;
    const [record] = readLogPage(of({ eventId, timestamp, body, severity: 7, traceId: 3 })).records;
    assert.deepInclude(record, { eventId, timestamp, body, severity: 'unknown', traceId: null });
    assert.deepInclude(record, { attributes: {}, workloadName: '', truncated: false });
    const [odd] = readLogPage(of({ ...whole, attributes: { a: 1, b: { c: [] }, d: 'e' } })).records;
    assert.deepEqual(odd?.attributes, { a: '1', b: '{"c":[]}', d: 'e' });
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    const [deepest] = readLogPage(of({ ...whole, attributes: { deep } })).records;
    assert.isString(deepest?.attributes['deep']);
  });

  it(`keeps an empty body, and reads other empty texts like missing ones ${covers('F73', 'unit')}`, () => {
    const record = { ...whole, body: '', severity: '', deploymentId: '', service: '', more: '' };
    const read = readLogPage({ ...of(record), nextCursor: '', accessRevision: 7 });
    assert.equal(read.nextCursor, '');
    assert.deepEqual(read.records, [
      { ...whole, body: '', severity: 'unknown', deploymentId: null, service: '', ...{ more: '' } },
    ]);
  });

  it(`makes text of what is nested too deeply, and keeps the rest ${covers('F59, F76', 'unit')}`, () => {
    const nested = (depth: number): unknown =>
      JSON.parse('{"a":['.repeat(depth) + ']}'.repeat(depth));
    const shallow = of({ ...whole, more: nested(5) });
    assert.strictEqual(readLogPage(shallow), shallow);
    for (const depth of [50, 2500, 50_000]) {
      const [record] = readLogPage(of({ ...whole, more: nested(depth), other: 1 })).records;
      assert.deepInclude<unknown>(record, { ...whole, other: 1 });
      // With an indent for each level, 5,000 levels are 50 MB.
      assert.isBelow(JSON.stringify(record, null, 2).length, 100_000);
    }
  });

  it(`keeps 1,000 attributes and says how many more there were ${covers('F76', 'unit')}`, () => {
    const attributes = (count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`name${index}`, 'x']));
    const most = of({ ...whole, attributes: attributes(1000) });
    assert.strictEqual(readLogPage(most), most);
    const [record] = readLogPage(of({ ...whole, attributes: attributes(5000) })).records;
    assert.lengthOf(Object.keys(record?.attributes ?? {}), 1000);
    assert.equal(record?.attributes['…'], '[+4001]');
  });

  it(`bounds every text, name and number of members, and says what is cut ${covers('F107', 'unit')}`, () => {
    const long = 'x'.repeat(2_000_000);
    for (const name of Object.keys(whole)) {
      if (name === 'eventId' || name === 'attributes') continue;
      const isBody = name === 'body';
      const value = isBody ? 'x'.repeat(17_000_000) : long;
      const [record] = readLogPage(of({ ...whole, [name]: value })).records;
      const text = String((record as Record<string, unknown> | undefined)?.[name]);
      const most = isBody ? 16 * 1024 * 1024 : 512;
      assert.isAtMost(text.length, most + 12, name);
      if (name === 'severity')
        assert.equal(record?.severityText, `${long.slice(0, 512)}[+1999488]`);
      else if (!/^timestamp$|^ingestedAt$|^truncated$/.test(name))
        assert.match(text, /x\[\+\d+\]$/);
      assert.equal(record?.truncated, isBody, name);
    }
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`m${at}`, at]));
    for (const more of [
      { attributes: { [long]: '', a: 'b' } },
      { attributes: { a: long, b: long } },
      { attributes: Object.fromEntries(Object.keys(many).map((a) => [a, 'y'.repeat(60_000)])) },
      { attributes: { a: [long, { long }] } },
      { more: long },
      { more: { long } },
      { more: Array.from({ length: 100_000 }, () => ({})) },
      { [long]: 1 },
      { severityText: long },
      many,
    ]) {
      const [record] = readLogPage(of({ ...whole, ...more })).records;
      assert.deepInclude(record, { eventId: whole.eventId, body: whole.body, truncated: false });
      assert.isBelow(JSON.stringify(record).length, 1_200_000, Object.keys(more)[0]?.slice(0, 9));
      if (!('severityText' in more)) assert.match(JSON.stringify(record), /\[\+\d+\]/);
    }
  });

  it(`keeps nothing of what it cuts in memory ${covers('F107', 'unit')}`, () => {
    const pageOf = (first: number) => {
      const text = (letter: string) => JSON.stringify(letter.repeat(100_000));
      const members = `"workloadName":${text('w')},"service":${text('s')},"timestamp":${text('t')}`;
      const json = `{"eventId":"e${first}","body":"b",${members},"attributes":{${text('a')}:${text('b')}}}`;
      return readLogPage({ ...page, records: [JSON.parse(json)] }).records;
    };
    const heap = (): number => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = heap();
    const kept = Array.from({ length: 100 }, (_, first) => pageOf(first));
    // An attribute may have 64 Ki.
    assert.isBelow(heap() - before, kept.length * 150_000);
  });

  it(`refuses ids, cursors and revisions that are too long: a part of one is another one ${covers('F107', 'unit')}`, () => {
    const id = 'i'.repeat(4096);
    assert.equal(readLogPage(of({ ...whole, eventId: id })).records[0]?.eventId, id);
    for (const [json, field, most] of [
      [of(whole, { ...whole, eventId: `${id}i` }), 'records[1].eventId', 4096],
      [{ ...of(whole), followCursor: 'c'.repeat(8193) }, 'followCursor', 8192],
      [{ ...of(whole), nextCursor: 'c'.repeat(8193) }, 'nextCursor', 8192],
      [{ ...of(whole), accessRevision: 'c'.repeat(8193) }, 'accessRevision', 8192],
    ] as const) {
      assert.equal(refusalOf(json), `wrongSchema: ${field} is longer than ${most} characters.`);
    }
    const { Cursor } = contract.components.schemas;
    assert.equal(Cursor.maxLength, 8192);
  });

  it(`cuts timestamps to nanoseconds if they are long ${covers('F76', 'unit')}`, () => {
    const long = `2026-11-20T12:00:00.1${'0'.repeat(65_536)}1Z`;
    const [record] = readLogPage(
      of({ ...whole, timestamp: long, ingestedAt: 'x'.repeat(500) }),
    ).records;
    assert.equal(record?.timestamp, '2026-11-20T12:00:00.100000000Z');
    assert.equal(record?.ingestedAt, 'x'.repeat(64));
  });

  it(`refuses pages without what a tail needs, and names the field ${covers('F11', 'unit')}`, () => {
    for (const [json, field] of [
      [{ ...page, records: {} }, 'records'],
      [{ ...page, followCursor: 7 }, 'followCursor'],
      [{ ...page, nextCursor: undefined }, 'nextCursor'],
      [of(whole, { ...whole, eventId: null }), 'records[1].eventId'],
      [of({ ...whole, timestamp: 7 }), 'records[0].timestamp'],
      [of({ ...whole, body: undefined }), 'records[0].body'],
      [of('text'), 'records[0]'],
      ['text', 'records'],
    ] as const) {
      const message = `${field} is missing or has the wrong type.`;
      assert.equal(refusalOf(json), `wrongSchema: ${message}`);
    }
    assert.match(refusalOf(undefined), /^notJson/);
  });

  it(`accepts additional members anywhere, and times in any form ${covers('F73', 'unit')}`, () => {
    const odd = { since: '3.0' };
    const answer = {
      ...queryAnswer,
      ...odd,
      records: [{ ...whole, ...odd }],
      localization: { ...queryAnswer.localization, ...odd, dateFormat: 'stardate' },
    };
    const read = readLogAnswer(answer);
    assert.deepEqual(read.records, [{ ...whole, ...odd }]);
    assert.deepInclude(read.localization, { dateFormat: 'stardate', timeZone: 'UTC' });
    assert.deepEqual(readLogAnswer({ ...queryAnswer, localization: null }).localization, {});
  });

  it(`returns a page or throws a protocol error for any value ${covers('F11, F59, F73', 'unit')}`, () => {
    const anyRecord = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...Object.keys(whole)), fc.jsonValue()),
      fc
        .dictionary(fc.constantFrom(...Object.keys(whole)), fc.jsonValue())
        .map((changes) => ({ ...whole, ...changes, eventId: 'e', timestamp: 't', body: 'b' })),
    );
    fc.assert(
      fc.property(fc.array(anyRecord, { maxLength: 3 }), (records) => {
        const json: unknown = JSON.parse(JSON.stringify(of(...records)));
        const refusal = refusalOf(json);
        if (refusal !== 'none') assert.match(refusal, /^wrongSchema: records\[\d\][. ]/);
        else assert.lengthOf(readLogPage(json).records, records.length);
      }),
    );
  });

  it(`reads pages that a tail can show, with any other content ${covers('F73', 'unit')}`, async () => {
    const f = followed({ plane: { unkind: { unknownValues: true, extraMembers: true } } });
    f.server.append(3);
    f.tail.start();
    await f.clock.advance(0);
    f.server.append(2);
    await f.clock.advance(0);
    assert.deepEqual(await f.shown(), ids(0, 5));
    assert.equal(f.tail.state.kind, 'live');
    const [first] = f.outputs.flatMap((one) => (one.kind === 'records' ? one.records : []));
    assert.equal(first?.severity, 'unknown');
    assert.match(first?.severityText ?? '', /^new-/);
  });
});
