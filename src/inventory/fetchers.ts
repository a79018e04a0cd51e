import type { ControlPlaneClient } from '../api/client';
import type {
  AlertListing,
  DeploymentListing,
  IntegrationListing,
  Repository,
  ResourceListing,
  SecretListing,
} from '../api/types';
import type { Formats } from '../text/timeFormat';
import type { ResourceKey } from './resourceKeys';

/** What of the client the store asks. */
export type StoreClient = Pick<
  ControlPlaneClient,
  | 'listAlertRules'
  | 'listResources'
  | 'listSecrets'
  | 'listDeployments'
  | 'listRepositories'
  | 'listIntegrations'
>;

/** How many characters a search for repositories may have, by the contract. */
export const longestRepositorySearch = 64;

/** The repositories of one search, as far as their pages were loaded. */
export interface RepositoryPages {
  readonly repositories: readonly Repository[];
  /** How many pages were loaded. */
  readonly pages: number;
  /** The number of the page to load next; absent after the last. */
  readonly nextPage?: number;
}

/** What is kept of each kind of topic. */
export interface Values {
  alerts: AlertListing;
  resources: ResourceListing;
  secrets: SecretListing;
  deployments: DeploymentListing;
  repositories: RepositoryPages;
  integrations: IntegrationListing;
}

export type Kind = keyof Values;

/** Carries one request out, in as many tries as it takes. */
type Send = <T>(request: (signal: AbortSignal) => Promise<T>) => Promise<T>;

export interface Fetcher<K extends Kind> {
  readonly client: StoreClient;
  /** What stands behind the kind in a topic; empty where there is nothing. */
  readonly id: string;
  readonly before: Values[K] | undefined;
  /** `more`: the next page instead of all that was loaded. */
  readonly extent: 'all' | 'more';
  readonly send: Send;
}

export interface FetchedAnswer<K extends Kind> {
  readonly value: Values[K];
  readonly formats: Formats;
}

/** What tells a topic from others of its kind. */
export function idOfTopic(topic: ResourceKey): string {
  switch (topic.kind) {
    case 'alerts':
      return topic.serverId;
    case 'resources':
    case 'secrets':
      return topic.sourceId;
    case 'deployments':
      return topic.resourceId;
    case 'repositories':
      return topic.search;
    case 'integrations':
      return '';
  }
}

/** How each kind of topic is asked for. */
export const fetchers: { [K in Kind]: (question: Fetcher<K>) => Promise<FetchedAnswer<K>> } = {
  alerts: async ({ client, id, send }) =>
    withoutFormats(
      await send((signal) => client.listAlertRules({ serverId: id }, { signal, ...once })),
    ),
  resources: async ({ client, id, send }) =>
    withoutFormats(await send((signal) => client.listResources(id, { signal, ...once }))),
  secrets: async ({ client, id, send }) =>
    withoutFormats(
      await send((signal) => client.listSecrets({ sourceId: id }, { signal, ...once })),
    ),
  deployments: async ({ client, id, send }) =>
    withoutFormats(await send((signal) => client.listDeployments(id, { signal, ...once }))),
  integrations: async ({ client, send }) =>
    withoutFormats(await send((signal) => client.listIntegrations({ signal, ...once }))),
  repositories: askForPages,
};

/** The store tries again by itself, since a 429 concerns all topics. */
const once = { retries: false };

async function askForPages({
  client,
  id,
  before,
  extent,
  send,
}: Fetcher<'repositories'>): Promise<FetchedAnswer<'repositories'>> {
  const isMore = extent === 'more' && before !== undefined;
  const last = isMore ? before.pages + 1 : (before?.pages ?? 1);
  const repositories: Repository[] = isMore ? [...before.repositories] : [];
  let pages = isMore ? before.pages : 0;
  let page: number | undefined = isMore ? before.nextPage : 1;
  let formats: Formats = {};
  while (page !== undefined && pages < last) {
    const asked: number = page;
    const query = { ...(id === '' ? {} : { search: id }), ...(asked === 1 ? {} : { page: asked }) };
    const answer = await send((signal) => client.listRepositories(query, { signal, ...once }));
    const read = withoutFormats(answer);
    formats = read.formats;
    repositories.push(...(read.value.repositories ?? []));
    pages++;
    page = followingPage(asked, read.value.nextPage);
  }
  return {
    value: { repositories, pages, ...(page === undefined ? {} : { nextPage: page }) },
    formats,
  };
}

/** Pages only go up, so that a server that names one again cannot lead us round in a circle. */
function followingPage(page: number, next: number | undefined): number | undefined {
  return next !== undefined && Number.isInteger(next) && next > page ? next : undefined;
}

function withoutFormats<T extends { localization?: Formats }>(
  answer: T,
): { value: Omit<T, 'localization'>; formats: Formats } {
  const { localization, ...value } = answer;
  const { dateFormat, timeFormat, timeZone } = localization ?? {};
  return {
    value,
    formats: {
      ...(dateFormat === undefined ? {} : { dateFormat }),
      ...(timeFormat === undefined ? {} : { timeFormat }),
      ...(timeZone === undefined ? {} : { timeZone }),
    },
  };
}
