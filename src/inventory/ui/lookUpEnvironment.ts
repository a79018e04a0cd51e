import { delay } from '../../api/clock';
import type { WorkspaceData } from './workspaceData';
import { systemClock } from '../../vscode/clock';

/** A question does not wait longer for the names of what it is about, in milliseconds. */
const longestLook = 5000;

/** Looks up what a source deploys, if nobody has yet. Never rejects: ids stand for what is not known. */
export async function lookUpEnvironments(
  { store }: Pick<WorkspaceData, 'store'>,
  sourceId: string,
  signal: AbortSignal,
): Promise<void> {
  if (store.resources(sourceId).value !== undefined) return;
  const look = store.refresh({ kind: 'resources', sourceId });
  await Promise.race([look, delay(systemClock, longestLook, signal).catch(() => undefined)]);
}
