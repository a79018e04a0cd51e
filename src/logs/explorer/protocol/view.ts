import * as v from 'valibot';

/** A count, or an index in a list. */
export const index = v.pipe(v.number(), v.integer(), v.minValue(0));
/** The event id of a record. */
export const key = v.pipe(v.string(), v.maxLength(1024));

/** The number of records by time and severity. */
const histogram = v.object({
  /** The start of the first bucket, in milliseconds since 1970. */
  start: v.number(),
  /** The length of a bucket in milliseconds. */
  step: v.number(),
  /** One list per bucket, in the order of `severities`. */
  counts: v.array(v.array(index)),
  /** The time zone of the axis: an IANA name. */
  timeZone: v.string(),
});
export type HistogramData = v.InferOutput<typeof histogram>;

/** The text at an end of the list, and whether more records can be loaded there. */
const listEnd = v.object({
  text: v.string(),
  canLoad: v.boolean(),
  /** Whether more records are loaded only on request, not by scrolling. */
  isOnRequest: v.optional(v.boolean()),
  /** Whether records are being loaded there; the text is the progress. */
  isLoading: v.optional(v.boolean()),
});

/** Everything but the rows. Sent as a whole after each change. */
export const view = v.object({
  /** The epoch of the rows; rows of an older epoch are stale. */
  epoch: index,
  state: v.picklist(['notConnected', 'signedOut', 'idle', 'loading', 'ready', 'failed']),
  /** The time of the control plane's clock, in milliseconds since 1970. */
  serverNow: v.number(),
  /** The query that ran. */
  query: v.string(),
  /** The title of what is shown in place of the results, such as the context of a record. */
  title: v.optional(v.string()),
  /** The record to select and show, such as the one in the middle of its context. */
  focus: v.optional(key),
  canGoBack: v.boolean(),
  /** The progress of loading, which can be cancelled. */
  progress: v.optional(v.string()),
  /** Whether the progress is a wait. */
  isWaiting: v.optional(v.boolean()),
  failure: v.optional(
    v.object({ message: v.string(), help: v.picklist(['connect', 'diagnostics']) }),
  ),
  older: listEnd,
  newer: listEnd,
  /** Why the logs cannot be followed; empty if they can. */
  cannotFollow: v.string(),
  following: v.optional(
    v.object({
      state: v.picklist(['live', 'paused', 'waiting', 'ended']),
      /** Such as `live` or `paused (12 new)`. */
      text: v.string(),
      newRecords: index,
    }),
  ),
  /** Notes about the records, for example that some are missing. */
  notices: v.array(v.object({ level: v.picklist(['info', 'warning']), text: v.string() })),
  /** The number of records and their range. */
  summary: v.string(),
  histogram: v.optional(histogram),
});
export type View = v.InferOutput<typeof view>;

export const severities = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'unknown'] as const;
export const severity = v.picklist(severities);
export type RowSeverity = (typeof severities)[number];

/** The most severe first; an unknown severity may be anything. */
export const gravity: readonly RowSeverity[] = [
  'fatal',
  'error',
  'warn',
  'unknown',
  'info',
  'debug',
  'trace',
];

export function isWorse(one: RowSeverity, other: RowSeverity): boolean {
  return gravity.indexOf(one) < gravity.indexOf(other);
}

/** Classes of styles; see `StyledSpan` in `logs/record/terminalColors.ts`. */
const styles = /^[a-z\d -]{1,100}$/;

/** A record as a row of the list. */
export const row = v.object({
  key,
  /** Milliseconds since 1970; null if the timestamp is invalid. */
  at: v.nullable(v.number()),
  /** The formatted time. */
  time: v.string(),
  severity,
  /** The severity as the server sent it, if it is unknown. Harmless text of one line. */
  severityText: v.optional(v.string()),
  /** The name of the workload, and of the preview if it is one. */
  workload: v.string(),
  /** Harmless text, possibly with line breaks. */
  body: v.string(),
  /** Styled parts of the body: start, end (in UTF-16 units) and classes. */
  spans: v.optional(v.array(v.tuple([index, index, v.pipe(v.string(), v.regex(styles))]))),
  /** The values of further columns by field, without those that the record does not have. Harmless text. */
  values: v.optional(v.record(v.string(), v.string())),
  /** The id of its trace, if filters accept it. */
  trace: v.optional(v.string()),
  /** Whether the records around it can be shown. */
  hasContext: v.boolean(),
});
export type LogRow = v.InferOutput<typeof row>;

/** The maximum number of columns, and the longest name of a field that can be one, in UTF-16 units. */
export const mostColumns = 12;
export const longestField = 256;
/** The limits of the width of a column, in characters. */
export const columnWidth = { least: 3, most: 120 } as const;

/** A column of the list. */
const column = v.object({
  /** A field as in queries, without quotes, such as `service` or `attr.user`. */
  field: v.pipe(v.string(), v.nonEmpty(), v.maxLength(longestField)),
  /** In characters. A column without it fits its values. */
  width: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(columnWidth.least), v.maxValue(columnWidth.most)),
  ),
});
export type Column = v.InferOutput<typeof column>;

const areDifferent = (columns: Column[]): boolean =>
  new Set(columns.map(({ field }) => field)).size === columns.length;

/** How the list shows records. */
export const listLayout = v.object({
  /** The columns before the message, which is last and takes the remaining space. */
  columns: v.pipe(v.array(column), v.maxLength(mostColumns), v.check(areDifferent)),
  time: v.picklist(['absolute', 'relative', 'both']),
  /** Whether the records of a trace are grouped in one row. */
  isByTrace: v.boolean(),
});
export type ListLayout = v.InferOutput<typeof listLayout>;

/** Reads a stored layout; undefined if it is invalid. */
export function readListLayout(stored: unknown): ListLayout | undefined {
  const result = v.safeParse(listLayout, stored);
  return result.success ? result.output : undefined;
}

/** The columns that every row has a value for. */
export const rowFields = ['timestamp', 'severity', 'workload'] as const;

export const defaultLayout: ListLayout = {
  columns: rowFields.map((field) => ({ field })),
  time: 'absolute',
  isByTrace: false,
};
