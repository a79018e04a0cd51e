import { itFinds, itFindsPrints } from './logged';

describe('Logging calls of Ruby', () => {
  itFinds('ruby', [
    [
      'without parentheses',
      'Rails.logger.info "a #{b.c("d")}"\n@log.warn \'e\'',
      ['info: a <b.c("d")>', 'warn: e'],
    ],
    [
      'with a condition behind it',
      'logger.error "a" if b "c"\nlogger.info "d" unless e; logger.debug("f") rescue nil',
      ['error: a', 'info: d', 'debug: f'],
    ],
    ['over lines', 'logger.info "a " \\\n  "b " +\n  c\nd "e"', 'info: a b <c>'],
    ['an interpolation over lines', 'logger.info "a #{b(\n)\n} c"', 'info: a <b( )> c'],
    [
      'blocks',
      'logger.info { "a #{b}" }\nlogger.debug do\n  "c"\nend\nlogger.warn(:x) { "d" }',
      ['info: a <b>', 'debug: c', 'warn: d'],
    ],
    ['key values', 'log.info "a", b: c, if: "d"', 'info: a'],
    [
      'quotes of all kinds',
      'log.info %q(a (b) \'c\')\nlog.info %(d #{e} "f")\nlog.info %w[g h].join(" ")',
      ["info: a (b) 'c'", 'info: d <e> "f"', 'info: '],
    ],
    [
      'heredocs',
      'logger.warn <<~TEXT, a\n  b #{c}\n    d\nTEXT\nlogger.info "e"',
      ['warn: b <c>\n  d', 'info: e'],
    ],
    [
      'heredocs › with a method, raw',
      "logger.info(<<-'X'.strip)\n  a #{b}\n  X\nclass << self; end",
      'info:   a #{b}\n',
    ],
    [
      'format',
      'logger.info "a %s" % b\nlogger.info format("c %d", d)\nlogger.info("e %s %s" % [f, g])',
      ['info: a <b>', 'info: c <d>', 'info: e <f> <g>'],
    ],
    [
      'regular expressions and division',
      "a = b / c; d = e =~ /'\"/; logger.info 'f'; g / h; logger.info 'i'",
      ['info: f', 'info: i'],
    ],
    [
      'comments, __END__',
      "# logger.info 'a'\n=begin\nlogger.info 'b'\n=end\nlogger.info 'c'\n__END__\nlogger.info 'd'",
      'info: c',
    ],
    [
      'constants and safe navigation',
      "Chef::Log.debug('a'); @logger&.info('b'); $log.error('c')",
      ['debug: a', 'info: b', 'error: c'],
    ],
    [
      'other uses › are not',
      "logger.debug?\nlogger.level = :info\nx = logger.info\nconfig.log.info == 'a'\nerrors.error 'b'",
    ],
  ]);
  itFindsPrints('ruby', 'puts "a #{b}"\np = 1\nwarn \'c\'\n$stderr.puts("d")\nfoo.p "e"', [
    '-: a <b>',
    '-: c',
    '-: d',
  ]);
});
