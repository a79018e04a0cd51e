import { Failure } from '../failure';
import { keysOf } from '../workspace';
import type { Environment, Row } from './estate';
import { found, type Route } from './routes';
import * as schemas from './schemas';
import type { State } from './state';

const { uuid, text, flag, list, oneOf, object, count } = schemas;

/** The endpoints below a source. */
export function sourceRoutes(state: State): readonly Route[] {
  const { estate, deployments, syncs } = state;

  const sourceOf = (id: unknown): Row => found(estate.sourceRows.values(), id, 'Source');
  const environmentsOf = (sourceId: string): Environment[] =>
    estate.environments.filter(({ source }) => source.id === sourceId);
  const environmentOf = (sourceId: unknown, environmentId: unknown): Environment => {
    const environment = found(environmentsOf(sourceOf(sourceId).id), environmentId, 'Environment');
    if (environment.row['disconnectedAt'] === null) return environment;
    throw new Failure(404, 'Environment not found.');
  };
  /** A source with what its environments and syncs say. */
  function whole(row: Row): Row {
    const environments = environmentsOf(row.id).map((one) => syncs.environmentRow(one));
    const [last] = syncs.of(row.id);
    return {
      ...row,
      latestSyncStatus: last?.['status'] ?? environments[0]?.['latestSyncStatus'] ?? 'never',
      autoDeployPaused: environments.some((one) => one['autoDeployPaused'] === true),
    };
  }
  const needsAttention = (row: Row): boolean =>
    row['latestSyncStatus'] === 'failed' || row['autoDeployPaused'] === true;

  return [
    {
      method: 'GET',
      path: '/sources',
      permission: 'repository.read',
      summary: 'List sources',
      query: {
        optional: {
          q: schemas.textOf(0, 200),
          view: oneOf('all', 'attention'),
          sync: oneOf('never', 'queued', 'running', 'succeeded', 'failed'),
          autoDeploy: oneOf('active', 'paused'),
        },
      },
      answer: {
        sources: list(schemas.source),
        counts: object({ all: count, attention: count }),
      },
      handle({ parameters: { q = '', view, sync, autoDeploy } }) {
        const all = [...estate.sourceRows.values()].map(whole);
        const wanted = String(q).toLowerCase();
        const isAsked = (row: Row): boolean =>
          `${String(row['repositoryOwner'])}/${String(row['repositoryName'])}`.includes(wanted) &&
          (view !== 'attention' || needsAttention(row)) &&
          (sync === undefined || row['latestSyncStatus'] === sync) &&
          (autoDeploy === undefined || row['autoDeployPaused'] === (autoDeploy === 'paused'));
        const counts = { all: all.length, attention: all.filter(needsAttention).length };
        return { sources: all.filter(isAsked), counts };
      },
    },
    {
      method: 'GET',
      path: '/sources/{sourceId}',
      permission: 'repository.read',
      summary: 'Get a source',
      answer: { source: schemas.source, canManageSource: flag },
      handle: ({ key, parameters }) => ({
        source: whole(sourceOf(parameters['sourceId'])),
        canManageSource: key.permissions.has('repository.update'),
      }),
    },
    {
      method: 'GET',
      path: '/sources/{sourceId}/apps',
      permission: 'repository.read',
      summary: 'List the apps of a source',
      answer: { apps: list(schemas.deployable(schemas.appKinds)) },
      handle: ({ parameters }) => ({
        apps: state.rowsOf(estate.apps, sourceOf(parameters['sourceId']).id),
      }),
    },
    {
      method: 'GET',
      path: '/sources/{sourceId}/resources',
      contractId: 'get_sources_resources',
      permission: 'repository.read',
      summary: 'List the resources of a source',
      answer: { resources: list(schemas.deployable(schemas.databaseKinds)) },
      handle: ({ parameters }) => ({
        resources: state.rowsOf(estate.stores, sourceOf(parameters['sourceId']).id),
      }),
    },
    {
      method: 'GET',
      path: '/sources/{sourceId}/environments',
      permission: 'repository.read',
      summary: 'List the environments of a source',
      answer: { environments: list(schemas.environment) },
      handle: ({ parameters }) => ({
        environments: environmentsOf(sourceOf(parameters['sourceId']).id).map((one) =>
          syncs.environmentRow(one),
        ),
      }),
    },
    {
      method: 'PATCH',
      path: '/sources/{sourceId}/environments/{environmentId}/auto-deploy-control',
      permission: 'deployment.create',
      summary: 'Pause or resume automatic deployment',
      body: object({ paused: flag }),
      answer: { environment: schemas.environment },
      handle({ parameters: { sourceId, environmentId }, body }) {
        const environment = environmentOf(sourceId, environmentId);
        environment.row['autoDeployPaused'] = (body as { paused: boolean }).paused;
        return { environment: syncs.environmentRow(environment) };
      },
    },
    {
      method: 'POST',
      path: '/sources/{sourceId}/environments/{environmentId}/syncs',
      contractId: 'post_sources_environments_syncs',
      permission: 'repository.sync',
      summary: 'Import the configuration of an environment',
      status: 202,
      answer: { sync: schemas.syncRow },
      handle: ({ key, parameters: { sourceId, environmentId } }) => ({
        sync: syncs.request(key, environmentOf(sourceId, environmentId)),
      }),
    },
    {
      method: 'GET',
      path: '/sources/{sourceId}/syncs',
      permission: 'repository.read',
      summary: 'List the syncs of a source',
      answer: { syncs: list(schemas.syncOutcome) },
      handle: ({ parameters }) => ({ syncs: syncs.of(sourceOf(parameters['sourceId']).id) }),
    },
    {
      method: 'GET',
      path: '/sources/{sourceId}/syncs/{syncId}',
      permission: 'repository.read',
      summary: 'Get a sync',
      answer: { sync: schemas.syncOutcome },
      handle: ({ parameters: { sourceId, syncId } }) => ({
        sync: found(syncs.of(sourceOf(sourceId).id), syncId, 'Sync'),
      }),
    },
    {
      method: 'GET',
      path: '/sources/{sourceId}/deployments',
      permission: 'repository.read',
      summary: 'List the deployments of a source',
      answer: { deployments: list(schemas.deployment) },
      handle: ({ parameters }) => ({
        deployments: deployments.all(sourceOf(parameters['sourceId']).id),
      }),
    },
    {
      method: 'GET',
      path: '/sources/{sourceId}/previews',
      permission: 'repository.read',
      summary: 'List the previews of a source',
      answer: { previews: list(schemas.preview) },
      handle({ parameters }) {
        const { id } = sourceOf(parameters['sourceId']);
        return { previews: estate.previews.filter((one) => one['sourceId'] === id) };
      },
    },
    secrets(state, sourceOf),
  ];
}

/** Of one environment at a time: the first one if none is asked. */
function secrets({ estate, random }: State, sourceOf: (id: unknown) => Row): Route {
  const revisions = random.fork('revisions');
  const known = new Map<string, string>();

  /** Environments by name, each followed by that of its previews. */
  function namesOf(sourceId: string): string[] {
    return estate.environments
      .filter(({ source, row }) => source.id === sourceId && row['disconnectedAt'] === null)
      .map(({ name }) => name)
      .sort()
      .flatMap((name) => [name, `preview:${name}`]);
  }

  function bindingOf(row: Row, environment: string, stage: string): object {
    const isBuild = stage === 'build';
    const isUsed = isBuild || stage === 'deployment';
    const declared = [...(keysOf[String(row['repositoryName'])] ?? [])].sort();
    const keys = isUsed ? (isBuild ? declared.slice(0, 1) : declared) : [];
    const hasValues = !environment.startsWith('preview:') && keys.length > 0;
    const name = `${row.id} ${environment} ${stage}`;
    if (hasValues && !known.has(name)) known.set(name, revisions.uuid());
    const missing = environment === 'staging' && !isBuild ? keys.slice(-1) : [];
    const affected = estate.deployables.filter(
      (one) => one.environment.source.id === row.id && environment.endsWith(one.environment.name),
    );
    return {
      environment,
      stage,
      declared: true,
      keys,
      revision: known.get(name) ?? null,
      updatedAt: hasValues ? row['updatedAt'] : null,
      pendingChanges: false,
      missingKeys: hasValues ? missing : keys,
      inheritedKeys: [],
      inheritedOrigins: {},
      inheritedRevisions: { global: null, source: null },
      availableReferences: { globals: ['REGISTRY_TOKEN'], source: [] },
      affectedDeployables: affected.map((one) => ({
        ...{ id: one.id, name: one.name },
        kind: estate.stores.includes(one) ? 'resource' : 'app',
      })),
    };
  }

  return {
    method: 'GET',
    path: '/sources/{ownerId}/secrets',
    contractId: 'get_sources_secrets',
    permission: 'secret.list',
    summary: 'List the secrets of an environment',
    query: {
      optional: {
        environment: {
          ...{ type: 'string', maxLength: 80 },
          pattern: '^(?:preview:)?[a-z][a-z0-9-]{0,62}$',
        },
      },
    },
    answer: {
      environments: list(text),
      bindings: list(schemas.binding),
      canManageSecrets: flag,
    },
    checkFirst({ ownerId }) {
      if (!new RegExp(String(uuid['pattern'])).test(String(ownerId))) {
        throw new Failure(400, 'The path parameter is not valid.', 'INVALID_PATH_PARAMETER');
      }
      sourceOf(ownerId);
    },
    handle({ key, parameters }) {
      const row = sourceOf(parameters['ownerId']);
      const environments = namesOf(row.id);
      const asked = (parameters['environment'] ?? environments[0]) as string | undefined;
      if (asked !== undefined && !environments.includes(asked)) {
        const message = `The source has no environment ${asked}.`;
        throw new Failure(422, message, 'SECRET_ENVIRONMENT_MISMATCH');
      }
      return {
        environments,
        bindings:
          asked === undefined ? [] : schemas.stages.map((stage) => bindingOf(row, asked, stage)),
        canManageSecrets: key.actor === 'personal-key' && key.permissions.has('secret.update'),
      };
    },
  };
}
