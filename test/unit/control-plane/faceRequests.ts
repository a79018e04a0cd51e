import type { Like } from '../../control-plane/faces';
import type { World } from '../../control-plane/world';
import { always, type Asked } from './harness';

/** A valid request for an operation of the contract. */
interface FaceRequest {
  /** The operation, by its id in the contract. */
  readonly id: string;
  readonly permission: string;
  readonly path: string;
  readonly asked: Asked;
  readonly status: number;
}

/** What differs between the faces in the requests of the contract. */
const differences = {
  document: {
    alerts: 'monitor-alerts',
    repositories: '/codehost-b/repositories?page=2',
    reporting: '/codehost-a',
    item: { name: 'old' },
  },
  real: {
    alerts: 'watch-alerts',
    repositories: '/gitlab/repositories?integration=shop-forge&page=2',
    reporting: '/github',
    item: { kind: 'volume', name: 'old-data-0' },
  },
} as const satisfies Readonly<Record<Like, object>>;

/**
 * One for each operation of the contract except the stream, as a face takes it.
 *
 * @param resourceId what has deployments; default: an app, which is no resource of the face `real`.
 */
export function faceRequests(
  like: Like,
  { servers, sources, workloads }: World,
  resourceId = workloads[0]!.id,
): readonly FaceRequest[] {
  const { alerts, repositories, reporting, item } = differences[like];
  const server = `/servers/${servers[0]!.id}`;
  const source = `/sources/${sources[0]!.id}`;
  const sync = `${source}/environments/${sources[0]!.environmentId}/syncs`;
  const cleanUp = { headers: { 'idempotency-key': 'k' }, body: { items: [item] } };
  const post = { method: 'POST' };
  const logs = { body: { filters: always } };
  return (
    [
      ['post_logs_query', 'logs.read', '/logs/query', logs, 200],
      [
        'post_servers_cleanup_orphans',
        'server.remove',
        `${server}/actions/cleanup-orphans`,
        cleanUp,
        202,
      ],
      ['get_servers_monitor_alerts', 'alert.read', `${server}/${alerts}`, {}, 200],
      ['get_sources_resources', 'repository.read', `${source}/resources`, {}, 200],
      ['get_sources_secrets', 'secret.list', `${source}/secrets?environment=production`, {}, 200],
      ['get_repositories', 'repository.connect', repositories, {}, 200],
      [
        'get_resources_deployments',
        'resource.read',
        `/resources/${resourceId}/deployments`,
        {},
        200,
      ],
      ['post_sources_environments_syncs', 'repository.sync', sync, post, 202],
      [
        ...(['post_retry_preview_reporting', 'integration.manage'] as const),
        ...([`${reporting}/actions/retry-preview-reporting`, post, 200] as const),
      ],
      ['get_integrations', 'integration.manage', '/integrations', {}, 200],
    ] as const
  ).map(([id, permission, path, asked, status]) => ({ id, permission, path, asked, status }));
}
