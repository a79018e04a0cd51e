import type { LogRecord } from '../../api/types';
import { getOrMake } from '../../base/maps';
import { isClean, sanitise } from '../../base/untrustedText';
import type { NameOf } from '../query/searchQuery';
import {
  createTimeFormat,
  harmlessLines,
  cutLine,
  recordSource,
  truncatedMark,
} from '../record/logLine';
import { entryRecords } from '../record/joinRecords';
import { type BodyStyle, styledBody } from '../record/readableBody';
import { hasSeverityOfBody, type SeveritySource, withShownSeverity } from '../record/shownSeverity';
import type { StyledSpan, StyledText } from '../record/terminalColors';
import type { Capabilities } from './protocol/messages';
import { type LogRow, rowFields } from './protocol/view';
import { fieldValueOf, isNamed, recordFields } from './recordFields';
import { hasContext } from './recordsAround';

const keys = new WeakMap<LogRecord, string>();
let lastKey = 0;

/** The key of the row of a record, which is the same for the same object only, or of an entry: that of its first record. */
export function rowKey(record: LogRecord): string {
  const known = keys.get(record);
  if (known !== undefined) return known;
  const [first = record] = entryRecords(record);
  return getOrMake(keys, first, () => String(++lastKey));
}

/** An entry that has more records now keeps the key of its row. */
export function keepKey(before: LogRecord, now: LogRecord): void {
  keys.set(now, rowKey(before));
}

/** The form of trace ids that filters accept; much faster than the validators of the contract. */
const traceIdForm = /^(?!0{32})[0-9a-f]{32}$/;

/** What can be shown for a record: servers may leave out values, or send some they do not accept. */
export function capabilitiesOf(record: LogRecord): Capabilities {
  return {
    hasTrace: record.traceId !== null && traceIdForm.test(record.traceId),
    hasContext: hasContext(record),
    hasDeployment: record.deploymentId !== null && record.deploymentId !== '',
    hasResource: record.workloadId !== '',
  };
}

/** The longest severity of a server, and name of a stream, in UTF-16 units. */
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
  let done = 0;
  let place = 0;
  for (const offset of [...offsets].sort((a, b) => a - b)) {
    place += text.slice(done, offset).split('\n').map(sanitise).join('\n').length;
    places.set(offset, place);
    done = offset;
  }
  return places;
}

/**
 * Creates the function that formats records as rows, with harmless text of limited length.
 *
 * @param timeZone `utc`, `local` (the machine's) or an IANA name; an unknown name counts as `utc`.
 * @param style how bodies are shown, and which severity.
 * @param readColumns reads the values of further columns.
 */
export function createRowFormat(
  timeZone: string,
  { bodies, severity: source }: RowStyle,
  readColumns: ReadColumns = () => undefined,
): (record: LogRecord) => LogRow {
  const time = createTimeFormat(timeZone);
  return (record) => {
    const shown = withShownSeverity(record, source);
    const { timestamp, severity, severityText, traceId, truncated } = shown;
    const body = styledBody(shown, bodies);
    const spans = body.spans.length === 0 ? [] : spansOf(body);
    const at = Date.parse(timestamp);
    const capabilities = capabilitiesOf(record);
    const values = readColumns(record);
    return {
      key: rowKey(record),
      at: Number.isNaN(at) ? null : at,
      time: time(timestamp),
      severity,
      ...(severityText === undefined
        ? {}
        : { severityText: cutLine(severityText, longestSeverity) }),
      ...(hasSeverityOfBody(record, source)
        ? { stream: cutLine(record.stream, longestSeverity) }
        : {}),
      workload: recordSource(record),
      body: harmlessLines(body.text) + (truncated ? truncatedMark : ''),
      ...(spans.length === 0 ? {} : { spans }),
      ...(values === undefined ? {} : { values }),
      ...(capabilities.hasTrace && traceId !== null ? { trace: traceId } : {}),
      hasContext: capabilities.hasContext,
    };
  };
}

/** Which of what a record says its row shows. */
interface RowStyle {
  readonly bodies: BodyStyle;
  readonly severity: SeveritySource;
}

/** The longest value in a column, in UTF-16 units. */
const longestValue = 200;

type ReadColumns = (record: LogRecord) => LogRow['values'];

/**
 * Creates the function that reads the values of the columns that not every row has, as harmless text.
 *
 * @param fields names as `fieldValueOf` takes them.
 * @param timeZone see `createRowFormat`.
 * @param nameOf the names of ids, which are shown in their place.
 */
export function createReadColumns(
  fields: readonly string[],
  timeZone: string,
  nameOf?: NameOf,
): ReadColumns {
  const others = fields.filter((field) => !rowFields.some((one) => one === field));
  if (others.length === 0) return () => undefined;
  const time = createTimeFormat(timeZone);
  const shown = (field: string, value: string): string => {
    if (recordFields.get(field)?.isTime === true) return time(value);
    const name = isNamed(field) ? (nameOf?.(field, value) ?? '') : '';
    return cutLine(name === '' ? value : name, longestValue);
  };
  return (record) => {
    const values: Record<string, string> = {};
    for (const field of others) {
      const value = fieldValueOf(record, field)?.value ?? '';
      if (value !== '') values[field] = shown(field, value);
    }
    return Object.keys(values).length === 0 ? undefined : values;
  };
}
