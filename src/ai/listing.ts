import type { CacheEntry } from '../inventory/cacheEntry';
import { permissionOf, type ResourceKey } from '../inventory/resourceKeys';
import type { Store } from '../inventory/store';
import { count, type ToolAnswer } from './answer';
import { clipped } from './fence';
import { problemAnswer } from './toolProblems';

/** Of one thing, in UTF-16 units. */
const maxEntry = 4000;

/** One place to look at, such as a server. */
export interface ListedTopic<T> {
  readonly topic: ResourceKey;
  readonly known: () => CacheEntry<T>;
  /** What it is called, with its id. */
  readonly head?: () => object;
}

/**
 * Looks at places anew and lists what is there. Where some cannot be looked at, the answer says how
 * many, and why.
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
  await untilAborted(Promise.all(places.map(({ topic }) => store.refresh(topic))), signal);
  const entries: string[] = [];
  let found = 0;
  const problems: ToolAnswer[] = [];
  for (const { topic, known, head } of places) {
    const { value, error } = known();
    // An older answer would be taken for what is true now.
    if (error !== undefined) problems.push(problemAnswer(error, permissionOf(topic)));
    else if (value !== undefined) {
      const outlines = outlinesOf(value);
      found += outlines.length;
      entries.push(...[...(head === undefined ? [] : [head()]), ...outlines].map(entryOf));
    }
  }
  const [problem] = problems;
  if (problem !== undefined && problems.length === places.length) return problem;
  return {
    words: [
      `${count(found, noun)} found, one a line as JSON; what is not known is left out.`,
      ...(problem === undefined
        ? []
        : [
            `${problems.length} of ${places.length} places could not be looked at. ${problem.words.join(' ')}`,
          ]),
    ],
    data: { entries, keep: 'first', noun: 'line' },
  };
}

export function entryOf(outline: object): string {
  return clipped(JSON.stringify(outline), maxEntry);
}

/** @throws the signal's reason, at once: what is under way goes on for whoever else waits for it. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}
