import * as vscode from 'vscode';

/** The command of VS Code that opens the chat with a text. */
const open = 'workbench.action.chat.open';

/** Whether there is a chat to ask. */
export async function hasChat(): Promise<boolean> {
  return (await vscode.commands.getCommands(true)).includes(open);
}

/** Opens the chat with a question, which the user reads and sends. */
export async function openChat(query: string): Promise<void> {
  // Partial: it is not sent before the user says so.
  await vscode.commands.executeCommand(open, { query, isPartialQuery: true });
}
