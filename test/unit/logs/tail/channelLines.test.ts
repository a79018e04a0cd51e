import { assert } from 'chai';
import fc from 'fast-check';
import { createFormatter, type LogLine } from '../../../../src/logs/record/logLine';
import { ChannelLines } from '../../../../src/logs/tail/channelLines';
import { covers } from '../../covers';
import { sampleRecord } from '../sampleRecord';

const format = createFormatter({ timeZone: 'utc', showAttributes: false });

const marker = { timestamp: '2026-11-20T12:00:00.000Z', level: 'info', text: 'gap' } as const;

/** A channel that follows the store. */
class Channel {
  readonly store: ChannelLines;
  shown = '';

  constructor(maxLines: number) {
    this.store = new ChannelLines(maxLines);
  }

  add(...entries: LogLine[]): void {
    for (const entry of entries) {
      const text = format(entry);
      this.shown = this.store.append(entry, text) ? this.shown + text : this.store.text();
    }
  }
}

describe('the line store', () => {
  it('appends only while the limits are not exceeded', () => {
    const store = new ChannelLines(10);
    for (let index = 0; index < 10; index++) {
      const entry = index === 3 ? marker : sampleRecord({ body: `line ${index}` });
      assert.isTrue(store.append(entry, format(entry)));
    }
    assert.strictEqual(store.lines, 10);
    const last = sampleRecord({ body: 'line 10' });
    assert.isFalse(store.append(last, format(last)));
    assert.strictEqual(store.lines, 5);
    assert.match(store.text(), /^[^\n]* line 6\n/);
    assert.isTrue(store.append(last, format(last)));
  });

  it('says where a record is, among lines that look the same, as it is found there', () => {
    const store = new ChannelLines(100);
    const records = ['one', 'two', 'three'].map((eventId) =>
      sampleRecord({ eventId, body: eventId === 'two' ? 'another\n  line' : 'the same' }),
    );
    for (const entry of [...records, marker]) store.append(entry, format(entry));
    for (const record of records) {
      const { header, fromEnd } = store.placeOf((one) => one === record) ?? assert.fail();
      assert.strictEqual(store.find(header, fromEnd), record);
    }
    assert.isUndefined(store.placeOf(() => false));
  });

  it('returns its newest records, without markers', () => {
    const store = new ChannelLines(10);
    const [first, second] = [sampleRecord({ body: 'first' }), sampleRecord({ body: 'second' })];
    for (const entry of [first, marker, second]) store.append(entry, format(entry));
    assert.deepEqual(store.newest(2), [second]);
    assert.deepEqual(store.newest(10), [first, second]);
  });

  it('keeps the newest entries, in order, within the allowed number of lines', () => {
    const batches = fc.array(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 8 }));
    fc.assert(
      fc.property(batches, fc.integer({ min: 12, max: 50 }), (lineCounts, maxLines) => {
        const channel = new Channel(maxLines);
        const all = lineCounts.map((counts, batch) =>
          counts.map((count) =>
            sampleRecord({ body: Array.from({ length: count }, () => `r${batch}`).join('\n') }),
          ),
        );
        for (const batch of all) channel.add(...batch);
        const { store, shown } = channel;
        const entries = all.flat();
        assert.strictEqual(
          shown,
          entries
            .slice(entries.length - store.entries)
            .map(format)
            .join(''),
        );
        assert.strictEqual(shown.split('\n').length - 1, store.lines);
        assert.isAtMost(store.lines, maxLines);
        if (store.entries < entries.length) assert.isAtLeast(store.lines, maxLines / 2 - 6);
      }),
    );
  });

  it(`uses at most 128 MiB for any allowed number of lines ${covers('F40', 'unit')}`, () => {
    const store = new ChannelLines(1_000_000);
    const record = sampleRecord({
      body: 'b'.repeat(500_000),
      attributes: { a: 'v'.repeat(500_000) },
    });
    for (let index = 0; index < 200; index++) {
      store.append(record, 'x\n');
      if (store.bytes > 128 * 1024 * 1024) assert.fail(`${store.bytes} bytes`);
    }
    assert.isAtLeast(store.entries, 30);
  });

  it('keeps the newest entry even if it alone exceeds the limit', () => {
    const store = new ChannelLines(3);
    const large = sampleRecord({ body: 'a\nb\nc\nd\ne' });
    assert.isTrue(store.append(large, format(large)), 'nothing to write again');
    const next = sampleRecord({ body: 'f\ng\nh\ni\nj' });
    assert.isFalse(store.append(next, format(next)));
    assert.strictEqual(store.text(), format(next));
    assert.strictEqual(store.lines, 5);
  });

  it('finds the record of a line by its position among equal lines, counted from the end', () => {
    const channel = new Channel(100);
    const { store } = channel;
    const records = ['a', 'b', 'a\nmore', 'a'].map((body, index) =>
      sampleRecord({ body, eventId: `event-${index}` }),
    );
    channel.add(...records, marker);
    const header = (body: string): string => format(sampleRecord({ body })).trimEnd();
    assert.strictEqual(store.find(header('a'), 0)?.eventId, 'event-3');
    assert.strictEqual(store.find(header('a'), 1)?.eventId, 'event-2');
    assert.strictEqual(store.find(header('a'), 2)?.eventId, 'event-0');
    assert.isUndefined(store.find(header('a'), 3));
    assert.strictEqual(store.find(header('b'), 0)?.eventId, 'event-1');
    assert.isUndefined(store.find(header(''), 0));
    assert.isUndefined(store.find(format(marker).trimEnd(), 0));
  });

  it('joins the records that it has, or shows each, if the options say so', () => {
    const channel = new Channel(100);
    const { store } = channel;
    const records = ['Error: lost', '    at a (/app/a.ts:1:2)', 'another'].map((body, index) =>
      sampleRecord({ eventId: `event-${index}`, body }),
    );
    const [first, second, last] = records;
    assert.isDefined(first);
    assert.isDefined(second);
    assert.isDefined(last);
    channel.add(first, second, marker, last);
    const { bytes } = store;
    store.configure(100, format, true);
    assert.equal(store.entries, 3);
    assert.isAbove(store.bytes, bytes, 'its records are in memory, too');
    assert.include(store.text(), '] Error: lost\n        at a (/app/a.ts:1:2)\n');
    assert.match(store.text(), /gap\n.* another\n$/);
    store.configure(100, format, false);
    assert.deepEqual(store.newest(4), records);
  });

  it('applies new options to the entries that it has', () => {
    const channel = new Channel(100);
    const { store } = channel;
    for (let index = 0; index < 20; index++) {
      channel.add(sampleRecord({ body: `line ${index}`, attributes: { index: String(index) } }));
    }
    const other = createFormatter({ timeZone: 'Asia/Tokyo', showAttributes: true });
    store.configure(100, other, true);
    const text = store.text();
    assert.strictEqual(store.entries, 20);
    assert.include(text, '2026-11-20 21:00:00.123 [warning] [web-api] line 7 {index=7}\n');
    store.configure(10, format, true);
    assert.isAtMost(store.lines, 10);
    assert.match(store.text(), /\[web-api\] line 19\n$/);
  });
});
