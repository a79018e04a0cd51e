import * as vscode from 'vscode';
import { oneLine } from '../../../base/plainText';
import { StoredValue } from '../../../base/storedValue';
import { connectionId } from '../../../connection/connections';
import {
  ensureConnection,
  type Session,
  type SignedInConnection,
} from '../../../connection/ui/session';
import type { FollowTarget } from '../../../data/followTarget';
import { systemClock } from '../../../vscode/clock';
import { commands } from '../../../vscode/contributions';
import { logSettings, tailAhead } from '../../../vscode/settings';
import { readSavedTails } from '../savedTails';
import { signedOutError, Tail, type TailServices } from '../tail';
import { Tails } from '../tails';

/** The services of a tail, which finds out itself if there is no key. */
const signedOut: Pick<SignedInConnection, 'readKey'> & { readonly client: TailServices['client'] } =
  {
    client: {
      serverNow: () => 0,
      queryLogs: () => Promise.reject(signedOutError()),
      openLogStream: () => Promise.reject(signedOutError()),
    },
    readKey: () => Promise.resolve(undefined),
  };

const stateKey = 'tails';

/** The tails of the session's connection in this window. They are restored after a reload. */
export class WindowTails extends Tails {
  private readonly subscription: { dispose(): unknown };

  constructor(session: Session, workspaceState: vscode.Memento) {
    super(
      systemClock,
      (filter, position) => {
        const { client, readKey } = session.signedIn ?? signedOut;
        return new Tail(
          { client, clock: systemClock, random: Math.random, readKey, ahead: tailAhead },
          { filter, initialLines: logSettings().initialLines, ...(position && { position }) },
        );
      },
      () => logSettings().maxLines,
      {
        connection: () =>
          session.state.kind === 'none' ? undefined : connectionId(session.state.connection),
        saved: new StoredValue(workspaceState, stateKey, readSavedTails),
      },
    );
    this.subscription = session.onDidChange((change) => {
      switch (change) {
        case 'connection':
          this.removeAll();
          this.clear();
          this.restore();
          break;
        case 'signedOut':
          // The tails end and say why.
          this.renew();
          this.clear();
          break;
        case 'signedIn':
          this.renew();
          break;
        case 'key':
          this.keyChanged();
          break;
      }
    });
  }

  override dispose(): void {
    this.subscription.dispose();
    super.dispose();
  }
}

/**
 * Follows the logs of a row or a message and uses its name as the label; `followLogs` would use the
 * filter. Resolves with true if they are followed now.
 *
 * @param on the connection that the row or message belongs to, if it may have been left since.
 */
export async function followTarget(
  session: Session,
  tails: Tails,
  follow: FollowTarget | undefined,
  on?: SignedInConnection,
): Promise<boolean> {
  if (follow === undefined) return false;
  const signedIn = on ?? (await ensureConnection(session));
  if (signedIn === undefined || signedIn.signal.aborted) return false;
  tails.follow(follow.filter, oneLine(follow.label));
  await vscode.commands.executeCommand(commands.showLogs);
  return true;
}
