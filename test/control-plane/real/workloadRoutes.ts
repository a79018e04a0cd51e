import type { Deployable } from './estate';
import { found, type Route } from './routes';
import * as schemas from './schemas';
import type { State } from './state';

const { list, object, flag, text, oneOf } = schemas;

/** The endpoints of apps, databases and deployments. */
export function workloadRoutes(state: State): readonly Route[] {
  const { estate, deployments } = state;
  const apps = {
    all: estate.apps,
    kinds: schemas.appKinds,
    permission: 'workload.read',
    path: '/apps',
    parameter: 'appId',
    what: 'app',
  } as const;
  const stores = {
    all: estate.stores,
    kinds: schemas.databaseKinds,
    permission: 'resource.read',
    path: '/resources',
    parameter: 'resourceId',
    what: 'resource',
  } as const;
  /** By idempotency key. */
  const deployed = new Map<string, string>();
  const deploymentOf = (id: unknown): object =>
    found(deployments.all() as { id: string }[], id, 'Deployment');

  function routesOf({
    all,
    kinds,
    permission,
    path,
    parameter,
    what,
  }: typeof apps | typeof stores) {
    const one = (id: unknown): Deployable => found(all, id, what === 'app' ? 'App' : 'Resource');
    const byId = `${path}/{${parameter}}`;
    const routes: Route[] = [
      {
        method: 'GET',
        path,
        permission,
        summary: `List ${what}s`,
        answer: { [path.slice(1)]: list(schemas.deployable(kinds)) },
        handle: () => ({ [path.slice(1)]: state.rowsOf(all) }),
      },
      {
        method: 'GET',
        path: byId,
        permission,
        summary: `Get one ${what}`,
        answer: { [what]: schemas.deployable(kinds) },
        handle: ({ parameters }) => ({ [what]: one(parameters[parameter]).row }),
      },
      {
        method: 'GET',
        path: `${byId}/deployments`,
        ...(what === 'resource' ? { contractId: 'get_resources_deployments' } : {}),
        permission,
        summary: `List the deployments of one ${what}`,
        answer: { deployments: list(schemas.deployment) },
        handle: ({ parameters }) => ({
          deployments: deployments.of(one(parameters[parameter]).id),
        }),
      },
      {
        method: 'GET',
        path: `${byId}/operations`,
        permission,
        summary: `List the operations of one ${what}`,
        answer: { operations: list(schemas.operation) },
        handle({ parameters }) {
          one(parameters[parameter]);
          return { operations: [] };
        },
      },
      {
        method: 'POST',
        path: `${byId}/actions/deploy`,
        permission: 'deployment.create',
        summary: `Deploy one ${what}`,
        isIdempotent: true,
        status: (answer) => ('replayed' in answer && answer.replayed === true ? 200 : 202),
        answer: { deployment: schemas.deployment, replayed: flag },
        handle({ key, parameters }) {
          const { id } = one(parameters[parameter]);
          const name = `${id} ${String(parameters['Idempotency-Key'])}`;
          const known = deployed.get(name);
          const trigger = key.actor === 'team-key' ? 'auto_deploy' : 'manual';
          const deployment = known ?? deployments.deploy(id, { trigger }, []);
          deployed.set(name, deployment);
          return { deployment: deploymentOf(deployment), replayed: known !== undefined };
        },
      },
    ];
    return routes;
  }

  return [
    ...routesOf(apps),
    ...routesOf(stores),
    {
      method: 'GET',
      path: '/apps/{appId}/previews',
      permission: 'workload.read',
      summary: 'List the previews of an app',
      answer: { previews: list(schemas.preview) },
      handle({ parameters }) {
        const { id } = found(estate.apps, parameters['appId'], 'App');
        return { previews: estate.previews.filter((one) => one['appId'] === id) };
      },
    },
    {
      method: 'GET',
      path: '/deployments',
      permission: 'deployment.read',
      summary: 'List deployments',
      answer: { deployments: list(schemas.deployment) },
      handle: () => ({ deployments: deployments.all() }),
    },
    {
      method: 'GET',
      path: '/deployments/{deploymentId}',
      permission: 'deployment.read',
      summary: 'Get a deployment',
      answer: { deployment: schemas.deployment },
      handle: ({ parameters }) => ({ deployment: deploymentOf(parameters['deploymentId']) }),
    },
    {
      method: 'GET',
      path: '/deployments/{deploymentId}/steps',
      permission: 'deployment.read',
      summary: 'List the steps of a deployment',
      answer: {
        steps: list(
          object({
            state: text,
            status: oneOf('waiting', 'running', 'succeeded', 'failed', 'skipped'),
            message: text,
          }),
        ),
      },
      handle({ parameters }) {
        deploymentOf(parameters['deploymentId']);
        return { steps: [] };
      },
    },
  ];
}
