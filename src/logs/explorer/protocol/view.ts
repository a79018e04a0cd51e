import * as v from 'valibot';

/** A range of time, in milliseconds since 1970. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** The number of records by time and severity. */
export interface HistogramData {
  /** When each bar begins, in milliseconds since 1970, and after them the end of the last one. */
  readonly starts: readonly number[];
  /** The length of a bar in milliseconds, except where a clock changes. */
  readonly length: number;
  /** One list per bar, in the order of `severities`. */
  readonly counts: readonly (readonly number[])[];
  /** The time zone of the axis: an IANA name. */
  readonly timeZone: string;
  /** The part of the axis whose records are loaded; the rest is not known. */
  readonly loaded: TimeSpan;
  /** Whether more of the range can be loaded, the whole is being loaded, or that stopped at its bound. */
  readonly rest?: 'canLoad' | 'loading' | 'stopped';
  /** The deployments of the shown workloads, oldest first; absent if there are none. */
  readonly deployments?: readonly DeploymentMark[];
}

/** A deployment on the axis. */
export interface DeploymentMark {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly outcome: 'succeeded' | 'failed' | 'running' | 'cancelled' | 'unknown';
  /** Its workload, commit, environment, outcome and time. Harmless text of one line. */
  readonly text: string;
}

/** The text at an end of the list, and whether more records can be loaded there. */
export interface ListEnd {
  readonly text: string;
  readonly canLoad: boolean;
  /** Whether more records are loaded only on request, not by scrolling. */
  readonly isOnRequest?: boolean;
  /** Whether records are being loaded there; the text is the progress. */
  readonly isLoading?: boolean;
}

/** Everything but the rows. Sent as a whole after each change. */
export interface View {
  /** The epoch of the rows; rows of an older epoch are stale. */
  readonly epoch: number;
  readonly state: 'notConnected' | 'signedOut' | 'idle' | 'loading' | 'ready' | 'failed';
  /** The time of the control plane's clock, in milliseconds since 1970. */
  readonly serverNow: number;
  /** The query that ran. */
  readonly query: string;
  /** The text that the bodies of its records contain, in either letter case. */
  readonly searched?: string;
  /** Whether it is the one for what is deployed from the folder. */
  readonly isFromFolder?: boolean;
  /** The title of what is shown in place of the results, such as the context of a record. */
  readonly title?: string;
  /** Whether there are records, and all are of one trace. */
  readonly isTrace?: boolean;
  /** The key of the row to select and show, such as the one in the middle of its context. */
  readonly focus?: string;
  /** The keys of the rows that are pinned. */
  readonly pins?: readonly string[];
  readonly canGoBack: boolean;
  /** The progress of loading, which can be cancelled. */
  readonly progress?: string;
  /** Whether the progress is a wait. */
  readonly isWaiting?: boolean;
  readonly failure?: { readonly message: string; readonly help: 'connect' | 'diagnostics' };
  readonly older: ListEnd;
  readonly newer: ListEnd;
  /** Why the logs cannot be followed; empty if they can. */
  readonly cannotFollow: string;
  readonly following?: {
    readonly state: 'live' | 'paused' | 'waiting' | 'ended';
    /** Such as `live` or `paused (12 new)`. */
    readonly text: string;
    readonly newRecords: number;
  };
  /** Notes about the records, for example that some are missing. */
  readonly notices: readonly { readonly level: 'info' | 'warning'; readonly text: string }[];
  /** The number of records and their range. */
  readonly summary: string;
  readonly histogram?: HistogramData;
}

export const severities = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'unknown'] as const;
export type RowSeverity = (typeof severities)[number];

/** A record as a row of the list. */
export interface LogRow {
  /** Identifies the row, and its record in requests; our own, since an event id can be any text. */
  readonly key: string;
  /** Milliseconds since 1970; null if the timestamp is invalid. */
  readonly at: number | null;
  /** The formatted time. */
  readonly time: string;
  readonly severity: RowSeverity;
  /** The severity as the server sent it, if it is unknown. Harmless text of one line. */
  readonly severityText?: string;
  /** The stream, if the severity is not that of the control plane, which only repeats it. Harmless text of one line. */
  readonly stream?: string;
  /** The name of the workload, and of the preview if it is one. */
  readonly workload: string;
  /** Harmless text, possibly with line breaks. */
  readonly body: string;
  /** Styled parts of the body: start, end (in UTF-16 units) and classes, as in `CellSpan`. */
  readonly spans?: readonly (readonly [start: number, end: number, style: string])[];
  /** The values of further columns by field, without those that the record does not have. Harmless text. */
  readonly values?: Readonly<Record<string, string>>;
  /** The id of its trace, if filters accept it. */
  readonly trace?: string;
  /** Whether the records around it can be shown. */
  readonly hasContext: boolean;
}

/** The maximum number of columns, and the longest name of a field that can be one, in UTF-16 units. */
export const mostColumns = 12;
export const longestField = 256;
/** The limits of the width of a column, in characters. */
export const columnWidth = { least: 3, most: 120 } as const;

/** A column of the list. */
const column = () =>
  v.object({
    /** A field as in queries, without quotes, such as `service` or `attr.user`. */
    field: v.pipe(v.string(), v.nonEmpty(), v.maxLength(longestField)),
    /** In characters. A column without it fits its values. */
    width: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(columnWidth.least), v.maxValue(columnWidth.most)),
    ),
  });
export type Column = v.InferOutput<ReturnType<typeof column>>;

const areDifferent = (columns: Column[]): boolean =>
  new Set(columns.map(({ field }) => field)).size === columns.length;

/** How the list shows records. */
export const listLayout = () =>
  v.object({
    /** The columns before the message, which is last and takes the remaining space. */
    columns: v.pipe(v.array(column()), v.maxLength(mostColumns), v.check(areDifferent)),
    time: v.picklist(['absolute', 'relative', 'both']),
    /** Whether the records of a trace are grouped in one row. */
    isByTrace: v.boolean(),
    /** Whether a trace is also shown over its time. Layouts of earlier versions do not say. */
    hasWaterfall: v.optional(v.boolean(), true),
  });
export type ListLayout = v.InferOutput<ReturnType<typeof listLayout>>;

export function readListLayout(stored: unknown): ListLayout | undefined {
  const result = v.safeParse(listLayout(), stored);
  return result.success ? result.output : undefined;
}

/** The columns that every row has a value for. */
export const rowFields = ['timestamp', 'severity', 'workload'] as const;

export const defaultLayout: ListLayout = {
  columns: rowFields.map((field) => ({ field })),
  time: 'absolute',
  isByTrace: false,
  hasWaterfall: true,
};
