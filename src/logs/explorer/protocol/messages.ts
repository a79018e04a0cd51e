import * as v from 'valibot';
import {
  listLayout,
  type ListLayout,
  type LogRow,
  type RowSeverity,
  severities,
  type TimeSpan,
  type View,
} from './view';

/**
 * The messages between the page of the Log Explorer and its panel. The panel validates what it receives,
 * because text of others is shown in the page. The page trusts its panel, and shows all text as text. It
 * decides nothing: it gets finished texts, and the text of records is made harmless before it is sent.
 */

// Functions make the schemas of requests: the panel needs them late, and its page never: its bundle leaves out what
// nothing in it uses.

const text = v.pipe(v.string(), v.maxLength(65_536));
/** A count, or an index in a list. */
const index = () => v.pipe(v.number(), v.integer(), v.minValue(0));
/** Milliseconds since 1970. */
const instant = () => v.pipe(index(), v.maxValue(8.64e15));
/** The key of a row. */
const key = () => v.pipe(v.string(), v.maxLength(16));

/** A range of time in the query language; empty if the query has none. */
const range = () =>
  v.object({ last: v.optional(text), from: v.optional(text), to: v.optional(text) });
export type Range = v.InferOutput<ReturnType<typeof range>>;

/** A condition of the builder, for example field `service`, operator `^=`, value `web`. */
const condition = () =>
  v.object({
    /** As in queries, such as `service` or `attr.user`, without quotes. */
    field: text,
    /** One of `builderOperators`. */
    operator: text,
    /** Empty if the operator takes no value. */
    value: text,
  });
export type BuilderCondition = v.InferOutput<ReturnType<typeof condition>>;
const match = () => v.picklist(['and', 'or']);
type Match = v.InferOutput<ReturnType<typeof match>>;

/** The parts of a query, or its errors; with errors, the other parts may be empty. */
export interface QueryModel {
  readonly text: string;
  readonly errors: readonly {
    readonly start: number;
    readonly end: number;
    readonly message: string;
    /** What was probably meant: the words for it, and the whole query with it. */
    readonly fix?: { readonly label: string; readonly text: string };
  }[];
  /** What to know of a query without errors, and a query that says the same without doubt. */
  readonly note?: {
    readonly message: string;
    readonly fix: { readonly label: string; readonly text: string };
  };
  readonly chips: readonly { readonly text: string; readonly joinedBy: Match }[];
  /** Empty means all. */
  readonly severities: readonly RowSeverity[];
  readonly range: Range;
  /** The range as people read it: absolute times in the time zone of the list. */
  readonly shownRange: Range;
  readonly match: Match;
  readonly conditions: readonly BuilderCondition[];
}

/** A change of a query other than by typing. */
const edit = () =>
  v.variant('kind', [
    v.object({ kind: v.literal('removeChip'), index: index() }),
    v.object({ kind: v.literal('severities'), severities: v.array(v.picklist(severities)) }),
    /** Replaces the range of the query. */
    v.object({ kind: v.literal('range'), range: range() }),
    v.object({ kind: v.literal('conditions'), match: match(), conditions: v.array(condition()) }),
    /** Only records with this value; the field as in queries, such as `attr.user`. */
    v.object({ kind: v.literal('only'), field: text, value: text }),
    v.object({ kind: v.literal('exclude'), field: text, value: text }),
    /** Sets the free text; refused if the query has another one. */
    v.object({ kind: v.literal('search'), value: text }),
  ]);
export type Edit = v.InferOutput<ReturnType<typeof edit>>;

/** What can stand at a place of a query. */
export interface QueryCompletions {
  readonly start: number;
  readonly end: number;
  readonly items: readonly {
    readonly kind: 'field' | 'operator' | 'value' | 'name' | 'word';
    readonly label: string;
    readonly text: string;
    readonly detail?: string;
  }[];
  /** Recent queries. */
  readonly recent: readonly string[];
}

/** One field of a record. */
export interface DetailField {
  /** As in queries, without quotes. */
  readonly field: string;
  /** Harmless text. */
  readonly value: string;
  /** Whether the query can require, or exclude, this value. */
  readonly canAdd: boolean;
  readonly canExclude: boolean;
}

/** Pieces of a text; those with a `frame` are links to files of the workspace. */
type Pieces = readonly { readonly text: string; readonly frame?: number }[];

/** What can be shown for a record. */
export interface Capabilities {
  readonly hasTrace: boolean;
  /** Whether the records around it in its container can be requested. */
  readonly hasContext: boolean;
  readonly hasDeployment: boolean;
  readonly hasResource: boolean;
}

export interface Details extends Capabilities {
  /** Where the record comes from, with names: each a label and a harmless text. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly fields: readonly DetailField[];
  readonly attributes: readonly DetailField[];
  /** The body as a person reads it: without colors, and a structured one as its message, members and stack. */
  readonly body: Pieces;
  /** The body as it came, JSON formatted; absent if it reads the same. */
  readonly raw?: string;
  /** The records of an entry that has several, each as harmless text with its time. */
  readonly records?: string;
}

/** Records with the same message, apart from numbers, ids and the like. */
export interface ShownPattern {
  /** Identifies the pattern: not for people. */
  readonly key: string;
  /** Harmless text of one line. */
  readonly template: string;
  readonly count: number;
  /** The most severe of its records. */
  readonly severity: RowSeverity;
  /** The number of records over time, in buckets of equal length. */
  readonly counts: readonly number[];
  /** The formatted times of its first and last record, complete and as short as possible. */
  readonly times: string;
  readonly shortTimes: string;
  /** Whether its records are hidden in the list. */
  readonly isHidden: boolean;
}

export interface ShownPatterns {
  /** The most frequent ones, the most frequent first. */
  readonly patterns: readonly ShownPattern[];
  /** The number of all patterns, and of the grouped records. */
  readonly count: number;
  readonly records: number;
}

/** A record of a trace, or several that are too near to each other to be told apart. */
export interface WaterfallTick {
  /** The key of the row of the record: of several, the first of the most severe ones. */
  readonly key: string;
  /** In milliseconds after the first record of the trace. */
  readonly at: number;
  readonly count: number;
  readonly severity: RowSeverity;
}

/** The records of a trace, of a workload in it, or of a span in that. Times are milliseconds after its first record. */
export interface WaterfallRow {
  /** Of the trace, of a workload, of a span. */
  readonly level: number;
  /** The name of the workload; empty for the trace. Harmless text of one line. */
  readonly name: string;
  /** The id of the span that all records have. Harmless text of one line. */
  readonly span?: string;
  /** When its first and its last record are. */
  readonly from: number;
  readonly to: number;
  readonly records: number;
  readonly errors: number;
  readonly warnings: number;
  readonly ticks: readonly WaterfallTick[];
  /** Where it has no records for long. */
  readonly silences: readonly TimeSpan[];
  /** How many spans of the workload have no row. */
  readonly hiddenSpans: number;
}

/** The loaded records of a trace over its time, by workload and span. */
export interface Waterfall {
  /** When its first record is, in milliseconds since 1970. */
  readonly from: number;
  /** From there to its last record, in milliseconds. */
  readonly length: number;
  readonly rows: readonly WaterfallRow[];
  /** How many records have no valid time, and how many workloads have no row. */
  readonly untimed: number;
  readonly hiddenWorkloads: number;
}

/** The requests of the page. Each gets an answer or a refusal. */
const request = () =>
  v.variant('kind', [
    /** Parses a query. `run`: and runs it, once parsed, if it has no errors. */
    v.object({ kind: v.literal('parse'), text, run: v.optional(v.boolean()) }),
    v.object({ kind: v.literal('edit'), text, edit: edit() }),
    v.object({ kind: v.literal('complete'), text, offset: index() }),
    v.object({ kind: v.literal('older') }),
    v.object({ kind: v.literal('newer') }),
    /** Loads the rest of the range, up to a bound. */
    v.object({ kind: v.literal('loadWhole') }),
    /** Stops loading; loaded records stay. */
    v.object({ kind: v.literal('cancel') }),
    /** Follows new records, or resumes. */
    v.object({ kind: v.literal('follow') }),
    v.object({ kind: v.literal('pause') }),
    v.object({ kind: v.literal('stop') }),
    v.object({ kind: v.literal('details'), key: key() }),
    v.object({ kind: v.literal('copyJson'), key: key() }),
    v.object({ kind: v.literal('copyLine'), key: key() }),
    /** The value of a field as the server sent it. */
    v.object({ kind: v.literal('copyValue'), key: key(), field: text }),
    /** Adds a condition on the value of a field, as the server sent it, to a query. */
    v.object({
      kind: v.literal('narrow'),
      text,
      key: key(),
      field: text,
      how: v.picklist(['only', 'exclude']),
    }),
    v.object({ kind: v.literal('openFrame'), key: key(), frame: index() }),
    /** Runs a command for a record that its menu has, too. */
    v.object({
      kind: v.literal('runCommand'),
      key: key(),
      command: v.picklist(['goToLogStatement', 'copyRecordLink', 'togglePin']),
    }),
    v.object({
      kind: v.literal('reveal'),
      key: key(),
      what: v.picklist(['deployment', 'resource']),
    }),
    /** Searches for all records of the trace of a record. */
    v.object({ kind: v.literal('trace'), key: key() }),
    /** Shows the records around this one in its container. */
    v.object({ kind: v.literal('context'), key: key() }),
    /** Goes back to what was shown before. */
    v.object({ kind: v.literal('back') }),
    /** Both use the query in the query bar, which may not have run. */
    v.object({ kind: v.literal('save'), text }),
    v.object({ kind: v.literal('copyLink'), text }),
    /**
     * Asks what to compare a query with. `outer`: the range that the user zoomed in from. With `at`, in milliseconds
     * since 1970, its records since then are compared with those before.
     */
    v.object({
      kind: v.literal('compare'),
      text,
      outer: v.optional(range()),
      at: v.optional(instant()),
    }),
    /** Both use the records that are shown. */
    v.object({ kind: v.literal('export') }),
    v.object({ kind: v.literal('openAsText') }),
    /** Groups the loaded records by pattern. */
    v.object({ kind: v.literal('patterns') }),
    /** Arranges the loaded records of a trace over its time. */
    v.object({ kind: v.literal('waterfall') }),
    /** Adds a pattern to a query, or excludes it. */
    v.object({
      kind: v.literal('narrowPattern'),
      text,
      key: v.string(),
      how: v.picklist(['only', 'exclude']),
    }),
    v.object({ kind: v.literal('foldHistogram'), isFolded: v.boolean() }),
    /** Whether the bars are shown, and with them the deployments. */
    v.object({ kind: v.literal('showBars'), areShown: v.boolean() }),
    /** Remembers how the list shows records, and sends the values of new columns. */
    v.object({ kind: v.literal('layOut'), layout: listLayout() }),
    /** Asks the user which columns to show. */
    v.object({ kind: v.literal('pickColumns') }),
    /** Helps after a failure. */
    v.object({ kind: v.literal('help'), action: v.picklist(['connect', 'diagnostics']) }),
  ]);
export type Request = v.InferOutput<ReturnType<typeof request>>;

/** The answers by kind of request; the others have none. */
export interface Answers {
  readonly parse: QueryModel;
  readonly edit: QueryModel;
  readonly narrow: QueryModel;
  /** The changed query; undefined if the list was narrowed instead, which the note explains. */
  readonly narrowPattern: { readonly query?: QueryModel; readonly note: string };
  readonly patterns: ShownPatterns;
  /** Null if other records are shown by now. */
  readonly waterfall: Waterfall | null;
  readonly complete: QueryCompletions;
  readonly details: Details;
}

/** The result of a message without an answer is ignored. */
type Handled<Kind, Answers> = Kind extends keyof Answers ? Answers[Kind] : unknown;

/** Handles messages by their kinds. `Answers`: by the kinds of the requests that have one. */
export type HandlersOf<Message extends { readonly kind: string }, Answers = object> = {
  readonly [Kind in Message['kind']]: (
    message: Extract<Message, { readonly kind: Kind }>,
  ) => Handled<Kind, Answers> | Promise<Handled<Kind, Answers>>;
};

/** Calls the handler of a message, and returns and throws what it does. */
export function handleMessage<Message extends { readonly kind: string }>(
  handlers: HandlersOf<Message>,
  message: Message,
): unknown {
  const kind: Message['kind'] = message.kind;
  // The handler of the kind takes its message; TypeScript cannot know that.
  const handler = handlers[kind] as (message: Message) => unknown;
  return handler(message);
}

/** Handles each request; the words of an error go to the page. */
export type Handlers = HandlersOf<Request, Answers>;

/** The state of the page that survives a reload of the window. */
const pageState = v.object({
  query: text,
  wrap: v.boolean(),
  /** Whether the query ran. */
  ran: v.boolean(),
});
export type PageState = v.InferOutput<typeof pageState>;

/** A message of a page: that it is ready, or a request. */
export type ToPanel<Asked = Request> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'request'; readonly id: number; readonly request: Asked };

/** The first message: what the page needs to build itself. */
export interface StartMessage {
  readonly kind: 'start';
  /** The texts of the page by their ids. */
  readonly strings: Readonly<Record<string, string>>;
  readonly locale: string;
  /** Whether the user folded the histogram, or unfolded it; undefined: neither. */
  readonly isFolded: boolean | undefined;
  readonly layout: ListLayout;
  /** The fields and operators of the condition builder. */
  readonly fields: readonly string[];
  readonly operators: readonly string[];
}

/**
 * Rows, oldest first. `replace`: all rows. `older`: rows before the first. `newer`: rows after the last,
 * while `dropped` of the oldest are removed. `update`: neighbors that look different now.
 */
export interface RowsMessage {
  readonly kind: 'rows';
  readonly epoch: number;
  readonly change: 'replace' | 'older' | 'newer' | 'update';
  readonly rows: readonly LogRow[];
  readonly dropped: number;
}

export type ToPage =
  | StartMessage
  | { readonly kind: 'view'; readonly view: View }
  | RowsMessage
  /** Selects a row, and shows it. */
  | { readonly kind: 'select'; readonly key: string }
  /** The panel changed how the list shows records. */
  | { readonly kind: 'layout'; readonly layout: ListLayout }
  /** Shows a query in the query bar; with `isRestart`, Undo does not bring back an earlier one. */
  | { readonly kind: 'query'; readonly text: string; readonly isRestart: boolean }
  | Reply;

/** What every page takes. */
export type Reply =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly message: string }
  /** Something went wrong that no request of the page waits for. */
  | { readonly kind: 'problem'; readonly message: string };

/** A message of the page, or what is known of one that is invalid. */
export type Received<Asked = Request> =
  ToPanel<Asked> | { readonly kind: 'invalid'; readonly id: number | undefined };

/** Makes the function that reads the messages of a page by the schema of its requests. */
export function messageReader<Asked>(
  requests: () => v.GenericSchema<unknown, Asked>,
): (value: unknown) => Received<Asked> {
  const make = () =>
    v.variant('kind', [
      v.object({ kind: v.literal('ready') }),
      v.object({ kind: v.literal('request'), id: index(), request: requests() }),
    ]);
  let toPanel: ReturnType<typeof make> | undefined;
  return (value) => {
    const result = v.safeParse((toPanel ??= make()), value);
    if (result.success) return result.output;
    const withId = v.safeParse(v.object({ kind: v.literal('request'), id: index() }), value);
    return { kind: 'invalid', id: withId.success ? withId.output.id : undefined };
  };
}

/** Reads a message of the page of the Log Explorer. */
export const readToPanel = /* @__PURE__ */ messageReader<Request>(request);

/** Reads the saved state of the page; undefined if it is invalid. */
export function readPageState(value: unknown): PageState | undefined {
  const result = v.safeParse(pageState, value);
  return result.success ? result.output : undefined;
}
