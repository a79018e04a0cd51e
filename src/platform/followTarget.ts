import * as vscode from 'vscode';
import type { NodeTarget } from '../workspace/nodes';
import { commands } from './contributions';
import { ensureConnection } from './ensureConnection';
import type { LogFollowing } from './following';
import { oneLine } from './plainText';
import type { Session } from './session';

/**
 * Follows the logs of what a row or a message is about, under its own name: `followLogs` would call
 * it by its filter. True where they are followed now.
 */
export async function followTarget(
  session: Session,
  following: LogFollowing,
  follow: NodeTarget['follow'],
): Promise<boolean> {
  if (follow === undefined || !(await ensureConnection(session))) return false;
  if (following.follow(follow.filter, oneLine(follow.label)) === undefined) return false;
  await vscode.commands.executeCommand(commands.showLogs);
  return true;
}
