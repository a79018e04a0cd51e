import * as vscode from 'vscode';
import type { Permission } from '../../api/types';
import { systemClock } from '../../vscode/clock';
import type { LateCommand } from '../../vscode/contributions';
import type { Entry } from '../../actions/entries';
import type { Answer } from '../answer';
import { notAgreed, outcomeAnswer, whenAnswered } from '../outcome';
import type { ToolServices } from './tool';
import { lackingAnswer } from '../toolProblems';

export interface StartRequest {
  readonly command: LateCommand;
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
