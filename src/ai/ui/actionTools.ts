import * as vscode from 'vscode';
import type { Activity } from '../../activity/activity';
import { operations } from '../../api/generated/operations';
import { cleanUpOrphans, syncEnvironment } from '../../api/generated/toolInputs';
import type { Permission } from '../../api/types';
import { rowText } from '../../base/untrustedText';
import { type ConnectionData, lookUpEnvironments } from '../../data/ui/connectionData';
import { systemClock } from '../../vscode/systemClock';
import { commands, tools } from '../../vscode/contributions';
import { markdown } from '../../vscode/markdown';
import {
  cleanUpPlan,
  type ConfirmationPlan,
  syncPlan,
  notAgreed,
  outcomeAnswer,
  whenAnswered,
} from '../actionOutcome';
import type { ToolAnswer } from '../answer';
import { type Validated, lackingAnswer } from '../toolProblems';
import type { Tool } from './tool';

/** Cleans up a server with the command, which shows its own dialog after that of VS Code. */
export function cleanUpOrphansTool(
  data: ConnectionData,
  activity: Activity,
): Tool<Validated<typeof cleanUpOrphans>> {
  const { context } = data;
  return {
    name: tools.cleanUpOrphans,
    accepts: cleanUpOrphans,
    permission: operations.cleanUpOrphans.permission,
    doing: vscode.l10n.t('Cleaning up a server'),
    confirm: (input, { name }) =>
      Promise.resolve(confirmationOf(cleanUpPlan(context, name, input))),
    async run({ serverId, items }, { signal }) {
      signal.throwIfAborted();
      const id = await vscode.commands.executeCommand(commands.cleanUpOrphans, { serverId, items });
      return outcomeOf(id, operations.cleanUpOrphans.permission, data, activity, signal);
    },
  };
}

/** Syncs an environment with the command, which shows its own dialog even if VS Code asks nothing. */
export function syncEnvironmentTool(
  data: ConnectionData,
  activity: Activity,
): Tool<Validated<typeof syncEnvironment>> {
  const { context } = data;
  return {
    name: tools.syncEnvironment,
    accepts: syncEnvironment,
    permission: operations.syncEnvironment.permission,
    doing: vscode.l10n.t('Syncing an environment'),
    async confirm(target, { name }, signal) {
      await lookUpEnvironments(data, target.sourceId, signal);
      return confirmationOf(syncPlan(context, name, target));
    },
    async run(target, { signal }) {
      signal.throwIfAborted();
      const id = await vscode.commands.executeCommand(commands.syncEnvironment, target);
      return outcomeOf(id, operations.syncEnvironment.permission, data, activity, signal);
    },
  };
}

/**
 * What became of an action that was started with its command, as a user does: with dialogs, an activity entry
 * and a notification.
 *
 * @param id what the command returned.
 */
async function outcomeOf(
  id: unknown,
  permission: Permission,
  { lacking }: ConnectionData,
  activity: Activity,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  // The command has already told the user.
  if (typeof id !== 'string')
    return lacking.has(permission) ? lackingAnswer(permission) : notAgreed;
  // Another connection has other entries.
  const answered = signal.aborted
    ? undefined
    : await whenAnswered(activity, id, systemClock, signal);
  return outcomeAnswer(answered, activity.kinds, permission);
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
