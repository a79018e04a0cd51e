import type { Names } from '../workspace/names';
import { seenLately, type SeenLately } from '../workspace/seenLately';
import { systemClock } from './clock';
import type { Session } from './session';

/** Looks up who has logged lately, and remembers the names. */
export async function lookUpNames(
  { client }: Session,
  names: Names,
  signal: AbortSignal,
): Promise<SeenLately> {
  if (client === undefined) return { workloads: [], servers: [], deployments: [] };
  const seen = await seenLately(client, systemClock, signal);
  for (const { id, name } of seen.workloads) {
    if (name !== undefined) names.learn('workload', id, name);
  }
  return seen;
}
