import * as vscode from 'vscode';
import type { commands } from './contributions';
import type { Diagnostics } from './diagnostics';
import { showFailure } from './notifications';

/** The id of a command of package.json. */
export type CommandId = (typeof commands)[keyof typeof commands];

/** How the failure of a command is shown. */
interface FailureText {
  readonly diagnostics: Diagnostics;
  /** What could not be done, as a sentence. */
  readonly failed: string;
}

/**
 * Registers a command. Anything can call it, so its argument can be any value.
 *
 * @param onFailure what to show if it throws; then it returns false. Without it, it must not throw: VS Code would
 *   show the error as it is.
 */
export function registerCommand(
  id: CommandId,
  run: (argument: unknown) => unknown,
  onFailure?: FailureText,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (argument: unknown) => {
    if (onFailure === undefined) return run(argument);
    try {
      return await run(argument);
    } catch (error) {
      void showFailure(onFailure.diagnostics, onFailure.failed, error);
      return false;
    }
  });
}
