import type { FollowTarget } from '../../../data/followTarget';
import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { connectionId } from '../../../connection/connections';
import {
  ensureConnection,
  type Session,
  type SignedInConnection,
} from '../../../connection/ui/session';
import { oneLine } from '../../../base/plainText';
import { systemClock } from '../../../vscode/clock';
import { commands } from '../../../vscode/contributions';
import { logSettings, tailAhead } from '../../../vscode/settings';
import type { LogFilter } from '../../query/filter';
import { readSavedTails } from '../tailPosition';
import { createTail, signedOutError, type TailServices } from '../tail';
import { TailSaver } from '../tailSaver';
import { type FollowedTail, hasEnded, Tails, type TakenFromTail } from '../tails';
import type { TailState } from '../types';

export interface TailChange {
  readonly followed: FollowedTail;
  /** The state before; undefined for a new tail. */
  readonly previous: TailState | undefined;
  /** Whether a tail was added or removed. */
  readonly listChanged: boolean;
}

/** The tails of the session's connection in this window. They are restored after a reload. */
export interface LogFollowing {
  readonly tails: readonly FollowedTail[];
  /** How many of them are not over. */
  readonly running: number;
  readonly onDidChange: vscode.Event<TailChange>;
  /** A tail has records to take. */
  readonly onDidReceive: vscode.Event<void>;
  /** Records are shown, for what also looks at them. */
  readonly onDidShow: vscode.Event<readonly LogRecord[]>;
  /** A countdown or a rate has changed, because time has passed. */
  readonly onDidTick: vscode.Event<void>;
  /** The connection was left: remove everything of it from the screen. */
  readonly onDidClear: vscode.Event<void>;
  /** Undefined after the connection was left. */
  follow(on: SignedInConnection, filter: LogFilter, label: string): FollowedTail | undefined;
  remove(followed: FollowedTail): void;
  /** What the next tail has, to be shown now; undefined if there is nothing. Its position is saved. */
  take(maxRecords: number): TakenFromTail | undefined;
  /** Saves what a reload restores. Call it before the end. */
  readonly save: () => Promise<void>;
  dispose(): void;
}

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

interface FollowingServices {
  readonly session: Session;
  readonly workspaceState: vscode.Memento;
}

export function createLogFollowing(services: FollowingServices): LogFollowing {
  const { session, workspaceState } = services;
  const changes = new vscode.EventEmitter<TailChange>();
  const receipts = new vscode.EventEmitter<void>();
  const shows = new vscode.EventEmitter<readonly LogRecord[]>();
  const clears = new vscode.EventEmitter<void>();
  const ticks = new vscode.EventEmitter<void>();
  let listed = 0;

  const tails = new Tails({
    clock: systemClock,
    shownAtMost: () => logSettings().maxLines,
    createTail(filter, position, listener) {
      const { client, readKey } = session.signedIn ?? signedOut;
      return createTail(
        { client, clock: systemClock, random: Math.random, readKey, ahead: tailAhead },
        {
          filter,
          initialLines: logSettings().initialLines,
          ...(position === undefined ? {} : { position }),
          listener,
        },
      );
    },
    onDidChange(followed, previous) {
      const { length } = tails.all;
      changes.fire({ followed, previous, listChanged: length !== listed });
      listed = length;
      saver.schedule();
    },
    onDidReceive: () => receipts.fire(),
    onDidTick: () => ticks.fire(),
  });

  const saver = new TailSaver(
    systemClock,
    () => {
      if (session.state.kind === 'none') return undefined;
      return { connection: connectionId(session.state.connection), tails: tails.save() };
    },
    (state) => workspaceState.update(stateKey, state),
  );

  const stopAll = (): void => tails.all.forEach((followed) => tails.remove(followed));

  let isRestored = false;
  /** Only after a reload. After a switch the channel is empty, so the history is loaded. */
  const restore = (): void => {
    if (isRestored || session.state.kind === 'none') return;
    isRestored = true;
    const saved = readSavedTails(workspaceState.get<unknown>(stateKey));
    if (saved?.connection === connectionId(session.state.connection)) tails.restore(saved.tails);
  };

  const subscription = session.onDidChange((change) => {
    switch (change) {
      case 'connection':
        stopAll();
        clears.fire();
        restore();
        break;
      case 'signedOut':
        // The tails end and say why.
        tails.renew();
        clears.fire();
        break;
      case 'signedIn':
        tails.renew();
        break;
      case 'key':
        for (const { tail } of tails.all) {
          if (tail.state.kind === 'failed' && tail.state.why.kind === 'signedOut') tail.start();
          else tail.keyChanged();
        }
        break;
    }
  });

  return {
    get tails() {
      return tails.all;
    },
    get running() {
      return tails.all.filter(({ tail }) => !hasEnded(tail.state)).length;
    },
    onDidChange: changes.event,
    onDidReceive: receipts.event,
    onDidShow: shows.event,
    onDidTick: ticks.event,
    onDidClear: clears.event,
    follow: ({ signal }, filter, label) =>
      signal.aborted ? undefined : tails.follow(filter, label),
    remove: (followed) => tails.remove(followed),
    take(maxRecords) {
      const taken = tails.take(maxRecords);
      if (taken === undefined) return undefined;
      for (const output of taken.outputs) if (output.kind === 'records') shows.fire(output.records);
      saver.schedule();
      return taken;
    },
    save: () => saver.save(),
    dispose() {
      subscription.dispose();
      stopAll();
      saver.dispose();
      changes.dispose();
      receipts.dispose();
      shows.dispose();
      ticks.dispose();
      clears.dispose();
    },
  };
}

/**
 * Follows the logs of a row or a message and uses its name as the label; `followLogs` would use the
 * filter. Resolves with true if they are followed now.
 *
 * @param on the connection that the row or message belongs to, if it may have been left since.
 */
export async function followTarget(
  session: Session,
  following: LogFollowing,
  follow: FollowTarget | undefined,
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
