import * as v from 'valibot';
import { maybe } from '../base/storedValue';
import type { Connection } from '../connection/connections';
import { isUuid } from '../data/targets';
import { storedProblem } from './problems';

/** Why it is not known whether a request has arrived. */
const unknownReasons = [
  /** There was no response that says so. */
  'noAnswer',
  /** The user stopped it before there was a response. */
  'stopped',
  /** The window or the connection was closed. */
  'interrupted',
] as const;

/** Why the server's work is not being watched. */
const unwatchedReasons = [
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

const progress = v.pipe(
  v.variant('kind', [
    /** What must be known before it is sent is being read. Nothing was sent. */
    v.object({ kind: v.literal('preparing') }),
    /** The request is being sent. It may have reached the server already. */
    v.object({
      kind: v.literal('sending'),
      /** Whether the same request was sent before, with an unknown outcome. */
      isAgain: maybe(v.boolean()),
    }),
    /** The server accepted it, and it is being watched. */
    v.object({ kind: v.literal('following') }),
    /** Certainly not started: refused, or never sent. */
    v.object({
      kind: v.literal('refused'),
      problem: v.fallback(storedProblem, { kind: 'other', message: '' }),
    }),
    /** It may have been started. */
    v.object({
      kind: v.literal('unknown'),
      why: v.fallback(v.picklist(unknownReasons), 'interrupted'),
      problem: maybe(storedProblem),
    }),
    // An earlier version saved a 409 like this. It does not say that nothing is running.
    v.pipe(
      v.object({ kind: v.literal('conflict'), problem: maybe(storedProblem) }),
      v.transform((old) => ({ ...old, kind: 'unknown' as const, why: 'noAnswer' as const })),
    ),
    /** The server accepted it, and it is not being watched. */
    v.object({
      kind: v.literal('left'),
      why: v.fallback(v.picklist(unwatchedReasons), 'stopped'),
      problem: maybe(storedProblem),
    }),
    /** It has ended. The data of the server says with which result. */
    v.object({ kind: v.literal('over') }),
  ]),
  v.readonly(),
);

/** The progress of an entry, as far as this client knows it. */
export type ActionProgress = v.InferOutput<typeof progress>;

export const storedNumber = v.pipe(v.number(), v.finite());
/** In the range of `Date`, in milliseconds. */
export const storedTime = v.pipe(storedNumber, v.minValue(-8.64e15), v.maxValue(8.64e15));
export const storedUuid = v.custom<string>(isUuid);

/** The members of the stored entries of all kinds. */
export const storedMembers = {
  /** A UUID that this client created. */
  id: storedUuid,
  connection: v.pipe(v.object({ name: v.string(), baseUrl: v.string() }), v.readonly()),
  /** When it was started, in milliseconds since 1970 by the control plane's clock, like all times but the heartbeat's. */
  at: storedTime,
  /** When it ended or was no longer watched. */
  endedAt: maybe(storedTime),
  /**
   * Which window works on it, and when it last said so, in wall-clock milliseconds of this machine. Missing if no
   * window works on it.
   */
  heartbeat: maybe(v.pipe(v.object({ window: v.string(), at: storedTime }), v.readonly())),
  progress,
};

/** Something that was started or is watched on a connection, of any kind. */
export type ActivityEntry = Readonly<
  v.InferOutput<v.ObjectSchema<typeof storedMembers, undefined>>
> & {
  readonly kind: string;
};

export type Heartbeat = NonNullable<ActivityEntry['heartbeat']>;

/** The connection of an entry. */
export type ActivityConnection = Pick<Connection, 'name' | 'baseUrl'>;

export interface ActivityChange {
  /** Undefined if it was removed. */
  readonly entry: ActivityEntry | undefined;
  /** Undefined if it is new. */
  readonly previous: ActivityEntry | undefined;
}

/** Whether it is on its way or watched: the badge counts these, and they are resumed. */
export function isUnsettled({ progress: { kind } }: Pick<ActivityEntry, 'progress'>): boolean {
  return ['preparing', 'sending', 'following'].includes(kind);
}

/** Whether the control plane refused it because the permission is missing. */
export function lacksPermission({ progress }: Pick<ActivityEntry, 'progress'>): boolean {
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

export function belongsTo(
  { connection }: ActivityEntry,
  { name, baseUrl }: ActivityConnection,
): boolean {
  return connection.name === name && connection.baseUrl === baseUrl;
}

/** Sorts newest first, and by id if two started in the same millisecond, so that the order is stable. */
export function compareEntries(a: ActivityEntry, b: ActivityEntry): number {
  if (a.at !== b.at) return b.at - a.at;
  return a.id < b.id ? -1 : 1;
}
