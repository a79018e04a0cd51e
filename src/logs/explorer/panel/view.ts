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

/** Classes of styles; see `StyledSpan` in `logs/record/sgr.ts`. */
const styles = /^[a-z\d -]{1,100}$/;

/** A record as a row of the list. */
export const row = v.object({
  key,
  /** Milliseconds since 1970; null if the timestamp is invalid. */
  at: v.nullable(v.number()),
  /** The formatted time. */
  time: v.string(),
  severity,
  /** The name of the workload, and of the preview if it is one. */
  workload: v.string(),
  /** Harmless text, possibly with line breaks. */
  body: v.string(),
  /** Styled parts of the body: start, end (in UTF-16 units) and classes. */
  spans: v.optional(v.array(v.tuple([index, index, v.pipe(v.string(), v.regex(styles))]))),
  /** Whether the menu of the row offers these. */
  hasTrace: v.boolean(),
  hasContext: v.boolean(),
});
export type LogRow = v.InferOutput<typeof row>;
