import * as vscode from 'vscode';
import { commands } from './contributions';
import type { Session } from './session';

/** Without a key there is nothing to ask with: the way to one is offered at once. */
export async function ensureConnection(session: Session): Promise<boolean> {
  await session.ready;
  if (session.state.kind !== 'signedIn') await vscode.commands.executeCommand(commands.connect);
  return session.state.kind === 'signedIn';
}
