import type * as vscode from 'vscode';
import type { SignedInConnection } from '../../../connection/ui/session';
import { recentWorkloads, type RecentWorkloads } from '../../../data/discovery/recentWorkloads';
import { knownNames, type Names } from '../../../data/knownNames';
import type { ConnectionData } from '../../../data/ui/connectionData';

/**
 * Queries the workloads with recent logs and remembers the names.
 *
 * @throws the errors of the client, and the reason of either signal.
 */
export async function lookUpNames(
  { client, signal: lifetime }: SignedInConnection,
  names: Names,
  signal: AbortSignal,
): Promise<RecentWorkloads> {
  const seen = await recentWorkloads(client, signal);
  // Does not remember names of a connection that was left.
  lifetime.throwIfAborted();
  for (const { id, name } of seen.workloads) {
    if (name !== undefined) names.learn('workload', id, name);
  }
  return {
    ...seen,
    servers: seen.servers.map(({ id, name, lastSeen }) => ({
      id,
      name: name ?? names.nameOf('server', id),
      lastSeen,
    })),
  };
}

/** Resolves names that the trees show, such as `server:eu-1`. */
export function registerQueryNames(data: ConnectionData, names: Names): vscode.Disposable {
  const learn = (): void => {
    for (const { kind, id, name } of knownNames(data.context)) names.learn(kind, id, name);
  };
  learn();
  return data.onDidChange(learn);
}
