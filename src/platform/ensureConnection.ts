import * as vscode from 'vscode';
import { commands } from './contributions';
import type { Session } from './session';

/** Without a key there is nothing to ask with: the way to one is offered at once. */
export async function ensureConnection(session: Session): Promise<boolean> {
  await session.ready;
  if (session.state.kind !== 'signedIn') await connectOnTheWay();
  return session.state.kind === 'signedIn';
}

/** Asks for a connection within something else, which goes on after it. */
export async function connectOnTheWay(): Promise<void> {
  await vscode.commands.executeCommand(commands.connect, { onTheWay: true });
}
