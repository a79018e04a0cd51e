import type { Deployment, Operation, Permission } from '../api/types';
import { hour } from '../base/clock';
import type { Connection } from '../connection/connections';
import { endOfPush, type PushedEnvironment, type PushEnd } from '../deployed/push';
import type { Baselines } from '../actions/environmentDeployments';
import type { PushHealth } from '../pushes/pushHealth';

/** Why a request or a poll failed, in the form that is saved. Contains untrusted texts of the server. */
export interface ActionProblem {
  /** An `ApiErrorKind`, `invalid` if the request was not sent, `cancelled`, or `other`. */
  readonly kind: string;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly message: string;
  readonly requestId?: string | undefined;
}

/** The progress of an action, as far as this client knows it. */
export type ActionProgress =
  /** What must be known before it is sent is being read. Nothing was sent. */
  | { readonly kind: 'preparing' }
  /** The request is being sent. It may have reached the server already. */
  | {
      readonly kind: 'sending';
      /** Whether the same request was sent before, with an unknown outcome. */
      readonly isAgain?: boolean | undefined;
    }
  /** The server accepted it, and it is being watched. */
  | { readonly kind: 'following' }
  /** Certainly not started: refused, or never sent. */
  | { readonly kind: 'refused'; readonly problem: ActionProblem }
  /**
   * It may have been started: there was no response that says so (`noAnswer`), the user `stopped` it
   * before there was one, or it was `interrupted` because the window or the connection was closed.
   */
  | {
      readonly kind: 'unknown';
      readonly why: UnknownReason;
      readonly problem?: ActionProblem | undefined;
    }
  /** The server accepted it, and it is not being watched. */
  | {
      readonly kind: 'left';
      readonly why: UnwatchedReason;
      readonly problem?: ActionProblem | undefined;
    }
  /** It has ended. The data of the server says with which result. */
  | { readonly kind: 'over' };

/** Why it is not known whether a request has arrived. */
export const unknownReasons = ['noAnswer', 'stopped', 'interrupted'] as const;
type UnknownReason = (typeof unknownReasons)[number];

/** Why the server's work is not being watched. */
export const unwatchedReasons = [
  /** The user stopped watching. */
  'stopped',
  /** The server has no endpoint for operations, or sent no operation id. */
  'noPolling',
  /** The server does not know the operation: repeated 404. */
  'lost',
  /** The server has removed the operation: 410. */
  'expired',
  /** It was watched for the maximum time. */
  'deadline',
  /** Polling failed for a permanent reason. */
  'failed',
  /** A sync was followed by no deployment. */
  'nothing',
] as const;
export type UnwatchedReason = (typeof unwatchedReasons)[number];

/** Which window works on an entry, and when it last said so, in wall-clock milliseconds of this machine. */
export interface Heartbeat {
  readonly window: string;
  readonly at: number;
}

/** The connection of an entry. */
export type ActivityConnection = Pick<Connection, 'name' | 'baseUrl'>;

/** The members of all entries. */
export interface EntryBase {
  /** A UUID that this client created. */
  readonly id: string;
  readonly connection: ActivityConnection;
  /** When it was started, in milliseconds since 1970 by the control plane's clock, like all times but the heartbeat's. */
  readonly at: number;
  /** When it ended or was no longer watched. */
  readonly endedAt?: number | undefined;
  /** Missing if no window works on it. */
  readonly heartbeat?: Heartbeat | undefined;
  readonly progress: ActionProgress;
}

/** A clean-up, with everything that is needed to send exactly the same request again. */
export interface CleanUpEntry extends EntryBase {
  readonly kind: 'cleanUp';
  readonly serverId: string;
  readonly serverName: string;
  readonly items: readonly string[];
  readonly idempotencyKey: string;
  /** The exact text of the request body. */
  readonly body: string;
  readonly operationId?: string | undefined;
  readonly operation?: Operation | undefined;
  readonly replayed?: boolean | undefined;
}

export interface SyncEntry extends EntryBase {
  readonly kind: 'sync';
  readonly sourceId: string;
  readonly sourceName: string;
  readonly environmentId: string;
  readonly environmentName: string;
  /** When it was sent, or else started, in milliseconds since 1970 by the server's clock. */
  readonly sentAt: number;
  readonly before: Baselines;
  /** The members of `sync` in the response. */
  readonly sync?: Readonly<Record<string, unknown>> | undefined;
  /** Deployments to the environment since then, newest first. */
  readonly deployments: readonly Deployment[];
}

export interface PreviewReportingEntry extends EntryBase {
  readonly kind: 'previewReporting';
  readonly attempted?: number | undefined;
  readonly succeeded?: number | undefined;
  readonly failed?: number | undefined;
}

/** A push of the checked-out branch, which nothing was sent for: it is only watched. */
export interface PushEntry extends EntryBase {
  readonly kind: 'push';
  readonly sourceId: string;
  readonly sourceName: string;
  /** The URI of the repository, as text. */
  readonly repository: string;
  readonly branch: string;
  /** The remote branch with its remote, such as `origin/main`. */
  readonly upstream?: string | undefined;
  /** The pushed commit, in lower case. */
  readonly sha: string;
  /** What the remote branch pointed to before; undefined if it is new. */
  readonly before?: string | undefined;
  /** When it was pushed or, if Git does not say that, seen, in milliseconds since 1970 by the server's clock. */
  readonly pushedAt: number;
  readonly environments: readonly PushedEnvironment[];
  /** What it has come to. It is said once, even if an app that failed is tried again later. */
  readonly outcome?: PushEnd | undefined;
  /** Undefined until it is known, and if it was not live. */
  readonly health?: PushHealth | undefined;
}

/** An action that was started from this extension, or a push. */
export type ActivityEntry = CleanUpEntry | SyncEntry | PreviewReportingEntry | PushEntry;
export type ActivityKind = ActivityEntry['kind'];
export type EntryOf<K extends ActivityKind> = Extract<ActivityEntry, { readonly kind: K }>;

export interface ActivityChange {
  /** Undefined if it was removed. */
  readonly entry: ActivityEntry | undefined;
  /** Undefined if it is new. */
  readonly previous: ActivityEntry | undefined;
}

/** Whether it is on its way or watched: the badge counts these, and they are resumed. */
export function isUnsettled({ progress }: Pick<ActivityEntry, 'progress'>): boolean {
  return ['preparing', 'sending', 'following'].includes(progress.kind);
}

/** Whether it has a result, and only its errors are still looked at. */
export function isSettling(entry: ActivityEntry): boolean {
  if (entry.kind !== 'push' || !isUnsettled(entry)) return false;
  return endOfPush(entry.environments.flatMap(({ apps }) => apps)) !== undefined;
}

/** Whether the user decides what to do with it: a clean-up that was interrupted or stopped. */
export function isUndecided({ kind, progress }: ActivityEntry): boolean {
  if (kind !== 'cleanUp') return false;
  return (
    progress.kind === 'sending' || (progress.kind === 'unknown' && progress.why !== 'noAnswer')
  );
}

/** Whether the same request can be sent again after the user confirms it. */
export function canSendAgain(entry: ActivityEntry): entry is CleanUpEntry {
  return entry.kind === 'cleanUp' && entry.progress.kind === 'unknown';
}

/** What to do with a clean-up of unknown outcome. Undefined if the question was dismissed. */
export type ResendChoice = 'send' | 'leave' | undefined;

/** In milliseconds. The API document does not say how long the server knows an idempotency key. */
const keyLife = 24 * hour;

/**
 * Whether the key is so old that sending a clean-up again could start a second one.
 *
 * @param now in milliseconds since 1970 by the control plane's clock.
 */
export function mayBeForgotten({ at }: CleanUpEntry, now: number): boolean {
  return now - at > keyLife || now < at;
}

/** Whether it is no longer watched, but could be. */
export function canWatchAgain(entry: ActivityEntry): boolean {
  if (entry.progress.kind !== 'left') return false;
  switch (entry.kind) {
    case 'cleanUp':
      return entry.operationId !== undefined;
    case 'sync':
    case 'push':
      return true;
    case 'previewReporting':
      return false;
  }
}

/** Whether watching ended because the key was missing or refused. A new connection has a key. */
export function isSignedOut(entry: ActivityEntry): boolean {
  const { progress } = entry;
  if (progress.kind !== 'left' || progress.why !== 'failed' || !canWatchAgain(entry)) return false;
  return progress.problem?.kind === 'signedOut' || progress.problem?.status === 401;
}

export function belongsTo(
  { connection }: ActivityEntry,
  { name, baseUrl }: ActivityConnection,
): boolean {
  return connection.name === name && connection.baseUrl === baseUrl;
}

/** Sorts newest first, and by id if two started in the same millisecond, so that the order is stable. */
export function compareEntries(one: ActivityEntry, other: ActivityEntry): number {
  if (one.at !== other.at) return other.at - one.at;
  return one.id < other.id ? -1 : 1;
}

/** The permission that each kind of action needs. */
export const permissionOfAction = {
  cleanUp: 'server.remove',
  sync: 'repository.sync',
  previewReporting: 'integration.manage',
  push: 'resource.read',
} as const satisfies Record<ActivityKind, Permission>;

/** Whether the control plane refused it because the permission is missing. */
export function lacksPermission({ progress }: ActivityEntry): boolean {
  return progress.kind === 'refused' && progress.problem.status === 403;
}

/**
 * Whether the key has the permission for the action, if this change is the response to its request;
 * otherwise undefined.
 */
export function grantedPermission({ entry, previous }: ActivityChange): boolean | undefined {
  if (entry === undefined || previous?.progress.kind !== 'sending') return undefined;
  if (lacksPermission(entry)) return false;
  const { kind } = entry.progress;
  return kind === 'following' || kind === 'over' || kind === 'left' ? true : undefined;
}
