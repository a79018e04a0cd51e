import { assert } from 'chai';
import fc from 'fast-check';
import { statementLanguages } from '../../../../src/logs/calls/languages';
import { findStatements, longestFile } from '../../../../src/logs/calls/findStatements';
import { isLinear } from '../../linear';
import { shortOrLong } from '../../long';
import { logged } from './logged';

/** Pieces of code that open, close or nest something in some language. */
const pieces = [
  ...['log.info(', 'logger.info ', 'log.info { ', 'console.log("a", ', 'info!(', 'Log::info('],
  'p ',
  ...['"', "'", '`', '"""', "'''", '\\', '\n', ' ', ';', ',', '+', '.', '::', '->', '=>', '%', '/'],
  ...['(', ')', '[', ']', '{', '}', '<', '>', '${', '#{', '`${', "f'{", '$"{', '$$"""{{', '@"'],
  ...['%q(', '<<~A\n', 'A\n', '<<<A\n', 'r#"', '"#', "'a", '//', '#', '/*', '*/', '=begin\n'],
  ...['<?php ', '?>', '<script>', '</script>', '() => ', '{}', '%s', 'a', '1', 'é', '\ud83d', '\0'],
  ...['level.Info(x).', 'x>().', 'format(', '"a" + ', 'do ', 'end\n', '= /[', 'a ? "b" : '],
];

describe('Logging calls in source text', () => {
  it('have their place', () => {
    const text = "x();\n  a.b\n    .logger.info(\n'c')\nlog.warn('d')";
    const [first, second] = findStatements(text, 'typescript');
    assert.equal(text.slice(first?.start, first?.end), "a.b\n    .logger.info(\n'c')");
    assert.deepEqual([first?.line, second?.line], [1, 4]);
  });

  it('shorten long sources of expressions', () => {
    const [first] = findStatements(`log.info('a' + ${'b'.repeat(200)})`, 'javascript');
    assert.deepEqual(first?.message, [{ text: 'a' }, { expression: `${'b'.repeat(79)}…` }]);
  });

  it('cut long messages', () => {
    const many = Array.from({ length: 500 }, (_, index) => `'${'a'.repeat(99)}' + x${index}`);
    const [{ message } = assert.fail()] = findStatements(
      `log.info(${many.join(' + ')})`,
      'javascript',
    );
    const texts = message.flatMap((part) => ('text' in part ? part.text : []));
    assert.lengthOf(texts.join(''), 2000);
    assert.deepEqual(message.at(-1), { expression: '…' });
  });

  it('are not found in other languages and in files that are too long', () => {
    assert.deepEqual(findStatements("log.info('a')", 'plaintext'), []);
    const longest = `log.info('a')${' '.repeat(longestFile - 13)}`;
    assert.lengthOf(findStatements(longest, 'javascript'), 1);
    assert.lengthOf(findStatements(`${longest} `, 'javascript'), 0);
  });

  it('are within the text, whatever it is', () => {
    const code = fc
      .array(fc.constantFrom(...pieces), { maxLength: 60, size: 'max' })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(
        fc.constantFrom(...statementLanguages),
        code,
        fc.boolean(),
        (id, text, prints) => {
          let before = 0;
          for (const { start, end, line, message } of findStatements(text, id, { prints })) {
            assert.isAtLeast(start, before);
            assert.isAbove(end, start);
            assert.isAtMost(end, text.length);
            assert.equal(line, text.slice(0, start).split('\n').length - 1);
            for (const part of message) {
              if ('expression' in part) assert.isAtMost(part.expression.length, 80);
            }
            before = start;
          }
        },
      ),
      { numRuns: shortOrLong(3000, 100_000) },
    );
  });

  it('are found behind code that is cut anywhere, as soon as its line ends', () => {
    const code = 'a = f("b", [1, {c: 2}])\nlog.info("d " + e)';
    const languages = ['javascript', 'java', 'kotlin', 'go', 'csharp', 'python'];
    fc.assert(
      fc.property(fc.constantFrom(...languages), fc.nat(code.length), (id, cut) => {
        assert.include(logged(`${code.slice(0, cut)}\nlog.warn("f")`, id), 'warn: f');
      }),
      { numRuns: shortOrLong(300, 3000) },
    );
  });

  it('can have deep brackets', () => {
    for (const [open, close] of ['()', '[]', '{}'].map((pair) => pair.split(''))) {
      const deep = `${open?.repeat(100_000) ?? ''}'a'${close?.repeat(100_000) ?? ''}`;
      assert.deepEqual(logged(`log.info(${deep})`, 'javascript'), ['info: ']);
      assert.deepEqual(logged(`log.info(() => ${deep})`, 'javascript'), ['info: ']);
    }
  });

  it('are found in code with a name that is too long for a pattern', () => {
    const name = 'A'.repeat(100_000);
    assert.deepEqual(logged(`x = <<${name}\n${name}\nlogger.info 'a'`, 'ruby'), ['info: a']);
    assert.deepEqual(logged(`<?php $x = <<<${name}\n${name};\nerror_log('a');`, 'php'), ['-: a']);
  });

  it('are no calls of methods that every object has', () => {
    for (const name of ['toString', 'constructor', 'valueOf', 'hasOwnProperty', '__proto__']) {
      assert.deepEqual(logged(`logger.${name}("some text")`, 'java'), []);
    }
  });

  it('are found in linear time, also in code that is made to be slow', () => {
    const slow: Readonly<Record<string, readonly string[]>> = {
      javascript: ['${', '"', '`${', '/[ = ', '\\\n/[ = ', 'log.info('],
      python: ["f'{", '"'],
      kotlin: ['log.info { ', '/*'],
      ruby: ['logger.info ', '<<~A\n', 'logger.info do '],
      rust: ['r#"', "'a"],
      csharp: ['$$"""{{', 'x>().'],
      php: ['?>', '<<<A\n'],
      vue: ['<script', '<script>'],
    };
    const everything = [...pieces, 'log.info("{}", ', 'log<a>().', 'logger.info do '];
    for (const id of Object.keys(slow)) {
      for (const piece of shortOrLong(slow[id] ?? [], everything)) {
        isLinear(
          shortOrLong(12_500, 125_000),
          (length) => `<?php log.info(${piece.repeat(length / piece.length)}`,
          (text) => findStatements(text, id, { prints: true }),
          `${id}: ${piece}`,
        );
      }
    }
  }).timeout(shortOrLong(120_000, 3_600_000));
});
