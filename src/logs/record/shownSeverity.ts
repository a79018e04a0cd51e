import type { LogRecord, Severity } from '../../api/types';
import { bodyNames } from './bodyNames';
import { numberedSeverity, severityOfLevel, syslogSeverity } from './bodyLevel';
import { mayBeStructured, readStructure } from './structuredBody';

/**
 * Which severity of a record people see: that of the control plane, or the level in a structured body where that of the
 * control plane only repeats the stream.
 */
export type SeveritySource = 'server' | 'body';

/** The default. */
export const readsBody = (): SeveritySource => 'body';

/** What collectors make of a stream. With a word of its own, an unknown severity says more. */
function repeatsStream({ severity, severityText, stream }: LogRecord): boolean {
  if (severity === 'unknown') return severityText === undefined;
  return (
    (severity === 'error' && stream === 'stderr') || (severity === 'info' && stream === 'stdout')
  );
}

/** The severity that people see: in lists, counts, patterns and kinds of errors. Filters use that of the control plane. */
export function shownSeverity(record: LogRecord, source: SeveritySource): Severity {
  if (source === 'server' || !mayBeStructured(record.body) || !repeatsStream(record)) {
    return record.severity;
  }
  let severity = known.get(record);
  if (severity === undefined) {
    severity = severityOfBody(record.body) ?? record.severity;
    known.set(record, severity);
  }
  return severity;
}

/** A histogram asks for the same record again and again. */
const known = new WeakMap<LogRecord, Severity>();

/** The record with the severity that people see: the same object if that is its own. */
export function withShownSeverity(record: LogRecord, source: SeveritySource): LogRecord {
  const severity = shownSeverity(record, source);
  return severity === record.severity ? record : { ...record, severity };
}

/** Whether people see another severity than that of the control plane. */
export function hasSeverityOfBody(record: LogRecord, source: SeveritySource): boolean {
  return shownSeverity(record, source) !== record.severity;
}

/** The severity that the level of a structured body is; undefined for other bodies and levels. */
function severityOfBody(body: string): Severity | undefined {
  const byName = readStructure(body)?.byName;
  if (byName === undefined) return undefined;
  for (const name of bodyNames.level) {
    const value = byName.get(name)?.value;
    if (value === undefined) continue;
    const found =
      typeof value === 'number' ? numberedSeverity(name, value) : severityOfLevel(value);
    if (found !== undefined) return found;
  }
  for (const name of bodyNames.syslogLevel) {
    const found = syslogSeverity(byName.get(name)?.value);
    if (found !== undefined) return found;
  }
  return undefined;
}
