import { membersOf } from '../api/jsonObject';

/** Deeper than anything of the contract. */
const maxDepth = 8;
/** Members and items of all levels together. */
const maxMembers = 200;
/** In UTF-16 units. */
const maxText = 2000;
/** Of `logs`: what an action printed, which is what a person wants to read of it. */
const maxLogs = 200_000;

/**
 * A copy of an answer that is small enough to be kept, whatever the server sends: long texts are cut,
 * with a `…`, and what is too deep or too much is left out.
 */
export function bounded<T extends object>(value: T): T {
  let members = 0;

  function copy(one: unknown, name: string, depth: number): unknown {
    if (typeof one === 'string') return cut(one, name === 'logs' ? maxLogs : maxText);
    if (typeof one !== 'object' || one === null) return one;
    if (depth >= maxDepth) return undefined;
    if (Array.isArray(one)) {
      const items: readonly unknown[] = one;
      return items.filter(() => ++members <= maxMembers).map((item) => copy(item, '', depth + 1));
    }
    const entries = Object.entries(one)
      .filter(() => ++members <= maxMembers)
      .map(([key, inner]): [string, unknown] => [key, copy(inner, key, depth + 1)])
      .filter(([, inner]) => inner !== undefined);
    // From entries, since an assignment to a member `__proto__` would set the prototype.
    return Object.fromEntries(entries);
  }

  const copied = copy(value, '', 0);
  // Only leaves are cut or left out, which the lenient reading lets be absent.
  return membersOf(copied) as T;
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
}
