import * as vscode from 'vscode';
import { labelText, oneLine, plainText } from '../../../base/untrustedText';
import { connectionId } from '../../../connection/connections';
import {
  ensureConnection,
  type Session,
  type SignedInConnection,
} from '../../../connection/ui/session';
import type { FollowTarget } from '../../../data/targets';
import { systemClock } from '../../../vscode/systemClock';
import { commands } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { number } from '../../../vscode/numbers';
import { pickOne } from '../../../vscode/quickInput';
import { logSettings, tailAhead } from '../../../vscode/settings';
import { signedOutError, Tail, type TailServices } from '../tail';
import { filterKey, type FollowedTail, hasTailEnded, Tails } from '../tails';
import { ownChannelName } from './channelDocuments';
import { TailFile, type WindowStorage } from './tailFile';

const { t } = vscode.l10n;

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

/** The tails of the session's connection in this window. They are restored after a reload. */
export class WindowTails extends Tails {
  private readonly subscription: { dispose(): unknown };

  constructor(session: Session, storage: WindowStorage, diagnostics: Diagnostics) {
    const file = new TailFile(storage, diagnostics);
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
        read: () => file.read(),
        write: (state) => file.write(state),
      },
    );
    this.subscription = session.onDidChange((change) => {
      switch (change) {
        case 'connection':
          this.removeAll();
          this.clear();
          void this.restore();
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
        case 'forgotten':
          this.forget();
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
  if (signedIn === undefined) return false;
  const { filter, label } = follow;
  return askAndFollow(tails, { filter, label: oneLine(label) }, signedIn.signal);
}

/**
 * Follows what the user chose, and shows its channel. If other logs are followed, asks first whether to follow it
 * instead of them, or in addition, where it has its own channel: among theirs, one would see no difference.
 * Resolves with true if it is followed now.
 *
 * @param lifetime of the connection.
 */
export async function askAndFollow(
  tails: Tails,
  { filter, label }: FollowTarget,
  lifetime: AbortSignal,
): Promise<boolean> {
  const running = tails.all.filter(({ tail }) => !hasTailEnded(tail.state));
  const isKnown = running.some(({ key }) => key === filterKey(filter));
  const how =
    running.length === 0 || isKnown ? 'asBefore' : await askHow(tails, running, label, lifetime);
  if (how === undefined || lifetime.aborted) return false;
  const followed =
    how === 'instead'
      ? tails.followInstead(filter, label)
      : tails.follow(filter, label, { ownChannel: how === 'inAddition' });
  await vscode.commands.executeCommand(commands.showLogs, followed);
  return true;
}

async function askHow(
  tails: Tails,
  running: readonly FollowedTail[],
  label: string,
  lifetime: AbortSignal,
): Promise<'instead' | 'inAddition' | undefined> {
  const [only] = running;
  const chosen = await pickOne(
    [
      {
        label: t('In Addition'),
        iconPath: new vscode.ThemeIcon('add'),
        detail: tails.canHaveOwnChannel
          ? t('Shows it in a channel of its own, {0}', labelText(ownChannelName(label)))
          : t('Shows it in the same channel'),
        how: 'inAddition' as const,
      },
      {
        label: t('Instead'),
        iconPath: new vscode.ThemeIcon('replace'),
        detail:
          only === undefined || running.length > 1
            ? t('Stops the {0} queries that are followed now', number(running.length))
            : t('Stops following {0}', labelText(only.label)),
        how: 'instead' as const,
      },
    ],
    {
      title: t('Follow {0}', plainText(label, 100)),
      placeHolder: t('Follow it instead of what is followed now, or in addition?'),
    },
    lifetime,
  );
  return chosen?.how;
}
