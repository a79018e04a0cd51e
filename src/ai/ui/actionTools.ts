import * as vscode from 'vscode';
import { cleanUpOrphans, syncEnvironment } from '../../api/generated/toolInputs';
import type { Permission } from '../../api/types';
import { lookUpEnvironments } from '../../data/ui/connectionData';
import { rowText } from '../../base/plainText';
import { systemClock } from '../../vscode/clock';
import { commands, tools } from '../../vscode/contributions';
import { markdown } from '../../vscode/markdown';
import type { ToolAnswer } from '../answer';
import { cleanUpPlan, type ConfirmationPlan, syncPlan } from '../confirmationPlans';
import type { Validated } from '../toolInput';
import { notAgreed, outcomeAnswer, whenAnswered } from '../actionOutcome';
import { lackingAnswer } from '../toolProblems';
import type { Tool, ToolServices } from './tool';

/** Cleans up a server with the command, which shows its own dialog after that of VS Code. */
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
        permission: 'server.remove',
        signal,
      }),
  };
}

/** Syncs an environment with the command, which shows its own dialog even if VS Code asks nothing. */
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
        permission: 'repository.sync',
        signal,
      }),
  };
}

interface StartRequest {
  readonly command: string;
  readonly argument: object;
  readonly permission: Permission;
  readonly signal: AbortSignal;
}

/** Runs an action with its command, as a user does: with dialogs, an activity entry and a notification. */
async function startByCommand(
  { data: { lacking }, activity }: ToolServices,
  { command, argument, permission, signal }: StartRequest,
): Promise<ToolAnswer> {
  signal.throwIfAborted();
  const id = await vscode.commands.executeCommand(command, argument);
  // The command has already told the user.
  if (typeof id !== 'string')
    return lacking.has(permission) ? lackingAnswer(permission) : notAgreed;
  // Another connection has other entries.
  const answered = signal.aborted
    ? undefined
    : await whenAnswered(activity, id, systemClock, signal);
  return outcomeAnswer(answered, permission);
}

/**
 * The confirmation that VS Code shows before a tool runs: as Markdown in a chat, and as plain text in a dialog, which
 * keeps the escapes of lists and interprets tags and entities. The signs of these are shown as codes, so that both
 * show the same.
 */
function confirmationOf(plan: ConfirmationPlan): vscode.LanguageModelToolConfirmationMessages {
  const message = markdown(
    inDialog(plan.what, 600),
    { lines: [inDialog(plan.itemsTitle, 300), ...plan.items] },
    ...plan.notes.map((note) => inDialog(note, 300)),
  );
  return { title: plan.title, message };
}

function inDialog(text: string, maxLength: number): string {
  return rowText(text, maxLength).replaceAll('<', '\\u{3c}').replaceAll('&', '\\u{26}');
}
