import { assert } from 'chai';
import { type Example, itFinds, itFindsPrints, logged } from './logged';

const php = (code: string) => `<p>it's</p>\n<?php\n${code}`;

describe('Logging calls of PHP', () => {
  const cases: readonly Example[] = [
    [
      'PSR-3 › with its context',
      "$this->logger->error('a {id} {b}', ['id' => $order->id, 'b' => 1]);",
      'error: a <$order->id> <1>',
    ],
    [
      'PSR-3 › a level first',
      "$logger->log(LogLevel::WARNING, 'a'); $logger->log('error', 'b');",
      ['warn: a', 'error: b'],
    ],
    [
      'Laravel',
      "Log::info('a'); \\Log::channel('b')->debug(\"c {$d}\"); logger('e');",
      ['info: a', 'debug: c <$d>', '-: e'],
    ],
    [
      'containers',
      "app('log')->info('a'); $c->get('logger')?->warning('b'); Server::get(LoggerInterface::class)->error('c'); $c->get('mailer')->error('d');",
      ['info: a', 'warn: b', 'error: c'],
    ],
    [
      'functions',
      'error_log("a $b->c[d] {$e->f(\'g\')} ${h}");',
      "-: a <$b->c>[d] <$e->f('g')> <h>",
    ],
    [
      'joined',
      '$log->info(\'a \' . $b->c . " d $e[0]" . __METHOD__);',
      'info: a <$b->c> d <$e[0]><__METHOD__>',
    ],
    ['sprintf', "$log->info(sprintf('a %s %05.2f %1$s', $b, $c));", 'info: a <$b> <$c> <$b>'],
    [
      'single quotes › keep other backslashes',
      "$log->info('App\\Job it\\'s \\\\ $a\\n');",
      "info: App\\Job it's \\ $a\\n",
    ],
    [
      'heredoc and nowdoc',
      "$log->info(<<<EOT\n    a $b\n      c\n    EOT, $d);\n$log->info(<<<'X'\n$e\nX);",
      ['info: a <$b>\n  c', 'info: $e'],
    ],
    [
      'comments and HTML',
      "// it's $log->info('a') ?> $log->info('b') <?php # x\n#[Attr]\n/* $log->info('c') */ $log->info('d');",
      'info: d',
    ],
    [
      'static and nullsafe',
      "Logger::notice('a'); $this?->logger?->alert('b'); self::$log->debug('c');",
      ['info: a', 'fatal: b', 'debug: c'],
    ],
  ];
  itFinds(
    'php',
    cases.map(([title, code, found = []]) => [title, php(code), found]),
  );
  itFindsPrints('php', php("echo 'a ' . $b, 'c'; print \"d\"; printf('e %s', $f);"), [
    '-: a <$b>c',
    '-: d',
    '-: e <$f>',
  ]);

  it('HTML › has none', () => {
    assert.deepEqual(logged("$log->info('a')", 'php'), []);
    assert.deepEqual(logged("<?= 1 ?> $log->info('a')", 'php'), []);
  });
});
