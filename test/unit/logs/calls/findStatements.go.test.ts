import { itFinds, itFindsPrints } from './logged';

describe('Logging calls of Go', () => {
  itFinds('go', [
    ['log › formats', 'log.Printf("a %s: %+v %d%%", b, err, n)', '-: a <b>: <err> <n>%'],
    [
      'log › joined',
      'log.Println("a", b); log.Print("c ", d); log.Fatal("e")',
      ['-: a <b>', '-: c <d>', 'fatal: e'],
    ],
    [
      'slog › key values and contexts',
      'slog.Info("a", "b", c); slog.ErrorContext(ctx, "d"); slog.With("e", f).Warn("g")',
      ['info: a', 'error: d', 'warn: g'],
    ],
    ['slog › a level', 'slog.LogAttrs(ctx, slog.LevelWarn, "a", slog.Int("b", 1))', 'warn: a'],
    ['logrus › fields', 'log.WithFields(log.Fields{"a": b}).Infof("c %v", d)', 'info: c <d>'],
    [
      'zap › fields are no calls',
      'zap.L().Info("a", zap.Error(err)); sugar.Infow("b", "c", d); s.logger.Named("x").Debugf("e %d", f)',
      ['info: a', 'info: b', 'debug: e <f>'],
    ],
    [
      'zap › a check before',
      'if c := logger.Check(zapcore.ErrorLevel, "a"); c != nil { c.Write() }',
      'error: a',
    ],
    [
      'zerolog › ends the chain',
      'log.Info().Str("a", b).Err(err).Msg("c")\nlog.Error().Msgf("d %s", e)\nlog.Warn().Send()',
      ['info: c', 'error: d <e>', 'warn: '],
    ],
    [
      'klog, glog › verbosity',
      'klog.V(2).InfoS("a", "b", c); glog.Warningf("d %v", e); klog.ErrorS(err, "f")',
      ['info: a', 'warn: d <e>', 'error: f'],
    ],
    [
      'go-kit › the value of msg',
      'level.Error(logger).Log("msg", "a", "err", err); logger.Log("b", c, "message", "d")',
      ['error: a', '-: d'],
    ],
    [
      'logr › an error first',
      'log.V(1).Info("a"); r.Log.Error(err, "b", "c", d)',
      ['info: a', 'error: b'],
    ],
    [
      'own methods › named after a level',
      'func f() {\n\ts.Noticef("a %q", b)\n\treturn fmt.Errorf("c")\n}\nt.Errorf("d")\nerr := errors.Errorf("e")',
      'info: a <b>',
    ],
    ['formats › Sprintf', 'log.Error(fmt.Sprintf("a %s", b) + "c")', 'error: a <b>c'],
    ['raw strings › over lines', 'log.Info(`a "b"\n\\n`)', 'info: a "b"\n\\n'],
    [
      'runes and comments › no call in them',
      'r := \'"\'; x := \'\\\'\'; /* log.Info("a") */ log.Info("b")',
      'info: b',
    ],
    [
      'declarations › are not',
      'func (l *Logger) Info(msg string) {}\ntype x interface { Info(string) }',
    ],
  ]);
  itFindsPrints('go', 'fmt.Println("a", b); fmt.Printf("c %d", d); fmt.Print("e", f)', [
    '-: a <b>',
    '-: c <d>',
    '-: e<f>',
  ]);
});
