import type { CallOptions, ControlPlaneClient } from '../api/client';
import { type Clock, day, hour } from '../api/clock';
import { ApiError } from '../api/errors';
import type { Permission } from '../api/types';

/** What is known of one permission of the key. */
export type PermissionState =
  | { readonly kind: 'granted' }
  | { readonly kind: 'missing'; readonly error: ApiError }
  /** It would change something, or nothing is known that could be asked for. */
  | {
      readonly kind: 'notTried';
      readonly why: 'changesThings' | 'noServer' | 'noSource' | 'noResource';
    }
  /** The answer says nothing of the permission. */
  | { readonly kind: 'failed'; readonly error: unknown };

export interface ConnectionReport {
  /** Whether any answer came, whatever its status. */
  readonly reachable: boolean;
  /** Milliseconds that the server's clock is ahead of ours; undefined where no answer says its time. */
  readonly clockSkew: number | undefined;
  readonly permissions: readonly (readonly [Permission, PermissionState])[];
}

type Reads = Pick<
  ControlPlaneClient,
  | 'queryLogs'
  | 'listAlertRules'
  | 'listResources'
  | 'listSecrets'
  | 'listRepositories'
  | 'listDeployments'
  | 'listIntegrations'
>;

/** The ids of what the settings list. */
export interface ConfiguredThings {
  readonly sources?: readonly string[];
  readonly servers?: readonly string[];
}

/** So many things are tried before a permission counts as missing: one of them may be refused alone. */
const mostTried = 5;

/**
 * Tries each of the nine permissions that a read can show, one small request each. What one answer
 * names (a server, a source, a resource) is what the next asks for, beside what is configured. A permission
 * is missing only where it is refused for each thing that is tried. Rejects only when aborted.
 */
export async function checkConnection(
  client: Reads,
  clock: Clock,
  signal: AbortSignal,
  configured: ConfiguredThings = {},
): Promise<ConnectionReport> {
  const states = new Map<Permission, PermissionState>();
  let reachable = false;
  let skew: number | undefined;
  const options: CallOptions = {
    signal,
    onDidRequest({ date }) {
      skew ??= clockSkew(date, clock.now());
    },
  };

  const attempt = async <T>(
    permission: Permission,
    read: () => Promise<T>,
  ): Promise<T | undefined> => {
    signal.throwIfAborted();
    try {
      const answer = await read();
      reachable = true;
      states.set(permission, { kind: 'granted' });
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      reachable ||= error instanceof ApiError && error.status !== undefined;
      states.set(
        permission,
        error instanceof ApiError && error.status === 403
          ? { kind: 'missing', error }
          : { kind: 'failed', error },
      );
      return undefined;
    }
  };
  /** Asks for one thing after the other, until one is granted. */
  const attemptWith = async <T>(
    permission: Permission,
    ids: readonly (string | undefined)[],
    why: 'noServer' | 'noSource' | 'noResource',
    read: (id: string) => Promise<T>,
  ): Promise<T | undefined> => {
    const different = [...new Set(ids)].filter((id) => id !== undefined).slice(0, mostTried);
    let failure: PermissionState | undefined;
    for (const id of different) {
      const answer = await attempt(permission, () => read(id));
      const state = states.get(permission);
      if (state?.kind === 'granted') return answer;
      // A refusal says more than another failure.
      failure = failure?.kind === 'missing' ? failure : state;
    }
    states.set(permission, failure ?? { kind: 'notTried', why });
    return undefined;
  };
  const { sources = [], servers = [] } = configured;

  const now = clock.now();
  const filters = { from: new Date(now - day).toISOString(), to: new Date(now).toISOString() };
  const logs = await attempt('logs.read', () => client.queryLogs({ filters, limit: 1 }, options));
  const alerts = await attemptWith(
    'alert.read',
    [...servers, ...(logs?.records ?? []).map(({ serverId }) => serverId)],
    'noServer',
    (serverId) => client.listAlertRules({ serverId }, options),
  );
  const sourceIds = [...sources, ...(alerts?.workloads ?? []).map(({ sourceId }) => sourceId)];
  const resources = await attemptWith('repository.read', sourceIds, 'noSource', (id) =>
    client.listResources(id, options),
  );
  await attemptWith('secret.list', sourceIds, 'noSource', (id) =>
    client.listSecrets({ sourceId: id }, options),
  );
  const resourceIds = (resources?.resources ?? []).map(({ id }) => id);
  await attemptWith('resource.read', resourceIds, 'noResource', (id) =>
    client.listDeployments(id, options),
  );
  await attempt('repository.connect', () => client.listRepositories({}, options));
  await attempt('integration.manage', () => client.listIntegrations(options));
  states.set('repository.sync', { kind: 'notTried', why: 'changesThings' });
  states.set('server.remove', { kind: 'notTried', why: 'changesThings' });
  return { reachable, clockSkew: skew, permissions: [...states] };
}

/**
 * How far the server's clock is ahead of ours in milliseconds, from a `Date` header, which has a
 * resolution of a second. Undefined where there is none that can be read.
 */
export function clockSkew(date: string | undefined, receivedAt: number): number | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? undefined : time - receivedAt;
}

/** What one cheap request says of an API key. */
export type KeyTrial =
  | { readonly kind: 'valid' }
  /** The key is good, but may not read logs. */
  | { readonly kind: 'withoutLogs'; readonly error: ApiError }
  | { readonly kind: 'invalid'; readonly error: ApiError }
  /** Nothing can be said of the key: the control plane did not answer as it should. */
  | { readonly kind: 'unknown'; readonly error: unknown };

/** Tries a key with the smallest request there is: one log record of the last hour. */
export async function tryKey(
  client: Pick<ControlPlaneClient, 'queryLogs'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<KeyTrial> {
  const now = clock.now();
  const filters = {
    from: new Date(now - hour).toISOString(),
    to: new Date(now).toISOString(),
  };
  try {
    await client.queryLogs({ filters, limit: 1 }, { signal });
    return { kind: 'valid' };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return { kind: 'invalid', error };
    if (error instanceof ApiError && error.status === 403) return { kind: 'withoutLogs', error };
    return { kind: 'unknown', error };
  }
}
