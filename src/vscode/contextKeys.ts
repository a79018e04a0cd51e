import * as vscode from 'vscode';

/** Returns a function that sets a context key, for `when` clauses. It tells VS Code nothing that it knows. */
export function contextKey(key: string): (value: boolean | string) => void {
  let last: boolean | string | undefined;
  return (value) => {
    if (value === last) return;
    last = value;
    void vscode.commands.executeCommand('setContext', key, value);
  };
}
