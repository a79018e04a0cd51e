import { assert } from 'chai';
import { headline, spokenLine } from '../../../../src/logs/record/headline';

describe('The headline of a message', () => {
  const headlines: readonly (readonly [body: string, line: string])[] = [
    ['\n\n  TypeError: x is null\n    at f (a.ts:1:2)', 'TypeError: x is null'],
    [
      'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    g(7)\nKeyError: 7\n',
      'KeyError: 7',
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
    ["thread 'main' panicked at src/a.rs:3:4:", "thread 'main' panicked at src/a.rs:3:4:"],
    // The first line says only that something happened, or where.
    ['fail: Shop.Worker[0]\n      Order 17 failed', 'Order 17 failed'],
    [
      'fail: Shop.Worker[0]\n      Order 17 failed\n      System.Exception: no\n         at A.B() in /a.cs:line 3',
      'Order 17 failed: System.Exception: no',
    ],
    ['fail: Shop.Worker[0]', 'fail: Shop.Worker[0]'],
    [
      '/app/a.js:3\n  throw new TypeError(x);\n  ^\n\nTypeError: no\n    at f (/app/a.js:3:4)',
      'TypeError: no',
    ],
    ['Nov 20, 2026 12:00:00 PM a.B c\nSEVERE: no', 'SEVERE: no'],
    // The first line says where, the stack what.
    ['Request failed:\nError: no\n    at f (a.js:1:2)', 'Request failed: Error: no'],
    [
      'Error handling it\na.b.NoError: no\n\tat a.B.c(B.java:3)',
      'Error handling it: a.b.NoError: no',
    ],
    [
      'On /a\nTraceback (most recent call last):\n  File "a.py", line 3\n    g(7)\nKeyError: 7\n',
      'On /a: KeyError: 7',
    ],
    [
      'a.E: no\n\tat a.B.c(B.java:3)\nCaused by: b.F: full\n\tat a.C.c(C.java:3)\nCaused by: c.G: 7\n\t... 3 more',
      'a.E: no: c.G: 7',
    ],
    ['A.E: no\n ---> B.F: full\n   at A.B() in /a.cs:line 3', 'A.E: no: B.F: full'],
    ['Error: no\n    at f (a.js:1:2) {\n  [cause]: Error: full\n', 'Error: no: Error: full'],
    [
      'Worker ended\n** (KeyError) no\n    (a 1.0) lib/a.ex:3: A.b/1',
      'Worker ended: ** (KeyError) no',
    ],
    ['Error: no\nThe rest is text.', 'Error: no'],
    ['', ''],
  ];
  for (const [body, line] of headlines) {
    it(`of ${JSON.stringify(body)} is ${JSON.stringify(line)}`, () => {
      assert.equal(headline(body), line);
    });
  }
});

describe('What a body says', () => {
  const lines: readonly (readonly [body: string, line: string])[] = [
    ['{"msg":"took 5 ms","level":30}', 'took 5 ms'],
    ['level=info msg="took 5 ms" user=7', 'took 5 ms'],
    ['{"@t":"12:00","@m":"Hello, Ann","@mt":"Hello, {User}","User":"Ann"}', 'Hello, {User}'],
    ['{"b":{"x":1,"y":2},"a":2}', '{a, b}'],
    ['a=1 b=2', 'a=1 b=2'],
    ['\u001b[31mred\u001b[0m', 'red'],
  ];
  for (const [body, line] of lines) {
    it(`${JSON.stringify(body)}: ${JSON.stringify(line)}`, () => {
      assert.equal(spokenLine(body), line);
    });
  }
});
