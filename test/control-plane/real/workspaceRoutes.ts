import { Failure } from '../failure';
import { queryLogs } from '../logs';
import type { Parts } from '../parts';
import { createRepositories } from '../workspace';
import type { Route } from './routes';
import * as schemas from './schemas';
import type { State } from './state';

const { uuid, text, list, oneOf, object, count, orNull, time } = schemas;

const perPage = 100;
export const connections = ['shop-forge', 'labs-forge'] as const;

/** What the environment of the control plane provides. */
const integrations = [
  ['source-control', 'github'],
  ['source-control', 'gitlab'],
  ['registry', 'registry'],
  ['backup', 's3'],
  ['external-secrets', 'infisical'],
  ['platform', 'cloudflare'],
  ['observability', 'otlp'],
].map(([category, provider]) => ({ category, provider }));

/** The endpoints of the workspace: who asks, what it is connected to. */
export function workspaceRoutes({ estate, random, times }: State): readonly Route[] {
  const made = createRepositories(random.fork('repositories'), [1, 2]);
  const repositories = made
    .map((one) => ({ ...one, defaultBranch: one.defaultBranch ?? null, provider: 'gitlab' }))
    .sort((a, b) => ((a.fullName ?? '') < (b.fullName ?? '') ? -1 : 1));
  /** Failed reports to the git provider; the last one fails again. */
  let failedReports = 3;

  return [
    {
      method: 'GET',
      path: '/identity',
      permission: 'identity.read',
      summary: 'Get the identity of the key',
      answer: {
        actor: oneOf('personal-key', 'team-key'),
        workspaceId: uuid,
        capabilities: list(text),
      },
      handle: ({ key }) => ({
        actor: key.actor,
        workspaceId: estate.workspaceId,
        capabilities: [...key.permissions],
      }),
    },
    {
      method: 'GET',
      path: '/version',
      permission: 'identity.read',
      summary: 'Get the version',
      answer: {
        installedVersion: text,
        latestVersion: orNull(text),
        releaseUrl: orNull(text),
        status: oneOf('current', 'available', 'ahead', 'unavailable'),
        checkedAt: time,
      },
      handle: () => ({
        installedVersion: version,
        ...{ latestVersion: version, releaseUrl: null, status: 'current' },
        checkedAt: new Date(times.now()).toISOString(),
      }),
    },
    {
      method: 'GET',
      path: '/integrations',
      contractId: 'get_integrations',
      permission: 'integration.manage',
      summary: 'List integrations',
      answer: { integrations: list(schemas.integration) },
      handle: () => ({ integrations }),
    },
    {
      method: 'GET',
      path: '/gitlab/connections',
      permission: 'repository.connect',
      summary: 'List connections',
      answer: { connections: list(object({ slug: text, name: text, baseUrl: text })) },
      handle: () => ({
        connections: connections.map((slug) => ({
          ...{ slug, name: `Forge of ${slug.split('-')[0]}`, baseUrl: 'https://forge.example' },
        })),
      }),
    },
    {
      method: 'GET',
      path: '/gitlab/repositories',
      contractId: 'get_repositories',
      permission: 'repository.connect',
      summary: 'List the repositories of a connection',
      query: {
        required: { integration: schemas.textOf(1, 64) },
        optional: { page: { type: 'integer', minimum: 1, maximum: 10_000 } },
      },
      answer: { repositories: list(schemas.repository), nextPage: orNull(count) },
      handle({ parameters: { integration, page = 1 } }) {
        const index = connections.findIndex((one) => one === integration);
        if (index < 0) throw new Failure(404, 'Connection not found.');
        const owner = ['example-shop', 'example-labs'][index];
        const own = repositories.filter((one) => one.owner === owner);
        const end = Number(page) * perPage;
        return {
          repositories: own.slice(end - perPage, end),
          nextPage: own.length > end ? Number(page) + 1 : null,
        };
      },
    },
    {
      method: 'GET',
      path: '/github/repositories',
      permission: 'githubInstallation.read',
      summary: 'List the repositories of the installation',
      answer: { repositories: list(schemas.repository) },
      handle: () => ({ repositories: [] }),
    },
    {
      method: 'POST',
      path: '/github/actions/retry-preview-reporting',
      contractId: 'post_retry_preview_reporting',
      permission: 'integration.manage',
      summary: 'Retry failed preview reporting',
      answer: { attempted: count, failed: count, succeeded: count },
      handle() {
        const attempted = failedReports;
        failedReports = attempted > 1 ? 1 : 0;
        return { attempted, failed: failedReports, succeeded: attempted - failedReports };
      },
    },
  ];
}

/** Of the API. */
export const version = '2.0.46';

const ofContract = (name: string): schemas.Schema => ({ $ref: `#/components/schemas/${name}` });

/** Those about logs, which are the ones of the API document. */
export function logRoutes(parts: Parts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/logs/query',
      contractId: 'post_logs_query',
      permission: 'logs.read',
      summary: 'Query centralized logs',
      body: ofContract('LogQueryRequest'),
      answerSchema: ofContract('LogQueryResponse'),
      handle: (call) => queryLogs(parts, call),
    },
    {
      method: 'POST',
      path: '/logs/tail',
      contractId: 'post_logs_tail',
      permission: 'logs.read',
      summary: 'Follow centralized logs',
      body: ofContract('LogTailRequest'),
      // A stream, which is not answered here.
      handle: () => ({}),
    },
  ];
}
