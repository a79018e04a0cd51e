import { assert } from 'chai';
import fc from 'fast-check';
import { StreamCursor } from '../../../../src/api/cursors';
import { TailBuffer } from '../../../../src/logs/tail/tailBuffer';
import type { TailOutput } from '../../../../src/logs/tail/tailState';
import { idAt } from '../../../control-plane/inMemory';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';
import { ids } from '../logServer';
import { sampleRecord } from '../sampleRecord';

const window = { from: '2026-11-13T12:00:00Z', to: '2027-11-21T12:00:00Z' };
const mega = 1024 * 1024;

const after = (cursor: string): StreamCursor => StreamCursor.of(window, cursor);

/** A buffer that receives the records of a log, page by page. The cursors count records. */
function filled(limits: { records: number; bytes?: number }) {
  const buffer = new TailBuffer({ bytes: Infinity, ...limits }, undefined);
  let count = 0;
  return {
    buffer,
    position: () => buffer.position,
    add: (records: number, body = 'body', kinds: ('partial' | 'accessChanged')[] = []): void => {
      const page = ids(count, count + records).map((eventId) => sampleRecord({ eventId, body }));
      count += records;
      const notices = kinds.map((kind) => ({ kind }));
      buffer.add({ notices, records: page, after: after(String(count)) });
    },
  };
}

/** The output in short form: `3-7` for records, `+5` for dropped ones, or the kind of a notice. */
function brief(outputs: readonly TailOutput[]): string[] {
  return outputs.map((output) => {
    if (output.kind === 'dropped') return `+${output.count}`;
    if (output.kind !== 'records') return output.kind;
    const numbers = output.records.map(({ eventId }) => eventId.slice('event-'.length));
    return `${numbers[0] ?? ''}-${numbers.at(-1) ?? ''}`;
  });
}

/** Reads, and marks what was read. */
function readNow(buffer: TailBuffer, maxRecords: number): readonly TailOutput[] {
  const outputs = buffer.read(maxRecords);
  buffer.markRead();
  return outputs;
}

describe('the buffer of a tail', () => {
  it('is read page by page, with the same arrays that arrived', () => {
    const { buffer, add, position } = filled({ records: 100 });
    assert.isTrue(buffer.isEmpty);
    assert.isUndefined(position());
    add(3);
    add(2, '', ['accessChanged', 'partial']);
    assert.isFalse(buffer.isEmpty);
    assert.deepEqual(brief(readNow(buffer, Infinity)), ['0-2', 'accessChanged', 'partial', '3-4']);
    assert.isTrue(buffer.isEmpty);
    assert.equal(position()?.cursor, '5');
    const records = [sampleRecord()];
    buffer.add({ notices: [], records, after: after('6') });
    const [output] = readNow(buffer, Infinity);
    assert.strictEqual(output?.kind === 'records' && output.records, records);
  });

  it('has its position before what was read until that is marked', () => {
    const { buffer, add, position } = filled({ records: 100 });
    add(2);
    add(2);
    readNow(buffer, 2);
    buffer.read(1);
    buffer.read(1);
    assert.equal(position()?.cursor, '2');
    assert.isTrue(buffer.markRead());
    assert.equal(position()?.cursor, '4');
    assert.isFalse(buffer.markRead(), 'there was nothing to mark');
  });

  it('has its position exactly after the last record that was read', () => {
    const { buffer, add, position } = filled({ records: 100 });
    add(3);
    add(3, '', ['partial']);
    assert.deepEqual(brief(readNow(buffer, 2)), ['0-1']);
    assert.isUndefined(position());
    assert.deepEqual(brief(readNow(buffer, 3)), ['2-2', 'partial', '3-4']);
    assert.deepInclude(position(), { cursor: '3', seen: ids(0, 5) });
    assert.deepEqual(brief(readNow(buffer, Infinity)), ['5-5']);
    assert.deepInclude(position(), { cursor: '6', seen: ids(0, 6) });
  });

  it(`remembers the last 500 records before its cursor, however large an arrival was ${covers('F26', 'unit')}`, () => {
    const { buffer, add, position } = filled({ records: 20_000 });
    for (let page = 1; page <= 1800; page++) {
      add(1);
      if (page % 7 === 0) readNow(buffer, Infinity);
    }
    readNow(buffer, Infinity);
    assert.deepEqual(position()?.seen, ids(1300, 1800));
    add(700);
    readNow(buffer, Infinity);
    assert.deepEqual(position()?.seen, ids(2000, 2500));
    add(1);
    readNow(buffer, Infinity);
    assert.deepEqual(position()?.seen, ids(2001, 2501));
    add(20_000);
    readNow(buffer, 15_000);
    assert.deepEqual(position()?.seen, ids(7501, 17_501), 'at most 10,000');
  });

  it('advances with empty pages, but not past records that wait', () => {
    const { buffer, add } = filled({ records: 2 });
    const move = (cursor: string): void => {
      buffer.add({ notices: [], records: [], after: after(cursor) });
    };
    move('a');
    assert.equal(buffer.position?.cursor, 'a');
    add(1);
    move('b');
    assert.equal(buffer.position?.cursor, 'a');
    readNow(buffer, Infinity);
    assert.equal(buffer.position?.cursor, 'b');
    assert.isTrue(buffer.isEmpty);
  });

  it(`drops the oldest pages and counts their records ${covers('F36', 'unit')}`, () => {
    const { buffer, add } = filled({ records: 10 });
    add(4);
    add(4, '', ['partial']);
    add(4);
    assert.deepEqual(brief(readNow(buffer, 1)), ['+4', 'partial', '4-4']);
    add(8);
    add(1, '', ['partial', 'accessChanged']);
    assert.deepEqual(brief(readNow(buffer, 3)), ['+7', '12-14']);
    add(6, '', ['partial']);
    add(6, '', ['partial']);
    assert.deepEqual(brief(readNow(buffer, Infinity)), [
      '+12',
      'partial',
      'accessChanged',
      'partial',
      '27-32',
    ]);
    assert.equal(buffer.position?.cursor, '33');
    assert.equal(buffer.totalRead + buffer.dropped, 33);
  });

  it('shortens a page that is too large on its own, and remembers which part was dropped', () => {
    const { buffer, add } = filled({ records: 10 });
    add(3);
    readNow(buffer, Infinity);
    add(25, '', ['accessChanged']);
    assert.deepEqual(brief(readNow(buffer, 5)), ['+15', 'accessChanged', '18-22']);
    assert.deepInclude(buffer.position, { cursor: '3', seen: ids(0, 23) });
    assert.deepEqual(brief(readNow(buffer, Infinity)), ['23-27']);
    assert.deepInclude(buffer.position, { cursor: '28', seen: ids(0, 28) });
  });

  it('keeps the newest records of a page that is too large, not its smallest ones', () => {
    const buffer = new TailBuffer({ records: 10, bytes: 6 * mega }, undefined);
    const sizes = [2, 0, 0, 2];
    const records = sizes.map((size, at) =>
      sampleRecord({ eventId: idAt(at), body: 'x'.repeat(size * mega) }),
    );
    buffer.add({ notices: [], records, after: after('4') });
    assert.deepEqual(brief(readNow(buffer, Infinity)), ['+1', '1-3']);
  });

  it('has where its history begins and ends in its position, and resumes with both', () => {
    const since = '2026-11-20T11:00:00Z';
    const historyUntil = '2026-11-20T12:00:00Z';
    const first = new TailBuffer({ records: 10, bytes: Infinity }, undefined);
    first.add({ notices: [], records: [sampleRecord()], after: after('a'), since, historyUntil });
    const { position } = first;
    assert.deepEqual(position, { ...window, cursor: 'a', historyUntil, since, seen: [] });
    const resumed = new TailBuffer({ records: 10, bytes: Infinity }, position);
    assert.deepEqual(resumed.position, position);
    // Another history changes neither.
    resumed.add({ notices: [], records: [], after: after('b'), since: window.from });
    assert.deepEqual(resumed.position, { ...window, cursor: 'b', since, seen: [] });

    const withoutRange = new TailBuffer({ records: 10, bytes: Infinity }, undefined);
    withoutRange.add({ notices: [], records: [sampleRecord()], after: after('a'), since });
    assert.isUndefined(withoutRange.position);
    readNow(withoutRange, Infinity);
    assert.hasAllKeys(withoutRange.position, ['from', 'to', 'cursor', 'since', 'seen']);
    const plain = new TailBuffer(
      { records: 1, bytes: Infinity },
      { ...window, cursor: 'a', seen: [] },
    );
    assert.hasAllKeys(plain.position, ['from', 'to', 'cursor', 'seen']);
  });

  it('reports everything that was dropped, and one notice of each kind', () => {
    const { buffer, add } = filled({ records: 3 });
    add(2);
    add(8);
    for (const kind of ['partial', 'partial', 'accessChanged', 'partial'] as const) {
      add(0, '', [kind]);
    }
    assert.deepEqual(brief(readNow(buffer, Infinity)), [
      ...['+10', 'partial'],
      ...['partial', 'accessChanged', 'partial'],
    ]);
    for (let page = 0; page < 100; page++) add(0, '', ['partial', 'accessChanged']);
    const outputs = brief(readNow(buffer, Infinity));
    assert.deepEqual(outputs, Array(4).fill(['partial', 'accessChanged']).flat());
  });

  it('also counts bytes, two for a character, and keeps one record of any size', () => {
    const { buffer, add } = filled({ records: 1000, bytes: 6 * mega });
    for (let page = 0; page < 5; page++) add(1, 'x'.repeat(mega));
    assert.deepEqual(brief(readNow(buffer, Infinity)), ['+3', '3-3', '4-4']);
    add(4, 'x'.repeat(mega));
    assert.deepEqual(brief(readNow(buffer, Infinity)), ['+2', '7-8']);
    add(2, 'x'.repeat(4 * mega));
    assert.deepEqual(brief(readNow(buffer, Infinity)), ['+1', '10-10']);
    for (let page = 0; page < 2; page++) add(1, 'x'.repeat(mega));
    assert.deepEqual(brief(readNow(buffer, Infinity)), ['11-11', '12-12'], 'all was freed');
  });

  it(`counts what is long, in whichever member it is ${covers('F107', 'unit')}`, () => {
    const text = 'x'.repeat(2 * mega);
    for (const member of [...Object.keys(sampleRecord()), 'more']) {
      for (const value of [text, { [text]: '' }, { text }, [[text]]]) {
        const { buffer } = filled({ records: 1000, bytes: 6 * mega });
        for (let page = 0; page < 2; page++) {
          const records = [{ ...sampleRecord(), [member]: value }];
          buffer.add({ notices: [], records, after: after('end') });
        }
        assert.equal(readNow(buffer, Infinity)[0]?.kind, 'dropped', member);
      }
    }
  });

  it(`saves a bounded text of ids: the last ones ${covers('F107', 'unit')}`, () => {
    const { buffer } = filled({ records: 50_000 });
    buffer.add({ notices: [], records: [], after: after('a'), since: window.from });
    // The longest ids that are read.
    const all = ids(0, 5000).map((id) => id.padEnd(512, '.'));
    const records = all.map((eventId) => sampleRecord({ eventId }));
    buffer.add({ notices: [], records, after: after('b') });
    readNow(buffer, 4000);
    const { seen = [] } = buffer.position ?? {};
    assert.isBelow(JSON.stringify(buffer.position).length, mega);
    assert.deepEqual(seen, all.slice(4000 - seen.length, 4000));
    assert.isAtLeast(seen.length, 1000, 'those of a page of the contract are among them');
  });

  it('frees what was read, so that it can fill again and again', () => {
    const { buffer, add } = filled({ records: 10, bytes: 10 * mega });
    add(1);
    // There is always one that waits.
    for (let page = 0; page < 5000; page++) {
      add(5, 'x'.repeat(mega / 10));
      readNow(buffer, 5);
    }
    assert.equal(buffer.dropped, 0);
    assert.equal(buffer.totalRead, 25_000);
  });

  it('passes over records that are not shown', () => {
    const { buffer } = filled({ records: 10 });
    buffer.skip([sampleRecord({ eventId: 'hidden', timestamp: '2026-11-20T11:00:00Z' })]);
    buffer.skip([]);
    buffer.add({ notices: [], records: [], after: after('a') });
    assert.deepEqual(buffer.position, {
      ...window,
      cursor: 'a',
      seen: ['hidden'],
    });
  });

  it(`gives each record once, in order, and accounts for all, for any order of calls ${covers('F36', 'unit')}`, () => {
    const step = fc.oneof(
      fc.record({ add: fc.nat({ max: 30 }), large: fc.boolean(), noticed: fc.boolean() }),
      fc.record({ take: fc.oneof(fc.nat({ max: 20 }), fc.constant(Infinity)) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const { buffer, add } = filled({ records: 20, bytes: 40_000 });
        let added = 0;
        const outputs: TailOutput[] = [];
        const read = (count: number): void => {
          outputs.push(...readNow(buffer, count));
          assertPosition(buffer, outputs, added);
        };
        for (const next of steps) {
          if ('take' in next) read(next.take);
          else {
            add(next.add, 'x'.repeat(next.large ? 3000 : 1), next.noticed ? ['partial'] : []);
            added += next.add;
          }
        }
        read(Infinity);
        assert.isTrue(buffer.isEmpty);
        assert.equal(buffer.totalRead + buffer.dropped, added);
      }),
      { numRuns: shortOrLong(150, 1000) },
    );
  });
});

/** What was reported adds up to a prefix of the log, and the position is directly after it. */
function assertPosition(buffer: TailBuffer, outputs: readonly TailOutput[], added: number): void {
  let counted = 0;
  for (const output of outputs) {
    if (output.kind === 'dropped') counted += output.count;
    if (output.kind !== 'records') continue;
    for (const { eventId } of output.records) assert.equal(eventId, idAt(counted++));
  }
  assert.isAtMost(counted, added);
  const { cursor = '0', seen = [] } = buffer.position ?? {};
  const at = Number(cursor);
  // Before the first page was read, there is no position.
  if (buffer.position === undefined) return;
  assert.isAtMost(at, counted);
  const behind = seen.filter((id) => Number(id.slice('event-'.length)) >= at);
  assert.deepEqual(behind, ids(at, counted));
}
