import { cleanupText } from '../api/cleanupBody';
import { isObject, type JsonObject, membersOf, readLenient } from '../api/readLenient';
import type { Deployment, Operation } from '../api/types';
import { isUuid } from '../inventory/targets';
import { cut } from '../text/plainText';
import type {
  ActionProblem,
  ActionProgress,
  ActivityConnection,
  ActivityEntry,
  CleanUpEntry,
  PreviewReportingEntry,
  SyncEntry,
  UnwatchedReason,
} from './activityEntry';
import { readItemNames } from './itemNames';

/**
 * The storage of entries, which all windows share. Each entry is a record of its own, so that windows
 * that write different entries do not interfere.
 */
export interface ActivityStorage {
  /** Returns all readable records. Never rejects. */
  list(): Promise<readonly unknown[]>;
  /** Returns undefined if there is no record or it cannot be read. Never rejects. */
  read(id: string): Promise<unknown>;
  /**
   * Resolves when the entry would survive a crash of this window.
   *
   * @throws if it cannot be saved.
   */
  write(entry: ActivityEntry): Promise<void>;
  /** Never rejects. */
  remove(id: string): Promise<void>;
}

const maxDeployments = 50;

/**
 * Reads an entry of any origin: another window, an earlier version, a broken disk. Never throws.
 * Returns undefined if it is not valid. A clean-up is valid only if its body matches its items.
 */
export function readActivityEntry(value: unknown): ActivityEntry | undefined {
  if (!isObject(value)) return undefined;
  const base = readBase(value);
  if (base === undefined) return undefined;
  switch (value['kind']) {
    case 'cleanUp':
      return readCleanUp(value, base);
    case 'sync':
      return readSync(value, base);
    case 'previewReporting':
      return readPreviewReporting(value, base);
    default:
      return undefined;
  }
}

type Base = Pick<ActivityEntry, 'id' | 'connection' | 'at' | 'endedAt' | 'lease' | 'progress'>;

function readBase(value: JsonObject): Base | undefined {
  const { id, at, endedAt, lease } = value;
  const connection = readConnection(value['connection']);
  const progress = readProgress(value['progress']);
  if (!isUuid(id) || !isTime(at) || connection === undefined || progress === undefined) {
    return undefined;
  }
  return {
    id,
    connection,
    at,
    progress,
    ...(isTime(endedAt) ? { endedAt } : {}),
    ...(isObject(lease) && isText(lease['window']) && isTime(lease['until'])
      ? { lease: { window: lease['window'], until: lease['until'] } }
      : {}),
  };
}

function readConnection(value: unknown): ActivityConnection | undefined {
  if (!isObject(value)) return undefined;
  const { name, baseUrl } = value;
  return isText(name) && isText(baseUrl) ? { name, baseUrl } : undefined;
}

function readCleanUp(value: JsonObject, base: Base): CleanUpEntry | undefined {
  const { serverId, serverName, idempotencyKey, body, operationId, replayed } = value;
  const { names: items, problem } = readItemNames(value['items']);
  if (!isUuid(serverId) || !isUuid(idempotencyKey) || problem !== undefined) return undefined;
  if (body !== cleanupText(items)) return undefined;
  return {
    ...base,
    kind: 'cleanUp',
    serverId,
    serverName: isText(serverName) ? serverName : serverId,
    items,
    idempotencyKey,
    body,
    ...(isText(operationId) ? { operationId } : {}),
    ...(isObject(value['operation']) ? { operation: readOperation(value['operation']) } : {}),
    ...(typeof replayed === 'boolean' ? { replayed } : {}),
  };
}

function readSync(value: JsonObject, base: Base): SyncEntry | undefined {
  const { sourceId, sourceName, environmentId, environmentName, before, sync } = value;
  if (!isUuid(sourceId) || !isUuid(environmentId)) return undefined;
  return {
    ...base,
    kind: 'sync',
    sourceId,
    sourceName: isText(sourceName) ? sourceName : sourceId,
    environmentId,
    environmentName: isText(environmentName) ? environmentName : environmentId,
    ...(isObject(before) ? { before: readTimes(before) } : {}),
    ...(isObject(sync) ? { sync: limitSize(sync) } : {}),
    deployments: readDeployments(value['deployments']),
  };
}

function readPreviewReporting(value: JsonObject, base: Base): PreviewReportingEntry {
  const { attempted, succeeded, failed } = value;
  return {
    ...base,
    kind: 'previewReporting',
    ...(isNumber(attempted) ? { attempted } : {}),
    ...(isNumber(succeeded) ? { succeeded } : {}),
    ...(isNumber(failed) ? { failed } : {}),
  };
}

function readProgress(value: unknown): ActionProgress | undefined {
  if (!isObject(value)) return undefined;
  const { kind, why } = value;
  const problem = readProblem(value['problem']);
  const withProblem = problem === undefined ? {} : { problem };
  switch (kind) {
    case 'sending':
    case 'following':
    case 'over':
      return { kind };
    case 'refused':
      return { kind, problem: problem ?? { kind: 'other', message: '' } };
    // An earlier version saved a 409 like this. It does not say that nothing is running.
    case 'conflict':
      return { kind: 'unknown', why: 'noAnswer', ...withProblem };
    case 'unknown':
      return { kind, why: why === 'noAnswer' ? why : 'interrupted', ...withProblem };
    case 'left':
      return { kind, why: isUnwatchedReason(why) ? why : 'stopped', ...withProblem };
    default:
      return undefined;
  }
}

const unwatchedReasons: Readonly<Record<UnwatchedReason, true>> = {
  stopped: true,
  noPolling: true,
  lost: true,
  expired: true,
  deadline: true,
  failed: true,
  nothing: true,
};

function isUnwatchedReason(value: unknown): value is UnwatchedReason {
  return typeof value === 'string' && Object.hasOwn(unwatchedReasons, value);
}

function readProblem(value: unknown): ActionProblem | undefined {
  if (!isObject(value)) return undefined;
  const { kind, message, status, code, requestId } = value;
  return {
    kind: isText(kind) ? kind : 'other',
    message: isText(message) ? message : '',
    ...(isNumber(status) ? { status } : {}),
    ...(isText(code) ? { code } : {}),
    ...(isText(requestId) ? { requestId } : {}),
  };
}

function readOperation(value: object): Operation {
  return limitSize(readLenient('Operation', value).value);
}

function readDeployments(value: unknown): readonly Deployment[] {
  const { deployments = [] } = readLenient('DeploymentListing', { deployments: value }).value;
  return deployments.slice(0, maxDeployments).map((one) => limitSize(one));
}

function readTimes(value: JsonObject): Readonly<Record<string, number | null>> {
  const times = Object.entries(value).flatMap(([id, time]): [string, number | null][] =>
    isUuid(id) && (time === null || isTime(time)) ? [[id, time]] : [],
  );
  return Object.fromEntries(times);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Whether a value is in the range of `Date`, in milliseconds. */
function isTime(value: unknown): value is number {
  return isNumber(value) && Math.abs(value) <= 8.64e15;
}

/** Deeper than any schema of the contract. */
const maxDepth = 8;
/** The number of members and items on all levels. */
const maxMembers = 200;
/** In UTF-16 units. */
const maxText = 2000;
/** For `logs`, the output of an action, in UTF-16 units. */
const maxLogs = 200_000;

/**
 * Copies a response and limits its size so that it can be saved: cuts long texts with a `…`, and leaves
 * out members that are too deep or too many.
 */
export function limitSize<T extends object>(value: T): T {
  let members = 0;

  function copy(one: unknown, name: string, depth: number): unknown {
    if (typeof one === 'string') return cut(one, name === 'logs' ? maxLogs : maxText);
    if (typeof one !== 'object' || one === null) return one;
    if (depth >= maxDepth) return undefined;
    if (Array.isArray(one)) {
      const items: readonly unknown[] = one;
      return items.filter(() => ++members <= maxMembers).map((item) => copy(item, '', depth + 1));
    }
    const entries = Object.entries(one)
      .filter(() => ++members <= maxMembers)
      .map(([key, inner]): [string, unknown] => [key, copy(inner, key, depth + 1)])
      .filter(([, inner]) => inner !== undefined);
    // Uses entries because an assignment to a member `__proto__` would set the prototype.
    return Object.fromEntries(entries);
  }

  const copied = copy(value, '', 0);
  // The copy still has the type, because leniently read members may be missing.
  return membersOf(copied) as T;
}
