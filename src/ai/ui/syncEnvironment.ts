import * as vscode from 'vscode';
import { syncEnvironment } from '../../api/generated/toolInputs';
import { commands, tools } from '../../vscode/contributions';
import { lookUpEnvironments } from '../../inventory/ui/lookUpEnvironment';
import { confirmationOf } from './confirmation';
import { startByCommand } from './startByCommand';
import { syncPlan } from '../plans';
import type { Tool, ToolServices } from './tool';
import type { Validated } from '../validated';

/** Syncs an environment, by the command: its own dialog comes after what VS Code asks, or was told not to. */
export function syncEnvironmentTool(
  services: ToolServices,
): Tool<Validated<typeof syncEnvironment>> {
  const { context } = services.data;
  return {
    name: tools.syncEnvironment,
    accepts: syncEnvironment,
    permission: 'repository.sync',
    doing: vscode.l10n.t('Syncing an environment'),
    async confirm(target, { name }, signal) {
      await lookUpEnvironments(services.data, target.sourceId, signal);
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
