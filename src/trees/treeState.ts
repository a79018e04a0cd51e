import { failedAs } from '../api/errors';
import type { Permission } from '../api/types';
import { membersOf } from '../base/json';
import { getOrMake } from '../base/maps';
import type { SessionState } from '../connection/connections';
import { listings } from '../data/listings';
import { isRefusal, type CacheKey, cacheKeyId, type ListingReader } from '../data/store';

/** A key whose last request failed. */
export interface KeyProblem {
  readonly key: CacheKey;
  readonly error: unknown;
  /** The permission that the API key lacks: every request that needs it was refused. */
  readonly permission?: Permission;
  /** The permission that was refused for this object only. */
  readonly refused?: Permission;
  /** When the value on screen arrived, in milliseconds since 1970 by the control plane's clock; absent if there is none. */
  readonly at?: number;
}

/** Why a view is empty, or the problems to report above its rows. */
export type ViewState =
  | { readonly kind: 'notConnected' }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'loading' }
  /** Nothing is known and nothing failed: discover or add something. */
  | { readonly kind: 'empty' }
  /** The filter hides everything. */
  | { readonly kind: 'noMatch' }
  /** What the open folder deploys is to be shown, and not known. */
  | { readonly kind: 'noSource' }
  | { readonly kind: 'missingPermission'; readonly permission: Permission }
  /** There is nothing to show because of this error. */
  | { readonly kind: 'unreachable'; readonly error: unknown }
  /** There are rows; values from before a failure stay. */
  | { readonly kind: 'shown'; readonly problems: readonly KeyProblem[] };

/**
 * @param cacheKeys what the view requests: its own keys and those of its expanded nodes.
 * @param essential the keys of which at least one needs a value before there is anything to show. Empty: none.
 * @param roots how many are shown, and how many there are without the filter.
 */
export function treeState(
  session: SessionState['kind'],
  store: ListingReader,
  cacheKeys: readonly CacheKey[],
  essential: readonly CacheKey[],
  { shown, all }: { readonly shown: number; readonly all: number },
): ViewState {
  if (session === 'none') return { kind: 'notConnected' };
  if (session === 'signedOut') return { kind: 'signedOut' };
  if (all === 0) return { kind: 'empty' };
  if (essential.length > 0 && essential.every((key) => store.entry(key).value === undefined)) {
    const problems = problemsOf(store, essential);
    if (problems.length === 0) return { kind: 'loading' };
    // If only single objects were refused, or are not known here, their rows say so.
    const problem = problems.find((one) => one.refused === undefined && !isUnknownHere(one));
    if (problem?.permission !== undefined) {
      return { kind: 'missingPermission', permission: problem.permission };
    }
    if (problem !== undefined) return { kind: 'unreachable', error: problem.error };
  }
  if (shown === 0) return { kind: 'noMatch' };
  return { kind: 'shown', problems: problemsOf(store, cacheKeys, essential) };
}

/**
 * The keys whose last request failed. The API key lacks a permission if a whole listing was refused, or
 * more than one object and none was allowed.
 *
 * @param others more keys that show what is allowed and what is refused.
 */
function problemsOf(
  store: ListingReader,
  keys: readonly CacheKey[],
  others: readonly CacheKey[] = [],
): readonly KeyProblem[] {
  const all = [...new Map([...keys, ...others].map((key) => [cacheKeyId(key), key])).values()];
  const isMissing = (permission: Permission): boolean => {
    const same = all.filter(({ kind }) => listings[kind].permission === permission);
    const refused = same.filter((key) => isRefusal(store.entry(key).error));
    const isAllowed = same.some((key) => {
      const { error, value } = store.entry(key);
      return error === undefined && value !== undefined;
    });
    return (
      !isAllowed && (refused.length > 1 || refused.some(({ kind }) => listings[kind].isOfWorkspace))
    );
  };
  const missing = new Map<Permission, boolean>();
  return keys.flatMap((key) => {
    const { error, value, at } = store.entry(key);
    const { permission, hidden } = listings[key.kind];
    if (error === undefined || hidden === undefined) return [];
    if (!missing.has(permission)) missing.set(permission, isMissing(permission));
    const denial = missing.get(permission) ? { permission } : { refused: permission };
    return {
      key,
      error,
      ...(isRefusal(error) ? denial : {}),
      ...(value === undefined || at === undefined ? {} : { at }),
    };
  });
}

/** Whether this connection has no such object, such as one of another connection or of a list that a folder shares. */
function isUnknownHere({ key, error }: KeyProblem): boolean {
  return failedAs(error, 'notFound') && !listings[key.kind].isOfWorkspace;
}

/** What to report above the rows of a tree. */
export interface ViewNotice {
  /** When the oldest value that is still shown after a failure arrived, in milliseconds since 1970 by the control plane's clock. */
  readonly staleSince?: number;
  /** The first error that is not a refusal; what is not known here has a row that says so. */
  readonly error?: unknown;
  readonly missing: readonly MissingPermission[];
  /** What was refused for single objects. */
  readonly refused: readonly Refusal[];
}

export interface Refusal {
  readonly permission: Permission;
  readonly cacheKeys: readonly CacheKey[];
}

export interface MissingPermission {
  readonly permission: Permission;
  /** Whether something is hidden; otherwise everything is shown but no longer updated. */
  readonly isHiding: boolean;
}

/**
 * What to report above the rows. Undefined if there is no problem of this view alone, or if there are no rows: VS Code
 * hides the welcome text of a view that has a message.
 */
export function viewMessage(state: ViewState): ViewNotice | undefined {
  if (state.kind !== 'shown') return undefined;
  // The status bar says once for all views that nothing can be reached.
  const problems = state.problems.filter(({ error }) => !failedAs(error, 'unreachable'));
  if (problems.length === 0) return undefined;
  const times = problems.flatMap(({ at }) => at ?? []);
  const other = problems.find(
    (one) => (one.permission ?? one.refused) === undefined && !isUnknownHere(one),
  );
  const refusals = new Map<Permission, CacheKey[]>();
  const missing = new Map<Permission, boolean>();
  for (const { permission, refused, key, at } of problems) {
    if (refused !== undefined) getOrMake(refusals, refused, () => []).push(key);
    if (permission === undefined) continue;
    missing.set(permission, (missing.get(permission) ?? false) || at === undefined);
  }
  return {
    ...(times.length === 0 ? {} : { staleSince: Math.min(...times) }),
    ...(other === undefined ? {} : { error: other.error }),
    missing: [...missing].map(([permission, isHiding]) => ({ permission, isHiding })),
    refused: [...refusals].map(([permission, cacheKeys]) => ({ permission, cacheKeys })),
  };
}

/** Why nothing could be loaded, in the kinds that have a welcome text. */
function outageOf(error: unknown): 'network' | 'key' | 'busy' | 'server' | 'answer' {
  if (failedAs(error, 'unreachable')) return 'network';
  if (failedAs(error, 'signedOut', 'unknownKey')) return 'key';
  if (failedAs(error, 'rateLimited')) return 'busy';
  return failedAs(error, 'serverFailed') ? 'server' : 'answer';
}

/**
 * The value of the context key that chooses the welcome text of a view: the kind of the state, plus
 * the missing permission or the kind of outage.
 */
export function welcomeKey(state: ViewState): string {
  if (state.kind === 'missingPermission') return `missingPermission ${state.permission}`;
  return state.kind === 'unreachable' ? `unreachable ${outageOf(state.error)}` : state.kind;
}

/**
 * The accessibility help of all views, as Markdown.
 *
 * @param manifest package.json as VS Code reads it, with texts in the user's language.
 */
export function accessibilityHelp(manifest: unknown): string {
  const { views } = membersOf(membersOf(manifest)['contributes']);
  return Object.values(membersOf(views))
    .flat()
    .flatMap((view) => {
      const { name, accessibilityHelpContent: help } = membersOf(view);
      if (typeof name !== 'string' || typeof help !== 'string') return [];
      return `# ${name}\n\n${withoutKeys(help)}\n`;
    })
    .join('\n');
}

/** Leaves out the keys of commands, because only VS Code knows them. */
function withoutKeys(help: string): string {
  return help.replace(/\s*<keybinding:[^>]*>/g, '').replace(/\n- /, '\n\n- ');
}
