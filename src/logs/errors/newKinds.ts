import type { ErrorKind } from './errorKind';

/** Finds the kinds that became new since the last look. */
export interface NewKinds {
  /**
   * The kinds that are new now and were not reported. What was there at the first look is no news until it
   * was gone, even if its deployment is known only later.
   *
   * @param search identifies what was looked at: another one starts over.
   */
  look(kinds: readonly ErrorKind[], search: unknown): readonly ErrorKind[];
}

export function createNewKinds(): NewKinds {
  /** The keys of kinds that are no news, of those that there are: they need no bound of their own. */
  let known: ReadonlySet<string> | undefined;
  let before: unknown;
  return {
    look(kinds, search) {
      const old = search === before ? known : undefined;
      const isNews = ({ key, change }: ErrorKind): boolean => change === 'new' && !old?.has(key);
      const isKnown = (kind: ErrorKind): boolean => old?.has(kind.key) !== false || isNews(kind);
      known = new Set(kinds.filter(isKnown).map(({ key }) => key));
      before = search;
      return old === undefined ? [] : kinds.filter(isNews);
    },
  };
}
