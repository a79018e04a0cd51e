/** What the document leaves open and a server may do; each is off unless it is set. */
export interface Unkindness {
  /** 409 `operation_in_progress` for an idempotency key as long as its operation is not over. */
  readonly inProgress?: boolean;
  /** 422 instead of 409 for an idempotency key that came with another request. */
  readonly reusedKey?: 422;
  /** A refused cursor is 400 `invalid_request`, and nothing says that it is about a cursor. */
  readonly vagueCursors?: boolean;
  /** The `followCursor` of a page is refused as the cursor of a `newer` query. */
  readonly refusesFollowCursors?: boolean;
  /** States, kinds and severities are ones that nobody has heard of: `new-` and the known one. */
  readonly unknownValues?: boolean;
  /** Every object has a member more, but for maps whose members are data, and for `localization`, to
   * which the document allows no other. A text is its value, by which a test tells what came from this
   * control plane. */
  readonly extraMembers?: boolean | string;
  /** Timestamps that are not set come as "" or 0001-01-01T00:00:00Z instead of not at all. */
  readonly unsetTimes?: 'empty' | 'zero';
  /** A query for more records than this is refused by 413. */
  readonly largestPage?: number;
  /** 403 for whatever names one of these ids in its path, its parameters or its filters. */
  readonly forbiddenIds?: readonly string[];
  /** A longer range from `from` to `to` is refused by 400. */
  readonly longestRangeSeconds?: number;
  /** A page of a query has at most so many records, whatever was asked for (500). */
  readonly queryPage?: number;
  /** A page of a stream has at most so many (500). */
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

/** What may be unset, by the member that has the object. */
const times: Readonly<Record<string, readonly string[]>> = {
  operation: ['startedAt', 'finishedAt', 'deletedAt', 'cancelRequestedAt'],
  deployments: ['startedAt', 'finishedAt'],
  resources: ['archivedAt'],
  environment: ['disconnectedAt'],
  rules: ['deletedAt'],
};

/** An answer as it becomes by what the server does with values; the same one where that is nothing. */
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
