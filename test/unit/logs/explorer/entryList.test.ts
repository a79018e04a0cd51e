import { assert } from 'chai';
import fc from 'fast-check';
import type { LogRecord } from '../../../../src/api/types';
import { EntryList } from '../../../../src/logs/explorer/entryList';
import { rowKey } from '../../../../src/logs/explorer/recordRows';
import { containerKeyOf, joinRecords, entryRecords } from '../../../../src/logs/record/joinRecords';
import { shortOrLong } from '../../long';
import { sampleRecord } from '../sampleRecord';

const start = Date.UTC(2026, 10, 20, 12);

function recordAt(at: number, body: string, container = 0): LogRecord {
  return sampleRecord({
    eventId: `event ${at} ${body}`,
    timestamp: new Date(start + at).toISOString(),
    containerId: String(container).padStart(64, '0'),
    body,
  });
}

const trace = ['Error: lost', '    at a (/app/a.ts:1:2)', '    at b (/app/b.ts:3:4)'];
const [first, second, third] = trace.map((body, index) => recordAt(index, body)) as [
  LogRecord,
  LogRecord,
  LogRecord,
];
const before = recordAt(-1, 'before', 1);
const after = recordAt(5, 'after', 1);

function listOf(...records: readonly LogRecord[]): EntryList {
  const list = new EntryList(() => true);
  list.replaced(records);
  return list;
}

const bodies = ({ entries }: EntryList): string[] => entries.map(({ body }) => body);

describe('list of entries', () => {
  it('has an entry for the records of a stack trace, with the key of its first record', () => {
    const list = listOf(before, first, second, third, after);
    assert.deepEqual(bodies(list), ['before', trace.join('\n'), 'after']);
    const entry = list.entryOf(third);
    assert.strictEqual(entry, list.entries[1]);
    assert.equal(rowKey(entry), rowKey(first));
    assert.strictEqual(list.entryOf(after), after);
  });

  it('adds newer records to their entry, which stays where it is and keeps its key', () => {
    const list = listOf(first, before);
    const change = list.added('newer', [second, after, third], [], []);
    assert.isDefined(change);
    assert.deepEqual(bodies(list), [trace.join('\n'), 'before', 'after']);
    assert.deepEqual([change.added, change.dropped], [[after], []]);
    assert.deepEqual(change.grown, [{ before: first, now: list.entryOf(first) }]);
    assert.equal(rowKey(list.entryOf(first)), rowKey(first));
  });

  it('adds older records to the entry that they begin, which keeps its place and its key', () => {
    const list = listOf(third, after);
    const key = rowKey(third);
    const change = list.added('older', [before, first, second], [], []);
    assert.isDefined(change);
    assert.deepEqual(bodies(list), ['before', trace.join('\n'), 'after']);
    assert.deepEqual(change.added, [before]);
    assert.deepEqual(change.grown, [{ before: third, now: list.entryOf(first) }]);
    assert.equal(rowKey(list.entryOf(first)), key);
    const other = recordAt(9, 'other', 2);
    assert.isEmpty(list.added('newer', [other], [before, first, second], [])?.grown);
    assert.deepEqual(bodies(list), [trace.join('\n'), 'after', 'other'], 'it goes with its place');
    assert.lengthOf(list.added('newer', [], [third], [])?.dropped ?? [], 1);
  });

  it('drops an entry with the record whose place it has', () => {
    const list = listOf(first, second, third, after);
    const change = list.added('newer', [], [first], []);
    assert.deepEqual(
      change?.dropped.map(({ body }) => body),
      [trace.join('\n')],
    );
    assert.isEmpty(list.added('newer', [], [second, third], [])?.dropped);
    assert.deepEqual(bodies(list), ['after']);
  });

  it('is made anew if older records make one of several entries', () => {
    const [head, frame, code, end] = [
      'Traceback (most recent call last):',
      '  File "a.py", line 1, in f',
      '    return one(1)',
      'KeyError: 1',
    ].map((body, index) => recordAt(index, body)) as [LogRecord, LogRecord, LogRecord, LogRecord];
    const list = listOf(code, end);
    assert.lengthOf(list.entries, 2);
    assert.isUndefined(list.added('older', [head, frame], [], [head, frame, code, end]));
    assert.lengthOf(list.entries, 1);
  });

  it('has each record alone if the setting says so', () => {
    const list = new EntryList(() => false);
    list.replaced([first, second]);
    assert.deepEqual(list.added('newer', [third], [], []), {
      added: [third],
      dropped: [],
      grown: [],
    });
    assert.deepEqual(list.entries, [first, second, third]);
  });

  it('has each record once, whatever comes at its ends', () => {
    const lines = fc.constantFrom(...trace, 'GET / 200', 'Traceback (most recent call last):');
    const records = fc.array(fc.tuple(fc.nat({ max: 2 }), lines), { maxLength: 40 });
    fc.assert(
      fc.property(records, fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 9 }))), (all, steps) => {
        const written = all.map(([container, body], at) => recordAt(at, body, container));
        let from = Math.floor(written.length / 2);
        let to = from;
        const list = listOf();
        for (const [isOlder, count] of steps) {
          const edge = isOlder ? Math.max(0, from - count) : Math.min(written.length, to + count);
          if (isOlder) list.added('older', written.slice(edge, from), [], written.slice(edge, to));
          else list.added('newer', written.slice(to, edge), [], written.slice(from, edge));
          if (isOlder) from = edge;
          else to = edge;
        }
        const shown = written.slice(from, to);
        assert.sameMembers(list.entries.flatMap(entryRecords), shown);
        assert.sameMembers(
          bodies(list),
          joinRecords(shown).map(({ body }) => body),
        );
        for (const entry of list.entries) {
          assert.lengthOf(new Set(entryRecords(entry).map(containerKeyOf)), 1);
          for (const part of entryRecords(entry)) assert.strictEqual(list.entryOf(part), entry);
        }
        assert.lengthOf(new Set(list.entries.map(rowKey)), list.entries.length);
      }),
      { numRuns: shortOrLong(300, 10_000), seed: 49 },
    );
  });
});
