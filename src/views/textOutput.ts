import * as vscode from 'vscode';
import { isLogDocument } from './logDocument';

/** What the log channel needs of an output channel. */
export interface TextOutput {
  append(text: string): void;
  replace(text: string): void;
  clear(): void;
  show(preserveFocus: boolean): void;
  dispose(): void;
}

/** Puts a new channel with this text in the place of one: behind it is a file of its own. */
export function renewed(
  old: vscode.OutputChannel,
  open: () => vscode.OutputChannel,
  text: string,
): vscode.OutputChannel {
  const isVisible = vscode.window.visibleTextEditors.some(({ document }) =>
    isLogDocument(document),
  );
  const channel = open();
  channel.append(text);
  if (isVisible) channel.show(true);
  old.dispose();
  return channel;
}
