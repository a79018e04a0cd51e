import { ApiError } from '../../api/errors';
import type { Permission } from '../../api/types';
import { isMissingPermission, permissionOf, type ResourceKey } from '../resourceKeys';
import type { Store } from '../store';

/** A topic of which the last try failed. */
export interface TopicProblem {
  readonly topic: ResourceKey;
  readonly error: unknown;
  /** The permission that the key lacks, where that is the reason: nothing that needs it could be had. */
  readonly permission?: Permission;
  /** The permission that is missing for this alone: other things that need it could be had. */
  readonly refused?: Permission;
  /** When what is shown came, in wall-clock milliseconds; absent where nothing is shown. */
  readonly at?: number;
}

/** Why a view is empty, or what its message has to say where it is not. */
export type ViewState =
  | { readonly kind: 'notConnected' }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'loading' }
  /** Nothing is known and nothing failed: discover or add something. */
  | { readonly kind: 'empty' }
  /** The filter hides everything. */
  | { readonly kind: 'noMatch' }
  | { readonly kind: 'missingPermission'; readonly permission: Permission }
  /** Nothing is there, and this is why. */
  | { readonly kind: 'unreachable'; readonly error: unknown }
  /** There is something to see; earlier answers stay in spite of the problems. */
  | { readonly kind: 'shown'; readonly problems: readonly TopicProblem[] };

export interface ViewStateOptions {
  readonly session: 'none' | 'signedOut' | 'signedIn';
  readonly store: Store;
  /** What the view has asked for: its own topics and those of its expanded nodes. */
  readonly topics: readonly ResourceKey[];
  /**
   * Of the topics those without which the view has nothing to show; where none of them has an answer
   * the view is not shown. Left out where it always has: its rows come from the settings.
   */
  readonly essential?: readonly ResourceKey[];
  /** How many roots are shown, and how many there are without the filter. */
  readonly shown: number;
  readonly all: number;
}

export function viewState(options: ViewStateOptions): ViewState {
  const { session, store, topics, essential = [], shown, all } = options;
  if (session === 'none') return { kind: 'notConnected' };
  if (session === 'signedOut') return { kind: 'signedOut' };
  if (all === 0) return { kind: 'empty' };
  const isBlank = essential.every((topic) => store.known(topic).value === undefined);
  if (essential.length > 0 && isBlank) {
    const problem = problemsOf(store, essential)[0];
    if (problem === undefined) return { kind: 'loading' };
    const { permission, error } = problem;
    return permission === undefined
      ? { kind: 'unreachable', error }
      : { kind: 'missingPermission', permission };
  }
  if (shown === 0) return { kind: 'noMatch' };
  return { kind: 'shown', problems: problemsOf(store, topics, [...topics, ...essential]) };
}

/**
 * What of the topics failed in the last try. A refusal is the key's only if nothing else that needs
 * the same permission was allowed.
 *
 * @param all where to look for what was allowed.
 */
export function problemsOf(
  store: Store,
  topics: readonly ResourceKey[],
  all: readonly ResourceKey[] = topics,
): readonly TopicProblem[] {
  const allowed = new Set(
    all
      .filter((topic) => {
        const { error, value } = store.known(topic);
        return error === undefined && value !== undefined;
      })
      .map(permissionOf),
  );
  const refusalOf = (topic: ResourceKey): Pick<TopicProblem, 'permission' | 'refused'> => {
    const permission = permissionOf(topic);
    return allowed.has(permission) ? { refused: permission } : { permission };
  };
  return topics.flatMap((topic) => {
    const { error, value, at } = store.known(topic);
    if (error === undefined) return [];
    return [
      {
        topic,
        error,
        ...(isMissingPermission(error) ? refusalOf(topic) : {}),
        ...(value === undefined || at === undefined ? {} : { at }),
      },
    ];
  });
}

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
  readonly topics: readonly ResourceKey[];
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
export function viewMessage(state: ViewState): ViewNotice | undefined {
  return state.kind === 'shown' && state.problems.length > 0 ? noticeOf(state.problems) : undefined;
}

function noticeOf(problems: readonly TopicProblem[]): ViewNotice {
  const times = problems.flatMap(({ at }) => at ?? []);
  const other = problems.find(({ permission, refused }) => (permission ?? refused) === undefined);
  const refusals = new Map<Permission, ResourceKey[]>();
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
