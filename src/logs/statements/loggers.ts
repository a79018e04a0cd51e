import type { Severity } from '../../api/types';
import type { Segment } from './calls';

/** Languages whose loggers are called alike. */
export type Family =
  'javascript' | 'python' | 'java' | 'kotlin' | 'go' | 'ruby' | 'csharp' | 'rust' | 'php';

/** How a call passes its message. */
export interface Logging {
  readonly severity: Severity | undefined;
  /**
   * - `first`: the first text, perhaps behind an error, a context or a level
   * - `second`: behind a tag
   * - `words`: all arguments, with spaces between them
   * - `joined`: all arguments, without
   * - `pairs`: the value behind the key `msg`
   */
  readonly message: 'first' | 'second' | 'words' | 'joined' | 'pairs';
}

const severities: Readonly<Record<Severity, string>> = {
  trace: 'trace verbose silly finest finer v',
  debug: 'debug fine config d',
  info: 'info information notice success http i',
  warn: 'warn warning w',
  error: 'error err severe exception critical e',
  fatal: 'fatal panic dpanic crit alert emergency emerg wtf',
  unknown: '',
};

const severityOfWord: ReadonlyMap<string, Severity> = new Map(
  (Object.keys(severities) as Severity[]).flatMap((severity) =>
    severities[severity]
      .split(' ')
      .filter((word) => word !== '')
      .map((word) => [word, severity] as const),
  ),
);

/** The names of levels with what loggers add: `LogInformation`, `Infof`, `ErrorContext`, `atWarn`. */
const levelName = new RegExp(
  `^(?:log|Log|add|at)?(${[...severityOfWord.keys()].filter((word) => word.length > 1).join('|')})` +
    '(?:f|w|ln|S|SDepth|Depth|Context|Ctx|Format|Async|fCtx|fContext|Lazy)?$',
  'i',
);

/** The severity that a name means, such as that of `Infof`. */
export function severityOf(name: string): Severity | undefined {
  const level = levelName.exec(name)?.[1]?.toLowerCase();
  return level === undefined ? undefined : severityOfWord.get(level);
}

/** Methods that log without a level in their names. */
const plainMethods = new Set([
  ...['log', 'Log', 'logf', 'Logf', 'log_message', 'msg', 'write'],
  ...['Print', 'Printf', 'Println', 'Msg', 'Msgf', 'Send', 'LogAttrs', 'LogFormat'],
]);

/** Whether a name can be the method of a logging call. Cheap: it is asked for every name of a file. */
export function canLog(name: string): boolean {
  return name.length < 30 && (plainMethods.has(name) || severityOf(name) !== undefined);
}

const loggerWords = new Set(
  (
    'log logger loggers logging slog klog glog zlog hclog zap sugar sugared logrus loguru structlog zerolog ' +
    'timber winston pino bunyan consola signale tracing flogger nlog syslog ctxzap ctxlogrus ctxlog'
  ).split(' '),
);
const helperWords = new Set('service util utils helper helpers wrapper client provider'.split(' '));

function wordsOf(name: string): string[] {
  const parts = name.slice(0, 80).match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return parts.map((part) => part.toLowerCase());
}

/** Whether a name is one that loggers have: `log`, `_logger`, `requestLogger`, `getLogger()`, `LogUtil`. */
function isLogger({ name, call }: Segment): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (loggerWords.has(last) || last.endsWith('logger')) return true;
  const first = words[0] ?? '';
  const isFirst = first === 'log' || first === 'logger' || first === 'logging';
  if (isFirst && helperWords.has(last)) return true;
  return call !== undefined && words.some((word) => word === 'logger' || word === 'log');
}

/** The console of browsers and Node.js. */
function readConsole(chain: readonly Segment[], method: string): Logging | undefined {
  const [receiver, ...before] = [...chain].reverse();
  if (receiver?.name !== 'console' || receiver.call !== undefined || before.length > 1) return;
  return method === 'log' || severityOfWord.has(method)
    ? { severity: severityOf(method), message: 'words' }
    : undefined;
}

/** How a call of `method` on `chain` logs; undefined if it does not. */
export function readLogging(
  family: Family,
  chain: readonly Segment[],
  method: string,
): Logging | undefined {
  if (chain.length === 0) return undefined;
  if (family === 'javascript') {
    const logging = readConsole(chain, method);
    if (logging !== undefined) return logging;
  }
  // Behind the logger there are only calls: `log.with(x).info()`.
  const reversed = [...chain].reverse();
  const steps = reversed.findIndex((segment) => isLogger(segment) || segment.call === undefined);
  const logger = reversed[steps];
  if (logger === undefined || !isLogger(logger)) return undefined;
  return { severity: severityOf(method), message: 'first' };
}
