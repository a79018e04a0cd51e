import type { FastifyInstance } from 'fastify';
import type { Context } from '../context';
import { Failure } from '../failure';
import { addOperation } from './api';

const repositoriesPerPage = 20;

/** The one with this id (UUIDs are the same in either case), else 404. */
export function named<Item extends { readonly id: string }>(
  items: readonly Item[],
  id: unknown,
  what: string,
): Item {
  const item = items.find((one) => one.id === String(id).toLowerCase());
  if (!item) throw new Failure(404, `There is no ${what} ${String(id)}.`);
  return item;
}

/** What can be looked at besides logs. */
export function registerWorkspace(app: FastifyInstance, context: Context): void {
  const { world, resources, deployments, alerts, secrets, repositories, integrations } = context;

  addOperation(app, 'get_servers_monitor_alerts', ({ key, parameters }) => {
    const { id } = named(world.servers, parameters['serverId'], 'server');
    const { deployableId } = parameters;
    const deployable =
      deployableId === undefined
        ? undefined
        : named(world.workloads, deployableId, 'deployable').id;
    const canManage = key.permissions.has('integration.manage');
    return { ...alerts.list(id, deployable), canManage };
  });

  addOperation(app, 'get_sources_resources', ({ parameters }) => {
    const { id } = named(world.sources, parameters['sourceId'], 'source');
    return { resources: resources.filter(({ sourceId }) => sourceId === id) };
  });

  addOperation(app, 'get_sources_secrets', ({ key, parameters }) => {
    const source = named(world.sources, parameters['ownerId'], 'source');
    const all = secrets.get(source) ?? [];
    const { environment } = parameters;
    return {
      environments: [...new Set(all.map((one) => one.environment))],
      bindings: all.filter((one) => environment === undefined || one.environment === environment),
      canManageSecrets: key.permissions.has('integration.manage'),
    };
  });

  addOperation(app, 'get_repositories', ({ parameters }) => {
    const { search, page } = parameters;
    const text = typeof search === 'string' ? search.toLowerCase() : '';
    const found = repositories.filter(({ fullName }) => fullName?.toLowerCase().includes(text));
    const number = typeof page === 'number' ? page : 1;
    const end = number * repositoriesPerPage;
    return {
      repositories: found.slice(end - repositoriesPerPage, end),
      ...(found.length > end ? { nextPage: number + 1 } : {}),
    };
  });

  addOperation(app, 'get_resources_deployments', ({ parameters }) => {
    const { id } = named(world.workloads, parameters['resourceId'], 'resource');
    return { deployments: deployments.list(id) };
  });

  addOperation(app, 'get_integrations', () => ({ integrations }));

  addOperation(app, 'get_operation', ({ parameters }) => {
    const operation = context.operations.find(String(parameters['operationId']));
    if (!operation) throw new Failure(404, 'There is no such operation.');
    return { operation };
  });
}
