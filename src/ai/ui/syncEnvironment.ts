import * as vscode from 'vscode';
import { syncEnvironment } from '../../api/generated/toolInputs';
import { lookUpEnvironments } from '../../inventory/ui/workspaceData';
import { commands, tools } from '../../vscode/contributions';
import type { Validated } from '../answer';
import { syncPlan } from '../plans';
import { confirmationOf, startByCommand } from './startByCommand';
import type { Tool, ToolServices } from './tool';

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
