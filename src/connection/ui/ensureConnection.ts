import * as vscode from 'vscode';
import { commands } from '../../vscode/contributions';
import type { Session, SignedInConnection } from './session';

/**
 * The connection that something is started for, which it asks until it ends. Without a key there is
 * nothing to ask with: the way to one is offered at once.
 */
export async function ensureConnection(session: Session): Promise<SignedInConnection | undefined> {
  await session.ready;
  if (session.signedIn === undefined) await connectOnTheWay();
  return session.signedIn;
}

/** Asks for a connection within something else, which goes on after it. */
export async function connectOnTheWay(): Promise<void> {
  await vscode.commands.executeCommand(commands.connect, { onTheWay: true });
}
