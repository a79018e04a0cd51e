import { Failure } from './failure';
import { queryLogs } from './logs';
import type { Handler, Parts } from './parts';
import { integrations } from './workspace';

const repositoriesPerPage = 20;

/** The item with this id (UUIDs ignore case). @throws 404 */
function named<Item extends { readonly id: string }>(
  items: readonly Item[],
  id: unknown,
  what: string,
): Item {
  const item = items.find((one) => one.id === String(id).toLowerCase());
  if (!item) throw new Failure(404, `There is no ${what} ${String(id)}.`);
  return item;
}

/** The handlers of all operations that answer with JSON, by operation id. */
export function workspaceHandlers(parts: Parts): Record<string, Handler> {
  const { world, workspace, clock } = parts;
  /** Failed reports to the git provider; the last one fails again. */
  let failedReports = 3;

  return {
    post_logs_query: async (call) => ({ json: await queryLogs(parts, call) }),

    get_servers_monitor_alerts({ key, parameters }) {
      const { id } = named(world.servers, parameters['serverId'], 'server');
      const { deployableId } = parameters;
      const deployable =
        deployableId === undefined
          ? undefined
          : named(world.workloads, deployableId, 'deployable').id;
      const canManage = key.permissions.has('integration.manage');
      return { json: { ...workspace().alerts.list(id, deployable), canManage } };
    },

    get_sources_resources({ parameters }) {
      const { id } = named(world.sources, parameters['sourceId'], 'source');
      return {
        json: { resources: workspace().resources.filter(({ sourceId }) => sourceId === id) },
      };
    },

    get_sources_secrets({ key, parameters }) {
      const source = named(world.sources, parameters['ownerId'], 'source');
      const all = workspace().secrets.get(source) ?? [];
      const { environment } = parameters;
      return {
        json: {
          environments: [...new Set(all.map((one) => one.environment))],
          bindings: all.filter(
            (one) => environment === undefined || one.environment === environment,
          ),
          canManageSecrets: key.permissions.has('integration.manage'),
        },
      };
    },

    get_repositories({ parameters }) {
      const { search, page } = parameters;
      const text = typeof search === 'string' ? search.toLowerCase() : '';
      const found = workspace().repositories.filter(({ fullName }) =>
        fullName?.toLowerCase().includes(text),
      );
      const number = typeof page === 'number' ? page : 1;
      const end = number * repositoriesPerPage;
      return {
        json: {
          repositories: found.slice(end - repositoriesPerPage, end),
          ...(found.length > end ? { nextPage: number + 1 } : {}),
        },
      };
    },

    get_resources_deployments({ parameters }) {
      const { id } = named(world.workloads, parameters['resourceId'], 'resource');
      return { json: { deployments: workspace().deployments.list(id) } };
    },

    get_integrations: () => ({ json: { integrations } }),

    get_operation({ parameters }) {
      const { operationId } = parameters;
      const operation = workspace()
        .operations.all()
        .find(({ id }) => id === operationId);
      if (!operation) throw new Failure(404, 'There is no such operation.');
      return { json: { operation } };
    },

    post_servers_cleanup_orphans({ key, parameters, body }) {
      const { items } = body as { items: { name: string }[] };
      const { id } = named(world.servers, parameters['serverId'], 'server');
      const idempotencyKey = String(parameters['Idempotency-Key']);
      const request = { serverId: id, idempotencyKey, items };
      return { status: 202, json: workspace().operations.cleanUp(key, request, parts.unkind) };
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
        id: parts.newId(),
        state: 'accepted',
        sourceId: source.id,
        environmentId,
        commitSha: source.revision,
        deploymentIds: started.map(({ id }) => id),
        createdAt: new Date(clock.now()).toISOString(),
      };
      return { status: 202, json: { sync } };
    },

    post_retry_preview_reporting() {
      const attempted = failedReports;
      failedReports = attempted > 1 ? 1 : 0;
      const succeeded = attempted - failedReports;
      return { json: { attempted, failed: failedReports, succeeded } };
    },
  };
}
