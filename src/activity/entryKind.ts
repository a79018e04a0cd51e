import type * as v from 'valibot';
import type { ApiOperation } from '../api/operation';
import type { Operation } from '../api/types';
import { membersOf } from '../base/json';
import { readStored } from '../base/storedValue';
import type { Texts, Translate } from '../base/textFormat';
import type { DataContext } from '../data/labels';
import type { NodeDetail, NodeStatus, NodeTarget, TreeNode } from '../trees/nodes';
import { type ActivityEntry, isUnsettled, type UnwatchedReason } from './activityEntry';
import type { Runner, RunnerTools } from './runner';

export type ActivityContext = Pick<DataContext, 't' | 'counted' | 'timeFormat'>;

/** The members of a new entry that depend on its kind, and its first progress. */
type NewEntry<E extends ActivityEntry> = Omit<
  E,
  'id' | 'connection' | 'at' | 'endedAt' | 'heartbeat'
>;

/**
 * One kind of what the activity has: nothing else knows what is special about it. Names in its texts are
 * untrusted. `T` is what an entry is started with.
 */
export interface EntryKind<E extends ActivityEntry = ActivityEntry, T = unknown> {
  /** The member `kind` of its entries. */
  readonly name: E['kind'];
  /** What is a valid entry: another window, an earlier version or a broken disk may have written it. */
  readonly schema: v.GenericSchema<unknown, E>;
  /** Missing if nothing is sent, so that its entries are only watched, and told of by their own feature. */
  readonly request?: ActionRequest<E>;
  /**
   * @param at when it is started, by the control plane's clock.
   * @param newId returns a new random UUID.
   */
  begin(target: T, at: number, newId: () => string): NewEntry<E>;
  runner(tools: RunnerTools): Runner<E>;
  /** Such as `Clean up 3 items on fra-app-1`. */
  title(entry: E, texts: Texts): string;
  /** The title of the document with all details. */
  resultTitle(entry: E, t: Translate): string;
  /** The state of what the control plane does, as far as it is known. */
  words(entry: E, context: ActivityContext): string | undefined;
  /** Own words for why it is not watched, instead of the usual ones. */
  leftText?(why: UnwatchedReason, t: Translate): string | undefined;
  /** The look of what the control plane does. */
  status(entry: E): NodeStatus;
  /** What commands of its row are about. */
  target(
    entry: E,
  ): Pick<
    NodeTarget,
    'id' | 'serverId' | 'sourceId' | 'environmentId' | 'resourceId' | 'deploymentId'
  >;
  details(entry: E, context: ActivityContext): readonly NodeDetail[];
  /**
   * Makes the rows below its row; undefined if there are none.
   *
   * @param id the id of its row.
   */
  children?(entry: E, context: DataContext, id: string): (() => readonly TreeNode[]) | undefined;
  /** Whether one that is no longer watched can be. */
  canWatch(entry: E): boolean;
  /** Whether it has a result while it is still watched. */
  hasResult?(entry: E): boolean;
  /** How long it took, in milliseconds. Undefined if something of it has not ended. */
  duration(entry: E): number | undefined;
  /** The operation that it has started. */
  operation?(entry: E): Operation | undefined;
  /** The response, for problem reports. */
  response?(entry: E): object | undefined;
}

/** What is special about a request. */
interface ActionRequest<E extends ActivityEntry> {
  readonly operation: ApiOperation;
  /** Says that the API key does not have the permission. */
  lacksText(t: Translate): string;
  /** What it means that there was no response. Undefined if the user is asked about it instead. */
  unknownText(t: Translate): string | undefined;
  /** Says that it was accepted and cannot be watched, if that needs more words than its state. */
  acceptedText?(entry: E, t: Translate): string;
}

/** A kind that sends a request. */
export type ActionKind<E extends ActivityEntry = ActivityEntry, T = unknown> = EntryKind<E, T> & {
  readonly request: ActionRequest<E>;
};

export function isOfKind<E extends ActivityEntry>(
  entry: ActivityEntry | undefined,
  { name }: EntryKind<E, never>,
): entry is E {
  return entry?.kind === name;
}

/** How long it took by this client, in milliseconds. */
export function durationHere({ at, endedAt }: ActivityEntry): number | undefined {
  return endedAt === undefined ? undefined : endedAt - at;
}

/** All kinds, and what an entry is because of its kind. */
export class EntryKinds {
  private readonly byName: ReadonlyMap<string, EntryKind>;

  constructor(readonly all: readonly EntryKind[]) {
    this.byName = new Map(all.map((kind) => [kind.name, kind]));
  }

  of({ kind: name }: ActivityEntry): EntryKind {
    const kind = this.byName.get(name);
    if (kind === undefined) throw new Error(`There is no kind ${name}.`);
    return kind;
  }

  /** Reads an entry of any origin. Never throws. Returns undefined if it is not valid. */
  read(value: unknown): ActivityEntry | undefined {
    const { kind: name } = membersOf(value);
    const kind = typeof name === 'string' ? this.byName.get(name) : undefined;
    return kind && readStored(kind.schema, value);
  }

  /** Whether it has a result, and is only still looked at. */
  isSettling(entry: ActivityEntry): boolean {
    return isUnsettled(entry) && this.of(entry).hasResult?.(entry) === true;
  }

  /** Whether the user decides what to do with it: it was interrupted or stopped, and can be sent again. */
  isUndecided(entry: ActivityEntry): boolean {
    const { progress } = entry;
    const isOpen =
      progress.kind === 'sending' || (progress.kind === 'unknown' && progress.why !== 'noAnswer');
    return isOpen && this.isRepeatable(entry);
  }

  /** Whether the same request can be sent again after the user confirms it. */
  canSendAgain(entry: ActivityEntry): boolean {
    return entry.progress.kind === 'unknown' && this.isRepeatable(entry);
  }

  /**
   * Whether the control plane runs it only once, however often it is sent. Then the user decides whether to send
   * one of unknown outcome again.
   */
  private isRepeatable(entry: ActivityEntry): boolean {
    return this.of(entry).request?.operation.retry === 'idempotent';
  }

  /** Whether it is no longer watched, but could be. */
  canWatchAgain(entry: ActivityEntry): boolean {
    return entry.progress.kind === 'left' && this.of(entry).canWatch(entry);
  }

  /** Whether watching ended because the key was missing or refused. A new connection has a key. */
  isSignedOut(entry: ActivityEntry): boolean {
    const { progress } = entry;
    if (progress.kind !== 'left' || progress.why !== 'failed') return false;
    const { kind, status } = progress.problem ?? {};
    return this.canWatchAgain(entry) && (kind === 'signedOut' || status === 401);
  }
}
