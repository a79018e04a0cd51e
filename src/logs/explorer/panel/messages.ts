import * as v from 'valibot';

/** A count, or a place in a list. */
const index = v.pipe(v.number(), v.integer(), v.minValue(0));
/** The event id of a record. */
const key = v.pipe(v.string(), v.maxLength(1024));

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
const view = v.object({
  /** Rows of another epoch are gone. */
  epoch: index,
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

/**
 * What the page of the Log Explorer and its panel say to each other. Both sides read what comes from
 * the other by these schemas. The page decides nothing: what it shows comes in words, and all text of
 * records has been made harmless before it is sent.
 */

const text = v.pipe(v.string(), v.maxLength(65_536));

export const severities = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'unknown'] as const;
const severity = v.picklist(severities);
export type RowSeverity = (typeof severities)[number];

/** A record as a row of the list. */
const row = v.object({
  key,
  /** Milliseconds since 1970; null where the timestamp is none. */
  at: v.nullable(v.number()),
  /** As it is shown. */
  time: v.string(),
  severity,
  /** Its workload, and the preview where it is one. */
  workload: v.string(),
  /** Harmless; may have line breaks. */
  body: v.string(),
  /** Whether its menu offers these. */
  hasTrace: v.boolean(),
  hasContext: v.boolean(),
});
export type LogRow = v.InferOutput<typeof row>;

/** A range of time in the words of the query language; nothing where the query does not say. */
const range = v.object({
  last: v.optional(text),
  from: v.optional(text),
  to: v.optional(text),
});
export type Range = v.InferOutput<typeof range>;

/** A condition as it can be put together: field `service`, operator `^=`, value `web`. */
const condition = v.object({
  /** As queries call it, such as `service` or `attr.user`, without quotes. */
  field: text,
  /** One of `builderOperators`. */
  operator: text,
  /** Empty where the operator takes none. */
  value: text,
});
export type BuilderCondition = v.InferOutput<typeof condition>;
const match = v.picklist(['and', 'or']);

/** What a query says, or what is wrong with it; the rest is as empty as can be where it is wrong. */
const queryModel = v.object({
  text: v.string(),
  errors: v.array(v.object({ start: index, end: index, message: v.string() })),
  chips: v.array(v.object({ text: v.string(), joinedBy: match })),
  /** None: all of them. */
  severities: v.array(severity),
  range,
  match,
  conditions: v.array(condition),
});
export type QueryModel = v.InferOutput<typeof queryModel>;

/** A change to a query that is made by anything but typing. */
const edit = v.variant('kind', [
  v.object({ kind: v.literal('removeChip'), index }),
  v.object({ kind: v.literal('severities'), severities: v.array(severity) }),
  /** Any other range gives way. */
  v.object({ kind: v.literal('range'), range }),
  v.object({ kind: v.literal('conditions'), match, conditions: v.array(condition) }),
  /** Only records with this value; the field as queries call it, such as `attr.user`. */
  v.object({ kind: v.literal('only'), field: text, value: text }),
  v.object({ kind: v.literal('exclude'), field: text, value: text }),
]);
export type Edit = v.InferOutput<typeof edit>;

const completions = v.object({
  start: index,
  end: index,
  items: v.array(
    v.object({
      kind: v.picklist(['field', 'operator', 'value', 'name', 'word']),
      label: v.string(),
      text: v.string(),
      detail: v.optional(v.string()),
    }),
  ),
  /** Whole queries that were used before. */
  recent: v.array(v.string()),
});
export type QueryCompletions = v.InferOutput<typeof completions>;

/** One field of a record. */
const detail = v.object({
  /** As queries call it. */
  field: v.string(),
  /** As it is shown: harmless. */
  value: v.string(),
  canAdd: v.boolean(),
  canExclude: v.boolean(),
});
export type DetailField = v.InferOutput<typeof detail>;

const details = v.object({
  key,
  fields: v.array(detail),
  attributes: v.array(detail),
  /** The body in pieces; those with a `frame` lead to a file of the workspace. */
  body: v.array(v.object({ text: v.string(), frame: v.optional(index) })),
  /** A body that is JSON, on many lines. */
  json: v.optional(v.string()),
  hasTrace: v.boolean(),
  hasContext: v.boolean(),
  hasDeployment: v.boolean(),
  hasResource: v.boolean(),
});
export type Details = v.InferOutput<typeof details>;

/** What the page can ask for; each is answered, with a value or with why not. */
const request = v.variant('kind', [
  /** Reads a query; `run`: and searches for it, where nothing is wrong with it. */
  v.object({ kind: v.literal('parse'), text, run: v.optional(v.boolean()) }),
  v.object({ kind: v.literal('edit'), text, edit }),
  v.object({ kind: v.literal('complete'), text, offset: index }),
  v.object({ kind: v.literal('run'), text }),
  v.object({ kind: v.literal('older') }),
  v.object({ kind: v.literal('newer') }),
  /** Ends what is loading; what has come stays. */
  v.object({ kind: v.literal('cancel') }),
  v.object({ kind: v.literal('follow') }),
  v.object({ kind: v.literal('pause') }),
  v.object({ kind: v.literal('resume') }),
  v.object({ kind: v.literal('stop') }),
  v.object({ kind: v.literal('details'), key }),
  v.object({ kind: v.literal('copyJson'), key }),
  v.object({ kind: v.literal('copyLine'), key }),
  /** The value of a field as the server sent it. */
  v.object({ kind: v.literal('copyValue'), key, field: text }),
  /** Puts a condition on the value of a field, as the server sent it, into a query. */
  v.object({
    kind: v.literal('narrow'),
    text,
    key,
    field: text,
    how: v.picklist(['only', 'exclude']),
  }),
  v.object({ kind: v.literal('openFrame'), key, frame: index }),
  v.object({ kind: v.literal('reveal'), key, what: v.picklist(['deployment', 'resource']) }),
  /** All records of the record's trace. */
  v.object({ kind: v.literal('trace'), key }),
  /** The records around this one in its container. */
  v.object({ kind: v.literal('context'), key }),
  /** To what was shown before. */
  v.object({ kind: v.literal('back') }),
  /** Both are of the query in the bar, run or not. */
  v.object({ kind: v.literal('save'), text }),
  v.object({ kind: v.literal('copyLink'), text }),
  /** Both are of what is shown. */
  v.object({ kind: v.literal('export') }),
  v.object({ kind: v.literal('openAsText') }),
  /** What helps against a failure: connect, or diagnostics. */
  v.object({ kind: v.literal('help'), action: v.picklist(['connect', 'diagnostics']) }),
]);
export type Request = v.InferOutput<typeof request>;

/** What comes back, by the kind of the request; the others bring nothing. */
const answers = {
  parse: queryModel,
  edit: queryModel,
  narrow: queryModel,
  complete: completions,
  details,
} as const;
export type AnswerOf<Kind extends Request['kind']> = Kind extends keyof typeof answers
  ? v.InferOutput<(typeof answers)[Kind]>
  : null;

/** What the page keeps over a reload of the window. */
export const pageState = v.object({
  query: text,
  wrap: v.boolean(),
  /** Whether it was searched for, rather than only typed. */
  ran: v.boolean(),
});
export type PageState = v.InferOutput<typeof pageState>;

const toPanel = v.variant('kind', [
  v.object({ kind: v.literal('ready') }),
  v.object({ kind: v.literal('request'), id: index, request }),
]);
export type ToPanel = v.InferOutput<typeof toPanel>;

const toPage = v.variant('kind', [
  /** The first message: the words of the page by their ids, and what the window had before. */
  v.object({
    kind: v.literal('start'),
    strings: v.record(v.string(), v.string()),
    locale: v.string(),
    /** The fields and operators that the builder offers. */
    fields: v.array(v.string()),
    operators: v.array(v.string()),
  }),
  v.object({ kind: v.literal('view'), view }),
  /**
   * Rows, oldest first. `replace`: these and no others. `older`: before the first. `newer`: behind
   * the last, while as many as `dropped` are gone from the top.
   */
  v.object({
    kind: v.literal('rows'),
    epoch: index,
    change: v.picklist(['replace', 'older', 'newer']),
    rows: v.array(row),
    dropped: index,
  }),
  /** Puts a query into the bar, as where somebody opens a search from elsewhere. */
  v.object({ kind: v.literal('query'), text: v.string() }),
  v.object({ kind: v.literal('answer'), id: index, value: v.unknown() }),
  v.object({ kind: v.literal('refusal'), id: index, message: v.string() }),
]);
export type ToPage = v.InferOutput<typeof toPage>;

/** What came from the page; undefined where it is no message of ours. */
export function readToPanel(value: unknown): ToPanel | undefined {
  const result = v.safeParse(toPanel, value);
  return result.success ? result.output : undefined;
}

/** What came from the panel; undefined where it is no message of ours. */
export function readToPage(value: unknown): ToPage | undefined {
  const result = v.safeParse(toPage, value);
  return result.success ? result.output : undefined;
}

/**
 * The answer to a request, from what came.
 *
 * @throws where it is not of the form that the request brings.
 */
export function readAnswer<Kind extends Request['kind']>(
  kind: Kind,
  value: unknown,
): AnswerOf<Kind> {
  const schema = kind in answers ? answers[kind as keyof typeof answers] : v.null();
  return v.parse(schema, value) as AnswerOf<Kind>;
}

/** What the page kept; undefined where it is something else by now. */
export function readPageState(value: unknown): PageState | undefined {
  const result = v.safeParse(pageState, value);
  return result.success ? result.output : undefined;
}
