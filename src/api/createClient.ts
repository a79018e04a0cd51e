import createOpenApiClient from 'openapi-fetch';
import { untilAborted } from '../base/clock';
import type { ApiSettings, CallOptions, ClientOptions, ControlPlaneClient } from './client';
import { queryPageOf, queryRequestOf, tailRequestOf } from './cursors';
import {
  ApiError,
  InvalidRequestError,
  localizableMessage,
  protocolError,
  networkProblem,
} from './errors';
import type { paths } from './generated/schema';
import type { Lenient } from './generated/shapes';
import * as contract from './generated/validators';
import { listingLimits, logPageLimits } from './jsonReader';
import { readLogStream } from './logStream';
import { readLenient } from './readLenient';
import { readLogAnswer } from './readLogPage';
import { RequestScheduler } from './requestScheduler';
import type { Operation as OperationName } from './retryPolicy';
import {
  ServerClock,
  type HttpAnswer,
  readJson,
  type RequestEntry,
  requestPolicy,
  type Sending,
  sendRequest,
} from './sendRequest';
import type { Operation, Read } from './types';
import {
  cleanupBody,
  isHeaderValue,
  validateCleanup,
  validateLogQuery,
  validateLogTail,
  validateParameters,
} from './validateRequest';

/** openapi-fetch calls the path serializer only if a request has path parameters. */
const noParameters = {} as never;

export function createClient(options: ClientOptions): ControlPlaneClient {
  const base = `${options.baseUrl}/v1/api`;
  const api = createOpenApiClient<paths>({ baseUrl: base });
  const scheduler = new RequestScheduler(options.clock, options.random);
  const serverClock = new ServerClock(options.clock);

  /** The options that all requests share. */
  function common({ signal, fetch, key }: Sending) {
    const urls = createUrlBuilder(options.settings());
    return {
      signal,
      fetch,
      headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
      ...requestPolicy,
      // sendRequest.ts reads the body, with limits of time and size.
      parseAs: 'stream',
      pathSerializer: (url: string, parameters: Record<string, unknown>) =>
        base + urls.path(url.slice(base.length), parameters),
      querySerializer: urls.query,
    } as const;
  }

  function run<T>(
    operation: OperationName,
    callOptions: CallOptions,
    ask: (init: ReturnType<typeof common>) => Promise<unknown>,
    read: (answer: HttpAnswer) => T | Promise<T>,
  ): Promise<T> {
    const { lifetime, baseUrl, fetch, clock } = options;
    // Each call has its own signal, because a long-lived one would collect the listeners of all calls.
    const signal = AbortSignal.any([callOptions.signal, ...(lifetime ? [lifetime] : [])]);
    const onDidRequest = (entry: RequestEntry): void => {
      options.onDidRequest?.(entry);
      callOptions.onDidRequest?.(entry);
    };
    return scheduler.run(operation, { ...callOptions, signal }, async () => {
      const key = await untilAborted(readKey(options), signal);
      const timeoutMs = options.settings().timeoutSeconds * 1000;
      return sendRequest(
        { baseUrl, key, fetch, clock, serverClock, timeoutMs, signal, onDidRequest },
        (sending) => ask(common(sending)),
        read,
      );
    });
  }

  return {
    serverNow: () => serverClock.now(),

    async queryLogs(query, callOptions) {
      const body = queryRequestOf(query);
      validateLogQuery(body);
      const fixed = fixedBody(body);
      return run(
        'queryLogs',
        callOptions,
        (init) => api.POST('/logs/query', { ...init, ...fixed }),
        async (answer) => {
          const json = await readJson(answer, logPageLimits);
          return queryPageOf(
            body,
            readLogAnswer(json),
            'cursor' in query ? query.cursor : undefined,
          );
        },
      );
    },

    async openLogStream(tail, callOptions) {
      const body = tailRequestOf(tail);
      validateLogTail(body);
      const ask = (init: ReturnType<typeof common>): Promise<unknown> =>
        api.POST('/logs/tail', {
          ...init,
          headers: { ...init.headers, accept: 'text/event-stream' },
          body,
        });
      return run('openLogStream', callOptions, ask, (answer) =>
        readLogStream(answer, body.filters),
      );
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

/** @throws ApiError of the kind `signedOut` if there is no key that can be sent. */
async function readKey({ token }: ClientOptions): Promise<string> {
  const signedOut = (code: string, message: string, cause?: unknown): ApiError =>
    new ApiError({ kind: 'signedOut', code, message, cause });
  const key = await token().catch((error: unknown) => {
    throw signedOut('noKeyStore', 'The API key cannot be read.', error);
  });
  if (key === undefined) throw signedOut('noKey', 'There is no API key.');
  // `fetch` would refuse it too, but with an error message that contains the key.
  if (!isHeaderValue(key))
    throw signedOut(
      'malformedKey',
      'The API key contains characters that a header cannot contain.',
    );
  return key;
}

/** Serializes a body once, so that every try sends the same bytes even if the object changes. */
function fixedBody<T>(body: T): { body: T; bodySerializer: () => string } {
  const text = JSON.stringify(body);
  return { body, bodySerializer: () => text };
}

/** Reads responses of one schema leniently, and notes the members that have another type. */
function lenient<Name extends keyof Lenient>(name: Name) {
  return async (answer: HttpAnswer): Promise<Read<Lenient[Name]>> =>
    readAndNote(name, await readJson(answer, listingLimits), answer);
}

/** The response is an operation, or an object with the operation and its localization. */
async function readOperation(answer: HttpAnswer): Promise<Operation> {
  const json = await readJson(answer, listingLimits);
  if (Object.hasOwn(json, 'operation')) {
    return readAndNote('OperationResponse', json, answer).operation ?? {};
  }
  return readAndNote('Operation', json, answer);
}

function readAndNote<Name extends keyof Lenient>(
  name: Name,
  json: object,
  answer: HttpAnswer,
): Read<Lenient[Name]> {
  const { value, leftOut } = readLenient(name, json);
  answer.leftOut = leftOut;
  return value;
}

/** Builds URLs with the path segments and parameter names that the settings have for this server. */
interface UrlBuilder {
  /** The path below `/v1/api` for a path template of the contract, with its parameters filled in. */
  readonly path: (template: string, parameters: Readonly<Record<string, unknown>>) => string;
  /** The query string. The parameters have their names in the contract. */
  readonly query: (parameters: Readonly<Record<string, unknown>>) => string;
}

/** The parameters whose names in the contract are only examples, and their settings. */
const parameterSettings: Readonly<Record<string, keyof ApiSettings['parameters']>> = {
  deployableId: 'alertsDeployable',
  environment: 'secretsEnvironment',
  search: 'repositoriesSearch',
  page: 'repositoriesPage',
};

const setting = 'controlPlane.api';

function createUrlBuilder({ segments, parameters, operationPath }: ApiSettings): UrlBuilder {
  /** The paths that are only examples in the contract. */
  const configuredPaths: Readonly<Record<string, () => string>> = {
    '/servers/{serverId}/monitor-alerts': () =>
      `/servers/{serverId}/${segment(`${setting}.segments.monitorAlerts`, segments.monitorAlerts)}`,
    '/codehost-b/repositories': () =>
      `/${segment(`${setting}.segments.repositories`, segments.repositories)}/repositories`,
    '/codehost-a/actions/retry-preview-reporting': () =>
      `/${segment(`${setting}.segments.previewReporting`, segments.previewReporting)}/actions/retry-preview-reporting`,
    '/operations/{operationId}': () => operationTemplate(`${setting}.operationPath`, operationPath),
  };
  function nameOf(parameter: string): string {
    const key = parameterSettings[parameter];
    if (key === undefined) return parameter;
    if (parameters[key] !== '') return parameters[key];
    throw new InvalidRequestError(
      `${setting}.parameters.${key}`,
      localizableMessage('is empty'),
      localizableMessage('at least 1 character'),
    );
  }

  return {
    path(template, values) {
      return (configuredPaths[template]?.() ?? template).replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String(values[name])),
      );
    },
    query(values) {
      return Object.entries(values)
        .map(
          ([name, value]) =>
            `${encodeURIComponent(nameOf(name))}=${encodeURIComponent(String(value))}`,
        )
        .join('&');
    },
  };
}

/** @throws InvalidRequestError if the value of a setting is not a single path segment. */
function segment(setting: string, value: string): string {
  if (/^(?!\.{1,2}$)[\w.~!$'()*+,;=:@-]+$/.test(value)) return value;
  throw new InvalidRequestError(
    setting,
    localizableMessage('is not a single path segment'),
    localizableMessage('letters, digits, - . _ ~'),
  );
}

function operationTemplate(setting: string, value: string): string {
  const parts = value.split('/').slice(1);
  if (!value.startsWith('/') || !parts.includes('{operationId}')) {
    throw new InvalidRequestError(
      setting,
      localizableMessage('is not a path'),
      localizableMessage('such as {0}', '/operations/{operationId}'),
    );
  }
  return parts
    .map((part) => `/${part === '{operationId}' ? part : segment(setting, part)}`)
    .join('');
}

/**
 * Asks once, without a key, whether a control plane answers at a base URL.
 *
 * @param baseUrl as `parseBaseUrl` returns it.
 * @returns why there seems to be none; undefined if there is one, or if the signal is aborted.
 */
export async function tryBaseUrl(
  baseUrl: string,
  { fetch, clock, settings, onDidRequest }: Omit<ClientOptions, 'baseUrl' | 'token'>,
  signal: AbortSignal,
): Promise<unknown> {
  const serverClock = new ServerClock(clock);
  const timeoutMs = settings().timeoutSeconds * 1000;
  try {
    await sendRequest(
      { baseUrl, key: '', fetch, clock, serverClock, timeoutMs, signal, onDidRequest },
      (sending) =>
        sending.fetch(
          new Request(`${baseUrl}/v1/api/integrations`, {
            signal: sending.signal,
            headers: { accept: 'application/json' },
            ...requestPolicy,
          }),
        ),
      (answer) => readJson(answer, listingLimits),
    );
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof ApiError) || error.kind !== 'http') return error;
    if (networkProblem(error) !== undefined) return error;
    // A control plane explains what it did not find; what has no such path is another server.
    return error.meaning === 'notFound' && error.code === 'noErrorObject'
      ? protocolError('notJson', error.message, error.status)
      : undefined;
  }
}
