import type { LogRecord, Severity } from '../../api/types';
import { stripSgr } from './terminalColors';

/** Names of levels as loggers write them, in lower case. */
const severities: ReadonlyMap<string, Severity> = new Map(
  Object.entries({
    trace: 'trace verbose finest all silly t v trc trce',
    debug: 'debug fine finer config d dbg dbug d1 d2 d3 d4 d5',
    info: 'info information informational notice success http log i inf',
    warn: 'warn warning w wrn',
    error: 'error err eror severe fail e',
    fatal: 'fatal critical crit panic dpanic emerg emergency alert f c a ftl',
  } satisfies Record<Exclude<Severity, 'unknown'>, string>).flatMap(([severity, names]) =>
    names.split(' ').map((name): [string, Severity] => [name, severity as Severity]),
  ),
);

/** Levels by number: those of pino and bunyan up to 60; OpenTelemetry counts from 1 to 24. */
const numbers: readonly Severity[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** The severity that a level is; undefined if it is none. */
export function severityOfLevel(level: unknown): Severity | undefined {
  if (typeof level === 'string') return severities.get(stripSgr(level).trim().toLowerCase());
  if (typeof level !== 'number') return undefined;
  return level >= 1 && level <= 24 ? numbers[Math.floor((level - 1) / 4)] : undefined;
}

/** Python counts from 10 (debug) to 50 (critical), pino and bunyan from 10 (trace) to 60. */
const ofPython: ReadonlySet<string> = new Set(['levelno', 'level.no']);
const ofOpenTelemetry: ReadonlySet<string> = new Set(['severitynumber', 'severity_number']);

/**
 * The severity that a number is, by the loggers that have a member with this name.
 *
 * @param name in lower case.
 */
export function numberedSeverity(name: string, level: number): Severity | undefined {
  if (ofOpenTelemetry.has(name)) return severityOfLevel(level);
  const place = Math.floor(level / 10) - (ofPython.has(name) ? 0 : 1);
  return level >= 0 && level <= 60 ? numbers[Math.min(place, numbers.length - 1)] : undefined;
}

/** Whether a level says no more than the severity of its record. */
export function repeatsSeverity(level: unknown, { severity, severityText }: LogRecord): boolean {
  if (typeof level === 'string' && level.toLowerCase() === severityText?.toLowerCase()) return true;
  const isOfPino = typeof level === 'number' && level >= 10 && level <= 60 && level % 10 === 0;
  // 10 and 20 are levels of both pino and OpenTelemetry.
  if (isOfPino && numbers[level / 10 - 1] === severity) return true;
  return severityOfLevel(level) === severity;
}

/** The severities of syslog, from 0. */
const ofSyslog = ['fatal', 'fatal', 'fatal', 'error', 'warn', 'info', 'info', 'debug'] as const;

/** The severity that a number of syslog is; undefined for other values. */
export function syslogSeverity(level: unknown): Severity | undefined {
  return typeof level === 'number' || typeof level === 'string'
    ? ofSyslog[Number(level)]
    : undefined;
}
