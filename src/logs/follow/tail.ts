import type { ControlPlaneClient } from '../../api/client';
import type { Clock } from '../../api/clock';
import type { LogFilter } from '../query/filter';
import { createTailBuffer } from './buffer';
import { createConnectionAttempt } from './connectionAttempt';
import { createTailDedupe } from './dedupe';
import {
  createConnectBudget,
  createKeyWatch,
  type RateLimit,
  runTail,
  signedOutError,
} from './reconnectLoop';
import { createReconnectPolicy } from './reconnectPolicy';
import { defaultAhead } from './history';
import {
  createTailRun,
  type Tail,
  type TailFailure,
  type TailListener,
  type TailPosition,
  type TailRun,
  type TailState,
} from './types';

export interface TailServices {
  readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'openLogStream'>;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** The key or a fingerprint of it, to find changes; undefined if signed out. */
  readonly readKey: () => Promise<string | undefined>;
  /** How far ahead the range of a stream ends, in milliseconds. Default: 7 days. */
  readonly ahead?: () => number;
}

export interface TailOptions {
  readonly filter: LogFilter;
  /** How many of the last records to show first; 0: only new ones. */
  readonly initialLines: number;
  /** The position of an earlier tail of this filter. Resumes there, without history. */
  readonly position?: TailPosition;
  /** The access revision at that position, to report a change since then. */
  readonly accessRevision?: string;
  /** Limits of the buffer: records (default 50,000), and bytes by an estimate (default 64 MiB). */
  readonly bufferRecords?: number;
  readonly bufferBytes?: number;
  readonly listener: TailListener;
}

const connectsPerMinute = 10;

/** Follows the logs that match a filter, and reconnects when the connection fails. */
export function createTail(services: TailServices, options: TailOptions): Tail {
  const { client, clock, random, readKey, ahead = () => defaultAhead } = services;
  const { filter, initialLines, position, listener } = options;
  const bounds = {
    records: options.bufferRecords ?? 50_000,
    bytes: options.bufferBytes ?? 64 * 1024 * 1024,
  };
  const buffer = createTailBuffer(bounds, position);
  const dedupe = createTailDedupe(filter, buffer, position, {
    revision: options.accessRevision,
    didChange: () => listener.onDidChangeAccess?.(),
  });
  const policy = createReconnectPolicy(random);
  const keys = createKeyWatch(readKey);
  const rateLimit: RateLimit = { until: 0 };
  const budget = createConnectBudget(connectsPerMinute, 60_000);
  let connects = 0;

  /** The state of the connection, paused or not. */
  let state: TailState = { kind: 'stopped' };
  let run: TailRun | undefined;
  /** How many records had arrived before the pause; undefined if not paused. */
  let pausedAt: number | undefined;

  const visibleState = (): TailState =>
    pausedAt === undefined ? state : { kind: 'paused', newRecords: dedupe.received - pausedAt };

  const canTake = (): boolean => pausedAt === undefined && !buffer.isEmpty;

  /** Calls the listener again on each change, because an earlier call may have found nothing to take. */
  const announce = (): void => {
    if (canTake()) listener.onDidReceive();
  };

  const show = (next: TailState): void => {
    state = next;
    if (pausedAt === undefined) listener.onDidChangeState(next);
    announce();
  };

  const didArrive = (): void => {
    if (pausedAt !== undefined) listener.onDidChangeState(visibleState());
    announce();
  };

  const attempt = createConnectionAttempt({
    client,
    clock,
    filter,
    initialLines,
    ahead,
    position,
    dedupe,
    policy,
    willConnect: () => {
      connects++;
    },
    didConnect: (silence) => {
      if (state.kind === 'live' && state.silence === silence) return;
      show(silence ? { kind: 'live', silence } : { kind: 'live' });
    },
    didArrive,
  });

  /** A pause ends with the run, because a tail that has ended cannot be resumed. */
  const end = (last: TailState): void => {
    run?.end();
    run = undefined;
    pausedAt = undefined;
    show(last);
  };

  const fail = (why: TailFailure): void => end({ kind: 'failed', why });

  const start = (): void => {
    if (run) return;
    const started = createTailRun();
    run = started;
    policy.forgive();
    show({ kind: 'connecting' });
    const parts = { clock, policy, budget, keys, attempt, rateLimit, show };
    void runTail(parts, started).then((why) => {
      if (why && run === started) fail(why);
    });
  };

  /** Starts tails again that ended because the key was missing or refused. */
  const keyChanged = async (): Promise<void> => {
    const before = keys.known;
    const key = await keys.look();
    if (run) {
      if (key === undefined) fail({ kind: 'signedOut', error: signedOutError() });
      else if (key !== before) {
        policy.forgive();
        run.disturb();
      }
      return;
    }
    const isForKey =
      state.kind === 'failed' && ['signedOut', 'missingPermission'].includes(state.why.kind);
    if (isForKey && key !== undefined && key !== before) start();
  };

  return {
    filter,
    get state() {
      return visibleState();
    },
    get counters() {
      const { received, streamed, repeated } = dedupe;
      const { handedOn, dropped } = buffer;
      return { received, streamed, handedOn, dropped, repeated, connects };
    },
    get position() {
      return buffer.position;
    },
    start,
    pause() {
      if (!run || pausedAt !== undefined) return;
      pausedAt = dedupe.received;
      listener.onDidChangeState(visibleState());
    },
    resume() {
      if (pausedAt === undefined) return;
      pausedAt = undefined;
      show(state);
    },
    stop() {
      if (state.kind !== 'stopped') end({ kind: 'stopped' });
    },
    keyChanged: () => void keyChanged(),
    take: (maxRecords = Infinity) => (canTake() ? buffer.take(maxRecords) : []),
  };
}
