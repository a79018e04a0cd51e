import * as vscode from 'vscode';
import { delay } from '../api/clock';
import { syncEnvironment } from '../api/generated/toolInputs';
import { systemClock } from '../platform/clock';
import { commands, tools } from '../platform/contributions';
import { confirmationOf } from './confirmation';
import { startByCommand } from './startByCommand';
import { syncPlan } from './plans';
import type { Tool, ToolServices } from './tool';
import type { Validated } from './validated';

/** A confirmation does not wait longer for the names of what is to be deployed, in milliseconds. */
const longestLook = 5000;

/** Syncs an environment, by the command. */
export function syncEnvironmentTool(
  services: ToolServices,
): Tool<Validated<typeof syncEnvironment>> {
  const { store, context } = services.data;
  return {
    name: tools.syncEnvironment,
    accepts: syncEnvironment,
    permission: 'repository.sync',
    doing: vscode.l10n.t('Syncing an environment'),
    async confirm(target, { name }, signal) {
      const { sourceId } = target;
      if (store.resources(sourceId).value === undefined) {
        const look = store.refresh({ kind: 'resources', sourceId });
        await Promise.race([look, delay(systemClock, longestLook, signal)]);
      }
      return confirmationOf(syncPlan(context, name, target));
    },
    run: (target, { signal }) =>
      startByCommand(services, {
        command: commands.syncEnvironment,
        argument: target,
        isIts: (entry) =>
          entry.kind === 'sync' &&
          entry.sourceId === target.sourceId &&
          entry.environmentId === target.environmentId,
        permission: 'repository.sync',
        signal,
      }),
  };
}
