import { itFinds, itFindsPrints } from './logged';

describe('Logging calls of Python', () => {
  itFinds('python', [
    [
      'logging › with its values',
      'logging.info("user %s has %d", user.id, len(x))',
      'info: user <user.id> has <len(x)>',
    ],
    [
      'logging › exception, critical',
      'logger.exception("a")\nself._log.critical("b")',
      ['error: a', 'fatal: b'],
    ],
    ['logging › a level first', 'log.log(logging.WARNING, "slow: %.2f", t)', 'warn: slow: <t>'],
    ['logging › only the first argument', 'logger.info(message, "b", extra={"c": "d"})', 'info: '],
    [
      'logging › names',
      '_LOGGER.debug("a")\napp.logger.warning("b")\nlogging.getLogger(__name__).error("c")',
      ['debug: a', 'warn: b', 'error: c'],
    ],
    ['structlog › key values', 'log.bind(a=1).info("order placed", order=1)', 'info: order placed'],
    ['structlog › event by name', 'log.info(event="order placed")', 'info: order placed'],
    ['loguru › braces', 'logger.info("{} of {name}, {0}", a, b, name=c)', 'info: <a> of <c>, <a>'],
    [
      'f-strings › with formats and quotes',
      'log.info(f"a {b["c"]:>{w}} {d!r} {{e}} {f:%H:%M}")',
      'info: a <b["c"]> <d!r> {e} <f>',
    ],
    ['f-strings › nested', 'log.info(f\'a {f"b {c}"} d\')', 'info: a <f"b {c}"> d'],
    ['format › by order and name', 'log.info("{} is {b.c}".format(a, b=d))', 'info: <a> is <d>'],
    [
      'percent › one, several and named',
      'log.info("a %s" % b)\nlog.info("%s or %s" % (a, b))\nlog.info("at %(x)s" % {"x": y})',
      ['info: a <b>', 'info: <a> or <b>', 'info: at <y>'],
    ],
    ['adjacent strings › are one', "log.info('a '\n  \"b \" # c\n  f'{d}')", 'info: a b <d>'],
    [
      'raw strings › keep the backslash',
      String.raw`log.info(r"\d\"" '\x41')`,
      String.raw`info: \d\"A`,
    ],
    ['triple quotes › with quotes', 'log.info("""a "b"\n\'c""")', 'info: a "b"\n\'c'],
    ['translations › are transparent', 'LOG.info(_("a %s"), b)', 'info: a <b>'],
    [
      'comments and docstrings › no call in them',
      "# it's log.info('a')\n'''\nlog.info('b')\n'''\nlog.info('c')",
      'info: c',
    ],
    ['other calls › are not', 'def info(a): pass\nself.info("a")\nmath.log(2)\nwarnings.warn("b")'],
    [
      'own functions › named after a level',
      'log_error("a")\ndef log_error(m="b"): pass',
      'error: a',
    ],
  ]);

  itFindsPrints('python', 'print("a", b, file=sys.stderr)\nsys.stderr.write("c %s" % d)', [
    '-: a <b>',
    '-: c <d>',
  ]);
});
