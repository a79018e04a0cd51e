import { itFinds, itFindsPrints } from './logged';

describe('Logging calls of C#', () => {
  itFinds('csharp', [
    [
      'ILogger › names in order',
      '_logger.LogInformation("a {OrderId} {@User:l} {Total,10:N2}", id, user, x.Total);',
      'info: a <id> <user> <x.Total>',
    ],
    [
      'ILogger › event and exception first',
      'logger?.LogError(new EventId(1), ex, "a {{b}} {C}", c);',
      'error: a {b} <c>',
    ],
    ['ILogger › a level first', '_logger.Log(LogLevel.Warning, "a");', 'warn: a'],
    [
      'Serilog, NLog, log4net',
      'Log.ForContext<A>().Warning("a {B}", b); Log.Fatal(ex, "c"); log.InfoFormat("d {0}", e);',
      ['warn: a <b>', 'fatal: c', 'info: d <e>'],
    ],
    ['named arguments', 'logger.LogError(exception: ex, message: "a");', 'error: a'],
    [
      'interpolated › formats and nested strings',
      'Log.Debug($"a {b:yyyy-MM} {c ?? "d"} {{e}} {(f ? "g" : "h")}");',
      'debug: a <b> <c ?? "d"> {e} <(f ? "g" : "h")>',
    ],
    [
      'verbatim › quotes are doubled',
      'Log.Info(@"C:\\x ""y"""); Log.Info($@"a\\{b} ""c"""); Log.Info(@$"{d}\\");',
      ['info: C:\\x "y"', 'info: a\\<b> "c"', 'info: <d>\\'],
    ],
    [
      'raw › quotes, indent and double brackets',
      'Log.Info("""a "b" \\n"""); Log.Info($$"""\n    c {d} {{e}}\n      f\n    """);',
      ['info: a "b" \\n', 'info: c {d} <e>\n  f'],
    ],
    ['format › string.Format', 'Log.Info(string.Format("a {0}", b) + "c");', 'info: a <b>c'],
    [
      'own methods › named after a level',
      'void LogError(string m) => LogError("a"); await LogWarning("b");',
      ['error: a', 'warn: b'],
    ],
    [
      'regions, characters and comments',
      '#region It\'s\nchar a = \'"\'; // log.Info("b")\nlog.Info("c");\n#endregion',
      'info: c',
    ],
  ]);
  itFindsPrints('csharp', 'Console.WriteLine("a {0}", b); Console.Error.WriteLine($"c {d}");', [
    '-: a <b>',
    '-: c <d>',
  ]);
});
