import { hash, type Random } from './random';

/** Allowed by the document, but inconvenient; each is off unless set. */
export interface Unkindness {
  /** 409 `operation_in_progress` for an idempotency key until its operation ends. */
  readonly inProgress?: boolean;
  /** A refused cursor is 400 `invalid_request`, without mention of a cursor. */
  readonly vagueCursors?: boolean;
  /** The `followCursor` of a page is refused as the cursor of a `newer` query. */
  readonly refusesFollowCursors?: boolean;
  /** States, kinds and severities have unknown values: `new-` and the known one. */
  readonly unknownValues?: boolean;
  /**
   * Every object has one more member, except for maps whose members are data, and `localization`,
   * to which the document allows no other. A text is its value, by which a test identifies this
   * control plane.
   */
  readonly extraMembers?: boolean | string;
  /** Unset timestamps are "" or 0001-01-01T00:00:00Z instead of missing. */
  readonly unsetTimes?: 'empty' | 'zero';
  /** A query for more records than this is refused with 413. */
  readonly largestPage?: number;
  /** 403 for requests that name one of these ids in the path, the parameters or the filters. */
  readonly forbiddenIds?: readonly string[];
  /** A longer range from `from` to `to` is refused with 400. */
  readonly longestRangeSeconds?: number;
  /** The most records in a page of a query, whatever the limit of the request (500). */
  readonly queryPage?: number;
  /** The most records in a page of a stream (500). */
  readonly streamPage?: number;
  /** The most requests within any minute; more are refused with 429 and the time until there is room. */
  readonly perMinute?: {
    /** Of each key. */
    readonly key?: number;
    readonly workspace?: number;
  };
  /** No page of another origin may send a request (CORS). */
  readonly noOtherOrigins?: boolean;
  /** A cursor is refused with 410 so many seconds after it was issued. */
  readonly cursorSeconds?: number;
  /** The fractions of the timestamps of new records: none, or any number of digits. */
  readonly fractions?: 'none' | 'any';
  /** New records are stamped up to so many seconds earlier, so they come in another order. */
  readonly lateSeconds?: number;
  /** Each answer, except a stream, takes so long to begin. */
  readonly latencyMs?: number;
  /** Each answer, except a stream, arrives in pieces of `bytes`, `ms` apart. */
  readonly drip?: { readonly bytes: number; readonly ms: number };
  /**
   * The share of the members that are missing, from 0 to 1, and always the same ones. Only log pages and
   * records, their `localization` and errors are whole, as the document says.
   */
  readonly missing?: number;
  /** How far the server's clock is ahead of the one that a test has. */
  readonly aheadSeconds?: number;
  /** A page of a search with more behind it has no cursor. */
  readonly noNextCursor?: boolean;
  /** The access revision of a stream is another one than that of a query. */
  readonly streamRevision?: boolean;
}

const states = new Set([
  ...['severity', 'state', 'phase', 'evaluationState', 'desiredState', 'observedState'],
  ...['driftStatus', 'healthStatus', 'ingressStatus', 'kind', 'deployableKind', 'trigger'],
  ...['category', 'provider', 'stage'],
]);

/** Objects whose members are data. */
const maps = new Set(['attributes', 'timestamps', 'providers', 'arguments', 'inheritedOrigins']);

/** Times that may be unset, by the member that has the object. */
const times: Readonly<Record<string, readonly string[]>> = {
  operation: ['startedAt', 'finishedAt', 'deletedAt', 'cancelRequestedAt'],
  deployments: ['startedAt', 'finishedAt'],
  resources: ['archivedAt'],
  environment: ['disconnectedAt'],
  rules: ['deletedAt'],
};

/**
 * An answer with the changes of values that the server is set to make; the same object if there are
 * none.
 */
export function unkindly(
  answer: object,
  { unknownValues, extraMembers, unsetTimes, missing = 0 }: Unkindness,
): object {
  if (!unknownValues && !extraMembers && !unsetTimes && missing === 0) return answer;
  // Of the log page, the log record and the error object, all members are required.
  const isWhole = 'followCursor' in answer || 'error' in answer;
  const share = isWhole ? 0 : missing;
  const since = typeof extraMembers === 'string' ? extraMembers : '3.0';
  const unset = unsetTimes === 'zero' ? '0001-01-01T00:00:00Z' : '';

  function change(value: unknown, name: string): unknown {
    if (Array.isArray(value)) return value.map((item) => change(item, name));
    if (typeof value === 'string') {
      return unknownValues && states.has(name) ? `new-${value}` : value;
    }
    if (typeof value !== 'object' || value === null || name === 'localization') return value;
    const { id } = value as { readonly id?: unknown };
    const members = Object.entries(value)
      .filter(([member]) => hash(`${name} ${String(id)} ${member}`) >= share * 2 ** 32)
      .map(([member, one]) => [member, change(one, member)]);
    const unsetMembers = unsetTimes
      ? (times[name] ?? []).filter((time) => Reflect.get(value, time) === undefined)
      : [];
    return {
      ...Object.fromEntries(members),
      ...Object.fromEntries(unsetMembers.map((time) => [time, unset])),
      ...(extraMembers && !maps.has(name) ? { newMember: { since } } : {}),
    };
  }
  return change(answer, '') as object;
}

/** The timestamp of a new record as the server is set to make it. */
export function unkindTime(
  timestamp: string,
  { fractions, lateSeconds = 0 }: Unkindness,
  random: Random,
): string {
  if (fractions === undefined && lateSeconds === 0) return timestamp;
  const late = lateSeconds === 0 ? 0 : random.int(lateSeconds * 1000);
  const time = new Date(Date.parse(timestamp) - late).toISOString();
  if (fractions === undefined) return time;
  const digits = fractions === 'none' ? 0 : random.int(10);
  const fraction = `${time.slice(20, 23)}${String(random.int(1e6)).padStart(6, '0')}`;
  return `${time.slice(0, 19)}${digits === 0 ? '' : `.${fraction.slice(0, digits)}`}Z`;
}
