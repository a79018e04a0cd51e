import { itFinds, itFindsPrints } from './logged';

describe('Logging calls of Java', () => {
  itFinds('java', [
    [
      'SLF4J › with its values',
      'log.info("user {} of {}", user.getId(), org, e);',
      'info: user <user.getId()> of <org>',
    ],
    ['SLF4J › a marker first', 'LOGGER.error(MARKER, "no {}", x);', 'error: no <x>'],
    ['SLF4J › fluent', 'log.atInfo().addKeyValue("a", 1).log("b {}", c);', 'info: b <c>'],
    ['Flogger › fluent', 'logger.atWarning().withCause(e).log("a %s", b);', 'warn: a <b>'],
    [
      'JUL › a level first',
      'LOG.log(Level.SEVERE, "a {0} {1}", new Object[] { b, c });',
      'error: a <new Object[] { b, c }> <{1}>',
    ],
    ['JUL › suppliers', 'LOGGER.fine(() -> "a " + b);', 'debug: a <b>'],
    [
      'Android › a tag first',
      'Log.d("Net", "a " + b); Log.wtf(TAG, "c");',
      ['debug: a <b>', 'fatal: c'],
    ],
    [
      'Timber › formats',
      'Timber.tag("x").w(e, "a %s", b); Timber.i("c");',
      ['warn: a <b>', 'info: c'],
    ],
    [
      'formats › printf, formatted, MessageFormat',
      'log.info(String.format("a %s", b)); log.info("c %d".formatted(d)); log.info(MessageFormat.format("e {0}", f));',
      ['info: a <b>', 'info: c <d>', 'info: e <f>'],
    ],
    [
      'loggers › from a method',
      'getLogger().info("a"); LoggerFactory.getLogger(A.class).warn("b"); Logger.<A>of("c").get();',
      ['info: a', 'warn: b'],
    ],
    ['braces without values › are text', 'log.info("{\\"a\\": {}}");', 'info: {"a": {}}'],
    [
      'text blocks › lose their indent',
      'log.info("""\n    a\n      "b" \\\n    c\n    """);',
      'info: a\n  "b" c',
    ],
    [
      'comments and strings › no call in them',
      '/* log.info("a") */ // log.info("b")\nString s = "log.info(\\"c\\")"; char c = \'"\'; log.info("d");',
      'info: d',
    ],
    ['other calls › are not', 'when(log).info("a"); void info(String a) {} errors.error("b");'],
    [
      'declarations › of own functions are not',
      'private void logError(String a) { logError("b"); }',
      'error: b',
    ],
  ]);
  itFindsPrints('java', 'System.out.println("a" + b); System.err.printf("c %s%n", d);', [
    '-: a<b>',
    '-: c <d><%n>',
  ]);
});

describe('Logging calls of Kotlin', () => {
  itFinds('kotlin', [
    [
      'templates › names and expressions',
      'log.info("a $b.c ${d.map { "x $it" }} \\$e")',
      'info: a <b>.c <d.map { "x $it" }> $e',
    ],
    [
      'lambdas › log their last expression',
      'logger.info { "a $b" }\nlogger.error(e) {\n  val c = d()\n  "f " +\n    c\n}',
      ['info: a <b>', 'error: f <c>'],
    ],
    [
      'raw strings › with quotes',
      'log.info("""a "b" \\n $c""".trimIndent())',
      'info: a "b" \\n <c>',
    ],
    [
      'when › its arrows begin no chain',
      'when (x) {\n  is A -> log.info("a")\n  else -> Timber.d("b")\n}',
      ['info: a', 'debug: b'],
    ],
    ['safe and asserted calls', 'logger?.warn("a"); log!!.info("b")', ['warn: a', 'info: b']],
    ['named arguments', 'log.warn(throwable = e, message = "a $b")', 'warn: a <b>'],
    [
      'nested comments and names in backticks',
      '/* /* */ log.info("a") */ fun `it\'s "so"`() { log.info("b") }',
      'info: b',
    ],
    ['functions › are declared', 'fun logError(m: String = "a") {}'],
  ]);
  itFindsPrints('kotlin', 'println("a $b")', '-: a <b>');
});
