import type { Names } from '../workspace/names';
import { seenLately, type SeenLately } from '../workspace/seenLately';
import { systemClock } from './clock';
import type { SignedInConnection } from './session';

/**
 * Looks up who has logged lately, and remembers the names.
 *
 * @throws as the client does, and the reason of the signal of either.
 */
export async function lookUpNames(
  { client, signal: lifetime }: SignedInConnection,
  names: Names,
  signal: AbortSignal,
): Promise<SeenLately> {
  const seen = await seenLately(client, systemClock, signal);
  // Names of another control plane mean nothing here.
  lifetime.throwIfAborted();
  for (const { id, name } of seen.workloads) {
    if (name !== undefined) names.learn('workload', id, name);
  }
  return seen;
}
