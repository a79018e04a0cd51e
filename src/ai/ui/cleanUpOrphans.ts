import * as vscode from 'vscode';
import { cleanUpOrphans } from '../../api/generated/toolInputs';
import { commands, tools } from '../../vscode/contributions';
import type { Validated } from '../answer';
import { cleanUpPlan } from '../plans';
import { confirmationOf, startByCommand } from './startByCommand';
import type { Tool, ToolServices } from './tool';

/** Cleans a server up, by the command: its own dialog comes after what VS Code asks. */
export function cleanUpOrphansTool(services: ToolServices): Tool<Validated<typeof cleanUpOrphans>> {
  const { context } = services.data;
  return {
    name: tools.cleanUpOrphans,
    accepts: cleanUpOrphans,
    permission: 'server.remove',
    doing: vscode.l10n.t('Cleaning up a server'),
    confirm: (input, { name }) =>
      Promise.resolve(confirmationOf(cleanUpPlan(context, name, input))),
    run: ({ serverId, items }, { signal }) =>
      startByCommand(services, {
        command: commands.cleanUpOrphans,
        argument: { serverId, items },
        isIts: (entry) => entry.kind === 'cleanUp' && entry.serverId === serverId,
        permission: 'server.remove',
        signal,
      }),
  };
}
