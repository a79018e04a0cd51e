/*
 * Schemas of requests and answers, in the dialect of OpenAPI 3.1. Every member is there and no other may be, unless it
 * is said.
 */

export type Schema = Readonly<Record<string, unknown>>;
export type Members = Readonly<Record<string, Schema>>;

export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const number: Schema = { type: 'number' };
export const count: Schema = { type: 'integer', minimum: 0 };
export const uuid: Schema = {
  type: 'string',
  format: 'uuid',
  pattern:
    '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$',
};
/** A commit. */
export const commit: Schema = { type: 'string', pattern: '^[0-9a-f]{40}$' };
/** A time as a `Date` prints itself. */
export const time: Schema = {
  type: 'string',
  format: 'date-time',
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`,
};
/** A time as PostgreSQL prints it. */
export const databaseTime: Schema = {
  type: 'string',
  pattern: String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$`,
};

export function textOf(minLength: number, maxLength: number): Schema {
  return { type: 'string', minLength, maxLength };
}

export function oneOf(...values: readonly string[]): Schema {
  return { type: 'string', enum: values };
}

export function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] };
}

export function list(items: Schema, bounds: Schema = {}): Schema {
  return { type: 'array', items, ...bounds };
}

/** An object with these members and no others; those of `optional` may be missing. */
export function object(required: Members, optional: Members = {}): Schema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

/** An object with any members of a kind. */
export function mapOf(values: Schema): Schema {
  return { type: 'object', additionalProperties: values };
}

const environmentKind = oneOf('production', 'preview');
export const appKinds = ['app', 'compose'] as const;
export const databaseKinds = [
  ...['postgres', 'mysql', 'mariadb', 'mongodb', 'redis', 'dragonfly', 'keydb', 'clickhouse'],
] as const;

/** What a source deploys: an app or a database. */
export function deployable(kinds: readonly string[]): Schema {
  return object({
    id: uuid,
    name: text,
    description: orNull(text),
    kind: oneOf(...kinds),
    entityId: uuid,
    manifestId: text,
    sourceId: uuid,
    sourceRevision: commit,
    serverIp: text,
    serverReady: flag,
    environment: orNull(
      object({ id: uuid, name: text, branch: text, disconnectedAt: orNull(time) }),
    ),
    runtimeState: object({
      desiredState: oneOf('running', 'stopped'),
      observedState: oneOf('missing', 'running', 'stopped', 'unknown'),
      healthStatus: oneOf('healthy', 'none', 'starting', 'unhealthy', 'unknown'),
      driftStatus: oneOf('in_sync', 'drifted', 'unknown'),
      ingressStatus: oneOf('disabled', 'missing', 'ready', 'reconnecting', 'stopped', 'unknown'),
      driftReasons: list(text),
      checkedAt: orNull(time),
      ingressContainerName: orNull(text),
      ingressImage: orNull(text),
      ingressRestartCount: orNull(count),
      observedContainerName: orNull(text),
      observedImage: orNull(text),
    }),
    config: { type: 'object' },
    archivedAt: { type: 'null' },
    createdAt: time,
    updatedAt: time,
  });
}

/** The states of a deployment that goes on, in order. */
export const runningStates = [
  ...['queued', 'waiting_for_server', 'preparing', 'validating_credentials', 'checking_server'],
  ...['fetching_source', 'resolving_secrets', 'transferring', 'building', 'running_pre_deploy'],
  ...['starting_candidate', 'checking_health', 'configuring_routing', 'provisioning_tls'],
  ...['checking_public_endpoint', 'switching_traffic', 'running_post_deploy', 'cleaning_up'],
] as const;
export const endStates = [
  ...['succeeded', 'succeeded_with_warnings', 'skipped', 'failed', 'cancelled'],
] as const;

export const deployment = object({
  id: uuid,
  appId: uuid,
  serverId: uuid,
  sourceId: uuid,
  commitSha: commit,
  manifestDigest: text,
  deployableKind: oneOf(...appKinds, ...databaseKinds),
  environment: environmentKind,
  kind: oneOf('deploy', 'rollback'),
  state: oneOf(...runningStates, ...endStates),
  trigger: oneOf('rollback', 'auto_deploy', 'manual'),
  createdAt: time,
  updatedAt: time,
  targetEnvironment: object({ id: uuid, name: text, branch: text, mappingRevision: text }),
  startedAt: orNull(time),
  finishedAt: orNull(time),
  errorCode: orNull(textOf(1, 100)),
  errorMessage: orNull(text),
  imageDigest: orNull(text),
  imagePlatform: orNull(text),
  sourceInputDigest: orNull(text),
  githubDeploymentId: orNull(text),
  gitRef: orNull(text),
  hostname: orNull(text),
});

export const preview = object({
  id: uuid,
  appId: uuid,
  sourceId: uuid,
  branch: text,
  pullRequestNumber: count,
  hostname: text,
  latestCommitSha: commit,
  latestDeploymentId: orNull(uuid),
  status: oneOf('building', 'healthy', 'failed', 'deleting', 'cleanup_failed', 'deleted'),
  createdAt: time,
  updatedAt: time,
});

export const source = object({
  id: uuid,
  provider: oneOf('github', 'gitlab'),
  repositoryOwner: text,
  repositoryName: text,
  status: oneOf('active', 'archived'),
  latestSyncStatus: oneOf('never', 'queued', 'running', 'succeeded', 'failed'),
  autoDeployPaused: flag,
  createdAt: time,
  updatedAt: time,
});

export const issue = object({
  message: text,
  path: list({ anyOf: [text, { type: 'integer' }] }),
});

export const environment = object({
  id: uuid,
  sourceId: uuid,
  name: text,
  branch: text,
  previewsEnabled: flag,
  mappingRevision: text,
  autoDeployPaused: flag,
  disconnectedAt: orNull(time),
  latestCommitSha: orNull(commit),
  latestSuccessfulSyncId: orNull(uuid),
  latestSyncStatus: oneOf('never', 'queued', 'running', 'succeeded', 'failed'),
  latestSyncFinishedAt: orNull(time),
  latestSyncIssues: list(issue),
});

const syncStatus = oneOf('queued', 'running', 'succeeded', 'failed');

/** The row of a sync, as it is answered when one is requested. */
export const syncRow = object({
  id: uuid,
  sourceId: uuid,
  sourceEnvironmentId: uuid,
  mappingRevision: text,
  deployAfterSync: flag,
  status: syncStatus,
  commitSha: orNull(commit),
  manifestDigest: orNull(text),
  rawManifest: orNull(text),
  normalizedManifest: orNull({ type: 'object' }),
  reconciliation: orNull({ type: 'object' }),
  issues: orNull(list(issue)),
  requestedBy: orNull(uuid),
  requestedByKeyId: orNull(uuid),
  requestedByActor: oneOf('personal-key', 'team-key'),
  startedAt: orNull(time),
  finishedAt: orNull(time),
  createdAt: time,
});

/** A sync as it is followed. */
export const syncOutcome = object({
  id: uuid,
  status: syncStatus,
  commitSha: orNull(commit),
  manifestDigest: orNull(text),
  mappingRevision: text,
  issues: orNull(list(issue)),
  reconciliation: orNull({ type: 'object' }),
  environment: object({ id: uuid, name: text, branch: text }),
  createdAt: time,
  startedAt: orNull(time),
  finishedAt: orNull(time),
});

export const server = object({
  id: uuid,
  name: orNull(text),
  canonicalIp: text,
  setupStatus: oneOf('ready', 'pending', 'preparing', 'failed'),
  healthStatus: oneOf('healthy', 'unhealthy', 'unknown'),
  watch: object({ enabled: flag, status: text }),
  config: { type: 'object' },
  archivedAt: orNull(time),
  createdAt: time,
  updatedAt: time,
});

const orphanKind = oneOf('container', 'image', 'volume');
export const orphanItem = object({ kind: orphanKind, name: textOf(1, 512) });
export const orphan = object({ kind: orphanKind, name: textOf(1, 512), reason: text });

export const operation = object({
  id: uuid,
  type: oneOf('cleanup_orphans'),
  state: oneOf('queued', 'running', 'succeeded', 'failed', 'cancelled'),
  phase: { type: 'null' },
  serverId: uuid,
  sourceId: orNull(uuid),
  resourceId: orNull(uuid),
  requestedBy: orNull(uuid),
  request: object({ type: oneOf('cleanup_orphans'), items: list(orphan) }),
  result: orNull(object({ cleaned: list(orphan), skipped: list(orphan) })),
  errorCode: orNull(textOf(1, 100)),
  errorMessage: orNull(text),
  createdAt: time,
  updatedAt: time,
  startedAt: orNull(time),
  finishedAt: orNull(time),
  deletedAt: orNull(time),
  cancelRequestedAt: orNull(time),
});

export const alertRule = object({
  id: uuid,
  workspaceId: uuid,
  serverId: uuid,
  deployableId: orNull(uuid),
  name: text,
  enabled: flag,
  severity: oneOf('warning', 'critical'),
  environment: environmentKind,
  condition: object(
    {
      metric: text,
      operator: oneOf('above', 'below'),
      threshold: number,
      windowSeconds: { type: 'integer', minimum: 60, maximum: 3600 },
      aggregation: oneOf('average', 'peak'),
    },
    {
      http: object({
        url: text,
        method: oneOf('GET', 'HEAD'),
        intervalSeconds: { type: 'integer', minimum: 30, maximum: 300, multipleOf: 30 },
        timeoutSeconds: { type: 'integer', minimum: 1, maximum: 10 },
        expectedStatusMin: count,
        expectedStatusMax: count,
        maxRedirects: { type: 'integer', minimum: 0, maximum: 3 },
      }),
    },
  ),
  evaluationState: oneOf('unknown', 'healthy', 'firing'),
  evaluatedAt: orNull(time),
  observedValue: orNull(number),
  createdAt: time,
  updatedAt: time,
  deletedAt: { type: 'null' },
  httpCheck: orNull(
    object({
      rule_id: uuid,
      state: oneOf('pending', 'healthy', 'failed', 'blocked'),
      status_code: orNull(count),
      latency_ms: orNull(count),
      reason: orNull(text),
      checked_at: databaseTime,
    }),
  ),
});

export const alertWorkload = object({
  id: uuid,
  name: text,
  sourceId: uuid,
  kind: oneOf(...appKinds, ...databaseKinds),
});

export const chatProviders = ['slack', 'smtp', 'discord', 'telegram', 'webhook'] as const;
export const alertDestination = object({
  id: text,
  provider: oneOf(...chatProviders),
  categories: list(oneOf('deployments', 'health', 'backups', 'restores', 'watch')),
  enabled: { const: true },
  source: { const: 'environment' },
});

export const stages = ['build', 'deployment', 'pre_deploy', 'post_deploy'] as const;
export const binding = object({
  environment: text,
  stage: oneOf(...stages),
  declared: flag,
  keys: list(text),
  revision: orNull(uuid),
  updatedAt: orNull(time),
  pendingChanges: flag,
  missingKeys: list(text),
  inheritedKeys: list(text),
  inheritedOrigins: mapOf(text),
  inheritedRevisions: object({ global: orNull(uuid), source: orNull(uuid) }),
  availableReferences: object({ globals: list(text), source: list(text) }),
  affectedDeployables: list(
    object({ id: uuid, name: text, kind: oneOf('app', 'resource', 'preview') }),
  ),
});

export const repository = object({
  id: text,
  name: text,
  fullName: text,
  owner: text,
  defaultBranch: orNull(text),
  webUrl: text,
  private: flag,
  provider: oneOf('github', 'gitlab'),
});

export const integration = object({
  category: oneOf(
    ...['source-control', 'registry', 'backup', 'external-secrets', 'platform', 'observability'],
  ),
  provider: oneOf(
    ...['github', 'gitlab', 'registry', 's3', 'r2', 'gcs', 'azureBlob', 'aws', 'infisical'],
    ...['doppler', 'cloudflare', 'otlp'],
  ),
});
