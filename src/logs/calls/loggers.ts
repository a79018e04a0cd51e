import type { Severity } from '../../api/types';
import type { Segment } from './calls';
import type { Language } from './languages';

/** How a call logs. */
export interface Logging {
  readonly severity: Severity | undefined;
  /**
   * Where its message is:
   *
   * - `first`: the first text, which an error, a context or a level can precede
   * - `second`: behind a tag
   * - `words`: all arguments, with spaces between them
   * - `joined`: all arguments, without spaces
   * - `pairs`: behind the key `msg`
   */
  readonly message: 'first' | 'second' | 'words' | 'joined' | 'pairs';
  /** Whether it logs only if it has a text and its result is not used. */
  readonly doubtful?: boolean;
}

const severities: Readonly<Record<Exclude<Severity, 'unknown'>, string>> = {
  trace: 'trace verbose silly finest finer',
  debug: 'debug fine config',
  info: 'info information notice success http lifecycle',
  warn: 'warn warning',
  error: 'error err severe exception',
  fatal: 'fatal critical panic dpanic crit alert emergency emerg wtf',
};

const severityOfWord: ReadonlyMap<string, Severity> = new Map(
  Object.entries(severities).flatMap(([severity, words]) =>
    words.split(' ').map((word) => [word, severity as Severity] as const),
  ),
);

/** The levels of Android. */
const letters: ReadonlyMap<string, Severity> = new Map(
  Object.entries({ v: 'trace', d: 'debug', i: 'info', w: 'warn', e: 'error', wtf: 'fatal' }),
);

/** The name of a level with what loggers add to it: `LogInformation`, `Infof`, `ErrorContext`, `atWarn`. */
const levelName = new RegExp(
  `^(?:add|at|level|log_?|LOG_)?(${[...severityOfWord.keys()].join('|')})` +
    '(?:f|v|w|ln|s|sdepth|depth|context|ctx|format|async|exception|fctx|fcontext|lazy)?$',
  'i',
);

/** The severity that a name means, such as `Infof`. */
export function severityOf(name: string): Severity | undefined {
  if (name.length > 24) return undefined;
  const level = levelName.exec(name)?.[1]?.toLowerCase();
  return level === undefined ? undefined : severityOfWord.get(level);
}

/** Methods of loggers that have no level. */
const withoutLevel = new Set(
  (
    'log Log logf Logf msg print printf println Print Printf Println Msg Msgf Send LogAttrs LogFormat ' +
    'write Write Check'
  ).split(' '),
);

/** Words for loggers, and packages of loggers. */
const loggerWords = new Set(
  (
    'log logger loggers logging slog klog glog zlog hclog sugar sugared logrus loguru structlog zerolog ' +
    'timber winston pino bunyan consola signale tracing flogger nlog syslog ctxzap ctxlogrus lgr'
  ).split(' '),
);
const helperWords = new Set('service util utils helper helpers wrapper client provider'.split(' '));

function wordsOf(name: string): string[] {
  const words = name.slice(0, 80).match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return words.map((word) => word.toLowerCase());
}

/** Whether a name is one that loggers have: `log`, `_logger`, `requestLogger`, `getLogger()`, `LogUtil`. */
function isLogger({ name, call }: Segment): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (loggerWords.has(last) || last.endsWith('logger')) return true;
  const isLog = (word: string | undefined) => /^log(?:ger|ging)?$/.test(word ?? '');
  return isLog(words[0]) && (helperWords.has(last) || call !== undefined)
    ? true
    : call !== undefined && words.some(isLog);
}

/** Whether a chain has a logger behind which there are only calls, as in `log.with(x).info()`. */
function hasLogger({ language: { loggers }, chain, named }: NamedCall): boolean {
  for (const [index, segment] of [...chain].reverse().entries()) {
    // `zap.L().Info()` logs, `zap.Error(err)` makes a field.
    if (segment.name === 'zap') return index > 0;
    if (isLogger(segment) || named(segment)) return true;
    if (loggers.names?.test(segment.name) === true) return true;
    if (segment.call === undefined) return false;
  }
  return false;
}

/** The severity of a call before a method that has none: `log.atInfo().log()`, `log.Info().Msg()`. */
function severityBefore(chain: readonly Segment[]): Severity | undefined {
  const level = chain.find(
    ({ name, call }) => call !== undefined && severityOf(name) !== undefined,
  );
  return level && severityOf(level.name);
}

/** Names that only loggers have, whatever they are called on: `this.logError()`, `server.Noticef()`. */
const ownName =
  /^log_?(?:trace|debug|info|information|warn|warning|error|critical|fatal|exception)f?$/i;

function hasOwnName({ language: { loggers }, chain, method }: NamedCall): boolean {
  const { methods, likelyFunctions } = loggers;
  const [first] = chain;
  if (methods !== undefined) {
    return first !== undefined && methods.pattern.test(method) && !methods.others.test(first.name);
  }
  if (first === undefined && likelyFunctions?.test(method) === true) return true;
  return ownName.test(method);
}

const printing = /^(?:e?print|p$|pp$|puts$|warn$|echo$|[wW]rite|Print|dbg$)/;

/** Whether a name can be that of a call that logs or prints. Cheap, because every name of a file is checked. */
export function canLog(name: string): boolean {
  return (
    withoutLevel.has(name) ||
    severityOf(name) !== undefined ||
    letters.has(name) ||
    printing.test(name) ||
    /^(?:error_log|syslog|logger|crit|event)$/.test(name)
  );
}

/** A call, for the question how it logs. */
interface NamedCall {
  readonly language: Language;
  readonly chain: readonly Segment[];
  readonly method: string;
  /** Whether it is a macro of Rust. */
  readonly macro: boolean;
  /** Whether a segment is known as a logger by its arguments: `get('logger')`. */
  readonly named: (segment: Segment) => boolean;
}

/** How a call logs; undefined if it does not. */
export function readLogging(call: NamedCall, withPrints: boolean): Logging | undefined {
  const { language, chain, method, macro } = call;
  const { macros, loggers } = language;
  const severity = severityOf(method);
  const path = [...chain.map(({ name }) => name), method].join('.');
  if (withPrints && macro === macros && loggers.prints.test(path)) {
    const formats = macro || /f$|[wW]rite(?:Line)?$/.test(path);
    const joins = /^echo$|\.Print$/.test(path);
    return { severity: undefined, message: formats ? 'first' : joins ? 'joined' : 'words' };
  }
  if (macro === macros && (macro || chain.length === 0)) {
    if (loggers.functions?.test(method) === true) return { severity, message: 'first' };
  }
  if (macro) return undefined;
  const logging = chain.length === 0 ? undefined : readMethod(call, severity);
  // Where macros log, methods seldom do.
  if (logging !== undefined) return { ...logging, doubtful: macros };
  return hasOwnName(call) ? { severity, message: 'first', doubtful: true } : undefined;
}

function readMethod(call: NamedCall, severity: Severity | undefined): Logging | undefined {
  const { language, chain, method } = call;
  const { hasConsole = false, hasLetters = false, hasPairs = false } = language.loggers;
  const before = chain.at(-1);
  if (hasConsole && before?.name === 'console') {
    const logs = /^(?:log|trace|debug|info|warn|error|exception)$/.test(method);
    return logs && before.call === undefined ? { severity, message: 'words' } : undefined;
  }
  if (hasPairs && method === 'Log' && before?.call !== undefined) {
    const level = severityOf(before.name);
    if (chain.at(-2)?.name === 'level') return { severity: level, message: 'pairs' };
  }
  const letter = hasLetters ? letters.get(method) : undefined;
  const isKnown = letter !== undefined || severity !== undefined || withoutLevel.has(method);
  if (!isKnown || !hasLogger(call)) return undefined;
  const found = letter ?? severity ?? severityBefore(chain);
  if (letter !== undefined && before?.name === 'Log') return { severity: found, message: 'second' };
  if (method === 'Log' && hasPairs) return { severity: found, message: 'pairs' };
  if (method.endsWith('ln')) return { severity: found, message: 'words' };
  return { severity: found, message: method === 'Print' ? 'joined' : 'first' };
}
