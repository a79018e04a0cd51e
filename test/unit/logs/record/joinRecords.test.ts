import { assert } from 'chai';
import fc from 'fast-check';
import type { LogRecord } from '../../../../src/api/types';
import {
  containerKeyOf,
  farthestPart,
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
  'tracing of Rust': [
    '  2026-11-20T12:00:00.123456Z ERROR shop::pay: payment refused, order: 17',
    '    at src/pay.rs:42 on ThreadId(1)',
    '    in shop::http::request with method: POST',
    '    in shop::main',
  ],
  'the console of .NET': [
    'fail: Shop.Orders.Worker[0]',
    '      Order 17 failed',
    '      System.InvalidOperationException: no price',
    '         at Shop.Pricing.Total(Order order) in /src/Shop/Pricing.cs:line 41',
    '         at Shop.Worker.ExecuteAsync(CancellationToken stoppingToken) in /src/Shop/Worker.cs:line 14',
  ],
  Laravel: [
    '[2026-11-20 12:00:00] production.ERROR: no price {"userId":7,"exception":"[object] (RuntimeException(code: 0): no price at /app/app/Cart.php:42)',
    '[stacktrace]',
    '#0 /app/app/Http/CartController.php(17): App\\\\Cart->total()',
    '#1 {main}',
    '"} ',
  ],
  'a template of Rails': [
    "ActionView::Template::Error (undefined method `price' for nil):",
    '    3: <% @items.each do |item| %>',
    '    4:   <%= item.price %>',
    '    5: <% end %>',
    '',
    "app/views/carts/show.html.erb:4:in `block in _app_views_carts_show'",
    "app/controllers/carts_controller.rb:12:in `show'",
    'Causes:',
  ],
  'a group of exceptions': [
    '  + Exception Group Traceback (most recent call last):',
    '  |   File "/app/main.py", line 12, in run',
    '  |     async with anyio.create_task_group() as tg:',
    '  | exceptiongroup.ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)',
    '  +-+---------------- 1 ----------------',
    '    | Traceback (most recent call last):',
    '    |   File "/app/shop/pay.py", line 42, in charge',
    '    |     raise ValueError("no price")',
    '    | ValueError: no price',
    '    +------------------------------------',
  ],
  Elixir: [
    '12:00:00.123 [error] GenServer Shop.Cart terminating',
    '** (RuntimeError) no price',
    '    (shop 0.1.0) lib/shop/cart.ex:42: Shop.Cart.total/1',
    '    (stdlib 5.0.2) gen_server.erl:1077: :gen_server.try_handle_cast/3',
    'Last message: {:"$gen_cast", :total}',
    'State: %{items: []}',
  ],
  'Node.js with members': [
    'Error: connect ECONNREFUSED 10.0.4.2:5432',
    '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1555:16) {',
    '  errno: -111,',
    "  code: 'ECONNREFUSED',",
    "  address: '10.0.4.2',",
    '  [cause]: Error: closed',
    '      at total (/app/cart.js:42:7)',
    '}',
  ],
  'Node.js, uncaught': [
    '/app/cart.js:42',
    "    throw new TypeError('no price');",
    '    ^',
    '',
    'TypeError: no price',
    '    at total (/app/cart.js:42:11)',
    '    at Object.<anonymous> (/app/main.js:3:1)',
    '',
    'Node.js v20.20.2',
  ],
  'Next.js': [
    ' \u2a2f Error: no price',
    '    at total (webpack-internal:///(rsc)/./src/cart.ts:42:7)',
    '    at Page (./src/app/page.tsx:12:9) {',
    "  digest: '123456'",
    '}',
  ],
  'Ruby with its line of code': [
    "/app/cart.rb:12:in 'Cart#total': undefined method 'price' for nil (NoMethodError)",
    '',
    '    item.price',
    '        ^^^^^^',
    "\tfrom /app/main.rb:3:in '<main>'",
  ],
  'causes of Rust': [
    'Error: no price',
    '',
    'Caused by:',
    '    0: dial failed',
    '    1: connection refused (os error 111)',
    '',
    'Stack backtrace:',
    '   0: shop::total',
    '             at ./src/main.rs:2:5',
  ],
  'a logger of Java': [
    'Nov 20, 2026 12:00:00 PM com.shop.Cart total',
    'SEVERE: no price',
    'java.lang.IllegalStateException: no price',
    '\tat com.shop.Cart.total(Cart.java:12)',
    '\tat com.shop.Main.main(Main.java:8)',
  ],
  Dart: [
    'Unhandled exception:',
    'Bad state: no price',
    '#0      Cart.total (package:shop/cart.dart:42:7)',
    '#1      main (file:///app/bin/main.dart:3:5)',
    '<asynchronous suspension>',
  ],
  zap: [
    '2026-11-20T12:00:00.123Z\tERROR\tserver/http.go:42\tcharge failed\t{"order": 17}',
    'main.charge',
    '\t/app/server/http.go:42',
    'main.main',
    '\t/app/main.go:12',
    'runtime.main',
    '\t/usr/local/go/src/runtime/proc.go:267',
  ],
  'python with a place in SQL': [
    'Traceback (most recent call last):',
    '  File "/app/shop/db.py", line 42, in run',
    '    cursor.execute(sql)',
    'psycopg2.errors.UndefinedTable: relation "carts" does not exist',
    'LINE 1: SELECT * FROM carts',
    '                      ^',
  ],
  'java with a suppressed exception': [
    'Exception in thread "main" java.lang.IllegalStateException: no price',
    '\tat com.shop.Cart.total(Cart.java:12)',
    '\tSuppressed: java.io.IOException: closed',
    '\t\tat com.shop.Db.close(Db.java:7)',
    '\t\t... 3 more',
    'Caused by: java.io.IOException: refused',
    '\t... 4 common frames omitted',
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
    apart(recordAt(1, frame, { workloadId: 'another' }));
    const places = ['serverId', 'deploymentId', 'workloadId'] as const;
    for (const place of places) {
      const trace = [recordAt(0, 'Error: lost', { containerId: '' })];
      const other = recordAt(1, frame, { containerId: '', [place]: 'another' });
      assert.lengthOf(joinRecords([...trace, other]), 2, place);
      assert.lengthOf(joinRecords([...trace, recordAt(1, frame, { containerId: '' })]), 1);
    }
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
    const [title, first] = ['TypeError: lost', '    at a (/app/a.ts:1:2)'];
    assert.deepEqual(joined(title, first, '  indented'), [`${title}\n${first}`, '  indented']);
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

  it('leaves a stack trace where it is, if what came last was logged long after it', () => {
    for (const [later, expected] of [
      [farthestPart, ['GET / 200']],
      [farthestPart + 1, ['Error: lost', 'GET / 200']],
    ] as const) {
      const joiner = new RecordJoiner();
      joiner.add(recordAt(0, 'Error: lost'), 0);
      joiner.add(recordAt(later, 'GET / 200', { containerId: 'd'.repeat(64) }), 0);
      const read = joiner.read(0).map(({ body }) => body);
      assert.deepEqual(read, [...expected]);
    }
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
    'fail: Shop.Worker[0]',
    '  2026-11-20T12:00:00Z ERROR shop::pay: refused',
    '/app/cart.js:42',
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
