import type { LogRecord } from '../../api/types';
import { createTimeFormat, harmlessLines, recordSource, truncatedMark } from '../record/format';
import { hasSurroundings } from './around';
import type { LogRow } from './panel/messages';

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

/**
 * Makes the function that makes rows; all their text is harmless, within the bounds of a record in the
 * output channel.
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
