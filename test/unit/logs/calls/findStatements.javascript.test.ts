import { assert } from 'chai';
import { findStatements } from '../../../../src/logs/calls/findStatements';
import { itFinds, itFindsPrints, logged } from './logged';

describe('Logging calls of JavaScript', () => {
  itFinds('javascript', [
    [
      'console › joins its arguments',
      "console.log('paid', order.id, `in ${ms} ms`)",
      '-: paid <order.id> in <ms> ms',
    ],
    [
      'console › fills its format',
      "console.warn('%s took %d ms', job, 1 + x, more)",
      'warn: <job> took <1 + x> ms <more>',
    ],
    [
      'console › through the global object',
      "globalThis.console.error('no'); connection.console.info('b')",
      ['error: no', 'info: b'],
    ],
    ['console › without a text has no message', 'console.error(err)', 'error: '],
    ['console › only its methods that log', "console.table(rows); console.time('x')"],
    [
      'loggers › by their names',
      "log.info('a'); this.logger.debug('b'); requestLogger.error('c'); this.#log?.warn('d'); req.log.fatal('e')",
      ['info: a', 'debug: b', 'error: c', 'warn: d', 'fatal: e'],
    ],
    [
      'loggers › from a function',
      "getLogger('db').info('a'); logger.child({ a: 1 }).warn('b')",
      ['info: a', 'warn: b'],
    ],
    [
      'loggers › not words that end alike',
      "dialog.error('a'); blog.info('b'); catalog.warn('c'); Math.log('d')",
    ],
    ['loggers › not their other methods', "logger.level('a'); logger.error.bind('b'); log.info"],
    ['pino › object first', "log.error({ err, id }, 'failed %s', name)", 'error: failed <name>'],
    ['winston › level first', "logger.log('error', 'failed ' + name)", 'error: failed <name>'],
    [
      'winston › an object',
      "logger.info({ level: 'info', message: `done ${n}` })",
      'info: done <n>',
    ],
    ['NestJS › log', "this.logger.log('started', AppService.name)", '-: started'],
    [
      'a module first › is no message',
      "log.info('server', `Listening on ${port}`)",
      'info: Listening on <port>',
    ],
    [
      'debug › only as a statement with text',
      "debug('sent %d', n);\nconst debug = require('debug')('app');\nconst log = debug('app:db');\nmath(log(2))\nlog(2)",
      'debug: sent <n>',
    ],
    [
      'own functions › named after a level',
      "this.logError('lost'); logWarn('late')",
      ['error: lost', 'warn: late'],
    ],
    ['colors › are transparent', "console.log(chalk.red.bold('stop'))", '-: stop'],
    ['callbacks › log their text', 'log.debug(() => `size ${n}`)', 'debug: size <n>'],
    [
      'calls within calls › are found',
      "log.info('a', () => { log.warn('b') })",
      ['info: a', 'warn: b'],
    ],
  ]);

  itFinds('typescript', [
    [
      'messages › nested templates',
      'log.info(`a ${b ? `c ${d} "e"` : f({ g: 1 })} h`)',
      'info: a <b ? `c ${d} "e"` : f({ g: 1 })> h',
    ],
    [
      'messages › escapes',
      String.raw`log.info('it\'s \u0041\x42\u{43}\n' + "\t\"q\"")`,
      'info: it\'s ABC\n\t"q"',
    ],
    [
      'messages › joined over lines',
      "log.info(\n  'a ' +\n    b.c(1, 2) + // d\n    ' e',\n)",
      'info: a <b.c(1, 2)> e',
    ],
    ['messages › parentheses', "log.info(('a' + (b + 'c')))", 'info: a<b>c'],
    [
      'messages › not a choice',
      "log.info(a ? 'b' : 'c'); log.info(a || 'b')",
      ['info: ', 'info: '],
    ],
    [
      'messages › a generic call and a non-null logger',
      "this.logger!.info('a'); get<A<B>>('x').log('b')",
      'info: a',
    ],
    [
      'strings › no call in them',
      `x = "log.info('a')"; y = \`log.info('b') \${1}\`; z = 'it\\'s log.info("c")'`,
    ],
    [
      'comments › no call in them',
      "// log.info('a')\n/* log.info('b')\n*/ log.info('c')",
      'info: c',
    ],
    [
      'regular expressions › with quotes and slashes',
      "x = a / b; y = /['\"`/]/g.test(/[/']/); return /'/; log.info('a'); z = b /c; log.info('d')",
      ['info: a', 'info: d'],
    ],
    [
      'JSX › text with an apostrophe, tags',
      "const a = <p title='x'>Don't <b/> wait</p>;\nlog.info('a'); </div>;\nlog.info('b')",
      ['info: a', 'info: b'],
    ],
    ['an unclosed string › ends with its line', "x = 'oops\nlog.info('a')", 'info: a'],
    ['a bracket too much › changes no other', "log.info('a' ], b)", 'info: '],
    ['an unclosed call › is no statement', "log.info('a'\n}\nlog.warn('b')", 'warn: b'],
  ]);

  itFindsPrints('javascript', 'process.stdout.write(`at ${port}\\n`)', '-: at <port>\n');

  it('of Vue and Svelte › are found in scripts only, at their positions', () => {
    const text =
      '<template @click="log.info(\'a\')">it\'s</template>\n<script lang="ts">\nlog.info(\'b\')\n</script>\n<p>log.info("c")';
    assert.deepEqual(logged(text, 'vue'), ['info: b']);
    const [statement] = findStatements(text, 'svelte');
    assert.equal(text.slice(statement?.start, statement?.end), "log.info('b')");
    assert.equal(statement?.line, 2);
  });
});
