import { assert } from 'chai';
import fc from 'fast-check';
import { messageTemplate } from '../../../../src/logs/record/messageTemplate';
import { anyText } from '../anyText';

describe('The template of a message', () => {
  const templates: readonly (readonly [string, string])[] = [
    ['GET /orders/4711 took 12.5 ms', 'GET /orders/<n> took <n> ms'],
    ['order 6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102 is late', 'order <id> is late'],
    [
      'commit 3f2a9bc1 by "Ann Other" at 2026-11-20T12:00:00.123Z',
      'commit <id> by <text> at <time>',
    ],
    ['12:00:00,5 10.0.0.7:8080 refused', '<time> <address> refused'],
    ['lost fe80::1:2:3:4 again', 'lost <address> again'],
    ["can't mail 'you' at ann@example.com", "can't mail <text> at <email>"],
    ['token sk12abCD34efGH56ijKL used', 'token <id> used'],
    ['the decade facade is a façade', 'the decade facade is a façade'],
    ['\n\n  TypeError: x is null\n    at f (a.ts:1:2)', 'TypeError: x is null'],
    [
      'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    g(7)\nKeyError: 7\n',
      'KeyError: <n>',
    ],
    ['Traceback (most recent call last):', 'Traceback (most recent call last):'],
    [
      'Exception in thread "exec-7" java.lang.Error: no\n\tat a.B.c(B.java:3)',
      'java.lang.Error: no',
    ],
    [
      'Unhandled exception. System.Exception: no\n   at A.B() in /a.cs:line 3',
      'System.Exception: no',
    ],
    ['Uncaught TypeError: no\n    at f (a.js:1:2)', 'TypeError: no'],
    ["/app/a.rb:3:in 'A#b': no (E)\n\tfrom /app/c.rb:4:in 'd'", 'no (E)'],
    ["thread 'main' panicked at src/a.rs:3:4:\nno\nstack backtrace:", 'no'],
    ["thread 'main' panicked at src/a.rs:3:4:", 'thread <text> panicked at src/a.rs:<n>:<n>:'],
    ['{"msg":"took 5 ms","level":30}', 'took <n> ms'],
    ['level=info msg="took 5 ms" user=7', 'took <n> ms'],
    ['{"@t":"12:00","@m":"Hello, Ann","@mt":"Hello, {User}","User":"Ann"}', 'Hello, {User}'],
    ['{"b":{"x":1,"y":2},"a":2}', '{a, b}'],
    ['a=1 b=2', 'a=<n> b=<n>'],
    ['{"b":1', '{<text>:<n>'],
    ['[1,2]', '[<n>]'],
    ['  a\t\tb  ', 'a b'],
    ['', ''],
  ];
  for (const [body, template] of templates) {
    it(`of ${JSON.stringify(body)} is ${JSON.stringify(template)}`, () => {
      assert.equal(messageTemplate(body), template);
    });
  }

  it('is the same for whatever numbers a line of code writes', () => {
    fc.assert(
      fc.property(fc.nat(), fc.uuid(), fc.ipV4(), (count, id, address) => {
        const template = messageTemplate(`job ${id} of ${address} did ${count} steps`);
        assert.equal(template, 'job <id> of <address> did <n> steps');
      }),
    );
  });

  it('is one line of at most 300 units, whatever the body', () => {
    fc.assert(
      fc.property(anyText(3000), (body) => {
        const template = messageTemplate(body);
        assert.isAtMost(template.length, 300);
        assert.notMatch(template, /[\r\n]/);
      }),
    );
  });

  it('comes at once of bodies that are made to be slow', () => {
    const pieces = [
      ...['a', '1', '"', "'", '`', '1.', 'a1', 'a:', ' '],
      ...['\n', '{"a":', '@', '\\"', '0x'],
    ];
    const start = process.cpuUsage();
    for (const piece of pieces) messageTemplate(piece.repeat(1_000_000));
    for (const piece of pieces) messageTemplate(`${' '.repeat(200_000)}${piece.repeat(200_000)}`);
    // Processor time in µs; a pattern that backtracks takes minutes.
    assert.isBelow(process.cpuUsage(start).user, 5_000_000);
  });
});
