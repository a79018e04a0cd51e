import * as vscode from 'vscode';
import type { NodeTarget } from '../../../inventory/tree/nodes';
import { commands } from '../../../vscode/contributions';
import { ensureConnection } from '../../../connection/ui/ensureConnection';
import type { LogFollowing } from './following';
import { oneLine } from '../../../text/plainText';
import type { Session, SignedInConnection } from '../../../connection/ui/session';

/**
 * Follows the logs of what a row or a message is about, under its own name: `followLogs` would call
 * it by its filter. True where they are followed now.
 *
 * @param on the connection that it was found on, where that may have been left since.
 */
export async function followTarget(
  session: Session,
  following: LogFollowing,
  follow: NodeTarget['follow'],
  on?: SignedInConnection,
): Promise<boolean> {
  if (follow === undefined) return false;
  const signedIn = on ?? (await ensureConnection(session));
  if (signedIn === undefined) return false;
  const { filter, label } = follow;
  if (following.follow(signedIn, filter, oneLine(label)) === undefined) return false;
  await vscode.commands.executeCommand(commands.showLogs);
  return true;
}
