import { cleanupText } from '../api/cleanupBody';
import { isObject, type JsonObject, membersOf, readLenient } from '../api/lenient';
import type { Deployment, Operation } from '../api/types';
import { isUuid } from '../inventory/targets';
import type {
  ActionProblem,
  ActionProgress,
  ActivityConnection,
  ActivityEntry,
  CleanUpEntry,
  LeftWhy,
  PreviewReportingEntry,
  SyncEntry,
} from './activityEntry';
import { readItemNames } from './itemNames';

/**
 * Where entries are kept: one record each, so that two windows that write different ones do not
 * disturb each other, and shared by all windows.
 */
export interface ActivityStorage {
  /** Every record as it was found; what cannot be read is left out. Never rejects. */
  list(): Promise<readonly unknown[]>;
  /** Undefined where there is none, or it cannot be read. Never rejects. */
  read(id: string): Promise<unknown>;
  /**
   * Resolves once the entry would survive the end of this window.
   *
   * @throws where it cannot be kept.
   */
  write(entry: ActivityEntry): Promise<void>;
  /** Never rejects. */
  remove(id: string): Promise<void>;
}

const maxDeployments = 50;

/**
 * Reads what an earlier version, another window or a broken disk may have written. Never throws;
 * undefined where it is no entry. A clean-up is one only if what it would send again is what was sent.
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
    ...(isObject(value['operation']) ? { operation: readKept(value['operation']) } : {}),
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
    // What an earlier version made of a 409, which does not say that nothing runs.
    case 'conflict':
      return { kind: 'unknown', why: 'noAnswer', ...withProblem };
    case 'unknown':
      return { kind, why: why === 'noAnswer' ? why : 'interrupted', ...withProblem };
    case 'left':
      return { kind, why: isLeftWhy(why) ? why : 'stopped', ...withProblem };
    default:
      return undefined;
  }
}

const leftWhys: Readonly<Record<LeftWhy, true>> = {
  stopped: true,
  noPolling: true,
  lost: true,
  expired: true,
  deadline: true,
  failed: true,
  nothing: true,
};

function isLeftWhy(value: unknown): value is LeftWhy {
  return typeof value === 'string' && Object.hasOwn(leftWhys, value);
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

function readKept(value: object): Operation {
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

/** Milliseconds that a date can be made of. */
function isTime(value: unknown): value is number {
  return isNumber(value) && Math.abs(value) <= 8.64e15;
}

/** Deeper than anything of the contract. */
const maxDepth = 8;
/** Members and items of all levels together. */
const maxMembers = 200;
/** In UTF-16 units. */
const maxText = 2000;
/** Of `logs`: what an action printed, which is what a person wants to read of it. */
const maxLogs = 200_000;

/**
 * A copy of an answer that is small enough to be kept, whatever the server sends: long texts are cut,
 * with a `…`, and what is too deep or too much is left out.
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
    // From entries, since an assignment to a member `__proto__` would set the prototype.
    return Object.fromEntries(entries);
  }

  const copied = copy(value, '', 0);
  // Only leaves are cut or left out, which the lenient reading lets be absent.
  return membersOf(copied) as T;
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
}
