import type { LogRecord } from '../../api/types';
import { createTimeFormat, harmlessLines, recordSource, truncatedMark } from '../record/format';
import { type BodyStyle, styledBody } from '../record/readableBody';
import type { StyledText } from '../record/sgr';
import { isClean, sanitise } from '../../text/sanitise';
import { hasContext } from './around';
import type { LogRow } from './panel/view';

/** What can be shown for a record. */
interface RecordCapabilities {
  readonly hasTrace: boolean;
  /** Whether the records around it in its container can be requested. */
  readonly hasContext: boolean;
  readonly hasDeployment: boolean;
  readonly hasResource: boolean;
}

/** The form of trace ids that filters accept; much faster than the validators of the contract. */
const traceId = /^(?!0{32})[0-9a-f]{32}$/;

/** What can be shown for a record: servers may leave out values, or send some they do not accept. */
export function capabilitiesOf(record: LogRecord): RecordCapabilities {
  return {
    hasTrace: record.traceId !== null && traceId.test(record.traceId),
    hasContext: hasContext(record),
    hasDeployment: record.deploymentId !== null && record.deploymentId !== '',
    hasResource: record.workloadId !== '',
  };
}

/** Styles are shown up to here, in UTF-16 units: the list cuts bodies at about the same length. */
const longestStyled = 4000;

/** The spans of a text that `harmlessLines` has made longer. */
function spansOf({ text, spans }: StyledText): NonNullable<LogRow['spans']> {
  const shown = spans.filter(({ end }) => end <= longestStyled);
  const at = isClean(text)
    ? (offset: number) => offset
    : (offset: number) =>
        text
          .slice(0, offset)
          .split('\n')
          .map((line) => sanitise(line.replace(/\r$/, '')))
          .join('\n').length;
  return shown.map(({ start, end, style }) => [at(start), at(end), style]);
}

/**
 * Creates the function that formats records as rows, with harmless text of limited length.
 *
 * @param timeZone `utc`, `local` (the machine's) or an IANA name; an unknown name counts as `utc`.
 */
export function createRowFormat(
  timeZone: string,
  bodies: BodyStyle,
): (record: LogRecord) => LogRow {
  const time = createTimeFormat(timeZone);
  return (record) => {
    const { eventId, timestamp, severity, truncated } = record;
    const body = styledBody(record, bodies);
    const spans = body.spans.length === 0 ? [] : spansOf(body);
    const at = Date.parse(timestamp);
    const { hasDeployment, hasResource, ...capabilities } = capabilitiesOf(record);
    return {
      key: eventId,
      at: Number.isNaN(at) ? null : at,
      time: time(timestamp),
      severity,
      workload: recordSource(record),
      body: harmlessLines(body.text) + (truncated ? truncatedMark : ''),
      ...(spans.length === 0 ? {} : { spans }),
      ...capabilities,
    };
  };
}
