import type { ErrorKind } from './errorKind';

/** Finds the kinds that became new since the last look. */
export interface NewKinds {
  /**
   * The kinds that are new now and were not before. None at the first look: what was there when a window
   * opened is no news.
   *
   * @param search identifies what was looked at: another one starts over.
   */
  look(kinds: readonly ErrorKind[], search: unknown): readonly ErrorKind[];
}

/** How many are remembered. Beyond this they are forgotten, and could be reported once more. */
const mostRemembered = 2000;

export function createNewKinds(): NewKinds {
  let known: Set<string> | undefined;
  let before: unknown;
  return {
    look(kinds, search) {
      const isFirst = known === undefined || search !== before;
      before = search;
      if (isFirst || known === undefined || known.size > mostRemembered) known = new Set();
      const fresh = kinds.filter(
        ({ key, change }) => change === 'new' && known?.has(key) === false,
      );
      for (const { key } of fresh) known.add(key);
      return isFirst ? [] : fresh;
    },
  };
}
