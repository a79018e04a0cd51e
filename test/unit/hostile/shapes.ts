import { createRandom } from '../../control-plane/random';

/** The length of a hostile text, in UTF-16 units. */
export const shapeLength = 65_536;
/** How many different texts there are. */
export const shapeCount = 2000;

/** A hostile text, made when it is needed: all of them take 250 MB. */
export interface Shape {
  readonly name: string;
  make(length?: number): string;
}

/** One or two of each class of characters that a reader may tell apart. */
const characters = [
  ...'0 1 9 a f x z A F Z _ $ @ # % & * + - . , ; : ! ? / \\ | ~ ^ = < > ( ) [ ] { } " \' `'.split(
    ' ',
  ),
  ...[' ', '\t', '\n', '\r', '\r\n', '\0', '\x1b', '\x9b', '\x7f', '\x85', '\xa0', '\xad'],
  ...['é', 'ß', 'İ', 'я', '漢', '\u0600', '\u200b', '\u202e', '\u2028', '\ufe0f', '\ufeff'],
  ...['😀', '👨\u200d', '9\ufe0f\u20e3', '\ud800', '\udc00', '\u{e0041}', '\u{e0100}', 'a\u0301'],
];

/** Pieces of what the readers look for. */
// prettier-ignore
const pieces = [
  // Times, numbers, ids, addresses.
  '2026-11-20', '2026-11-20T12:00:00Z ', '12:00:00.', '.000', '00', '0.0', '1,2', '-02:00', '+1',
  'T12:00:00.0', '1e9', '0x', 'deadbeef', 'a1', 'a1-', '1.2.3.', '1:', '::', 'a:b:', 'a@b.', '@a.',
  ...['0123456789abcdef0123456789abcdef ', '00000000-0000-4000-8000-', 'a.b-c+', '/2026/11/20 '],
  // Levels and loggers before a message.
  ...['[info] ', '[', '[error', 'ERROR ', 'WARN: ', 'a.b.c: ', 'a::b', 'I, [', '-- a:', 'error '],
  // Frames.
  '????/a:1 ', '/a.ts:1', 'a.ts:1:1 ', 'at a (', 'at f (/a.js:1:2)\n', '(a.js:1', '    at ', ' at ',
  'File "a.py", line 1', ', line 1', '", line 1', ' in /a.cs:line 1', ':line 1', 'C:\\a\\b.cs', ':1',
  'a.b.C.d(C.java:1)', 'file:///a%20b/c.ts:1', '%41', '%', 'webpack://a/./', '(a)/', '?v=', '?', '../',
  'a//', 'http://a/b?c:1', '/app//', '[a]/', "a.rb:1:in `b'", 'Caused by: ', '... 5 more\n', '/a/',
  'Traceback (most recent call last)\n', "thread '", 'panicked at ', 'Exception in thread "', ' \n',
  // JSON and logfmt.
  '{"a":', '{"a":1,', '[{', '[[', '"a":"b",', '\\u0041', '\\"', '\\\\', 'a=b ', 'a="b" ', 'a="', 'a=',
  '{"', '":{"', '[],', '{},', 'null,', '-1e5,', '1234567890123456,', '"\\', '{"stringValue":"', '\\n',
  // Templates and formats.
  '{a}', '{@a:', '{a,-1:', '{{', '}}', '{0}', '{:', '%s', '%(a)', '%1$', '%%', '%-', '%*.*', '{a.b[',
  '${',
  // Terminal sequences.
  ...['\x1b[31m', '\x1b[', '\x1b[1;', '\x1b[38;2;1;2;3m', '\x9b0m', '\x1b]8;;', '\x1b[;;;;', 'm'],
  // Code.
  'log.info(', 'log.info("a", ', 'logger.warn ', 'a.b(', ').', '>().', '<a>', 'a<', '=> ', '() -> ',
  'do ', '`${', "f'{", '"""', "'''", '/*', '*/', '//', '#', '=begin\n', '<<~A\n', '<<<A\n', '?>',
  '<?php ', 'r#"', '$"{', '$$"""{{', '@"', '%w(', '#{', '/[ = ', '/a/', '<script>', '<script',
  '</script', 'console.log(', '!!', 'log.', '.log', 'if ', 'a = ', 'return ', 'end\n', '"a" + ',
  "'a' . ", 'log!(', 'info!("', '\\\n', ' a ', 'msg: "', '.format(', '" % (', '[a][', '(a)(', 'print(',
  'logger.info { ', 'x?.', '->', '**/{a,b}', '](', '$(',
];

/** What opens and closes, with a space between. */
// prettier-ignore
const brackets = [
  ...['( )', '[ ]', '{ }', '< >', '" "', '{"a": }', '[{"a": }]', '"{ }"', 'a( )', '${ }', '`${ }`'],
  'log.info( )', '/* */', '<script> </script>', "f'{ }'", '(a,  )', '{{ }}', 'if ( )', '\x1b[ m',
  ...['log.info(() =>  )', 'do  end', '"a" + ( )', 'at ( )', '{"exc_type":1,"frames":[ ]}'],
].map((pair): readonly [open: string, close: string] => {
  const at = pair.lastIndexOf(' ');
  return [pair.slice(0, at), pair.slice(at + 1)];
});

/** What can be around a text: the forms in which loggers write one. */
const wraps: Readonly<Record<string, (text: string) => string>> = {
  message: (text) => JSON.stringify({ level: 'info', message: text }),
  template: (text) => JSON.stringify({ '@mt': text, a: text.slice(0, 2000), b: 1 }),
  stack: (text) => JSON.stringify({ msg: 'm', stack: text }),
  exceptions: (text) =>
    `{"msg":"m","exception":[${nested('{"exc_type":1,"frames":[', ']}', text.length)}]}`,
  fields: (text) =>
    JSON.stringify({ msg: 'm', time: text, level: text, err: { stack: [text, text] } }),
  members: (text) =>
    JSON.stringify({
      msg: 'm',
      attributes: { [text.slice(0, 9000)]: text },
      url: text,
      method: text,
    }),
  largeTemplateValue: (text) =>
    JSON.stringify({ '@mt': '{a}'.repeat(text.length / 6), a: text.split('') }),
  deepTemplateValue: (text) =>
    JSON.stringify({ '@mt': '{{}}{b}{A.B}'.repeat(text.length / 24), a: { b: [text] } }),
  letters: (text) =>
    JSON.stringify({ '@mt': '{a}{a}', a: text.split(''), msg: text.slice(0, 2000).split('') }),
  manyMembers: (text) =>
    JSON.stringify({
      msg: 'm',
      a: Object.fromEntries(text.split('').map((one, at) => [`${one}${at}`, at])),
    }),
  quoted: (text) => `level=info msg="${text.replace(/["\\]/g, '\\$&')}" a=b`,
  bare: (text) => `level=info msg=${text}`,
  path: (text) => `https://a${text}x`,
  firstLine: (text) => `${text}\nx`,
  line: (text) => `2026-11-20 12:00:00.000 [error] [web] ${text}`,
  traceback: (text) => `Traceback (most recent call last):\n  ${text}`,
  timestamp: (text) => `2026-11-20T12:00:00.${text}1Z`,
  error: (text) => `Error: ${text}\n    at f (/app/a.js:1:1)`,
  php: (text) => `<?php log.info(${text}`,
  call: (text) => `log.info(\`${text}\`)\nlogger.warn "${text.slice(0, 2000)}"`,
};

function repeated(unit: string, length: number): string {
  return unit.repeat(Math.max(1, length / unit.length));
}

function nested(open: string, close: string, length: number): string {
  const half = length / (open.length + close.length);
  return open.repeat(half) + close.repeat(half);
}

/** The longest text of a form that is not longer than `length` with all escapes. */
function wrapped(wrap: string, unit: string, length: number): string {
  for (let inner = length; ; inner /= 2) {
    const text = wraps[wrap]?.(repeated(unit, inner)) ?? '';
    if (text.length <= length || inner < 1) return text;
  }
}

/** The shapes, always the same. */
export function hostileShapes(): readonly Shape[] {
  const random = createRandom(90);
  const units = [...characters, ...pieces];
  const any = (): string => units[random.int(units.length)] ?? '';
  const show = (...parts: string[]): string => parts.map((part) => JSON.stringify(part)).join(' ');
  const shapes: Shape[] = [];
  const add = (name: string, make: (length: number) => string): void => {
    shapes.push({ name, make: (length = shapeLength) => make(length) });
  };
  for (const unit of units) {
    add(`runs of ${show(unit)}`, (length) => repeated(unit, length));
    add(`lines of ${show(unit)}`, (length) => repeated(`${unit}\n`, length));
  }
  for (const [open, close] of brackets) {
    add(`nested ${show(open, close)}`, (length) => nested(open, close, length));
    add(`unclosed ${show(open)}`, (length) => repeated(open, length));
    add(`pairs of ${show(open, close)}`, (length) => repeated(open + close, length));
  }
  for (const wrap in wraps) {
    for (const unit of [
      'a',
      ' ',
      '\\',
      '{a}',
      '0',
      '????/a:1 ',
      '\n',
      '\x1b[1m',
      '漢',
      'a.ts:1:1\n',
      '/',
      '?',
      '/v1/api',
    ]) {
      add(`${wrap} of ${show(unit)}`, (length) => wrapped(wrap, unit, length));
    }
  }
  while (shapes.length < shapeCount) {
    const [one, two, three] = [any(), any(), any()];
    const count = 2 + random.int(3000);
    const wrap = random.pick(Object.keys(wraps));
    switch (shapes.length % 6) {
      case 0:
        add(`runs of ${show(one + two)}`, (length) => repeated(one + two, length));
        break;
      case 1:
        add(`${show(one)}, runs of ${show(two)}, ${show(three)}`, (length) => {
          return one + repeated(two, length) + three;
        });
        break;
      case 2:
        add(`runs of ${show(one)}, then of ${show(two)}`, (length) => {
          return repeated(one, length / 2) + repeated(two, length / 2);
        });
        break;
      case 3:
        add(`${count} × ${show(one)} between ${show(two)}`, (length) => {
          return repeated(one.repeat(count) + two, length);
        });
        break;
      case 4:
        add(`lines of ${count} × ${show(one + two)} and ${show(three)}`, (length) => {
          return repeated(`${(one + two).repeat(count)}${three}\n`, length);
        });
        break;
      case 5:
        add(`${wrap} of ${show(one + two)}`, (length) => wrapped(wrap, one + two, length));
    }
  }
  return shapes;
}
