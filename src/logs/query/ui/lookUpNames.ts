import type { Names } from '../../../inventory/names';
import { seenLately, type SeenLately } from '../../../inventory/discovery/recentWorkloads';
import { systemClock } from '../../../vscode/clock';
import type { SignedInConnection } from '../../../connection/ui/session';

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
