import * as vscode from 'vscode';
import type { commands, ContextKey } from './contributions';
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

const lostRows = new vscode.EventEmitter<void>();
/** VS Code may have lost the row of a command: a tree that draws all its rows again has it back. */
export const onDidLoseRow = lostRows.event;

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
  return vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
    if (mayHaveLostRow(args)) lostRows.fire();
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
 * Whether a command may be from the menu of a row that VS Code has lost while it drew what is above. Menus pass the row
 * and the selection, if there is one; that of a view without a focused row looks the same.
 */
function mayHaveLostRow(args: readonly unknown[]): boolean {
  return args.length === 2 && args.every((one) => one === undefined || one === null);
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
