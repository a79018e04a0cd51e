import type { Permission } from '../api/types';
import type { Entry, EntryKind } from './entries';
import type { EntryChange } from './activityLog';

/** What the key must be allowed to do, for each kind of action. */
export const permissionOfAction = {
  cleanUp: 'server.remove',
  sync: 'repository.sync',
  previewReporting: 'integration.manage',
} as const satisfies Record<EntryKind, Permission>;

/** Whether the control plane refused it for want of its permission. */
export function lacksPermission({ progress }: Entry): boolean {
  return progress.kind === 'refused' && progress.problem.status === 403;
}

/** Whether the key may do it, as far as a step of an entry says so: the answer to its request does. */
export function learntOfPermission({ entry, previous }: EntryChange): boolean | undefined {
  if (entry === undefined || previous?.progress.kind !== 'sending') return undefined;
  if (lacksPermission(entry)) return false;
  const { kind } = entry.progress;
  return kind === 'following' || kind === 'over' || kind === 'left' ? true : undefined;
}
