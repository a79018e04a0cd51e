import type { CallOptions, ControlPlaneClient } from '../../../src/api/client';
import { queryPageOf } from '../../../src/api/cursors';
import { operations as table } from '../../../src/api/generated/operations';
import {
  describedOperations,
  readServerDescription,
  type ServerFacts,
} from '../../../src/api/serverDescription';
import { filters, otherUuid, queryAnswer, uuid, cleanUpOf } from './cannedAnswers';

/** One call of a function of the client, with what it sends and gets. */
export interface Operation {
  readonly name: keyof typeof table;
  readonly call: (client: ControlPlaneClient, options: CallOptions) => Promise<unknown>;
  /** The method, and the path with query below the base URL. */
  readonly sent: string;
  /** The same with other segments and parameters in the settings. */
  readonly elsewhere?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: object;
  readonly result?: unknown;
}

export const localization = { timeZone: 'UTC' };
export const operation = { id: 'op_1', state: 'running' };

/** A server that describes everything that is beyond the contract, at its usual paths. */
export const everything: ServerFacts = {
  operations: Object.fromEntries(
    describedOperations
      .filter((name) => 'isOnlyIfDescribed' in table[name])
      .map((name) => [name, { path: table[name].path, query: {}, body: {} }]),
  ),
};

const description = { openapi: '3.1.0', paths: { '/integrations': { get: {} } } };

/** Those that a server may have beyond the contract, and the one that reads its description. */
export const beyond: readonly Operation[] = [
  {
    name: 'readDescription',
    call: (client, options) => client.readDescription({}, options),
    sent: 'GET /v1/api/openapi.json',
    elsewhere: 'GET /v1/api/docs/api.json',
    answer: description,
    result: readServerDescription(description),
  },
  {
    name: 'getIdentity',
    call: (client, options) => client.getIdentity({}, options),
    sent: 'GET /v1/api/identity',
    answer: { capabilities: ['logs.read'], localization },
  },
  {
    name: 'listSources',
    call: (client, options) => client.listSources({}, options),
    sent: 'GET /v1/api/sources',
    answer: { sources: [{ id: 's', repositoryName: 'shop' }], localization },
  },
  {
    name: 'listServers',
    call: (client, options) => client.listServers({}, options),
    sent: 'GET /v1/api/servers',
    answer: { servers: [{ id: 's', name: 'one' }], localization },
  },
  {
    name: 'listApps',
    call: (client, options) => client.listApps({ sourceId: uuid }, options),
    sent: `GET /v1/api/sources/${uuid}/apps`,
    answer: { apps: [{ id: 'a', kind: 'app' }], localization },
  },
  {
    name: 'listEnvironments',
    call: (client, options) => client.listEnvironments({ sourceId: uuid }, options),
    sent: `GET /v1/api/sources/${uuid}/environments`,
    answer: { environments: [{ id: 'e', autoDeployPaused: true }], localization },
  },
  {
    name: 'listPreviews',
    call: (client, options) => client.listPreviews({ sourceId: uuid }, options),
    sent: `GET /v1/api/sources/${uuid}/previews`,
    answer: { previews: [{ id: 'p', status: 'healthy' }], localization },
  },
  {
    name: 'listAppDeployments',
    call: (client, options) => client.listAppDeployments({ appId: uuid }, options),
    sent: `GET /v1/api/apps/${uuid}/deployments`,
    answer: { deployments: [{ id: 'd' }], localization },
  },
  {
    name: 'listSourceDeployments',
    call: (client, options) => client.listSourceDeployments({ sourceId: uuid }, options),
    sent: `GET /v1/api/sources/${uuid}/deployments`,
    answer: { deployments: [{ id: 'd' }], localization },
  },
  {
    name: 'listOrphans',
    call: (client, options) => client.listOrphans({ serverId: uuid }, options),
    sent: `GET /v1/api/servers/${uuid}/orphans`,
    answer: { orphans: [{ kind: 'volume', name: 'data', reason: 'unused' }], localization },
  },
  {
    name: 'getSync',
    call: (client, options) => client.getSync({ sourceId: uuid, syncId: otherUuid }, options),
    sent: `GET /v1/api/sources/${uuid}/syncs/${otherUuid}`,
    answer: { sync: { status: 'failed', issues: [{ message: 'no', path: ['a'] }] }, localization },
  },
  {
    name: 'listRepositoryConnections',
    call: (client, options) => client.listRepositoryConnections({}, options),
    sent: 'GET /v1/api/codehost-b/connections',
    elsewhere: 'GET /v1/api/gitplace/connections',
    answer: { connections: [{ slug: 'main', name: 'Main' }], localization },
  },
];

/** Each function of the client for the contract, except for the one that opens the log stream. */
export const operations: readonly Operation[] = [
  {
    name: 'queryLogs',
    call: (client, options) => client.queryLogs({ filters, limit: 50 }, options),
    sent: 'POST /v1/api/logs/query',
    body: { filters, limit: 50 },
    answer: queryAnswer,
    result: queryPageOf({ filters, limit: 50 }, queryAnswer),
  },
  {
    name: 'cleanUpOrphans',
    call: (client, options) => client.cleanUpOrphans(cleanUpOf(['a', 'b'], 'k 1'), options),
    sent: `POST /v1/api/servers/${uuid}/actions/cleanup-orphans`,
    body: { items: [{ name: 'a' }, { name: 'b' }] },
    headers: { 'idempotency-key': 'k 1' },
    answer: { operation, replayed: false, localization },
  },
  {
    name: 'getOperation',
    call: (client, options) => client.getOperation({ operationId: 'op/1 ü' }, options),
    sent: 'GET /v1/api/operations/op%2F1%20%C3%BC',
    elsewhere: 'GET /v1/api/jobs/op%2F1%20%C3%BC/state',
    answer: { operation, localization },
    result: operation,
  },
  {
    name: 'listAlertRules',
    call: (client, options) =>
      client.listAlertRules({ serverId: uuid, deployableId: otherUuid }, options),
    sent: `GET /v1/api/servers/${uuid}/monitor-alerts?deployableId=${otherUuid}`,
    elsewhere: `GET /v1/api/servers/${uuid}/watch-alerts?unit%5Bid%5D=${otherUuid}`,
    answer: { rules: [{ id: 'r1', enabled: true }], canManage: true, localization },
  },
  {
    name: 'listResources',
    call: (client, options) => client.listResources({ sourceId: uuid }, options),
    sent: `GET /v1/api/sources/${uuid}/resources`,
    answer: { resources: [{ id: 'x', config: { jobs: [{ name: 'j' }] } }], localization },
  },
  {
    name: 'listSecrets',
    call: (client, options) =>
      client.listSecrets({ ownerId: uuid, environment: 'preview:main' }, options),
    sent: `GET /v1/api/sources/${uuid}/secrets?environment=preview%3Amain`,
    elsewhere: `GET /v1/api/sources/${uuid}/secrets?scope=preview%3Amain`,
    answer: { bindings: [{ keys: ['A'] }], environments: ['main'], localization },
  },
  {
    name: 'listRepositories',
    call: (client, options) => client.listRepositories({ search: 'a&b=c d', page: 2 }, options),
    sent: 'GET /v1/api/codehost-b/repositories?search=a%26b%3Dc%20d&page=2',
    elsewhere: 'GET /v1/api/gitplace/repositories?q=a%26b%3Dc%20d&p=2',
    answer: { repositories: [{ id: 'r', private: true }], nextPage: 3, localization },
  },
  {
    name: 'listDeployments',
    call: (client, options) => client.listDeployments({ resourceId: otherUuid }, options),
    sent: `GET /v1/api/resources/${otherUuid}/deployments`,
    answer: { deployments: [{ id: 'd', state: 'queued' }], localization },
  },
  {
    name: 'syncEnvironment',
    call: (client, options) =>
      client.syncEnvironment({ sourceId: uuid, environmentId: otherUuid }, options),
    sent: `POST /v1/api/sources/${uuid}/environments/${otherUuid}/syncs`,
    answer: { sync: { any: ['thing'] }, localization },
  },
  {
    name: 'retryPreviewReporting',
    call: (client, options) => client.retryPreviewReporting({}, options),
    sent: 'POST /v1/api/codehost-a/actions/retry-preview-reporting',
    elsewhere: 'POST /v1/api/githome/actions/retry-preview-reporting',
    answer: { attempted: 3, failed: 1, succeeded: 2, localization },
  },
  {
    name: 'listIntegrations',
    call: (client, options) => client.listIntegrations({}, options),
    sent: 'GET /v1/api/integrations',
    answer: { integrations: [{ category: 'backup', provider: 'x' }], localization },
  },
];
