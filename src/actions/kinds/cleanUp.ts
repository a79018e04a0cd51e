import * as v from 'valibot';
import {
  type ActionProgress,
  storedMembers,
  storedUuid,
  type UnwatchedReason,
} from '../../activity/activityEntry';
import { limitSize } from '../../activity/activityStorage';
import { type ActionKind, durationHere } from '../../activity/entryKind';
import { problemOf } from '../../activity/problems';
import {
  type Look,
  pollUntil,
  type Runner,
  type RunSignals,
  WatchedWork,
} from '../../activity/runner';
import type { CallOptions, ControlPlaneClient } from '../../api/client';
import { ApiError, failedAs } from '../../api/errors';
import { operations } from '../../api/generated/operations';
import { readLenient } from '../../api/readLenient';
import { isOutage } from '../../api/retryPolicy';
import type { CleanupResponse, Operation } from '../../api/types';
import { cleanupBody, cleanupText, orphanKindForm } from '../../api/validateRequest';
import { type Clock, hour, minute, second } from '../../base/clock';
import { isObject, type JsonObject } from '../../base/json';
import { maybe } from '../../base/storedValue';
import { dotted } from '../../base/textFormat';
import { timeOf } from '../../base/timeFormat';
import { plainText } from '../../base/untrustedText';
import { hasEnded, stateMeaning } from '../../data/states';
import { stateInWords, workText } from '../../data/stateWords';
import { isSameId } from '../../data/targets';
import { detailLines, detailsOf } from '../../trees/nodes';
import { workStatus } from '../../trees/status';
import { readItemNames } from '../itemNames';
import { sendAction } from '../sendAction';

const storedItems = v.array(
  v.object({ kind: v.pipe(v.string(), v.regex(orphanKindForm)), name: v.string() }),
);

const stored = v.pipe(
  v.object({
    ...storedMembers,
    kind: v.literal('cleanUp'),
    serverId: storedUuid,
    serverName: maybe(v.string()),
    items: v.pipe(v.unknown(), v.transform(readItemNames)),
    /** The items with their kinds, if the server lists its orphans. */
    listed: v.optional(storedItems),
    idempotencyKey: storedUuid,
    /** The exact text of the request body. */
    body: v.string(),
    operationId: maybe(v.string()),
    operation: maybe(v.pipe(v.custom<JsonObject>(isObject), v.transform(readOperation))),
    replayed: maybe(v.boolean()),
    /** Whether the server does not list the items as orphans any more, which was all that it said in the end. */
    isUnlisted: maybe(v.literal(true)),
  }),
  // Only what was sent may be sent again.
  v.check(
    ({ items, listed, body }) =>
      items.problem === undefined &&
      (listed === undefined || isOf(items.names, listed)) &&
      body === cleanupText(items.names, listed),
  ),
  v.transform(({ items, serverName, ...entry }) => ({
    ...entry,
    items: items.names,
    serverName: serverName ?? entry.serverId,
  })),
  v.readonly(),
);

/** A clean-up, with everything that is needed to send exactly the same request again. */
export type CleanUpEntry = v.InferOutput<typeof stored>;

/** Whether the listed items are those of these names. */
function isOf(names: readonly string[], listed: readonly { readonly name: string }[]): boolean {
  const found = new Set(listed.map(({ name }) => name));
  return found.size === names.length && names.every((name) => found.has(name));
}

function readOperation(value: JsonObject): Operation {
  return limitSize(readLenient('Operation', value).value);
}

/** Removes items from a server. */
export const cleanUpKind: ActionKind<
  CleanUpEntry,
  Pick<CleanUpEntry, 'serverId' | 'serverName' | 'items' | 'listed'>
> = {
  name: 'cleanUp',
  schema: stored,
  request: {
    operation: operations.cleanUpOrphans,
    lacksText: (t) =>
      t(
        'A clean-up requires the permission {0}, which the API key does not have.',
        operations.cleanUpOrphans.permission,
      ),
    unknownText: () => undefined,
    acceptedText: ({ operationId }, t) =>
      operationId === undefined
        ? t('accepted. Its progress cannot be watched.')
        : t(
            'accepted with the operation ID {0}. Its progress cannot be watched.',
            plainText(operationId, 80),
          ),
  },
  begin: (target, _at, newId) => ({
    kind: 'cleanUp',
    ...target,
    idempotencyKey: newId(),
    body: cleanupText(target.items, target.listed),
    progress: { kind: 'sending' },
  }),
  runner: ({ client, clock, random }) => new CleanUpRunner(client, clock, random),
  title: ({ items, serverName }, { t, counted }) =>
    items.length === 1
      ? t('Clean up {0} on {1}', items[0] ?? '', serverName)
      : counted(items.length, 'Clean up {0} item on {1}', 'Clean up {0} items on {1}', serverName),
  resultTitle: ({ serverName }, t) => t('Clean-up of {0} – result', serverName),
  words({ operation = {}, replayed, isUnlisted }, { t }) {
    if (isUnlisted === true) return t('not listed as orphans any more');
    const { state, phase, cancelRequestedAt, deletedAt } = operation;
    return dotted([
      workText(state, t),
      // What is done has no phase; what has failed has failed in one.
      phase === undefined || phase === state || stateMeaning(state) === 'succeeded'
        ? undefined
        : stateInWords(phase, t),
      cancelRequestedAt === undefined ? undefined : t('cancel requested'),
      deletedAt === undefined ? undefined : t('deleted'),
      replayed === true ? t('replayed') : undefined,
    ]);
  },
  status({ operation = {}, progress, isUnlisted }) {
    if (isUnlisted === true) return workStatus('succeeded');
    const { state, errorCode, errorMessage, deletedAt } = operation;
    const status = workStatus(state);
    const hasFailed = (errorCode ?? errorMessage) !== undefined && status.rank < 3;
    if (hasFailed) return { ...status, icon: 'warning', color: 'list.warningForeground', rank: 3 };
    const isGone = deletedAt !== undefined && progress.kind === 'over';
    return isGone && [0, 2].includes(status.rank)
      ? { ...status, icon: 'trash', color: 'disabledForeground', rank: 0 }
      : status;
  },
  target: ({ serverId, operationId }) => ({
    serverId,
    ...(operationId === undefined ? {} : { id: operationId }),
  }),
  details(entry, context) {
    const { t } = context;
    const { serverName, serverId, items, listed, operation = {}, replayed } = entry;
    const { idempotencyKey } = entry;
    return [
      ...detailLines([
        [t('Server'), `${serverName} (${serverId})`],
        [t('Items'), (listed?.map(({ kind, name }) => `${name} (${kind})`) ?? items).join(', ')],
        [t('Idempotency key'), idempotencyKey],
        [t('Replayed'), replayed === undefined ? undefined : replayed ? t('yes') : t('no')],
      ]),
      ...detailsOf(
        { ...operation, result: withoutLogs(operation.result) },
        context,
        // The progress says both.
        ['state', 'phase', ...(serverId === operation.serverId ? ['serverId'] : [])],
      ),
    ];
  },
  canWatch: ({ operationId }) => operationId !== undefined,
  duration(entry) {
    const { operation, isUnlisted } = entry;
    if (operation === undefined || isUnlisted === true) return durationHere(entry);
    if (!hasEnded(operation)) return undefined;
    const [start, end] = [timeOf(operation.startedAt), timeOf(operation.finishedAt)];
    return start !== undefined && end !== undefined ? end - start : durationHere(entry);
  },
  operation: ({ operation }) => operation,
};

/** The document shows the logs separately. */
function withoutLogs(result: object | undefined): object | undefined {
  if (result === undefined) return undefined;
  const { logs: _logs, ...rest } = result as { logs?: unknown };
  return rest;
}

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

const first = second;
const longest = 15 * second;
const maxWatch = 30 * minute;
/** How many 404 responses in a row end polling, and the milliseconds between them: all within 10 s. */
const maxMissing = 3;
const missingSpacing = 4000;
/** How many invalid responses in a row end polling: they probably come from another server. */
const maxInvalid = 3;

/** Sends a clean-up with its saved key, and watches the operation that it starts. */
export class CleanUpRunner implements Runner<CleanUpEntry> {
  /** Whether the server turned out to have no endpoint for operations. */
  private isPollingOff = false;

  constructor(
    private readonly client: Pick<
      ControlPlaneClient,
      'cleanUpOrphans' | 'getOperation' | 'listOrphans'
    >,
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {}

  async run(
    entry: CleanUpEntry,
    signals: RunSignals,
    report: (entry: CleanUpEntry) => Promise<void>,
  ): Promise<CleanUpEntry> {
    const { progress } = entry;
    if (progress.kind === 'following') {
      // Somebody wants to know again, or this is the first look on this connection.
      this.isPollingOff = false;
      return this.follow(entry, signals, report);
    }
    if (progress.kind !== 'sending') return entry;
    const sent = await sendAction(
      operations.cleanUpOrphans.retry,
      (options) => this.send(entry, options),
      { ...signals, clock: this.clock, random: this.random },
      progress.isAgain,
    );
    if (sent.kind === 'failed') return { ...entry, progress: sent.progress };
    const accepted = { ...entry, ...acceptedAs(sent.answer) };
    if (accepted.progress.kind !== 'following') return accepted;
    await report(accepted);
    return this.follow(accepted, signals, report);
  }

  private send(
    { serverId, items, listed, idempotencyKey }: CleanUpEntry,
    options: CallOptions,
  ): Promise<CleanupResponse> {
    const parameters = { serverId, 'Idempotency-Key': idempotencyKey };
    return this.client.cleanUpOrphans({ parameters, body: cleanupBody(items, listed) }, options);
  }

  /**
   * The operation; undefined if there is no endpoint for it. A server that lists its orphans tells its state by the
   * same request with the same key, until it does not list them any more.
   */
  private async read(
    operationId: string,
    repeated: CleanUpEntry | undefined,
    options: CallOptions,
  ): Promise<Operation | 'gone' | undefined> {
    const found = await this.client.getOperation({ operationId }, options);
    if (found !== undefined || repeated?.listed === undefined) return found;
    // A person waits for it, so it does not wait behind what is looked at in any case.
    const urgent = { ...options, priority: 'person', retries: false } as const;
    try {
      return (await this.send(repeated, urgent)).operation;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      return (await this.isAnyListed(repeated, urgent)) ? undefined : 'gone';
    }
  }

  /** Whether the server still lists one of the items, as far as it says. */
  private async isAnyListed(
    { serverId, listed = [] }: CleanUpEntry,
    options: CallOptions,
  ): Promise<boolean> {
    const { orphans } = (await this.client.listOrphans({ serverId }, options)) ?? {};
    const isItem = (a: { kind?: string; name?: string }): boolean =>
      listed.some((b) => a.kind === b.kind && a.name === b.name);
    return orphans?.some(isItem) ?? true;
  }

  /** Watches the operation of an accepted clean-up. */
  private async follow(
    first: CleanUpEntry,
    signals: RunSignals,
    report: (entry: CleanUpEntry) => Promise<void>,
  ): Promise<CleanUpEntry> {
    let entry = first;
    const { operationId } = entry;
    if (this.isPollingOff || operationId === undefined) {
      return { ...entry, progress: { kind: 'left', why: 'noPolling' } };
    }
    const progress = await this.watch(
      operationId,
      signals,
      (operation, isOver) => {
        entry = { ...entry, operation: limitSize(operation) };
        if (!isOver) void report(entry);
      },
      first,
    );
    if (progress === 'gone') return { ...entry, isUnlisted: true, progress: { kind: 'over' } };
    this.isPollingOff = progress.kind === 'left' && progress.why === 'noPolling';
    return { ...entry, progress };
  }

  /**
   * Polls an operation until it has ended: after 1 s, then at growing intervals of up to 15 s, each
   * ±20 %, for at most 30 minutes. Continues after temporary failures.
   *
   * @param onDidPoll called after each response, including the last.
   * @param repeated what may be sent again to watch it, if there is no endpoint for it.
   * @throws only the reason of `lifetime`.
   */
  async watch(
    operationId: string,
    signals: RunSignals,
    onDidPoll: (operation: Operation, isOver: boolean) => void,
    repeated?: CleanUpEntry,
  ): Promise<ActionProgress | 'gone'> {
    const { clock } = this;
    const work = new WatchedWork(clock.monotonic());
    const jittered = (ms: number): number => ms * (0.8 + 0.4 * this.random());
    let interval = 0;
    let missing = 0;
    let invalid = 0;
    let wasFound = false;

    function left(why: UnwatchedReason, error?: unknown): Look<ActionProgress> {
      const problem = error === undefined ? {} : { problem: problemOf(error) };
      return { end: { kind: 'left', why, ...problem } };
    }

    function next(): Look<ActionProgress> {
      interval = interval === 0 ? first : Math.min(longest, interval * 2);
      return { wait: jittered(interval) };
    }

    function afterFailure(error: unknown): Look<ActionProgress> {
      if (!(error instanceof ApiError)) return left('failed', error);
      const { status, code } = error;
      missing = status === 404 ? missing + 1 : 0;
      invalid = error.kind === 'protocol' ? invalid + 1 : 0;
      if (status === 404) {
        if (missing < maxMissing) return { wait: jittered(missingSpacing) };
        // A server that has the endpoint sends the error object of the contract.
        const hasEndpoint = wasFound || code !== 'noErrorObject';
        return hasEndpoint ? left('lost', error) : left('noPolling');
      }
      if (status === 405 || status === 501) return left('noPolling');
      if (status === 410) return left('expired', error);
      const isInvalid = error.kind === 'protocol' && invalid < maxInvalid;
      const isTemporary = isOutage(error) || failedAs(error, 'rateLimited') || isInvalid;
      return isTemporary ? next() : left('failed', error);
    }

    const look = async (): Promise<Look<ActionProgress | 'gone'>> => {
      if (interval === 0) return next();
      work.lookAt(clock.monotonic());
      if (work.time >= maxWatch) return left('deadline');
      try {
        const options = { signal: signals.stop, priority: 'awaited' } as const;
        const operation = await this.read(operationId, repeated, options);
        if (operation === undefined) return left('noPolling');
        if (operation === 'gone') return { end: operation };
        requireSameOperation(operation, operationId);
        [missing, invalid, wasFound] = [0, 0, true];
        const isOver = work.hasEnded(operation);
        onDidPoll(operation, isOver);
        return isOver ? { end: { kind: 'over' } } : next();
      } catch (error) {
        signals.stop.throwIfAborted();
        return afterFailure(error);
      }
    };

    const end = await pollUntil(clock, look, signals);
    return end === 'stopped' ? { kind: 'left', why: end } : end;
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
