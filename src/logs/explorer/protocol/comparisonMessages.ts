import * as v from 'valibot';
import { type HandlersOf, messageReader, type Reply } from './messages';
import type { RowSeverity } from './view';

/** The messages between the page of a comparison and its panel; as strict as those of the Log Explorer. */

const text = v.pipe(v.string(), v.maxLength(65_536));
const side = () => v.picklist(['now', 'before']);
export type SideName = v.InferOutput<ReturnType<typeof side>>;

const request = () =>
  v.variant('kind', [
    /** Asks the user what to compare with. */
    v.object({ kind: v.literal('choose') }),
    /** Reads older records of both sides, or again after a failure. */
    v.object({ kind: v.literal('read') }),
    v.object({ kind: v.literal('cancel') }),
    /** Shows the records of a side, or those of a pattern, in the Log Explorer. */
    v.object({ kind: v.literal('records'), side: side(), key: v.optional(text) }),
    /** What sets the records of a pattern apart. */
    v.object({ kind: v.literal('apart'), key: text }),
    v.object({ kind: v.literal('openCode'), key: text }),
    v.object({ kind: v.literal('openAsText') }),
    v.object({ kind: v.literal('copyLink') }),
    v.object({ kind: v.literal('askChat') }),
    v.object({ kind: v.literal('help'), action: v.picklist(['connect', 'diagnostics']) }),
  ]);
export type ComparisonRequest = v.InferOutput<ReturnType<typeof request>>;

export const readComparisonMessage = /* @__PURE__ */ messageReader<ComparisonRequest>(request);

/** A value that some records have more often, or less often, than the others. Harmless text. */
export interface ApartRow {
  readonly field: string;
  readonly value: string;
  /** From 0 to 1, and in words. */
  readonly share: number;
  readonly otherShare: number;
  readonly shareText: string;
  readonly otherShareText: string;
}

export interface ComparisonAnswers {
  readonly apart: readonly ApartRow[];
}
export type ComparisonHandlers = HandlersOf<ComparisonRequest, ComparisonAnswers>;

/** A side, in words. */
export interface ComparedSideView {
  readonly name: string;
  /** Its range, and what of it was looked at. */
  readonly text: string;
  /** The query that finds its records, with ids. */
  readonly query: string;
}

/** A pattern of either side. */
export interface ChangeRow {
  /** Identifies the pattern: not for people. */
  readonly key: string;
  /** Harmless text of one line. */
  readonly template: string;
  readonly change: 'new' | 'gone' | 'more' | 'fewer' | 'same' | 'rare';
  /** Such as `More ×3.2`. */
  readonly words: string;
  readonly severity: RowSeverity;
  /** By side: the number of records, and their number over time in relation to the most of both sides. */
  readonly counts: Readonly<Record<SideName, string>>;
  readonly times: Readonly<Record<SideName, readonly number[]>>;
  /** The place in the code, such as `src/cart.ts:9`. */
  readonly place?: string;
}

/** Everything that the page shows. */
export interface ComparisonView {
  readonly state: 'notConnected' | 'signedOut' | 'idle' | 'loading' | 'ready' | 'failed';
  /** Changes when something else is compared. */
  readonly epoch: number;
  readonly sides: Readonly<Record<SideName, ComparedSideView>> | undefined;
  readonly summary: string;
  /** While records are read. */
  readonly progress?: string;
  readonly canRead: boolean;
  readonly hasChat: boolean;
  readonly failure?: { readonly message: string; readonly help: 'connect' | 'diagnostics' };
  readonly notices: readonly string[];
  readonly apart: readonly ApartRow[];
  readonly rows: readonly ChangeRow[];
  /** That there are more patterns than rows; empty if not. */
  readonly rest: string;
}

/** The state of the page that survives a reload of the window: the queries of both sides. */
const pageState = v.object({ now: text, before: text });
export type ComparisonState = v.InferOutput<typeof pageState>;

/** Reads the saved state of the page; undefined if it is invalid. */
export function readComparisonState(value: unknown): ComparisonState | undefined {
  const result = v.safeParse(pageState, value);
  return result.success ? result.output : undefined;
}

export type ToComparison =
  | {
      readonly kind: 'start';
      /** The texts of the page by their ids. */
      readonly strings: Readonly<Record<string, string>>;
      readonly locale: string;
    }
  | { readonly kind: 'view'; readonly view: ComparisonView }
  | Reply;
