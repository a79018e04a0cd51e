import { Failure } from './failure';
import { queryLogs } from './logs';
import type { Call, Parts } from './parts';
import { integrations, type Workspace } from './workspace';

/** Operations that are accepted, and go on after the answer. */
export const goesOn = new Set(['post_servers_cleanup_orphans', 'post_sources_environments_syncs']);

const repositoriesPerPage = 20;

/** The item with this id (UUIDs ignore case). @throws 404 */
function named<Item extends { readonly id?: string }>(
  items: readonly Item[],
  id: unknown,
  what: string,
): Item {
  const item = items.find((one) => one.id === String(id).toLowerCase());
  if (!item) throw new Failure(404, `There is no ${what} ${String(id)}.`);
  return item;
}

/** What each operation answers that answers with JSON, by operation id. */
export function workspaceHandlers(
  parts: Parts,
  workspace: () => Workspace,
  newId: () => string,
): Readonly<Record<string, (call: Call) => object | Promise<object>>> {
  const { world, clock } = parts;
  /** Failed reports to the git provider; the last one fails again. */
  let failedReports = 3;

  return {
    post_logs_query: (call) => queryLogs(parts, call),

    get_servers_monitor_alerts({ key, parameters: { serverId, deployableId } }) {
      const { id } = named(world.servers, serverId, 'server');
      const deployable =
        deployableId === undefined
          ? undefined
          : named(world.workloads, deployableId, 'deployable').id;
      const canManage = key.permissions.has('integration.manage');
      return { ...workspace().alerts.list(id, deployable), canManage };
    },

    get_sources_resources({ parameters }) {
      const { id } = named(world.sources, parameters['sourceId'], 'source');
      return { resources: workspace().resources.filter(({ sourceId }) => sourceId === id) };
    },

    get_sources_secrets({ key, parameters: { ownerId, environment } }) {
      const all = workspace().secrets.get(named(world.sources, ownerId, 'source')) ?? [];
      return {
        environments: [...new Set(all.map((one) => one.environment))],
        bindings: all.filter((one) => environment === undefined || one.environment === environment),
        canManageSecrets: key.permissions.has('integration.manage'),
      };
    },

    get_repositories({ parameters: { search = '', page = 1 } }) {
      const text = String(search).toLowerCase();
      const found = workspace().repositories.filter(({ fullName }) =>
        fullName?.toLowerCase().includes(text),
      );
      const end = Number(page) * repositoriesPerPage;
      return {
        repositories: found.slice(end - repositoriesPerPage, end),
        ...(found.length > end ? { nextPage: Number(page) + 1 } : {}),
      };
    },

    get_resources_deployments({ parameters }) {
      const { id } = named(world.workloads, parameters['resourceId'], 'resource');
      return { deployments: workspace().deployments.list(id) };
    },

    get_integrations: () => ({ integrations }),

    get_operation({ parameters }) {
      const { operations } = workspace();
      return { operation: named(operations.all(), parameters['operationId'], 'operation') };
    },

    post_servers_cleanup_orphans({ key, parameters, body }) {
      const { items } = body as { items: { name: string }[] };
      const { id: serverId } = named(world.servers, parameters['serverId'], 'server');
      const idempotencyKey = String(parameters['Idempotency-Key']);
      return workspace().operations.cleanUp(key, { serverId, idempotencyKey, items }, parts.unkind);
    },

    post_sources_environments_syncs({ parameters }) {
      const source = named(world.sources, parameters['sourceId'], 'source');
      const environmentId = String(parameters['environmentId']).toLowerCase();
      if (source.environmentId !== environmentId) {
        throw new Failure(404, `The source ${source.name} has no environment ${environmentId}.`);
      }
      if (source.disconnected) {
        throw new Failure(409, 'The environment is disconnected.', 'environment_disconnected');
      }
      const started = workspace().deployments.sync(source);
      const sync = {
        id: newId(),
        state: 'accepted',
        sourceId: source.id,
        environmentId,
        commitSha: workspace().deployments.headOf(source),
        deploymentIds: started.map(({ id }) => id),
        createdAt: new Date(clock.now()).toISOString(),
      };
      return { sync };
    },

    post_retry_preview_reporting() {
      const attempted = failedReports;
      failedReports = attempted > 1 ? 1 : 0;
      return { attempted, failed: failedReports, succeeded: attempted - failedReports };
    },
  };
}
