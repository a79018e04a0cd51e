import type { Deployment, Operation, Permission } from '../api/types';
import type { Connection } from '../connection/connections';

/** Why a request or a poll failed, as it is kept: untrusted texts of the server. */
export interface ActionProblem {
  /** Of `ApiErrorKind`; `invalid` where it was not sent, `other` for anything else. */
  readonly kind: string;
  readonly status?: number;
  readonly code?: string;
  readonly message: string;
  readonly requestId?: string;
}

/** How far something that was started has come, as far as is known here. */
export type ActionProgress =
  /** It is on its way: it may have reached the server already. */
  | { readonly kind: 'sending' }
  /** The server took it and it is being watched. */
  | { readonly kind: 'following' }
  /** Surely not started: refused, or never sent. */
  | { readonly kind: 'refused'; readonly problem: ActionProblem }
  /**
   * It may have been started: `noAnswer` that says so has come, or it was `interrupted` by the end of the window, a switch of
   * connection or a person who did not want to wait.
   */
  | {
      readonly kind: 'unknown';
      readonly why: 'noAnswer' | 'interrupted';
      readonly problem?: ActionProblem;
    }
  /** The server took it, and what becomes of it is not watched. */
  | { readonly kind: 'left'; readonly why: LeftWhy; readonly problem?: ActionProblem }
  /** It has come to its end; what came of it is told by what the server says. */
  | { readonly kind: 'over' };

export type LeftWhy =
  /** A person did not want to watch. */
  | 'stopped'
  /** The server has no endpoint to ask, or gave no id to ask for. */
  | 'noPolling'
  /** The server does not know it (any more): 404 again and again. */
  | 'lost'
  /** The server has removed what it knew: 410. */
  | 'expired'
  /** It was watched for as long as anybody watches. */
  | 'deadline'
  /** Asking failed for a reason that does not pass by itself. */
  | 'failed'
  /** No deployment has started since, of a sync. */
  | 'nothing';

/** Which window looks after an entry, and until when (wall-clock milliseconds) others leave it alone. */
export interface Lease {
  readonly window: string;
  readonly until: number;
}

/** Whose entry it is: the origin is part of the base URL. */
export type ActivityConnection = Pick<Connection, 'name' | 'baseUrl'>;

/** What all entries have. */
export interface EntryBase {
  /** A UUID of ours. */
  readonly id: string;
  readonly connection: ActivityConnection;
  /** When it was started, in wall-clock milliseconds. */
  readonly at: number;
  /** When it stopped being on its way or watched, in wall-clock milliseconds. */
  readonly endedAt?: number | undefined;
  readonly lease?: Lease | undefined;
  readonly progress: ActionProgress;
}

/** Everything that is needed to send the very same clean-up again. */
export interface CleanUpEntry extends EntryBase {
  readonly kind: 'cleanUp';
  readonly serverId: string;
  /** What the server was called. */
  readonly serverName: string;
  readonly items: readonly string[];
  readonly idempotencyKey: string;
  /** The body to the byte. */
  readonly body: string;
  readonly operationId?: string;
  readonly operation?: Operation;
  readonly replayed?: boolean;
}

export interface SyncEntry extends EntryBase {
  readonly kind: 'sync';
  readonly sourceId: string;
  readonly sourceName: string;
  readonly environmentId: string;
  readonly environmentName: string;
  /** When each resource was deployed last before, by the server's clock; absent where nobody could look. */
  readonly before?: Readonly<Record<string, number | null>>;
  /** The members of `sync` as they came. */
  readonly sync?: Readonly<Record<string, unknown>>;
  /** What has been deployed to the environment since, newest first. */
  readonly deployments: readonly Deployment[];
}

export interface PreviewReportingEntry extends EntryBase {
  readonly kind: 'previewReporting';
  readonly attempted?: number;
  readonly succeeded?: number;
  readonly failed?: number;
}

/** Something that was started from here. */
export type ActivityEntry = CleanUpEntry | SyncEntry | PreviewReportingEntry;
export type ActivityKind = ActivityEntry['kind'];

export interface ActivityChange {
  /** Undefined where it was removed. */
  readonly entry: ActivityEntry | undefined;
  /** Undefined where it is new. */
  readonly previous: ActivityEntry | undefined;
}

/** Whether it is on its way or watched: what the badge counts, and what is resumed. */
export function isUnsettled({ progress }: ActivityEntry): boolean {
  return progress.kind === 'sending' || progress.kind === 'following';
}

export function belongsTo(
  { connection }: ActivityEntry,
  { name, baseUrl }: ActivityConnection,
): boolean {
  return connection.name === name && connection.baseUrl === baseUrl;
}

/** Newest first; the order of ids where two began in the same millisecond, so that it stays. */
export function compareEntries(one: ActivityEntry, other: ActivityEntry): number {
  if (one.at !== other.at) return other.at - one.at;
  return one.id < other.id ? -1 : 1;
}

/** What the key must be allowed to do, for each kind of action. */
export const permissionOfAction = {
  cleanUp: 'server.remove',
  sync: 'repository.sync',
  previewReporting: 'integration.manage',
} as const satisfies Record<ActivityKind, Permission>;

/** Whether the control plane refused it for want of its permission. */
export function lacksPermission({ progress }: ActivityEntry): boolean {
  return progress.kind === 'refused' && progress.problem.status === 403;
}

/** Whether the key may do it, as far as a step of an entry says so: the answer to its request does. */
export function learntOfPermission({ entry, previous }: ActivityChange): boolean | undefined {
  if (entry === undefined || previous?.progress.kind !== 'sending') return undefined;
  if (lacksPermission(entry)) return false;
  const { kind } = entry.progress;
  return kind === 'following' || kind === 'over' || kind === 'left' ? true : undefined;
}
