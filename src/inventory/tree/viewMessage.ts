import { ApiError } from '../../api/errors';
import type { Permission } from '../../api/types';
import type { Topic } from '../resourceKeys';
import type { TopicProblem, ViewState } from './viewState';

/** What the line above the rows of a tree has to say. */
export interface ViewNotice {
  /** When the oldest of what is shown in spite of a failure came, in wall-clock milliseconds. */
  readonly staleSince?: number;
  /** Why the last try failed, where it was not for a missing permission: the first of several. */
  readonly error?: unknown;
  readonly missing: readonly MissingPermission[];
  /** What was refused although the key has the permission for others. */
  readonly refused: readonly Refusal[];
}

export interface Refusal {
  readonly permission: Permission;
  readonly topics: readonly Topic[];
}

export interface MissingPermission {
  readonly permission: Permission;
  /** Whether something is not there for want of it; else what was there before still is. */
  readonly isHiding: boolean;
}

/**
 * Undefined where all is well, and where there are no rows: beside a line of its own an editor shows
 * no welcome text, which has the way out.
 */
export function viewNotice(state: ViewState): ViewNotice | undefined {
  return state.kind === 'shown' && state.problems.length > 0 ? noticeOf(state.problems) : undefined;
}

function noticeOf(problems: readonly TopicProblem[]): ViewNotice {
  const times = problems.flatMap(({ at }) => at ?? []);
  const other = problems.find(({ permission, refused }) => (permission ?? refused) === undefined);
  const refusals = new Map<Permission, Topic[]>();
  for (const { refused, topic } of problems) {
    if (refused !== undefined) refusals.set(refused, [...(refusals.get(refused) ?? []), topic]);
  }
  const missing = new Map<Permission, boolean>();
  for (const { permission, at } of problems) {
    if (permission === undefined) continue;
    missing.set(permission, (missing.get(permission) ?? false) || at === undefined);
  }
  return {
    // The oldest counts: nothing on the screen is older.
    ...(times.length === 0 ? {} : { staleSince: Math.min(...times) }),
    ...(other === undefined ? {} : { error: other.error }),
    missing: [...missing].map(([permission, isHiding]) => ({ permission, isHiding })),
    refused: [...refusals].map(([permission, topics]) => ({ permission, topics })),
  };
}

/** Why nothing could be had, in the kinds that a welcome text can tell apart. */
type Outage =
  /** No answer came. */
  | 'network'
  /** The key is not accepted. */
  | 'key'
  /** Too many requests. */
  | 'busy'
  /** The server failed. */
  | 'server'
  /** It answered something else than the API promises. */
  | 'answer';

function outageOf(error: unknown): Outage {
  if (!(error instanceof ApiError)) return 'answer';
  const { kind, status = 0 } = error;
  if (kind === 'network' || kind === 'timeout') return 'network';
  if (kind === 'signedOut' || status === 401) return 'key';
  if (status === 429) return 'busy';
  return status >= 500 ? 'server' : 'answer';
}

/**
 * The value of the context key that chooses the welcome text of a view: the kind of its state, with
 * the permission that is missing, each of which hides other things, or why nothing could be had.
 */
export function welcomeKey(state: ViewState): string {
  switch (state.kind) {
    case 'missingPermission':
      return `missingPermission ${state.permission}`;
    case 'unreachable':
      return `unreachable ${outageOf(state.error)}`;
    case 'notConnected':
    case 'signedOut':
    case 'loading':
    case 'empty':
    case 'noMatch':
    case 'shown':
      return state.kind;
  }
}
