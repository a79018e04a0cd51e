import type { CallOptions, ControlPlaneClient } from '../api/client';
import { ApiError, failedAs, parseHttpDate } from '../api/errors';
import { operations } from '../api/generated/operations';
import type { ApiOperation } from '../api/operation';
import { mayOnlyRead } from '../api/readingKey';
import type { Permission } from '../api/types';
import { logWindow } from '../api/utcTime';
import { type Clock, day, hour } from '../base/clock';

/** Whether the API key has one permission. */
export type PermissionState =
  | { readonly kind: 'granted' }
  | { readonly kind: 'missing' }
  /** The key has it, and the control plane refuses what uses it, because the key may only read. */
  | { readonly kind: 'onlyReads' }
  /** It would change something, or there is no object to request. */
  | {
      readonly kind: 'notTried';
      readonly why: 'changesThings' | 'noServer' | 'noSource' | 'noResource';
    }
  /** The request failed for another reason. */
  | { readonly kind: 'failed'; readonly error: unknown };

export interface ConnectionReport {
  /** Whether any answer arrived, whatever its status. */
  readonly reachable: boolean;
  /** How far the server's clock is ahead, in milliseconds; undefined if no answer has a date. */
  readonly clockSkew: number | undefined;
  readonly permissions: readonly (readonly [Permission, PermissionState])[];
}

type Reads = Pick<
  ControlPlaneClient,
  | 'getIdentity'
  | 'queryLogs'
  | 'serverNow'
  | 'listAlertRules'
  | 'listResources'
  | 'listSecrets'
  | 'listRepositories'
  | 'listDeployments'
  | 'listIntegrations'
>;

/** Ids from the settings. */
interface ConfiguredIds {
  readonly sources?: readonly string[];
  readonly servers?: readonly string[];
}

const contractOperations = Object.values<ApiOperation>(operations).filter(
  ({ isOnlyIfDescribed, pathSetting }) =>
    isOnlyIfDescribed === undefined && pathSetting !== 'descriptionPath',
);

/** How many objects are tried before a permission counts as missing, because one may be refused alone. */
const mostTried = 5;

/**
 * Asks for all permissions where the server says them. Otherwise tests each that a read can show with small requests.
 * Each request uses the configured ids and those from the answers before. A permission is missing only if it is refused
 * for every object that is tried. Rejects only when aborted.
 */
export async function checkConnection(
  client: Reads,
  clock: Clock,
  signal: AbortSignal,
  configured: ConfiguredIds = {},
): Promise<ConnectionReport> {
  let skew: number | undefined;
  const options: CallOptions = {
    signal,
    priority: 'person',
    onDidRequest({ date }) {
      skew ??= clockSkew(date, clock.now());
    },
  };
  const { capabilities } =
    // Without an answer, each permission is tried.
    (await client.getIdentity({}, options).catch(() => undefined)) ?? {};
  if (capabilities !== undefined) {
    const permissions = await saidPermissions(client, signal, capabilities);
    return { reachable: true, clockSkew: skew, permissions };
  }
  const trials = new PermissionTrials(signal);
  await tryReads(client, options, configured, trials);
  for (const { permission } of [operations.syncEnvironment, operations.cleanUpOrphans]) {
    trials.states.set(permission, { kind: 'notTried', why: 'changesThings' });
  }
  return { reachable: trials.reachable, clockSkew: skew, permissions: [...trials.states] };
}

/** All permissions of the contract, by those that the server says the key has. */
async function saidPermissions(
  client: Reads,
  signal: AbortSignal,
  capabilities: readonly string[],
): Promise<ConnectionReport['permissions']> {
  const granted = new Set(capabilities);
  const all = new Set(contractOperations.map(({ permission }) => permission));
  const { permission: ofLogs } = operations.queryLogs;
  // A search is sent, which a key that may only read may or may not do.
  const isTried = granted.has(ofLogs) && mayOnlyRead(capabilities);
  const isRefused = isTried && (await tryKey(client, signal)).kind === 'withoutLogs';
  return [...all].map((permission) => {
    const kind = granted.has(permission) ? ('granted' as const) : ('missing' as const);
    const isOne = isRefused && permission === ofLogs;
    return [permission, { kind: isOne ? ('onlyReads' as const) : kind }] as const;
  });
}

/** Sends each request that reads, with ids that are configured or that those before name. */
async function tryReads(
  client: Reads,
  options: CallOptions,
  { sources = [], servers = [] }: ConfiguredIds,
  trials: PermissionTrials,
): Promise<void> {
  const now = client.serverNow();
  const filters = logWindow(now - day, now);
  const logs = await trials.of(operations.queryLogs, () =>
    client.queryLogs({ filters, limit: 1 }, options),
  );
  const alerts = await trials.ofAny(
    operations.listAlertRules,
    [...servers, ...(logs?.records ?? []).map(({ serverId }) => serverId)],
    'noServer',
    (serverId) => client.listAlertRules({ serverId }, options),
  );
  const sourceIds = [...sources, ...(alerts?.workloads ?? []).map(({ sourceId }) => sourceId)];
  const resources = await trials.ofAny(
    operations.listResources,
    sourceIds,
    'noSource',
    (sourceId) => client.listResources({ sourceId }, options),
  );
  await trials.ofAny(operations.listSecrets, sourceIds, 'noSource', (ownerId) =>
    client.listSecrets({ ownerId }, options),
  );
  const resourceIds = (resources?.resources ?? []).map(({ id }) => id);
  await trials.ofAny(operations.listDeployments, resourceIds, 'noResource', (resourceId) =>
    client.listDeployments({ resourceId }, options),
  );
  await trials.of(operations.listRepositories, () => client.listRepositories({}, options));
  await trials.of(operations.listIntegrations, () => client.listIntegrations({}, options));
}

/** What requests have shown of the permissions of a key. */
class PermissionTrials {
  readonly states = new Map<Permission, PermissionState>();
  reachable = false;

  constructor(private readonly signal: AbortSignal) {}

  async of<T>(
    { permission }: Pick<ApiOperation, 'permission'>,
    read: () => Promise<T>,
  ): Promise<T | undefined> {
    this.signal.throwIfAborted();
    try {
      const answer = await read();
      this.reachable = true;
      this.states.set(permission, { kind: 'granted' });
      return answer;
    } catch (error) {
      this.signal.throwIfAborted();
      this.reachable ||= error instanceof ApiError && error.status !== undefined;
      this.states.set(
        permission,
        failedAs(error, 'missingPermission') ? { kind: 'missing' } : { kind: 'failed', error },
      );
      return undefined;
    }
  }

  /** Tries one object after the other until one is granted. */
  async ofAny<T>(
    operation: Pick<ApiOperation, 'permission'>,
    ids: readonly (string | undefined)[],
    why: 'noServer' | 'noSource' | 'noResource',
    read: (id: string) => Promise<T>,
  ): Promise<T | undefined> {
    const { permission } = operation;
    const different = [...new Set(ids)].filter((id) => id !== undefined).slice(0, mostTried);
    let failure: PermissionState | undefined;
    for (const id of different) {
      const answer = await this.of(operation, () => read(id));
      const state = this.states.get(permission);
      if (state?.kind === 'granted') return answer;
      // A refusal takes precedence over another failure.
      failure = failure?.kind === 'missing' ? failure : state;
    }
    this.states.set(permission, failure ?? { kind: 'notTried', why });
    return undefined;
  }
}

/**
 * How far the server's clock is ahead, in milliseconds, by a `Date` header, which has a resolution of one
 * second. Undefined if the header is missing or invalid.
 */
export function clockSkew(date: string | undefined, receivedAt: number): number | undefined {
  const time = parseHttpDate(date ?? '');
  return time === undefined ? undefined : time - receivedAt;
}

/** The result of testing an API key. */
export type KeyTrial =
  | { readonly kind: 'valid' }
  /** The key is valid but may not read logs. */
  | { readonly kind: 'withoutLogs'; readonly error: ApiError }
  | { readonly kind: 'invalid'; readonly error: ApiError }
  /** The request failed for another reason. */
  | { readonly kind: 'unknown'; readonly error: unknown };

/** Tests a key with the smallest request: one log record of the last hour. */
export async function tryKey(
  client: Pick<ControlPlaneClient, 'queryLogs' | 'serverNow'>,
  signal: AbortSignal,
): Promise<KeyTrial> {
  const now = client.serverNow();
  const filters = logWindow(now - hour, now);
  try {
    await client.queryLogs({ filters, limit: 1 }, { signal, priority: 'person' });
    return { kind: 'valid' };
  } catch (error) {
    if (failedAs(error, 'unknownKey')) return { kind: 'invalid', error };
    if (failedAs(error, 'missingPermission')) return { kind: 'withoutLogs', error };
    return { kind: 'unknown', error };
  }
}
