import * as v from 'valibot';
import { index, key, listLayout, row, severity, view } from './view';

/**
 * The messages between the page of the Log Explorer and its panel. Both sides validate what they receive
 * with these schemas. The page decides nothing: it gets finished texts, and the text of records is made
 * harmless before it is sent.
 */

const text = v.pipe(v.string(), v.maxLength(65_536));

/** A range of time in the query language; empty if the query has none. */
const range = v.object({
  last: v.optional(text),
  from: v.optional(text),
  to: v.optional(text),
});
export type Range = v.InferOutput<typeof range>;

/** A condition of the builder, for example field `service`, operator `^=`, value `web`. */
const condition = v.object({
  /** As in queries, such as `service` or `attr.user`, without quotes. */
  field: text,
  /** One of `builderOperators`. */
  operator: text,
  /** Empty if the operator takes no value. */
  value: text,
});
export type BuilderCondition = v.InferOutput<typeof condition>;
const match = v.picklist(['and', 'or']);

/** The parts of a query, or its errors; with errors, the other parts may be empty. */
const queryModel = v.object({
  text: v.string(),
  errors: v.array(v.object({ start: index, end: index, message: v.string() })),
  chips: v.array(v.object({ text: v.string(), joinedBy: match })),
  /** Empty means all. */
  severities: v.array(severity),
  range,
  match,
  conditions: v.array(condition),
});
export type QueryModel = v.InferOutput<typeof queryModel>;

/** A change of a query other than by typing. */
const edit = v.variant('kind', [
  v.object({ kind: v.literal('removeChip'), index }),
  v.object({ kind: v.literal('severities'), severities: v.array(severity) }),
  /** Replaces the range of the query. */
  v.object({ kind: v.literal('range'), range }),
  v.object({ kind: v.literal('conditions'), match, conditions: v.array(condition) }),
  /** Only records with this value; the field as in queries, such as `attr.user`. */
  v.object({ kind: v.literal('only'), field: text, value: text }),
  v.object({ kind: v.literal('exclude'), field: text, value: text }),
  /** Sets the free text; refused if the query has another one. */
  v.object({ kind: v.literal('search'), value: text }),
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
  /** Recent queries. */
  recent: v.array(v.string()),
});
export type QueryCompletions = v.InferOutput<typeof completions>;

/** One field of a record. */
const detail = v.object({
  /** As in queries, without quotes. */
  field: v.string(),
  /** Harmless text. */
  value: v.string(),
  /** Whether the query can require, or exclude, this value. */
  canAdd: v.boolean(),
  canExclude: v.boolean(),
});
export type DetailField = v.InferOutput<typeof detail>;

const details = v.object({
  key,
  fields: v.array(detail),
  attributes: v.array(detail),
  /** The body in pieces; those with a `frame` are links to files of the workspace. */
  body: v.array(v.object({ text: v.string(), frame: v.optional(index) })),
  /** The stack traces in a structured body, in pieces like the body. */
  stack: v.optional(v.array(v.object({ text: v.string(), frame: v.optional(index) }))),
  /** A JSON body, formatted. */
  json: v.optional(v.string()),
  hasTrace: v.boolean(),
  hasContext: v.boolean(),
  hasDeployment: v.boolean(),
  hasResource: v.boolean(),
});
export type Details = v.InferOutput<typeof details>;

/** Records with the same message, apart from numbers, ids and the like. */
const pattern = v.object({
  /** Identifies the pattern. Harmless text of one line. */
  template: v.string(),
  count: index,
  /** The most severe of its records. */
  severity,
  /** The number of records over time, in buckets of equal length. */
  counts: v.array(index),
  /** The formatted times of its first and last record, complete and as short as possible. */
  times: v.string(),
  shortTimes: v.string(),
  /** Whether its records are hidden in the list. */
  isHidden: v.boolean(),
});
export type Pattern = v.InferOutput<typeof pattern>;

const patterns = v.object({
  /** The most frequent ones, the most frequent first. */
  patterns: v.array(pattern),
  /** The number of all patterns, and of the grouped records. */
  count: index,
  records: index,
});
export type Patterns = v.InferOutput<typeof patterns>;

/** The changed query; undefined if the list was narrowed instead, which the note explains. */
const narrowPattern = v.object({ query: v.optional(queryModel), note: v.string() });

/** The requests of the page. Each gets an answer or a refusal. */
const request = v.variant('kind', [
  /** Parses a query. `run`: and runs it if it has no errors. */
  v.object({ kind: v.literal('parse'), text, run: v.optional(v.boolean()) }),
  v.object({ kind: v.literal('edit'), text, edit }),
  v.object({ kind: v.literal('complete'), text, offset: index }),
  v.object({ kind: v.literal('run'), text }),
  v.object({ kind: v.literal('older') }),
  v.object({ kind: v.literal('newer') }),
  /** Stops loading; loaded records stay. */
  v.object({ kind: v.literal('cancel') }),
  /** Follows new records, or resumes. */
  v.object({ kind: v.literal('follow') }),
  v.object({ kind: v.literal('pause') }),
  v.object({ kind: v.literal('stop') }),
  v.object({ kind: v.literal('details'), key }),
  v.object({ kind: v.literal('copyJson'), key }),
  v.object({ kind: v.literal('copyLine'), key }),
  /** The value of a field as the server sent it. */
  v.object({ kind: v.literal('copyValue'), key, field: text }),
  /** Adds a condition on the value of a field, as the server sent it, to a query. */
  v.object({
    kind: v.literal('narrow'),
    text,
    key,
    field: text,
    how: v.picklist(['only', 'exclude']),
  }),
  v.object({ kind: v.literal('openFrame'), key, frame: index }),
  /** Opens the logging call in the workspace that fits a record. */
  v.object({ kind: v.literal('goToStatement'), key }),
  v.object({ kind: v.literal('reveal'), key, what: v.picklist(['deployment', 'resource']) }),
  /** Searches for all records of the trace of a record. */
  v.object({ kind: v.literal('trace'), key }),
  /** Shows the records around this one in its container. */
  v.object({ kind: v.literal('context'), key }),
  /** Goes back to what was shown before. */
  v.object({ kind: v.literal('back') }),
  /** Both use the query in the query bar, which may not have run. */
  v.object({ kind: v.literal('save'), text }),
  v.object({ kind: v.literal('copyLink'), text }),
  /** Both use the records that are shown. */
  v.object({ kind: v.literal('export') }),
  v.object({ kind: v.literal('openAsText') }),
  /** Groups the loaded records by pattern. */
  v.object({ kind: v.literal('patterns') }),
  /** Adds a pattern to a query, or excludes it. */
  v.object({
    kind: v.literal('narrowPattern'),
    text,
    template: v.string(),
    how: v.picklist(['only', 'exclude']),
  }),
  /** Remembers whether the histogram is folded. */
  v.object({ kind: v.literal('foldHistogram'), isFolded: v.boolean() }),
  /** Remembers how the list shows records, and sends the values of new columns. */
  v.object({ kind: v.literal('layOut'), layout: listLayout }),
  /** Asks the user which columns to show. */
  v.object({ kind: v.literal('pickColumns') }),
  /** Helps after a failure. */
  v.object({ kind: v.literal('help'), action: v.picklist(['connect', 'diagnostics']) }),
]);
export type Request = v.InferOutput<typeof request>;

/** The answers by kind of request; the others have none. */
const answers = {
  parse: queryModel,
  edit: queryModel,
  narrow: queryModel,
  narrowPattern,
  patterns,
  complete: completions,
  details,
} as const;
export type AnswerOf<Kind extends Request['kind']> = Kind extends keyof typeof answers
  ? v.InferOutput<(typeof answers)[Kind]>
  : null;

/** The state of the page that survives a reload of the window. */
export const pageState = v.object({
  query: text,
  wrap: v.boolean(),
  /** Whether the query ran. */
  ran: v.boolean(),
});
export type PageState = v.InferOutput<typeof pageState>;

const toPanel = v.variant('kind', [
  v.object({ kind: v.literal('ready') }),
  v.object({ kind: v.literal('request'), id: index, request }),
]);
export type ToPanel = v.InferOutput<typeof toPanel>;

const toPage = v.variant('kind', [
  /** The first message: the texts of the page by their ids. */
  v.object({
    kind: v.literal('start'),
    strings: v.record(v.string(), v.string()),
    locale: v.string(),
    /** Whether the histogram is folded. */
    isFolded: v.boolean(),
    layout: listLayout,
    /** The fields and operators of the condition builder. */
    fields: v.array(v.string()),
    operators: v.array(v.string()),
  }),
  v.object({ kind: v.literal('view'), view }),
  /**
   * Rows, oldest first. `replace`: all rows. `older`: rows before the first. `newer`: rows after the
   * last, while `dropped` of the oldest are removed. `update`: neighbors that look different now.
   */
  v.object({
    kind: v.literal('rows'),
    epoch: index,
    change: v.picklist(['replace', 'older', 'newer', 'update']),
    rows: v.array(row),
    dropped: index,
  }),
  /** The panel changed how the list shows records. */
  v.object({ kind: v.literal('layout'), layout: listLayout }),
  /** Shows a query in the query bar; with `isRestart`, Undo does not bring back an earlier one. */
  v.object({ kind: v.literal('query'), text: v.string(), isRestart: v.boolean() }),
  v.object({ kind: v.literal('answer'), id: index, value: v.unknown() }),
  v.object({ kind: v.literal('refusal'), id: index, message: v.string() }),
]);
export type ToPage = v.InferOutput<typeof toPage>;

/** Reads a message of the page; undefined if it is invalid. */
export function readToPanel(value: unknown): ToPanel | undefined {
  const result = v.safeParse(toPanel, value);
  return result.success ? result.output : undefined;
}

/** Reads a message of the panel; undefined if it is invalid. */
export function readToPage(value: unknown): ToPage | undefined {
  const result = v.safeParse(toPage, value);
  return result.success ? result.output : undefined;
}

/**
 * Reads the answer to a request.
 *
 * @throws if it is invalid.
 */
export function readAnswer<Kind extends Request['kind']>(
  kind: Kind,
  value: unknown,
): AnswerOf<Kind> {
  if (!(kind in answers)) return null as AnswerOf<Kind>;
  return v.parse(answers[kind as keyof typeof answers], value) as AnswerOf<Kind>;
}

/** Reads the saved state of the page; undefined if it is invalid. */
export function readPageState(value: unknown): PageState | undefined {
  const result = v.safeParse(pageState, value);
  return result.success ? result.output : undefined;
}
