import type { Permission } from '../api/types';
import type { TopicProblem, ViewState } from './viewState';

/** What the line above the rows of a tree has to say. */
export interface ViewNotice {
  /** When the oldest of what is shown in spite of a failure came, in wall-clock milliseconds. */
  readonly staleSince?: number;
  /** Why the last try failed, where it was not for a missing permission: the first of several. */
  readonly error?: unknown;
  readonly missing: readonly MissingPermission[];
}

export interface MissingPermission {
  readonly permission: Permission;
  /** Whether something is not there for want of it; else what was there before still is. */
  readonly isHiding: boolean;
}

/** Undefined where all is well, and where the welcome text says it all. */
export function viewNotice(state: ViewState): ViewNotice | undefined {
  switch (state.kind) {
    case 'unreachable':
      // The welcome text offers the way out, but texts of a manifest cannot say what happened.
      return { error: state.error, missing: [] };
    case 'shown':
      return state.problems.length === 0 ? undefined : noticeOf(state.problems);
    case 'notConnected':
    case 'signedOut':
    case 'loading':
    case 'empty':
    case 'noMatch':
    case 'missingPermission':
      return undefined;
  }
}

function noticeOf(problems: readonly TopicProblem[]): ViewNotice {
  const times = problems.flatMap(({ at }) => at ?? []);
  const other = problems.find(({ permission }) => permission === undefined);
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
  };
}

/**
 * The value of the context key that chooses the welcome text of a view: the kind of its state, and
 * the permission that is missing, each of which hides other things.
 */
export function welcomeKey(state: ViewState): string {
  return state.kind === 'missingPermission' ? `missingPermission ${state.permission}` : state.kind;
}
