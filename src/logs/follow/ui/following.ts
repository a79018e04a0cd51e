import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { connectionId } from '../../../connection/connections';
import {
  ensureConnection,
  type Session,
  type SignedInConnection,
} from '../../../connection/ui/session';
import type { NodeTarget } from '../../../inventory/tree/nodes';
import { oneLine } from '../../../text/plainText';
import { systemClock } from '../../../vscode/clock';
import { commands } from '../../../vscode/contributions';
import { logSettings, tailAhead } from '../../../vscode/settings';
import type { LogFilter } from '../../query/filter';
import { readSavedTails } from '../tailPosition';
import { createTail, signedOutError, type TailServices } from '../tail';
import { createTailManager, type FollowedTail, hasEnded } from '../tailManager';
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
  readonly onDidChange: vscode.Event<TailChange>;
  /** A tail has records to take. */
  readonly onDidReceive: vscode.Event<void>;
  /** Records were shown, for what also looks at them. */
  readonly onDidShow: vscode.Event<readonly LogRecord[]>;
  /** Fires every second while there are tails, for rates and countdowns. */
  readonly onDidTick: vscode.Event<void>;
  /** The connection was left: remove everything of it from the screen. */
  readonly onDidClear: vscode.Event<void>;
  /** Undefined after the connection was left. */
  follow(on: SignedInConnection, filter: LogFilter, label: string): FollowedTail | undefined;
  remove(followed: FollowedTail): void;
  /** Records were shown: measures the rate and saves the position. */
  didShow(followed: FollowedTail, records: readonly LogRecord[]): void;
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
/**
 * The longest time between two saves, in milliseconds: records of that time may appear again after a
 * crash. The first line after a quiet time is saved at once.
 */
const saveEvery = 250;

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
  let ticker: ReturnType<typeof setInterval> | undefined;
  let saving: ReturnType<typeof setTimeout> | undefined;
  let lastSave = Number.NEGATIVE_INFINITY;

  const tails = createTailManager({
    monotonic: () => systemClock.monotonic(),
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
      tickWhileRunning();
      scheduleSave();
    },
    onDidReceive: () => receipts.fire(),
  });

  const tickWhileRunning = (): void => {
    const running = tails.all.some(({ tail }) => !hasEnded(tail.state));
    if (running) ticker ??= setInterval(() => ticks.fire(), 1000);
    else {
      clearInterval(ticker);
      ticker = undefined;
    }
  };

  const save = async (): Promise<void> => {
    clearTimeout(saving);
    saving = undefined;
    lastSave = systemClock.monotonic();
    if (session.state.kind === 'none') return;
    await workspaceState.update(stateKey, {
      connection: connectionId(session.state.connection),
      tails: tails.save(),
    });
  };
  const scheduleSave = (): void => {
    const wait = Math.max(0, lastSave + saveEvery - systemClock.monotonic());
    saving ??= setTimeout(() => void save(), wait);
  };

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
    onDidChange: changes.event,
    onDidReceive: receipts.event,
    onDidShow: shows.event,
    onDidTick: ticks.event,
    onDidClear: clears.event,
    follow: ({ signal }, filter, label) =>
      signal.aborted ? undefined : tails.follow(filter, label),
    remove: (followed) => tails.remove(followed),
    didShow(followed, records) {
      shows.fire(records);
      tails.measure(followed);
      scheduleSave();
    },
    save,
    dispose() {
      subscription.dispose();
      stopAll();
      clearInterval(ticker);
      clearTimeout(saving);
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
