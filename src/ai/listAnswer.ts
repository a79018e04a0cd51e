import { untilAborted } from '../base/clock';
import { permissionOf, type CacheKey } from '../data/cacheKeys';
import type { CacheEntry, Store } from '../data/store';
import { count, type Entry, type ToolAnswer } from './answer';
import { problemAnswer } from './toolProblems';

/** A resource to list, such as the alert rules of a server. */
interface ListedTopic<T> {
  readonly topic: CacheKey;
  readonly known: () => CacheEntry<T>;
  /** Its name and id. */
  readonly head?: () => object;
}

/**
 * Refreshes resources and lists what they contain. If some of them fail, the answer says how many and
 * why.
 *
 * @throws the signal's reason.
 */
export async function listing<T>(
  store: Store,
  places: readonly ListedTopic<T>[],
  noun: string,
  outlinesOf: (value: T) => readonly object[],
  signal: AbortSignal,
): Promise<ToolAnswer> {
  await untilAborted(store.refreshAll(places.map(({ topic }) => topic)), signal);
  const entries: Entry[] = [];
  let found = 0;
  const problems: ToolAnswer[] = [];
  for (const { topic, known, head } of places) {
    const { value, error } = known();
    // A model would take an old value for the current one.
    if (error !== undefined) problems.push(problemAnswer(error, permissionOf(topic)));
    else if (value !== undefined) {
      const outlines = outlinesOf(value);
      found += outlines.length;
      entries.push(...(head === undefined ? [] : [head()]), ...outlines);
    }
  }
  const [problem] = problems;
  if (problem !== undefined && problems.length === places.length) return problem;
  return {
    words: [
      `${count(found, noun)} found, one per line as JSON; unknown values are left out.`,
      ...(problem === undefined
        ? []
        : [
            `${problems.length} of ${places.length} places could not be read. ${problem.words.join(' ')}`,
          ]),
    ],
    data: { entries, keep: 'first', noun: 'line' },
  };
}
