import * as v from 'valibot';

/** A count, or a place in a list. */
export const index = v.pipe(v.number(), v.integer(), v.minValue(0));
/** The event id of a record. */
export const key = v.pipe(v.string(), v.maxLength(1024));

/** Counts by severity, in the order of `severities`, one list for each bucket. */
const histogram = v.object({
  /** Milliseconds since 1970, of the first bucket. */
  start: v.number(),
  /** Milliseconds. */
  step: v.number(),
  counts: v.array(v.array(index)),
  /** IANA, or `UTC`: of the axis. */
  timeZone: v.string(),
});
export type HistogramData = v.InferOutput<typeof histogram>;

/** What there is at an end of the list, in words, and whether more can be loaded. */
const listEnd = v.object({
  text: v.string(),
  canLoad: v.boolean(),
  /** Whether more is loaded only where somebody asks for it, and not for scrolling there. */
  isOnRequest: v.optional(v.boolean()),
});

/** Everything but the rows; sent whole after each change. */
export const view = v.object({
  /** Rows of another life are gone. */
  life: index,
  state: v.picklist(['notConnected', 'signedOut', 'idle', 'loading', 'ready', 'failed']),
  /** The query that was run. */
  query: v.string(),
  /** What is shown in place of the results of the query, such as the context of a record. */
  title: v.optional(v.string()),
  /** The record that everything is about, or that somebody came from: it is selected and in view. */
  focus: v.optional(key),
  canGoBack: v.boolean(),
  /** How far loading is, in words; there is something to cancel while it is there. */
  progress: v.optional(v.string()),
  /** Whether that is what it waits for, rather than how much has come. */
  isWaiting: v.optional(v.boolean()),
  failure: v.optional(
    v.object({ message: v.string(), help: v.picklist(['connect', 'diagnostics']) }),
  ),
  older: listEnd,
  newer: listEnd,
  /** Why these logs cannot be followed from here; empty where they can. */
  cannotFollow: v.string(),
  following: v.optional(
    v.object({
      state: v.picklist(['live', 'paused', 'waiting', 'ended']),
      /** Such as `live` or `paused (12 new)`. */
      text: v.string(),
      newRecords: index,
    }),
  ),
  /** What one must know of what is shown: partial, access changed, left out. */
  notices: v.array(v.object({ level: v.picklist(['info', 'warning']), text: v.string() })),
  /** How much there is, and of which time, in words. */
  summary: v.string(),
  histogram: v.optional(histogram),
});
export type View = v.InferOutput<typeof view>;
