import type { LogRecord, Severity } from '../../api/types';
import { createTimeFormat, harmlessLines, recordSource, truncatedMark } from '../record/format';
import { hasSurroundings } from './around';

/** What there is of a record to be shown, besides what it says itself. */
interface RecordCapabilities {
  readonly hasTrace: boolean;
  /** Whether its surroundings can be asked for: its container, around its time. */
  readonly hasContext: boolean;
  readonly hasDeployment: boolean;
  readonly hasResource: boolean;
}

/** As the contract's filters take it; held here for every row, since its validators take far longer. */
const traceId = /^(?!0{32})[0-9a-f]{32}$/;

/** What can be asked for of a record: a server may leave it out, or send what it does not take back. */
export function capabilitiesOf(record: LogRecord): RecordCapabilities {
  return {
    hasTrace: record.traceId !== null && traceId.test(record.traceId),
    hasContext: hasSurroundings(record),
    hasDeployment: record.deploymentId !== null && record.deploymentId !== '',
    hasResource: record.workloadId !== '',
  };
}

/** A record as a row of a list; all its text is harmless. */
export interface LogRow extends Pick<RecordCapabilities, 'hasTrace' | 'hasContext'> {
  /** The event id. */
  readonly key: string;
  /** Milliseconds since 1970; null where the timestamp is none. */
  readonly at: number | null;
  /** As it is shown. */
  readonly time: string;
  readonly severity: Severity;
  /** Its workload, and the preview where it is one. */
  readonly workload: string;
  /** Within the bounds of a record in the output channel; may have line breaks. */
  readonly body: string;
}

/**
 * Makes the function that makes rows.
 *
 * @param timeZone `utc`, `local` (the machine's) or an IANA name; an unknown name counts as `utc`.
 */
export function createRowFormat(timeZone: string): (record: LogRecord) => LogRow {
  const time = createTimeFormat(timeZone);
  return (record) => {
    const { eventId, timestamp, severity, body, truncated } = record;
    const at = Date.parse(timestamp);
    const { hasTrace, hasContext } = capabilitiesOf(record);
    return {
      key: eventId,
      at: Number.isNaN(at) ? null : at,
      time: time(timestamp),
      severity,
      workload: recordSource(record),
      body: harmlessLines(body) + (truncated ? truncatedMark : ''),
      hasTrace,
      hasContext,
    };
  };
}
