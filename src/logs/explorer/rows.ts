import type { LogRecord, Severity } from '../../api/types';
import { createTimeFormat, harmlessLines, recordSource, truncatedMark } from '../record/format';
import { offersOf, type RecordOffers } from './recordCapabilities';

/** A record as a row of a list; all its text is harmless. */
export interface LogRow extends Pick<RecordOffers, 'hasTrace' | 'hasContext'> {
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
    const { hasTrace, hasContext } = offersOf(record);
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
