import { assert } from 'chai';
import fc from 'fast-check';
import type { LogRecord, Severity } from '../../../../src/api/types';
import {
  continuation,
  createFormatter,
  isRecord,
  lineLimit,
  createTimestampFormat,
} from '../../../../src/logs/record/logLine';
import { sanitise } from '../../../../src/base/untrustedText';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';
import { anyText } from '../anyText';
import { sampleRecord } from '../sampleRecord';

/** How the Output panel finds an entry, its level and its category. */
const panelEntry =
  /^(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3})\s(\[(info|trace|debug|error|warning)\])\s(\[(.*?)\])?/;

const format = createFormatter({ timeZone: 'utc', showAttributes: false });
const withAttributes = createFormatter({ timeZone: 'utc', showAttributes: true });

function line(changes: Partial<LogRecord>): string {
  return format(sampleRecord(changes));
}

describe('format', () => {
  it(`says a severity of the server's own before the body, which counts as unknown ${covers('F73', 'unit')}`, () => {
    const text = line({ severity: 'unknown', severityText: 'not[ice]\n' });
    const head = '2026-11-20 12:00:00.123 [info] [web-api]';
    assert.strictEqual(text, `${head} not(ice)\\u{a} slow request\n`);
    assert.strictEqual(line({ severity: 'unknown' }), `${head} slow request\n`);
  });

  it('has the form that the Output panel filters, with a level for every severity', () => {
    const expected: Record<Severity, string> = {
      trace: '[trace] [web-api] x',
      debug: '[debug] [web-api] x',
      info: '[info] [web-api] x',
      warn: '[warning] [web-api] x',
      error: '[error] [web-api] x',
      fatal: '[error] [web-api] FATAL x',
      unknown: '[info] [web-api] x',
    };
    for (const [severity, text] of Object.entries(expected) as [Severity, string][]) {
      const shown = line({ severity, body: 'x' });
      assert.strictEqual(shown, `2026-11-20 12:00:00.123 ${text}\n`);
      const [, time, level, , , category] = panelEntry.exec(shown) ?? [];
      assert.deepEqual([time, category], ['2026-11-20 12:00:00.123', 'web-api']);
      assert.include(text, `${level} [`);
    }
  });

  it('puts a preview behind the name', () => {
    const text = line({ previewId: '1a2b3c4d-0c1d-4e2f-8a3b-4c5d6e7f8091' });
    assert.include(text, ' [web-api preview 1a2b3c4d] slow request');
    assert.strictEqual(panelEntry.exec(text)?.[5], 'web-api preview 1a2b3c4d');
  });

  it(`keeps names within their brackets and away from our own ${covers('F54', 'unit')}`, () => {
    assert.include(line({ workloadName: 'a] [b\n\x1b' }), ' [a) (b\\u{a}\\u{1b}] slow');
    assert.include(line({ previewId: ']\u202e' }), ' [web-api preview )\\u{202e}] slow');
    assert.include(line({ workloadName: 'control plane' }), ' [control plane (workload)] slow');
    assert.include(line({ workloadName: '' }), ' [web] slow');
    assert.include(line({ workloadName: '', service: '' }), ' [-] slow');
    assert.include(line({ workloadName: 'n'.repeat(5000) }), ` [${'n'.repeat(100)} (+4900)] slow`);
  });

  it('shows a structured body by its message and its stack, or as it came', () => {
    const body = JSON.stringify({
      msg: '\x1b[31mfailed\x1b[39m',
      code: 7,
      err: { stack: 'Error: in use\n    at run (/app/src/a.ts:1:2)\n' },
    });
    const record = sampleRecord({ body });
    const readable = createFormatter({
      timeZone: 'utc',
      showAttributes: false,
      bodies: 'readable',
    });
    assert.strictEqual(
      readable(record),
      '2026-11-20 12:00:00.123 [warning] [web-api] failed  code=7\n' +
        '    Error: in use\n' +
        '        at run (/app/src/a.ts:1:2)\n',
    );
    assert.include(line({ body }), `] ${body}\n`);
  });

  it('has the level of a structured body where the severity only repeats the stream', () => {
    const body = '{"level":"info","msg":"ready"}';
    const record = sampleRecord({ body, severity: 'error', stream: 'stderr' });
    const options = { timeZone: 'utc', showAttributes: false, bodies: 'readable' } as const;
    assert.include(createFormatter(options)(record), ' [info] [web-api] ready\n');
    const ofServer = createFormatter({ ...options, severity: 'server' });
    assert.include(ofServer(record), ' [error] [web-api] ready  level=info\n');
  });

  it('keeps the lines of a body in place, indented', () => {
    const body = 'Error: boom\r\n    at run (/app/src/a.ts:1:2)\n\n\tat last\n';
    assert.strictEqual(
      line({ body }),
      '2026-11-20 12:00:00.123 [warning] [web-api] Error: boom\n' +
        '        at run (/app/src/a.ts:1:2)\n' +
        '    \n' +
        '    \tat last\n',
    );
  });

  it(`lets no body pass for an entry of its own ${covers('F54', 'unit')}`, () => {
    const forged = '2026-11-20 12:00:00.123 [error] [other] forged';
    for (const body of [`x\n${forged}`, `x\r${forged}`, `x\x85${forged}`, `x\u2028${forged}`]) {
      const lines = line({ body }).split(/[\n\r\x85\u2028]/);
      assert.lengthOf(
        lines.filter((one) => panelEntry.test(one)),
        1,
        body,
      );
    }
  });

  it(`shows every control character of a body ${covers('F54, F55', 'unit')}`, () => {
    assert.include(
      line({ body: '\x1b[31mred\x1b[2J\x08\u202e' }),
      '] red\\u{1b}[2J\\u{8}\\u{202e}\n',
    );
    assert.include(line({ body: 'deployed 🚀' }), '] deployed 🚀\n');
  });

  it(`cuts a long line and counts the characters that are left out ${covers('F40', 'unit')}`, () => {
    const start = '2026-11-20 12:00:00.123 [warning] [web-api] ';
    const huge = line({ body: 'x'.repeat(10_000_000) });
    assert.strictEqual(huge, `${start}${'x'.repeat(lineLimit)} [+${10_000_000 - lineLimit}]\n`);
    assert.strictEqual(line({ body: 'x'.repeat(lineLimit) }), `${start}${'x'.repeat(lineLimit)}\n`);
    const second = line({ body: `head\n${'y'.repeat(65_000)}\ntail` }).split('\n');
    assert.strictEqual(
      second[1],
      `${continuation}${'y'.repeat(lineLimit)} [+${65_000 - lineLimit}]`,
    );
    assert.strictEqual(second[2], `${continuation}tail`);
  });

  it(`cuts where escapes make a line long, and between whole characters ${covers('F40', 'unit')}`, () => {
    const escapes = line({ body: '\x1b'.repeat(10_000) });
    const shown = Math.floor(lineLimit / '\\u{1b}'.length);
    assert.strictEqual(escapes.split('\\u{1b}').length - 1, shown);
    assert.include(escapes, ` [+${10_000 - shown}]\n`);
    const pairs = line({ body: `x${'😀'.repeat(lineLimit)}` });
    assert.notInclude(pairs, '\\u{');
    assert.include(pairs, ` [+${lineLimit + 2}]\n`);
  });

  it(`bounds a record of many lines ${covers('F40', 'unit')}`, () => {
    const many = line({ body: 'a\n'.repeat(1_000_000) }).split('\n');
    assert.lengthOf(many, 1002);
    assert.strictEqual(many[1000], `${continuation}[+${2_000_000 - 2000}]`);
    const wide = line({ body: `${'b'.repeat(16_000)}\n`.repeat(100) });
    assert.isBelow(wide.length, 300_000);
    assert.match(wide, /\n {4}\[\+\d+\]\n$/);
  });

  it('says that the server cut a record', () => {
    assert.include(line({ truncated: true }), '] slow request [truncated]\n');
  });

  it(`shows attributes and the trace as a query takes them, whatever they are called ${covers('F59', 'unit')}`, () => {
    const attributes = JSON.parse(
      '{"user":"42","path":"/a b","say":"\\"hi\\"","__proto__":"p","constructor":"\\u001b","big":"9007199254740993"}',
    ) as Record<string, string>;
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    assert.strictEqual(
      withAttributes(sampleRecord({ attributes, traceId })),
      '2026-11-20 12:00:00.123 [warning] [web-api] slow request ' +
        `{trace:${traceId} user=42 path="/a b" say="\\"hi\\"" __proto__=p constructor=\\u{1b} big=9007199254740993}\n`,
    );
    assert.notInclude(format(sampleRecord({ attributes })), 'user');
    assert.include(
      withAttributes(sampleRecord({ body: 'a\nb', attributes: { k: 'v' } })),
      '\n    {k=v}\n',
    );
    assert.include(withAttributes(sampleRecord()), '] slow request\n');
    assert.match(
      withAttributes(sampleRecord({ attributes: { k: 'v'.repeat(100_000) } })),
      /\{k=v{4094} \[\+95906\]\}\n$/,
    );
  });

  it('writes markers in the same form', () => {
    const marker = {
      timestamp: '2026-11-20T12:00:00Z',
      level: 'info',
      text: '12 records left out\x1b',
    } as const;
    const text = format(marker);
    assert.strictEqual(
      text,
      '2026-11-20 12:00:00.000 [info] [control plane] 12 records left out\\u{1b}\n',
    );
    assert.strictEqual(panelEntry.exec(text)?.[5], 'control plane');
    assert.isFalse(isRecord(marker));
    assert.isTrue(isRecord(sampleRecord()));
  });

  it('shows a timestamp that is none as it came, made harmless', () => {
    assert.match(line({ timestamp: 'yesterday\x1b' }), /^yesterday\\u\{1b\} \[warning\]/);
    assert.match(line({ timestamp: '  ' }), /^- \[warning\]/);
    assert.match(line({ timestamp: 'z'.repeat(1000) }), /^z{100} \[\+900\] \[warning\]/);
  });

  it(`yields clean lines for any record ${covers('F54, F55', 'unit')}`, () => {
    const text = anyText(200);
    const short = anyText(12);
    const record = fc.record({
      body: text,
      workloadName: short,
      service: short,
      timestamp: short,
      previewId: fc.option(short),
      traceId: fc.option(short),
      attributes: fc.dictionary(short, short, { maxKeys: 3 }),
      severity: fc.constantFrom<Severity>('fatal', 'unknown', 'info'),
      truncated: fc.boolean(),
    });
    fc.assert(
      fc.property(record, (changes) => {
        const output = withAttributes(sampleRecord(changes));
        const lines = output.split('\n');
        assert.strictEqual(lines.pop(), '');
        const wrong = lines.filter(
          (one, index) => sanitise(one) !== one || one.startsWith(continuation) !== index > 0,
        );
        assert.deepEqual(wrong, []);
      }),
    );
  });
});

const utc = createTimestampFormat('utc');

function assertShown(zone: string, cases: Readonly<Record<string, string>>): void {
  const format = createTimestampFormat(zone);
  for (const [timestamp, shown] of Object.entries(cases)) {
    assert.strictEqual(format(timestamp), shown, timestamp);
  }
}

describe('timestamp format', () => {
  it('shows UTC with milliseconds, whatever the fraction', () => {
    assertShown('utc', {
      '2026-11-20T12:00:00.123Z': '2026-11-20 12:00:00.123',
      '2026-11-20T12:00:00.456Z': '2026-11-20 12:00:00.456',
      '2026-11-20T12:00:00Z': '2026-11-20 12:00:00.000',
      '2026-11-20T12:00:00.5Z': '2026-11-20 12:00:00.500',
      '2026-11-20T12:00:00.999999999Z': '2026-11-20 12:00:00.999',
      '2026-11-20T12:00:01.123Z': '2026-11-20 12:00:01.123',
    });
  });

  it('takes other ways to write a moment', () => {
    assertShown('utc', {
      '2026-11-20T12:00:00.25+02:00': '2026-11-20 10:00:00.250',
      '2026-11-20 12:00:00z': '2026-11-20 12:00:00.000',
      '2026-11-20T12:00Z': '2026-11-20 12:00:00.000',
    });
  });

  it('answers nothing for what is no moment', () => {
    const late = ['2026-13-20T12:00:00+00:00', '9999-12-31T23:59:59-01:00'];
    const none = ['', 'now', '2026-11-20', '1700000000', ...late];
    for (const text of none) assert.isUndefined(utc(text), text);
    assert.isUndefined(createTimestampFormat('Europe/Berlin')('2026-13-20T12:00:00.000Z'));
  });

  it(`is not fooled right behind a good one of the same second ${covers('F54', 'unit')}`, () => {
    assert.isDefined(utc('2026-11-20T12:00:00.000Z'));
    for (const end of ['.00\x1bZ', '.0/0Z', '.0:0Z', ',000Z', '.000\x1b', '.000ZZ']) {
      assert.isUndefined(utc(`2026-11-20T12:00:00${end}`), end);
    }
  });

  it('shows other zones, over the change of the clocks too', () => {
    assertShown('Europe/Berlin', {
      '2026-10-25T00:59:59.999Z': '2026-10-25 02:59:59.999',
      '2026-10-25T01:00:00.000Z': '2026-10-25 02:00:00.000',
      '2026-07-01T22:30:00.000Z': '2026-07-02 00:30:00.000',
    });
    const early = '2026-01-01T00:00:05Z';
    assertShown('Asia/Kathmandu', { [early]: '2026-01-01 05:45:05.000' });
    assertShown('UTC', { [early]: '2026-01-01 00:00:05.000' });
    assertShown('Nowhere/At all', { [early]: '2026-01-01 00:00:05.000' });
  });

  it('agrees with the machine in its own zone, for any moment and after many', () => {
    const local = createTimestampFormat('local');
    const pad = (value: number, length = 2): string => String(value).padStart(length, '0');
    const moment = fc.integer({ min: Date.UTC(1972, 0), max: Date.UTC(2100, 0) });
    fc.assert(
      fc.property(moment, (time) => {
        const date = new Date(time);
        const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
        const clock = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
        assert.strictEqual(
          local(date.toISOString()),
          `${day} ${clock}.${pad(date.getMilliseconds(), 3)}`,
        );
      }),
      { numRuns: shortOrLong(300, 1500) },
    );
  });
});
