import createOpenApiClient from 'openapi-fetch';
import { addressOf } from './address';
import { call } from './call';
import { cleanupBody } from './cleanupBody';
import type { Clock } from './clock';
import { readJson, type Answer, type RequestEntry, type Sending } from './exchange';
import type { paths } from './generated/schema';
import * as contract from './generated/validators';
import { readLogStream, type LogStream } from './logStream';
import { lenient, readOperation } from './readAnswer';
import { readStrict } from './readStrict';
import type {
  AlertListing,
  CleanupResponse,
  DeploymentListing,
  IntegrationListing,
  LogQueryRequest,
  LogQueryResponse,
  LogTailRequest,
  Operation,
  PreviewReportingResponse,
  RepositoryListing,
  ResourceListing,
  SecretListing,
  SyncResponse,
} from './types';
import {
  validateCleanup,
  validateLogQuery,
  validateLogTail,
  validateParameters,
} from './validateRequest';

/** Where a server may differ from the defaults of the contract (`x-assumptions`), and time-outs. */
export interface ApiSettings {
  /** Seconds until the headers of an answer must have come. */
  readonly timeoutSeconds: number;
  readonly segments: {
    readonly monitorAlerts: string;
    readonly repositories: string;
    readonly previewReporting: string;
  };
  readonly parameters: {
    readonly alertsDeployable: string;
    readonly secretsEnvironment: string;
    readonly repositoriesSearch: string;
    readonly repositoriesPage: string;
  };
  /** A path with `{operationId}`; empty: the server has no such endpoint. */
  readonly operationPath: string;
}

export type { RequestEntry };

export interface ClientOptions {
  /** As `parseBaseUrl` answers it. */
  readonly baseUrl: string;
  /** Asked before every request; undefined means signed out. */
  readonly token: () => Promise<string | undefined>;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Asked before every request, so that a change counts at once. */
  readonly settings: () => ApiSettings;
  readonly onDidRequest?: (entry: RequestEntry) => void;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** False: one try, whatever comes of it, for a caller with rules of its own. */
  readonly retries?: boolean;
}

/**
 * All operations of the API. Each validates what it sends (`InvalidRequestError`, nothing leaves),
 * retries by the table in retry.ts, and fails with an `ApiError`, or with the signal's reason once it
 * is aborted.
 */
export interface ControlPlaneClient {
  queryLogs(request: LogQueryRequest, options: CallOptions): Promise<LogQueryResponse>;
  /** Opens the stream once, without any retry: the tail has its own rules. */
  openLogStream(request: LogTailRequest, options: CallOptions): Promise<LogStream>;
  cleanUpOrphans(
    request: { serverId: string; items: readonly string[]; idempotencyKey: string },
    options: CallOptions,
  ): Promise<CleanupResponse>;
  /** Undefined where the settings say that the server has no such endpoint. */
  getOperation(operationId: string, options: CallOptions): Promise<Operation | undefined>;
  listAlertRules(
    request: { serverId: string; deployableId?: string },
    options: CallOptions,
  ): Promise<AlertListing>;
  listResources(sourceId: string, options: CallOptions): Promise<ResourceListing>;
  listSecrets(
    request: { sourceId: string; environment?: string },
    options: CallOptions,
  ): Promise<SecretListing>;
  listRepositories(
    request: { search?: string; page?: number },
    options: CallOptions,
  ): Promise<RepositoryListing>;
  listDeployments(resourceId: string, options: CallOptions): Promise<DeploymentListing>;
  syncEnvironment(
    request: { sourceId: string; environmentId: string },
    options: CallOptions,
  ): Promise<SyncResponse>;
  retryPreviewReporting(options: CallOptions): Promise<PreviewReportingResponse>;
  listIntegrations(options: CallOptions): Promise<IntegrationListing>;
}

/** What the library asks the path serializer for: it leaves a path without parameters alone. */
const noParameters = {} as never;

export function createClient(options: ClientOptions): ControlPlaneClient {
  const base = `${options.baseUrl}/v1/api`;
  const api = createOpenApiClient<paths>({ baseUrl: base });

  /** What every request has in common. */
  function common({ signal, fetch, key }: Sending) {
    const address = addressOf(options.settings());
    return {
      signal,
      fetch,
      headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
      redirect: 'manual',
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      // The body is read here, since how long, how much and whether it is JSON matters.
      parseAs: 'stream',
      pathSerializer: (url: string, parameters: Record<string, unknown>) =>
        base + address.path(url.slice(base.length), parameters),
      querySerializer: address.query,
    } as const;
  }

  function run<T>(
    operation: Parameters<typeof call>[0],
    callOptions: CallOptions,
    ask: (init: ReturnType<typeof common>) => Promise<unknown>,
    read: (answer: Answer) => T | Promise<T>,
  ): Promise<T> {
    return call(operation, options, callOptions, (sending) => ask(common(sending)), read);
  }

  return {
    async queryLogs(body, callOptions) {
      validateLogQuery(body);
      const fixed = fixedBody(body);
      return run(
        'queryLogs',
        callOptions,
        (init) => api.POST('/logs/query', { ...init, ...fixed }),
        async (answer) => readStrict(contract.LogQueryResponse, await readJson(answer)),
      );
    },

    async openLogStream(body, callOptions) {
      validateLogTail(body);
      const ask = (init: ReturnType<typeof common>): Promise<unknown> =>
        api.POST('/logs/tail', {
          ...init,
          headers: { ...init.headers, accept: 'text/event-stream' },
          body,
        });
      return run('openLogStream', callOptions, ask, readLogStream);
    },

    async cleanUpOrphans({ serverId, items, idempotencyKey }, callOptions) {
      const path = { serverId };
      const header = { 'Idempotency-Key': idempotencyKey };
      validateParameters(contract.parameters_post_servers_cleanup_orphans, { ...path, ...header });
      const body = cleanupBody(items);
      validateCleanup(body);
      const fixed = { ...fixedBody(body), params: { path, header } };
      const template = '/servers/{serverId}/actions/cleanup-orphans';
      return run(
        'cleanUpOrphans',
        callOptions,
        (init) => api.POST(template, { ...init, ...fixed }),
        lenient('CleanupResponse'),
      );
    },

    async getOperation(operationId, callOptions) {
      const params = { path: { operationId } };
      validateParameters(contract.parameters_get_operation, params.path);
      if (options.settings().operationPath === '') return undefined;
      return run(
        'getOperation',
        callOptions,
        (init) => api.GET('/operations/{operationId}', { ...init, params }),
        readOperation,
      );
    },

    async listAlertRules({ serverId, ...query }, callOptions) {
      const params = { path: { serverId }, query };
      validateParameters(contract.parameters_get_servers_monitor_alerts, { serverId, ...query });
      return run(
        'listAlertRules',
        callOptions,
        (init) => api.GET('/servers/{serverId}/monitor-alerts', { ...init, params }),
        lenient('AlertListing'),
      );
    },

    async listResources(sourceId, callOptions) {
      const params = { path: { sourceId } };
      validateParameters(contract.parameters_get_sources_resources, params.path);
      return run(
        'listResources',
        callOptions,
        (init) => api.GET('/sources/{sourceId}/resources', { ...init, params }),
        lenient('ResourceListing'),
      );
    },

    async listSecrets({ sourceId, ...query }, callOptions) {
      const params = { path: { ownerId: sourceId }, query };
      validateParameters(contract.parameters_get_sources_secrets, { ...params.path, ...query });
      return run(
        'listSecrets',
        callOptions,
        (init) => api.GET('/sources/{ownerId}/secrets', { ...init, params }),
        lenient('SecretListing'),
      );
    },

    async listRepositories(query, callOptions) {
      const params = { path: noParameters, query };
      validateParameters(contract.parameters_get_repositories, query);
      return run(
        'listRepositories',
        callOptions,
        (init) => api.GET('/codehost-b/repositories', { ...init, params }),
        lenient('RepositoryListing'),
      );
    },

    async listDeployments(resourceId, callOptions) {
      const params = { path: { resourceId } };
      validateParameters(contract.parameters_get_resources_deployments, params.path);
      return run(
        'listDeployments',
        callOptions,
        (init) => api.GET('/resources/{resourceId}/deployments', { ...init, params }),
        lenient('DeploymentListing'),
      );
    },

    async syncEnvironment(path, callOptions) {
      const params = { path };
      validateParameters(contract.parameters_post_sources_environments_syncs, path);
      const template = '/sources/{sourceId}/environments/{environmentId}/syncs';
      return run(
        'syncEnvironment',
        callOptions,
        (init) => api.POST(template, { ...init, params }),
        lenient('SyncResponse'),
      );
    },

    async retryPreviewReporting(callOptions) {
      const params = { path: noParameters };
      const template = '/codehost-a/actions/retry-preview-reporting';
      return run(
        'retryPreviewReporting',
        callOptions,
        (init) => api.POST(template, { ...init, params }),
        lenient('PreviewReportingResponse'),
      );
    },

    async listIntegrations(callOptions) {
      return run(
        'listIntegrations',
        callOptions,
        (init) => api.GET('/integrations', init),
        lenient('IntegrationListing'),
      );
    },
  };
}

/** A body that stays the same to the byte in every try, whatever becomes of the object. */
function fixedBody<T>(body: T): { body: T; bodySerializer: () => string } {
  const text = JSON.stringify(body);
  return { body, bodySerializer: () => text };
}
