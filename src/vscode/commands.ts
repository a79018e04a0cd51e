import * as vscode from 'vscode';
import type { commands, ContextKey } from './contributions';
import type { Diagnostics } from './diagnostics';
import { announce, showFailure } from './notifications';

/** The id of a command of package.json. */
export type CommandId = (typeof commands)[keyof typeof commands];

/** How the failure of a command is shown. */
interface FailureText {
  readonly diagnostics: Diagnostics;
  /** What could not be done, as a sentence. */
  readonly failed: string;
}

/**
 * Registers a command. Anything can call it, so its argument can be any value. It does not run for a row of a tree
 * that VS Code has no longer: it would ask for a target, and the first of the list is another one.
 *
 * @param onFailure what to show if it throws; then it returns false. Without it, it must not throw: VS Code would
 *   show the error as it is.
 */
export function registerCommand(
  id: CommandId,
  run: (argument: unknown) => unknown,
  onFailure?: FailureText,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
    if (isLostRow(args)) {
      announce(vscode.l10n.t('The row was just updated: choose the command again.'), 'info');
      return undefined;
    }
    const [argument] = args;
    if (onFailure === undefined) return run(argument);
    try {
      return await run(argument);
    } catch (error) {
      void showFailure(onFailure.diagnostics, onFailure.failed, error);
      return false;
    }
  });
}

/**
 * Whether a command is from the menu or the buttons of a row that VS Code has lost. Those pass the row and the
 * selection, if there is one. While VS Code draws what is above a row again, the row is undefined.
 */
function isLostRow(args: readonly unknown[]): boolean {
  const [row, selection] = args;
  const isSelection = selection === undefined || selection === null || Array.isArray(selection);
  return args.length === 2 && row === undefined && isSelection;
}

/** Sets what `when` clauses read. Resolves when VS Code has it. */
export function setContext(key: ContextKey, value: boolean | string): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', key, value);
}

/** Returns a function that sets a context key. It tells VS Code nothing that it knows. */
export function contextKey(key: ContextKey): (value: boolean | string) => void {
  let last: boolean | string | undefined;
  return (value) => {
    if (value === last) return;
    last = value;
    void setContext(key, value);
  };
}
