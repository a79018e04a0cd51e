import * as vscode from 'vscode';
import { keyOfKind } from '../../src/logs/errors/errorKind';
import { Patterns } from '../../src/logs/record/patterns';
import type { ViewName } from '../host/titles';

/**
 * The object that VS Code passes to a command in the menu of a row. Undefined until the tree has given the
 * row to VS Code, and after it is gone.
 *
 * @param id the ids of the row's node, from the root down.
 */
export async function rowOf(view: ViewName, ...id: readonly string[]): Promise<unknown> {
  const command = 'control-plane-test.row';
  let row: unknown;
  const registered = vscode.commands.registerCommand(command, (argument: unknown) => {
    row = argument;
  });
  try {
    // The window names the row like this, and the extension host puts the object in its place.
    await inWindow(command, {
      $treeViewId: `controlPlane.${view}`,
      $treeItemHandle: `1/${id.join('/')}`,
    });
  } finally {
    registered.dispose();
  }
  return row ?? undefined;
}

/** The row of a kind of error, if it is there. @param message the first line of its records. */
export function errorRow(message: string, file: vscode.Uri): Promise<unknown> {
  const { key } = new Patterns().add(message);
  return rowOf('errors', `error ${keyOfKind(key, file.toString())}`);
}

/** Runs a command as a key, a link or a task does: its argument passes through the window. */
export async function inWindow(command: string, args: unknown): Promise<void> {
  await vscode.commands.executeCommand('runCommands', { commands: [{ command, args }] });
}
