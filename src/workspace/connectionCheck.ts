import type { CallOptions, ControlPlaneClient } from '../api/client';
import type { Clock } from '../api/clock';
import { ApiError } from '../api/errors';
import type { Permission } from '../api/types';
import { day } from '../api/units';

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

/**
 * Tries each of the nine permissions that a read can show, one small request each. What one answer
 * names (a server, a source, a resource) is what the next asks for. Rejects only when aborted.
 */
export async function checkConnection(
  client: Reads,
  clock: Clock,
  signal: AbortSignal,
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
  /** Asks for something by its id, if one is known. */
  const attemptWith = async <T>(
    permission: Permission,
    id: string | undefined,
    why: 'noServer' | 'noSource' | 'noResource',
    read: (id: string) => Promise<T>,
  ): Promise<T | undefined> => {
    if (id !== undefined) return attempt(permission, () => read(id));
    states.set(permission, { kind: 'notTried', why });
    return undefined;
  };

  const now = clock.now();
  const filters = { from: new Date(now - day).toISOString(), to: new Date(now).toISOString() };
  const logs = await attempt('logs.read', () => client.queryLogs({ filters, limit: 1 }, options));
  const alerts = await attemptWith(
    'alert.read',
    logs?.records[0]?.serverId,
    'noServer',
    (serverId) => client.listAlertRules({ serverId }, options),
  );
  const sourceId = alerts?.workloads?.find((one) => one.sourceId !== undefined)?.sourceId;
  const resources = await attemptWith('repository.read', sourceId, 'noSource', (id) =>
    client.listResources(id, options),
  );
  await attemptWith('secret.list', sourceId, 'noSource', (id) =>
    client.listSecrets({ sourceId: id }, options),
  );
  const resourceId = resources?.resources?.find((one) => one.id !== undefined)?.id;
  await attemptWith('resource.read', resourceId, 'noResource', (id) =>
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
