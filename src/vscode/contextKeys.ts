import * as vscode from 'vscode';
import type { ContextKey } from './contributions';

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
