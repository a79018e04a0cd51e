import { assert } from 'chai';
import type { LogRecord } from '../../../../src/api/types';
import { styledBody } from '../../../../src/logs/record/readableBody';
import { covers } from '../../covers';
import { sampleRecord } from '../sampleRecord';

/** What a record at noon shows of a body; `‹…›` is dimmed. */
function shown(body: string, changes: Partial<LogRecord> = {}): string {
  const { text, spans } = styledBody(
    sampleRecord({ severity: 'info', ...changes, body }),
    'readable',
  );
  return spans
    .filter(({ style }) => style === 'dim')
    .reduceRight(
      (all, { start, end }) => `${all.slice(0, start)}‹${all.slice(start, end)}›${all.slice(end)}`,
      text,
    );
}

const noon = Date.parse('2026-11-20T12:00:00.123Z');
const stack =
  'Error: in use\n    at clean (/app/src/clean.js:12:5)\n    at main (/app/src/main.js:3:1)';

describe('a structured body', () => {
  const lines: [library: string, body: string, shown: string, changes?: Partial<LogRecord>][] = [
    [
      'pino-http',
      `{"level":30,"time":${noon},"pid":18,"hostname":"web-7d9","req":{"id":5,"method":"GET","url":"/api/products/317","query":{},"headers":{"host":"localhost:3000"},"remoteAddress":"::1"},"res":{"statusCode":200,"headers":{"content-type":"text/html"}},"responseTime":49,"msg":"request completed"}`,
      'request completed‹  GET /api/products/317  200  49 ms  req.id=5  req.remoteAddress=::1›',
    ],
    [
      'pino',
      `{"level":50,"time":${noon},"pid":1,"hostname":"h","err":{"type":"Error","message":"in use","stack":${JSON.stringify(stack)},"code":"EBUSY"},"msg":"clean-up failed"}`,
      `clean-up failed‹  err.code=EBUSY›\n${stack}`,
      { severity: 'error' },
    ],
    [
      'bunyan',
      '{"name":"web-api","hostname":"banana.local","pid":40161,"level":30,"msg":"hi","time":"2026-11-20T12:00:00.001Z","v":0,"lang":"fr"}',
      'hi‹  lang=fr›',
    ],
    [
      'winston',
      '{"level":"info","message":"Hello distributed log files!","service":"web","timestamp":"2026-11-20T12:00:00.100Z"}',
      'Hello distributed log files!',
    ],
    [
      'zap',
      '{"level":"info","ts":1795176000.2,"caller":"zap/main.go:12","msg":"failed to fetch URL","url":"http://example.com","attempt":3,"backoff":"1s"}',
      'failed to fetch URL‹  caller=zap/main.go:12  url=http://example.com  attempt=3  backoff=1s›',
    ],
    [
      'zap with a stack',
      '{"level":"error","ts":1795176000.2,"msg":"boom","stacktrace":"main.main\\n\\t/app/main.go:12\\nruntime.main\\n\\t/usr/local/go/src/runtime/proc.go:250"}',
      'boom\nmain.main\n\t/app/main.go:12\nruntime.main\n\t/usr/local/go/src/runtime/proc.go:250',
      { severity: 'error' },
    ],
    [
      'zerolog',
      '{"level":"error","stack":[{"func":"inner","line":"20","source":"errors.go"},{"func":"main","line":"32","source":"main.go"}],"error":"seems we have an error here","time":1795176000,"message":"failed"}',
      'failed‹  error=seems we have an error here›\n    at inner (errors.go:20)\n    at main (main.go:32)',
      { severity: 'error' },
    ],
    [
      'slog as JSON',
      '{"time":"2026-11-20T13:00:00.123456789+01:00","level":"INFO","msg":"hello","count":3}',
      'hello‹  count=3›',
    ],
    [
      'slog as text',
      'time=2026-11-20T12:00:00.123Z level=INFO msg="hello, world" count=3 err="not \\"found\\""',
      'hello, world‹  count=3  err=not "found"›',
    ],
    [
      'structlog',
      '{"event":"user logged in","user_id":7,"level":"info","logger":"auth","timestamp":"2026-11-20T12:00:00.123456Z"}',
      'user logged in‹  user_id=7  logger=auth›',
    ],
    [
      'structlog with tracebacks',
      '{"event":"failed","level":"error","exception":[{"exc_type":"ValueError","exc_value":"no","frames":[{"filename":"/app/a.py","lineno":3,"name":"f"}]}]}',
      'failed\nTraceback (most recent call last):\n  File "/app/a.py", line 3, in f\nValueError: no',
      { severity: 'error' },
    ],
    [
      'python-json-logger',
      '{"asctime": "2026-11-20 14:00:00,123", "name": "shop.orders", "levelname": "ERROR", "message": "order failed", "exc_info": "Traceback (most recent call last):\\n  File \\"/app/orders.py\\", line 3, in place\\nValueError: no"}',
      'order failed‹  name=shop.orders›\nTraceback (most recent call last):\n  File "/app/orders.py", line 3, in place\nValueError: no',
      { severity: 'error' },
    ],
    [
      'the logstash encoder of logback',
      '{"@timestamp":"2026-11-20T13:00:00.123+01:00","@version":"1","message":"no stock","logger_name":"com.shop.Stock","thread_name":"main","level":"WARN","level_value":30000,"stack_trace":"java.lang.IllegalStateException: no\\n\\tat com.shop.Stock.take(Stock.java:12)\\n"}',
      'no stock‹  logger_name=com.shop.Stock  thread_name=main›\njava.lang.IllegalStateException: no\n\tat com.shop.Stock.take(Stock.java:12)',
      { severity: 'warn' },
    ],
    [
      'ECS',
      '{"@timestamp":"2026-11-20T12:00:00.123Z","log.level":"ERROR","message":"no stock","ecs.version":"1.2.0","service.name":"web","process.thread.name":"main","log.logger":"com.shop.Stock","error.type":"java.lang.IllegalStateException","error.message":"no","error.stack_trace":"java.lang.IllegalStateException: no\\n\\tat com.shop.Stock.take(Stock.java:12)\\n"}',
      'no stock‹  process.thread.name=main  log.logger=com.shop.Stock›\njava.lang.IllegalStateException: no\n\tat com.shop.Stock.take(Stock.java:12)',
      { severity: 'error' },
    ],
    [
      'Serilog (CLEF)',
      '{"@t":"2026-11-20T12:00:00.8532799Z","@mt":"Hello, {User}, {Elapsed:0.0} ms","User":"nblumhardt","Elapsed":12.5,"SourceContext":"Shop"}',
      'Hello, nblumhardt, 12.5 ms‹  SourceContext=Shop›',
    ],
    [
      'Serilog with an exception',
      '{"@t":"2026-11-20T12:00:00.8Z","@m":"Failed","@i":"a1b2","@l":"Error","@x":"System.Exception: no\\r\\n   at Shop.Run() in /app/Shop.cs:line 12"}',
      'Failed\nSystem.Exception: no\n   at Shop.Run() in /app/Shop.cs:line 12',
      { severity: 'error' },
    ],
    [
      'lograge as JSON',
      '{"method":"GET","path":"/jobs/833552.json","format":"json","controller":"JobsController","action":"show","status":200,"duration":58.33,"view":40.43,"db":15.26}',
      'GET /jobs/833552.json  200  58.33 ms  format=json  controller=JobsController  action=show  view=40.43  db=15.26',
    ],
    [
      'lograge',
      'method=GET path=/jobs/833552.json format=json controller=JobsController  action=show status=200 duration=58.33 view=40.43 db=15.26',
      'GET /jobs/833552.json  200  58.33 ms  format=json  controller=JobsController  action=show  view=40.43  db=15.26',
    ],
    [
      'OpenTelemetry (OTLP)',
      '{"timeUnixNano":"1795176000123000000","observedTimeUnixNano":"1795176000123000001","severityNumber":9,"severityText":"INFO","body":{"stringValue":"order placed"},"attributes":[{"key":"order.id","value":{"intValue":"42"}},{"key":"http.request.method","value":{"stringValue":"POST"}}],"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","flags":1}',
      'order placed‹  order.id=42  http.request.method=POST›',
      { traceId: '4bf92f3577b34da6a3ce929d0e0e4736' },
    ],
    [
      'the data model of OpenTelemetry',
      '{"Timestamp":"2026-11-20T12:00:00.123Z","SeverityText":"INFO","SeverityNumber":9,"Body":"Hello world","Resource":{"service.name":"my-service"},"Attributes":{"user":7}}',
      'Hello world‹  user=7›',
    ],
    [
      'an unknown logger',
      '{"when":"2001-01-01","Message":"it works","nested":{"a":{"b":{"c":{"d":1}}}},"list":[1,2],"big":12345678901234567890,"none":null}',
      'it works‹  when=2001-01-01  nested.a.b={"c":{"d":1}}  list=[1,2]  big=12345678901234567890›',
    ],
  ];
  for (const [library, body, expected, changes] of lines) {
    it(`of ${library} is shown by its message, then its other members`, () => {
      assert.equal(shown(body, changes), expected);
    });
  }

  it('keeps a level or a time that is not that of its record', () => {
    assert.equal(
      shown('{"level":"error","time":"2020-01-01T00:00:00Z","msg":"late"}'),
      'late‹  level=error  time=2020-01-01T00:00:00Z›',
    );
    // Ten seconds are the same time.
    const at = (time: string): string => shown(`{"time":"2026-11-20T${time}Z","msg":"late"}`);
    assert.equal(at('11:59:51'), 'late');
    assert.equal(at('11:59:49'), 'late‹  time=2026-11-20T11:59:49Z›');
  });

  it('has as many members as can be read, and says that there are more', () => {
    const members = Array.from({ length: 9 }, (_, n): [string, string] => [
      `k${n}`,
      'x'.repeat(97),
    ]);
    const text = shown(JSON.stringify({ msg: 'm', ...Object.fromEntries(members) }));
    assert.lengthOf(text.match(/k\d=x{97}/g) ?? [], 6);
    assert.match(text, / …›$/);
  });

  it('is shown as it came if it has no message in its first 200 members, or is longer than 64 Ki', () => {
    for (const body of [
      '{"a":1,"b":2}',
      '[1,2]',
      '{"msg":cut',
      'a=1 b=2',
      'x=1',
      'msg=hello world',
      `{${Array.from({ length: 200 }, (_, n) => `"a${n}":1,`).join('')}"msg":"late"}`,
      `${'a=1 '.repeat(200)}msg=late`,
      `{"msg":"${'x'.repeat(70_000)}"}`,
    ]) {
      assert.equal(shown(body), body);
    }
  });

  it(`is harmless, whatever its members are ${covers('F59, F76', 'unit')}`, () => {
    assert.equal(
      shown('{"msg":"m","__proto__":{"polluted":true},"constructor":1}'),
      'm‹  __proto__.polluted=true  constructor=1›',
    );
    assert.isUndefined(({} as Record<string, unknown>)['polluted']);
    const deep = `{"msg":"m","deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    assert.match(shown(deep), /^m‹ {2}deep=/);
    const many = JSON.stringify({
      msg: 'm',
      ...Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`key${n}`, 'x'.repeat(50)])),
    });
    assert.isAbove(many.length, 50_000);
    assert.match(shown(many), /^m‹ {2}key0=x{50} .{300,700}…›$/);
    const some = JSON.stringify({ msg: 'm', list: Array.from({ length: 500 }, () => 'value') });
    assert.isBelow(shown(some).length, 1000);
  });

  it('has its time if it is another one than that of the record, whatever the zone', () => {
    const withTime = (time: string): string => shown(JSON.stringify({ msg: 'm', time }));
    assert.equal(withTime('2026-11-20T17:45:00'), 'm');
    assert.equal(withTime('2026-11-18T12:00:00'), 'm‹  time=2026-11-18T12:00:00›');
    assert.equal(withTime('2026-11-20T12:07:00'), 'm‹  time=2026-11-20T12:07:00›');
  });

  it('has the unit of a duration once', () => {
    const took = (duration: number | string): string =>
      shown(JSON.stringify({ msg: 'm', method: 'GET', path: '/a', duration }));
    assert.equal(took(12), 'm‹  GET /a  12 ms›');
    assert.equal(took('12ms'), 'm‹  GET /a  12ms›');
  });

  it(`fills a template once for each member, up to a limit ${covers('F76, F90', 'unit')}`, () => {
    const long = Array.from({ length: 8000 }, () => 'x');
    const body = JSON.stringify({ '@mt': '{A}{a}'.repeat(3000), a: long });
    // Each hole has a value of 120 units.
    assert.match(shown(body), /^(?:\["x",[^…]*…){380,410}(?:\{A\}|\{a\})+$/);
  });

  it(`says what a stack says once, however deep its frames are nested ${covers('F59', 'unit')}`, () => {
    const frames = '{"exc_type":"E","exc_value":"v","frames":[';
    const body = `{"msg":"m","exception":[${frames.repeat(1400)}${']}'.repeat(1400)}]}`;
    assert.equal(shown(body), 'm\nTraceback (most recent call last):\nE: v');
  });
});

describe('a prefix that repeats what the line has', () => {
  const prefixed: [body: string, shown: string, changes?: Partial<LogRecord>][] = [
    ['INFO started', '‹INFO› started'],
    ['[INFO] started', '‹[INFO]› started'],
    ['INFO: started', '‹INFO:› started'],
    [
      '2026-11-20T12:00:00.123456Z  INFO search::index: opened',
      '‹2026-11-20T12:00:00.123456Z  INFO search::index:› opened',
    ],
    ['TRACE search::index: looked', '‹TRACE search::index:› looked', { severity: 'trace' }],
    ['2026-11-20 14:00:00,120 - INFO - started', '‹2026-11-20 14:00:00,120 - INFO› - started'],
    [
      '12:00:00.123 [main] INFO com.shop.Stock - taken',
      '‹12:00:00.123 [main] INFO com.shop.Stock› - taken',
    ],
    [
      'I, [2026-11-20T12:00:00.123456 #12]  INFO -- mailer: sent',
      '‹I, [2026-11-20T12:00:00.123456 #12]  INFO -- mailer:› sent',
    ],
    ['I, [mailer] sent', '‹I, [mailer]› sent'],
    ['WARN search::disk: 84.9 % used', '‹WARN search::disk:› 84.9 % used', { severity: 'warn' }],
    ['ERROR started', 'ERROR started'],
    ['Information desk opened', 'Information desk opened'],
    ['info: started', '‹info:› started'],
    ['[12:00:00 INF] started', '‹[12:00:00 INF]› started'],
    ['1999-01-01 00:01:00 was long ago', '1999-01-01 00:01:00 was long ago'],
    ['GET / 200', 'GET / 200'],
    ['INFO', 'INFO'],
  ];
  for (const [body, expected, changes] of prefixed) {
    it(`is dimmed: ${expected}`, () => {
      assert.equal(shown(body, changes), expected);
    });
  }
});

describe('a raw body', () => {
  it('is not parsed', () => {
    const record = sampleRecord({ body: '{"msg":"m"}' });
    assert.equal(styledBody(record, 'raw').text, '{"msg":"m"}');
  });
});
