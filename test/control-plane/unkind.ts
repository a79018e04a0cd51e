/** Allowed by the document, but inconvenient; each is off unless set. */
export interface Unkindness {
  /** 409 `operation_in_progress` for an idempotency key until its operation ends. */
  readonly inProgress?: boolean;
  /** 422 instead of 409 for an idempotency key that was used for another request. */
  readonly reusedKey?: 422;
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
}

const states = new Set([
  'severity',
  'state',
  'phase',
  'evaluationState',
  'desiredState',
  'observedState',
  'driftStatus',
  'healthStatus',
  'ingressStatus',
  'kind',
  'deployableKind',
  'trigger',
  'category',
  'provider',
  'stage',
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
  { unknownValues, extraMembers, unsetTimes }: Unkindness,
): object {
  if (!unknownValues && !extraMembers && !unsetTimes) return answer;
  const since = typeof extraMembers === 'string' ? extraMembers : '3.0';
  const unset = unsetTimes === 'zero' ? '0001-01-01T00:00:00Z' : '';

  function change(value: unknown, name: string): unknown {
    if (Array.isArray(value)) return value.map((item) => change(item, name));
    if (typeof value === 'string') {
      return unknownValues && states.has(name) ? `new-${value}` : value;
    }
    if (typeof value !== 'object' || value === null || name === 'localization') return value;
    const members = Object.entries(value).map(([member, one]) => [member, change(one, member)]);
    const missing = unsetTimes
      ? (times[name] ?? []).filter((time) => Reflect.get(value, time) === undefined)
      : [];
    return {
      ...Object.fromEntries(members),
      ...Object.fromEntries(missing.map((time) => [time, unset])),
      ...(extraMembers && !maps.has(name) ? { newMember: { since } } : {}),
    };
  }
  return change(answer, '') as object;
}
