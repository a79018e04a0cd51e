import * as vscode from 'vscode';
import type { Entry } from '../../actions/entries';
import type { Permission } from '../../api/types';
import { plainText } from '../../text/plainText';
import { systemClock } from '../../vscode/clock';
import type { Answer } from '../answer';
import { notAgreed, outcomeAnswer, whenAnswered } from '../outcome';
import type { Plan } from '../plans';
import { lackingAnswer } from '../toolProblems';
import type { ToolServices } from './tool';

export interface StartRequest {
  readonly command: string;
  readonly argument: object;
  /** Whether an entry of the activity is of this kind and about this. */
  readonly isIts: (entry: Entry) => boolean;
  readonly permission: Permission;
  readonly signal: AbortSignal;
}

/**
 * Starts something as a person does: by the command, with its dialogs, its entry in the activity and its
 * notification. A model has no other way.
 */
export async function startByCommand(
  { data: { lacking }, activity }: ToolServices,
  { command, argument, isIts, permission, signal }: StartRequest,
): Promise<Answer> {
  const before = new Set(activity.entries.map(({ id }) => id));
  signal.throwIfAborted();
  const isSent = await vscode.commands.executeCommand(command, argument);
  // The command has said so to the person, who knows best whether that still holds.
  if (isSent !== true) return lacking.has(permission) ? lackingAnswer(permission) : notAgreed;
  // On another connection there are other entries.
  const entry = signal.aborted
    ? undefined
    : activity.entries.find((one) => !before.has(one.id) && isIts(one));
  const answered =
    entry === undefined ? undefined : await whenAnswered(activity, entry.id, systemClock, signal);
  return outcomeAnswer(answered, permission);
}

/**
 * A plan as VS Code shows it before a tool runs: as Markdown in a chat, and as plain text made of that in
 * a dialog, which keeps the escapes of a list and takes what looks like a tag or an entity for one. Names
 * are text in both, whatever they hold: they come from a model or a server.
 */
export function confirmationOf(plan: Plan): vscode.LanguageModelToolConfirmationMessages {
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
