import type { ControlPlaneClient } from '../../api/client';
import { ApiError, failedAs } from '../../api/errors';
import { fetchEach } from '../../api/fetchPages';
import { isOutage } from '../../api/retryPolicy';
import type { CleanupResponse, Operation, LogRecord } from '../../api/types';
import { logWindow } from '../../api/utcTime';
import { cleanupText } from '../../api/validateRequest';
import { type Clock, delay, minute, day, second } from '../../base/clock';
import { nameOfResource, type DataContext } from '../../data/labels';
import { hasEnded } from '../../data/states';
import type { CacheKey } from '../../data/store';
import { isSameId } from '../../data/targets';
import type { ActionProgress, CleanUpEntry } from '../../activity/activityEntry';
import { limitSize } from '../../activity/activityStorage';
import {
  type ActionTargets,
  type NewEntry,
  type Runner,
  type RunSignals,
  throwUnlessStopped,
  WatchedWork,
} from '../../activity/runner';
import { problemOf, sendAction } from '../sendAction';

/** Why polling ended. */
export type WatchEnd =
  /** The operation has ended. */
  | { readonly kind: 'over' }
  /** The server has no endpoint for operations. */
  | { readonly kind: 'noPolling'; readonly error?: ApiError }
  /** 404 three times within 10 s: the server does not know the operation, so its outcome is unknown. */
  | { readonly kind: 'lost'; readonly error: ApiError }
  /** 410: the server has removed the operation. */
  | { readonly kind: 'expired'; readonly error: ApiError }
  /** It is still running after the maximum time. */
  | { readonly kind: 'deadline' }
  /** Polling cannot succeed any more: no key, no permission, invalid responses. */
  | { readonly kind: 'failed'; readonly error: unknown };

const first = second;
const longest = 15 * second;
const maxWatch = 30 * minute;
/** The most milliseconds of a poll that count as watched. If it took longer, the machine slept. */
const longestPoll = minute;
/** How many 404 responses in a row end polling, and the milliseconds between them: all within 10 s. */
const maxMissing = 3;
const missingSpacing = 4000;
/** How many invalid responses in a row end polling: they probably come from another server. */
const maxInvalid = 3;

/** Sends a clean-up with its saved key, and watches the operation that it starts. */
export class CleanUpRunner implements Runner<'cleanUp'> {
  /** Whether the server turned out to have no endpoint for operations. */
  private isPollingOff = false;

  constructor(
    private readonly client: Pick<ControlPlaneClient, 'cleanUpOrphans' | 'getOperation'>,
    private readonly clock: Clock,
    private readonly random: () => number,
    private readonly newId: () => string,
  ) {}

  begin(target: ActionTargets['cleanUp']): NewEntry<'cleanUp'> {
    const body = cleanupText(target.items);
    const idempotencyKey = this.newId();
    return { kind: 'cleanUp', ...target, idempotencyKey, body, progress: { kind: 'sending' } };
  }

  async run(
    entry: CleanUpEntry,
    signals: RunSignals,
    report: (entry: CleanUpEntry) => Promise<void>,
  ): Promise<CleanUpEntry> {
    const { serverId, items, idempotencyKey, progress } = entry;
    if (progress.kind === 'following') {
      // Somebody wants to know again, or this is the first look on this connection.
      this.isPollingOff = false;
      return this.follow(entry, signals, report);
    }
    if (progress.kind !== 'sending') return entry;
    const sent = await sendAction(
      'idempotent',
      (options) => this.client.cleanUpOrphans({ serverId, items, idempotencyKey }, options),
      { ...signals, clock: this.clock, random: this.random },
      progress.isAgain,
    );
    if (sent.kind === 'failed') return { ...entry, progress: sent.progress };
    const accepted = { ...entry, ...acceptedAs(sent.answer) };
    if (accepted.progress.kind !== 'following') return accepted;
    await report(accepted);
    return this.follow(accepted, signals, report);
  }

  /** Watches the operation of an accepted clean-up. */
  private async follow(
    first: CleanUpEntry,
    signals: RunSignals,
    report: (entry: CleanUpEntry) => Promise<void>,
  ): Promise<CleanUpEntry> {
    let entry = first;
    const { operationId } = entry;
    const left = (end: Omit<Extract<ActionProgress, { kind: 'left' }>, 'kind'>): CleanUpEntry => ({
      ...entry,
      progress: { kind: 'left', ...end },
    });
    if (this.isPollingOff || operationId === undefined) return left({ why: 'noPolling' });
    try {
      const end = await this.watch(operationId, signals.stop, (operation, isOver) => {
        entry = { ...entry, operation: limitSize(operation) };
        if (!isOver) void report(entry);
      });
      if (end.kind === 'over') return { ...entry, progress: { kind: 'over' } };
      if (end.kind === 'noPolling') {
        this.isPollingOff = true;
        return left({ why: end.kind });
      }
      const problem = 'error' in end ? { problem: problemOf(end.error) } : {};
      return left({ why: end.kind, ...problem });
    } catch (error) {
      throwUnlessStopped(error, signals);
      return left({ why: 'stopped' });
    }
  }

  /**
   * Polls an operation until it has ended: after 1 s, then at growing intervals of up to 15 s, each
   * ±20 %, for at most 30 minutes. Continues after temporary failures.
   *
   * @param onDidPoll called after each response, including the last.
   * @throws only the signal's reason.
   */
  async watch(
    operationId: string,
    signal: AbortSignal,
    onDidPoll: (operation: Operation, isOver: boolean) => void,
  ): Promise<WatchEnd> {
    let watched = 0;
    const work = new WatchedWork();
    const jittered = (ms: number): number => ms * (0.8 + 0.4 * this.random());
    let interval = first;
    let missing = 0;
    let invalid = 0;
    let wasFound = false;
    let wait = jittered(interval);

    function next(): void {
      interval = Math.min(longest, interval * 2);
      wait = jittered(interval);
    }

    /** Returns why a failure ends polling, or undefined to poll again after `wait`. */
    function endOf(error: unknown): WatchEnd | undefined {
      if (!(error instanceof ApiError)) return { kind: 'failed', error };
      const { status, code } = error;
      missing = status === 404 ? missing + 1 : 0;
      invalid = error.kind === 'protocol' ? invalid + 1 : 0;
      if (status === 404) {
        wait = jittered(missingSpacing);
        if (missing < maxMissing) return undefined;
        // A server that has the endpoint sends the error object of the contract.
        const hasEndpoint = wasFound || code !== 'noErrorObject';
        return { kind: hasEndpoint ? 'lost' : 'noPolling', error };
      }
      if (status === 405 || status === 501) return { kind: 'noPolling', error };
      if (status === 410) return { kind: 'expired', error };
      const isInvalid = error.kind === 'protocol' && invalid < maxInvalid;
      if (isOutage(error) || failedAs(error, 'rateLimited') || isInvalid) {
        next();
        return undefined;
      }
      return { kind: 'failed', error };
    }

    for (;;) {
      const left = maxWatch - watched;
      const begin = this.clock.monotonic();
      const planned = Math.min(wait, left);
      await delay(this.clock, planned, signal);
      if (wait >= left) return { kind: 'deadline' };
      try {
        const operation = await this.client.getOperation(operationId, {
          signal,
          priority: 'awaited',
        });
        if (operation === undefined) return { kind: 'noPolling' };
        requireSameOperation(operation, operationId);
        [missing, invalid, wasFound] = [0, 0, true];
        const isOver = work.hasEnded(operation, watched + planned);
        onDidPoll(operation, isOver);
        if (isOver) return { kind: 'over' };
        next();
      } catch (error) {
        signal.throwIfAborted();
        const over = endOf(error);
        if (over !== undefined) return over;
      } finally {
        watched += Math.min(this.clock.monotonic() - begin, planned + longestPoll);
      }
    }
  }
}

function acceptedAs(
  answer: CleanupResponse,
): Pick<CleanUpEntry, 'progress' | 'operation' | 'operationId' | 'replayed'> {
  const operation = limitSize(answer.operation ?? {});
  const { id } = operation;
  const progress: ActionProgress = hasEnded(operation)
    ? { kind: 'over' }
    : id === undefined
      ? { kind: 'left', why: 'noPolling' }
      : { kind: 'following' };
  return {
    progress,
    operation,
    ...(id === undefined ? {} : { operationId: id }),
    ...(answer.replayed === undefined ? {} : { replayed: answer.replayed }),
  };
}

/** @throws ApiError if the response is about another operation or says nothing about its progress. */
function requireSameOperation({ id, ...operation }: Operation, wanted: string): void {
  const isOther = id !== undefined && !isSameId(id, wanted);
  const { state, phase, finishedAt, deletedAt } = operation;
  const isEmpty = [state, phase, finishedAt, deletedAt].every((one) => one === undefined);
  if (!isOther && !isEmpty) return;
  throw new ApiError({
    kind: 'protocol',
    code: 'wrongSchema',
    message: 'The response is not about this operation.',
  });
}

/** A workload name in the logs that no known workload or resource has: it may be an orphan. */
interface OrphanCandidate {
  readonly name: string;
  /** The time of the newest record with that name, ISO UTC. */
  readonly lastSeen: string;
}

export interface OrphanCandidates {
  /** The last seen first. */
  readonly candidates: readonly OrphanCandidate[];
  /** Whether all records of the time range were read, or at least one of each workload. */
  readonly isWhole: boolean;
}

/** The known workloads and resources. An item with one of these names is not an orphan. */
interface KnownWorkloads {
  /** In lower case. */
  readonly names: ReadonlySet<string>;
  /** Ids, in lower case, of those without a name. Their workloads are not orphans either. */
  readonly nameless: ReadonlySet<string>;
  /** The keys that are not loaded: their names are missing and would count as orphans. */
  readonly missing: readonly CacheKey[];
}

interface OrphanSearch {
  readonly client: Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'>;
  readonly signal: AbortSignal;
  readonly serverId: string;
  readonly known: Pick<KnownWorkloads, 'names' | 'nameless'>;
}

const week = 7 * day;
/** The store keys that are needed to tell a known workload of a server from an orphan. */
export function orphanKeys({ sources }: DataContext, serverId: string): readonly CacheKey[] {
  return [
    { kind: 'alerts', id: serverId },
    ...sources().map(({ id }) => ({ kind: 'resources', id }) as const),
  ];
}

/** The workloads of the server and the resources of all sources that the store knows. */
export function knownWorkloads(context: DataContext, serverId: string): KnownWorkloads {
  const { store } = context;
  const names = new Set<string>();
  const nameless = new Set<string>();
  const note = (id: string | undefined, given: readonly (string | undefined)[]): void => {
    const known = given.filter((name) => name !== undefined);
    known.forEach((name) => names.add(name.toLowerCase()));
    if (known.length === 0 && id !== undefined) nameless.add(id.toLowerCase());
  };
  for (const { id, name } of store.read('alerts', serverId).value?.workloads ?? []) {
    note(id, [name]);
  }
  for (const source of context.sources()) {
    for (const resource of store.read('resources', source.id).value?.resources ?? []) {
      const { id, config, runtimeState } = resource;
      const { observedContainerName, ingressContainerName } = runtimeState ?? {};
      note(id, [nameOfResource(resource), config?.name]);
      // The container of a known resource is not an orphan, even if its name differs.
      for (const name of [observedContainerName, ingressContainerName]) {
        if (name !== undefined) names.add(name.toLowerCase());
      }
    }
  }
  const missing = orphanKeys(context, serverId).filter(
    (key) => store.entry(key).value === undefined,
  );
  return { names, nameless, missing };
}

/**
 * Finds workload names in the logs of a server of the last seven days that are not known. Running workloads
 * write far more records than removed ones, so those with most of them are left out of further searches.
 *
 * @throws ApiError, or the signal's reason.
 */
export async function findOrphanCandidates(search: OrphanSearch): Promise<OrphanCandidates> {
  const { client, signal, known } = search;
  const now = client.serverNow();
  const filters = { ...logWindow(now - week, now), serverIds: [search.serverId] };
  const workloads = new Map<string, number>();
  const lastSeen = new Map<string, string>();

  function note(records: readonly LogRecord[]): void {
    for (const { workloadId, workloadName, timestamp } of records) {
      workloads.set(workloadId, (workloads.get(workloadId) ?? 0) + 1);
      const name = workloadName.trim();
      if (name === '' || isKnown(known, workloadId, name)) continue;
      const before = lastSeen.get(name);
      if (before === undefined || before < timestamp) lastSeen.set(name, timestamp);
    }
  }

  const isWhole = await fetchEach({
    client,
    filters,
    signal,
    priority: 'person',
    field: 'workloadId',
    found: () => [...workloads].sort(([, one], [, other]) => other - one).map(([id]) => id),
    onPage: ({ records }) => note(records),
  });
  const candidates = [...lastSeen].map(([name, seen]) => ({ name, lastSeen: seen }));
  candidates.sort((one, other) => (one.lastSeen < other.lastSeen ? 1 : -1));
  return { candidates, isWhole };
}

function isKnown({ names, nameless }: OrphanSearch['known'], id: string, name: string): boolean {
  return names.has(name.toLowerCase()) || nameless.has(id.toLowerCase());
}
