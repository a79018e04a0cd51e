import type { Permission } from '../../api/types';
import type { Store } from '../store';
import { isMissingPermission, permissionOf, type Topic } from '../resourceKeys';

/** A topic of which the last try failed. */
export interface TopicProblem {
  readonly topic: Topic;
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
  readonly topics: readonly Topic[];
  /**
   * Of the topics those without which the view has nothing to show; where none of them has an answer
   * the view is not shown. Left out where it always has: its rows come from the settings.
   */
  readonly essential?: readonly Topic[];
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
  topics: readonly Topic[],
  all: readonly Topic[] = topics,
): readonly TopicProblem[] {
  const allowed = new Set(
    all
      .filter((topic) => {
        const { error, value } = store.known(topic);
        return error === undefined && value !== undefined;
      })
      .map(permissionOf),
  );
  const refusalOf = (topic: Topic): Pick<TopicProblem, 'permission' | 'refused'> => {
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
