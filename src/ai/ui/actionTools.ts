import * as vscode from 'vscode';
import { cleanUpOrphans, syncEnvironment } from '../../api/generated/toolInputs';
import type { Permission } from '../../api/types';
import { lookUpEnvironments } from '../../inventory/ui/workspaceData';
import { plainText } from '../../text/plainText';
import { systemClock } from '../../vscode/clock';
import { commands, tools } from '../../vscode/contributions';
import type { ToolAnswer } from '../answer';
import { cleanUpPlan, type ConfirmationPlan, syncPlan } from '../confirmationPlans';
import type { Validated } from '../input';
import { notAgreed, outcomeAnswer, whenAnswered } from '../outcome';
import { lackingAnswer } from '../toolProblems';
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
        permission: 'server.remove',
        signal,
      }),
  };
}

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

/**
 * Starts something as a person does: by the command, with its dialogs, its entry in the activity and its
 * notification. A model has no other way.
 */
async function startByCommand(
  { data: { lacking }, activity }: ToolServices,
  { command, argument, permission, signal }: StartRequest,
): Promise<ToolAnswer> {
  signal.throwIfAborted();
  const id = await vscode.commands.executeCommand(command, argument);
  // The command has said so to the person, who knows best whether that still holds.
  if (typeof id !== 'string')
    return lacking.has(permission) ? lackingAnswer(permission) : notAgreed;
  // On another connection there are other entries.
  const answered = signal.aborted
    ? undefined
    : await whenAnswered(activity, id, systemClock, signal);
  return outcomeAnswer(answered, permission);
}

/**
 * A plan as VS Code shows it before a tool runs: as Markdown in a chat, and as plain text made of that in
 * a dialog, which keeps the escapes of a list and takes what looks like a tag or an entity for one. Names
 * are text in both, whatever they hold: they come from a model or a server.
 */
function confirmationOf(plan: ConfirmationPlan): vscode.LanguageModelToolConfirmationMessages {
  const parts = [
    asText(plan.what, 600),
    [asText(plan.itemsTitle, 300), ...plan.items.map(inMarkdown)].join('  \n'),
    ...plan.notes.map((note) => asText(note, 300)),
  ];
  return { title: plan.title, message: new vscode.MarkdownString(parts.join('\n\n')) };
}

function asText(text: string, maxLength: number): string {
  const plain = plainText(text, maxLength);
  return inMarkdown(plain.replaceAll('<', '\\u{3c}').replaceAll('&', '\\u{26}'));
}

/** As `appendText` does it, but with spaces at which a long line can break, and the same in a dialog. */
function inMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}
