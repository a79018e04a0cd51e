import { assert } from 'chai';
import fc from 'fast-check';
import type { LogRecord } from '../../../../src/api/types';
import {
  containerKeyOf,
  joinRecords,
  longestHold,
  entryRecords,
  RecordJoiner,
} from '../../../../src/logs/record/joinRecords';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';
import { sampleRecord } from '../sampleRecord';

const start = Date.UTC(2026, 10, 20, 12);
let count = 0;

/** A record at a number of milliseconds after the start. */
function recordAt(at: number, body: string, changes: Partial<LogRecord> = {}): LogRecord {
  const timestamp = new Date(start + at).toISOString();
  return sampleRecord({ eventId: `event-${++count}`, timestamp, body, ...changes });
}

/** The bodies of the entries of records that have these bodies, each a millisecond after the other. */
function joined(...bodies: readonly string[]): readonly string[] {
  return joinRecords(bodies.map((body, index) => recordAt(index, body))).map(({ body }) => body);
}

/** Traces as they arrive, one record a line. */
const traces: Readonly<Record<string, readonly string[]>> = {
  python: [
    'Traceback (most recent call last):',
    '  File "/app/shop/pay.py", line 42, in charge',
    '    total = cart.total()',
    '            ^^^^^^^^^^^^',
    "AttributeError: 'NoneType' object has no attribute 'price'",
  ],
  'python with a cause': [
    'Traceback (most recent call last):',
    '  File "a.py", line 1, in f',
    'KeyError: 1',
    '',
    'During handling of the above exception, another exception occurred:',
    '',
    'Traceback (most recent call last):',
    '  File "b.py", line 2, in g',
    'shop.errors.Broken',
  ],
  java: [
    'java.lang.IllegalStateException: no price',
    '\tat com.example.Cart.total(Cart.java:12)',
    '\tat java.base/java.lang.Thread.run(Thread.java:833)',
    'Caused by: java.io.IOException: closed',
    '\tat com.example.Db.read(Db.java:7)',
    '\t... 12 more',
  ],
  javascript: ['TypeError: no price', '    at total (/app/src/a.ts:1:2)', '    at async main'],
  '.NET in German': [
    'System.InvalidOperationException: Kein Preis',
    '   bei Shop.Cart.Total() in C:\\src\\Cart.cs:Zeile 41.',
    ' ---> System.IO.IOException: zu',
    '   bei Shop.Db.Read()',
    '   --- Ende der internen Ausnahmestapelüberwachung ---',
  ],
  go: [
    'panic: runtime error: index out of range [1] with length 1',
    '',
    'goroutine 1 [running]:',
    'main.total(0xc000012080, 0x1)',
    '\t/app/main.go:12 +0x1d',
    'created by main.main in goroutine 1',
    '\t/app/main.go:5 +0x20',
    'exit status 2',
  ],
  rust: [
    "thread 'main' panicked at src/main.rs:2:5:",
    'no price',
    'stack backtrace:',
    '   0: shop::total',
    '             at ./src/main.rs:2:5',
    'note: run with `RUST_BACKTRACE=full` for a verbose backtrace.',
  ],
  php: [
    'PHP Fatal error:  Uncaught Exception: no price in /app/src/Cart.php:17',
    'Stack trace:',
    '#0 /app/src/Pay.php(42): Cart->total()',
    '#1 {main}',
    '  thrown in /app/src/Cart.php on line 17',
  ],
  ruby: ["/app/a.rb:1:in `f': no price (RuntimeError)", "\tfrom /app/a.rb:5:in `<main>'"],
};

describe('entries of several records', () => {
  for (const [name, lines] of Object.entries(traces)) {
    it(`are the lines of a stack trace: ${name}`, () => {
      assert.deepEqual(joined('before', ...lines, 'after'), ['before', lines.join('\n'), 'after']);
    });
  }

  it('are those of bodies with several lines, with line ends of Windows and with colours', () => {
    const first = 'Error: lost\r\n    at a (/app/a.ts:1:2)\r\n';
    const second = '\x1b[31m    at b (/app/b.ts:1:2)\x1b[39m';
    assert.deepEqual(joined(first, second), [`${first.slice(0, -2)}\n${second}`]);
  });

  it('are the parts of a line that was cut after 16 KiB', () => {
    const line = JSON.stringify({ level: 'error', msg: 'ü'.repeat(12_000) });
    const bytes = Buffer.from(line);
    const pieces = [bytes.subarray(0, 16_384), bytes.subarray(16_384)].map(String);
    assert.deepEqual(joined(...pieces, 'after'), [line, 'after']);
    const text = 'x'.repeat(16_384);
    assert.deepEqual(joined(text, text, 'end', 'after'), [`${text}${text}end`, 'after']);
  });

  it('are the parts of JSON that something else cut, if they are whole together', () => {
    const line = JSON.stringify({ msg: 'x'.repeat(12_000), code: 7 });
    assert.deepEqual(joined(line.slice(0, 10_000), line.slice(10_000)), [line]);
    const others = [line.slice(0, 10_000), 'another line'];
    assert.deepEqual(joined(...others), others);
  });

  it('have their records, and the first trace id of them', () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const records = [
      recordAt(0, 'Error: lost'),
      recordAt(1, '    at a (/app/a.ts:1:2)', { traceId, truncated: true }),
    ];
    const [entry, ...others] = joinRecords(records);
    assert.isEmpty(others);
    assert.isDefined(entry);
    assert.deepEqual(entryRecords(entry), records);
    const { eventId, timestamp } = records[0] ?? entry;
    assert.include(entry, { eventId, timestamp, traceId, truncated: true });
  });

  it('are never of several containers or streams, or far apart', () => {
    const frame = '    at a (/app/a.ts:1:2)';
    const apart = (other: LogRecord): void =>
      assert.lengthOf(joinRecords([recordAt(0, 'Error: lost'), other]), 2, JSON.stringify(other));
    apart(recordAt(1, frame, { containerId: 'd'.repeat(64) }));
    apart(recordAt(1, frame, { containerId: '' }));
    apart(recordAt(1, frame, { stream: 'stderr' }));
    apart(recordAt(501, frame));
    apart(recordAt(1, 'another line'));
    const many = Array.from({ length: 1100 }, () => frame);
    assert.deepEqual(
      joinRecords(many.map((body) => recordAt(0, body))).map((entry) => entryRecords(entry).length),
      [500, 500, 100],
    );
    const slow = Array.from({ length: 20 }, (_, index) => recordAt(400 * index, frame));
    assert.deepEqual(
      joinRecords(slow).map((entry) => entryRecords(entry).length),
      [13, 7],
    );
    const long = `    at a (${'x'.repeat(60_000)})`;
    assert.lengthOf(joined(long, long, long), 2);
  });

  it('leave alone what only looks like a part', () => {
    const bodies = [
      'Traceback (most recent call last):',
      'GET / 200 in 3 ms',
      '{"msg":"lost"}',
      '    at a (/app/a.ts:1:2)',
      '  indented',
      '#7 is ready',
    ];
    assert.deepEqual(joined(...bodies.slice(0, 3)), bodies.slice(0, 3));
    assert.deepEqual(joined(...bodies.slice(2)), bodies.slice(2));
  });
});

/** What 20 containers write: traces line by line, and single lines. */
const written = fc.array(
  fc.tuple(
    fc.nat({ max: 19 }),
    fc.constantFrom(...Object.values(traces), ['GET / 200'], ['  indented'], ['x'.repeat(16_384)]),
  ),
  { minLength: 1, maxLength: 25 },
);

/** The records of containers in any order that keeps that of each container. */
function interleaved(
  containers: readonly (readonly [number, readonly string[]])[],
  next: () => number,
): readonly LogRecord[] {
  const queues = new Map<number, string[]>();
  for (const [container, lines] of containers) {
    queues.set(container, [...(queues.get(container) ?? []), ...lines]);
  }
  const records: LogRecord[] = [];
  while (queues.size > 0) {
    const all = [...queues];
    const [container, lines] = all[Math.floor(next() * all.length)] ?? all[0] ?? [0, []];
    const containerId = container.toString(16).padStart(64, '0');
    records.push(recordAt(records.length, lines.shift() ?? '', { containerId }));
    if (lines.length === 0) queues.delete(container);
  }
  return records;
}

/** Numbers from 0 to below 1. */
function randomFrom(first: number): () => number {
  let last = first;
  return () => {
    last = (Math.imul(last, 1_664_525) + 1_013_904_223) >>> 0;
    return last / 2 ** 32;
  };
}

function isOrdered(records: readonly LogRecord[], all: readonly LogRecord[]): void {
  const byContainer = (these: readonly LogRecord[]): readonly LogRecord[][] => {
    const found = new Map<string, LogRecord[]>();
    for (const one of these)
      found.set(containerKeyOf(one), [...(found.get(containerKeyOf(one)) ?? []), one]);
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ofOne]) => ofOne);
  };
  assert.deepEqual(byContainer(records), byContainer(all));
}

describe('a joiner of records', () => {
  it(`keeps the order and the number of records, of one container in each entry ${covers('F114', 'unit')}`, () => {
    fc.assert(
      fc.property(written, fc.nat(), fc.nat({ max: 40 }), (containers, first, atOnce) => {
        const records = interleaved(containers, randomFrom(first));
        const joiner = new RecordJoiner();
        const entries: LogRecord[] = [];
        const readAt = new Map<LogRecord, number>();
        for (const [index, record] of records.entries()) {
          const now = index * 10;
          joiner.add(record, now);
          if (index % (atOnce + 1) !== atOnce) continue;
          for (const entry of joiner.read(now)) {
            entries.push(entry);
            for (const part of entryRecords(entry)) readAt.set(part, now);
          }
        }
        entries.push(...joiner.readAll());
        assert.isUndefined(joiner.dueIn(0));
        const parts = entries.flatMap(entryRecords);
        assert.lengthOf(parts, records.length);
        isOrdered(parts, records);
        for (const entry of entries) {
          assert.lengthOf(new Set(entryRecords(entry).map(containerKeyOf)), 1);
        }
        for (const [record, at] of readAt) {
          const came = records.indexOf(record) * 10;
          assert.isAtMost(at - came, longestHold + 10 * (atOnce + 1));
        }
        const whole = joinRecords(records);
        const firsts = whole.map((entry) => records.indexOf(entryRecords(entry)[0] ?? entry));
        assert.deepEqual(
          firsts,
          [...firsts].sort((a, b) => a - b),
        );
      }),
      { numRuns: shortOrLong(200, 10_000), seed: 114 },
    );
  });

  it('holds back only what the next record may be a part of, and that for half a second', () => {
    const joiner = new RecordJoiner();
    const read = (now: number): readonly string[] => joiner.read(now).map(({ body }) => body);
    const other = { containerId: 'd'.repeat(64) };
    joiner.add(recordAt(0, 'Traceback (most recent call last):'), 1000);
    joiner.add(recordAt(0, 'GET / 200', other), 1000);
    assert.deepEqual(read(1000), ['GET / 200']);
    assert.equal(joiner.dueIn(1100), 400);
    joiner.add(recordAt(1, '  File "a.py", line 1, in f'), 1200);
    assert.deepEqual(read(1200), []);
    joiner.add(recordAt(2, 'GET / 404', other), 1499);
    assert.deepEqual(read(1499), ['GET / 404']);
    assert.deepEqual(read(1500), [
      'Traceback (most recent call last):\n  File "a.py", line 1, in f',
    ]);
    assert.isUndefined(joiner.dueIn(1500));
  });

  it('holds nothing back from time to time, although there is always something that may go on', () => {
    const joiner = new RecordJoiner();
    const empty: number[] = [];
    for (let now = 0; now < 5000; now += 100) {
      const containerId = String(now).padStart(64, '0');
      joiner.add(recordAt(now, 'Error: lost', { containerId }), now);
      joiner.read(now);
      if (joiner.isEmpty) empty.push(now);
    }
    assert.deepEqual(empty, [2000, 4100]);
  });

  it('does not wait for more if the container wrote something else', () => {
    const joiner = new RecordJoiner();
    joiner.add(recordAt(0, 'Error: lost'), 0);
    joiner.add(recordAt(1, 'GET / 200'), 0);
    assert.deepEqual(
      joiner.read(0).map(({ body }) => body),
      ['Error: lost', 'GET / 200'],
    );
  });

  const announcing = [
    'Error',
    'Error: lost\r\n',
    'TypeError: x is undefined',
    'java.lang.NullPointerException',
    'java.lang.Throwable: lost',
    'App\\Exceptions\\PaymentException: refused',
    'ActiveRecord::ConnectionNotEstablishedError (closed)',
    'Exception in thread "main" java.lang.RuntimeException',
    'Uncaught TypeError: x',
    'Unhandled exception. System.InvalidOperationException: x',
    'PHP Fatal error:  Uncaught Exception',
    'Traceback (most recent call last):',
    '\u001b[31mError: lost\u001b[39m\n    at total (/app/a.ts:1:2)',
  ];
  const plain = ['GET / 200', 'cart 7', 'operator is ready', 'a table: b', 'Errors: 2', '', 'Post'];

  it('waits for a stack below what names an error, and below nothing else', () => {
    const isHeld = (body: string): boolean => {
      const joiner = new RecordJoiner();
      joiner.add(recordAt(0, body), 0);
      return joiner.read(0).length === 0;
    };
    assert.deepEqual(announcing.filter(isHeld), announcing);
    assert.deepEqual(plain.filter(isHeld), []);
  });
});
