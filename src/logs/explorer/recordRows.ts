import type { LogRecord } from '../../api/types';
import {
  createTimeFormat,
  harmlessLines,
  oneLine,
  recordSource,
  truncatedMark,
} from '../record/logLine';
import { type BodyStyle, styledBody } from '../record/readableBody';
import type { StyledSpan, StyledText } from '../record/terminalColors';
import { isClean, sanitise } from '../../base/sanitise';
import { hasContext } from './recordsAround';
import type { LogRow } from './protocol/view';
import type { ReadColumns } from './recordFields';

const keys = new WeakMap<LogRecord, string>();
let lastKey = 0;

/** The key of the row of a record, which is the same for the same object only. */
export function keyOf(record: LogRecord): string {
  const known = keys.get(record);
  if (known !== undefined) return known;
  const key = String(++lastKey);
  keys.set(record, key);
  return key;
}

/** What can be shown for a record. */
interface RecordCapabilities {
  readonly hasTrace: boolean;
  /** Whether the records around it in its container can be requested. */
  readonly hasContext: boolean;
  readonly hasDeployment: boolean;
  readonly hasResource: boolean;
}

/** The form of trace ids that filters accept; much faster than the validators of the contract. */
const traceIdForm = /^(?!0{32})[0-9a-f]{32}$/;

/** What can be shown for a record: servers may leave out values, or send some they do not accept. */
export function capabilitiesOf(record: LogRecord): RecordCapabilities {
  return {
    hasTrace: record.traceId !== null && traceIdForm.test(record.traceId),
    hasContext: hasContext(record),
    hasDeployment: record.deploymentId !== null && record.deploymentId !== '',
    hasResource: record.workloadId !== '',
  };
}

/** The longest severity of a server, in UTF-16 units. */
const longestSeverity = 40;

/** Styles are shown up to here, in UTF-16 units: the list cuts bodies at about the same length. */
const longestStyled = 4000;

/** The spans of a text that `harmlessLines` has made longer. */
function spansOf({ text, spans }: StyledText): NonNullable<LogRow['spans']> {
  const shown = spans.filter(({ end }) => end <= longestStyled);
  const places = isClean(text) ? undefined : shownPlaces(text, shown);
  const at = (offset: number): number => places?.get(offset) ?? offset;
  return shown.map(({ start, end, style }) => [at(start), at(end), style]);
}

/** The ends of spans in a text that `harmlessLines` has made longer, by those in the text itself. */
function shownPlaces(text: string, spans: readonly StyledSpan[]): ReadonlyMap<number, number> {
  const offsets = new Set(spans.flatMap(({ start, end }) => [start, end]));
  const places = new Map<number, number>();
  let taken = 0;
  let place = 0;
  for (const offset of [...offsets].sort((one, other) => one - other)) {
    const isInBreak = text.slice(offset - 1, offset + 1) === '\r\n';
    const piece = text.slice(taken, isInBreak ? offset - 1 : offset);
    place += piece.replaceAll('\r\n', '\n').split('\n').map(sanitise).join('\n').length;
    places.set(offset, place);
    taken = offset;
  }
  return places;
}

/**
 * Creates the function that formats records as rows, with harmless text of limited length.
 *
 * @param timeZone `utc`, `local` (the machine's) or an IANA name; an unknown name counts as `utc`.
 * @param readColumns reads the values of further columns.
 */
export function createRowFormat(
  timeZone: string,
  bodies: BodyStyle,
  readColumns: ReadColumns = () => undefined,
): (record: LogRecord) => LogRow {
  const time = createTimeFormat(timeZone);
  return (record) => {
    const { timestamp, severity, severityText, traceId, truncated } = record;
    const body = styledBody(record, bodies);
    const spans = body.spans.length === 0 ? [] : spansOf(body);
    const at = Date.parse(timestamp);
    const capabilities = capabilitiesOf(record);
    const values = readColumns(record);
    return {
      key: keyOf(record),
      at: Number.isNaN(at) ? null : at,
      time: time(timestamp),
      severity,
      ...(severityText === undefined
        ? {}
        : { severityText: oneLine(severityText, longestSeverity) }),
      workload: recordSource(record),
      body: harmlessLines(body.text) + (truncated ? truncatedMark : ''),
      ...(spans.length === 0 ? {} : { spans }),
      ...(values === undefined ? {} : { values }),
      ...(capabilities.hasTrace && traceId !== null ? { trace: traceId } : {}),
      hasContext: capabilities.hasContext,
    };
  };
}
