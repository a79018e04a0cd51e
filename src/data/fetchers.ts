import type { CallOptions, ControlPlaneClient } from '../api/client';
import type {
  AlertListing,
  DeploymentListing,
  IntegrationListing,
  Repository,
  ResourceListing,
  SecretListing,
} from '../api/types';
import type { Formats } from '../base/timeFormat';

/** The calls that the store makes. */
export type StoreClient = Pick<
  ControlPlaneClient,
  | 'listAlertRules'
  | 'listResources'
  | 'listSecrets'
  | 'listDeployments'
  | 'listRepositories'
  | 'listIntegrations'
  | 'serverNow'
>;

/** The longest search for repositories that the contract allows, in characters. */
export const longestRepositorySearch = 64;

/** The loaded repositories of one search. */
export interface RepositoryPages {
  readonly repositories: readonly Repository[];
  /** How many pages are loaded. */
  readonly pages: number;
  /** The number of the page to load next; absent after the last page. */
  readonly nextPage?: number;
}

/** The cached value for each kind of cache key. */
export interface Values {
  alerts: AlertListing;
  resources: ResourceListing;
  secrets: SecretListing;
  deployments: DeploymentListing;
  repositories: RepositoryPages;
  integrations: IntegrationListing;
}

export type Kind = keyof Values;

interface FetchRequest<K extends Kind> {
  readonly client: StoreClient;
  /** As `idOfKey` answers it. */
  readonly id: string;
  readonly before: Values[K] | undefined;
  /** `more`: the next page instead of all loaded ones. */
  readonly extent: 'all' | 'more';
  readonly options: CallOptions;
}

interface FetchedAnswer<T> {
  readonly value: T;
  readonly formats: Formats;
}

/** Fetches the value for each kind of cache key. */
export const fetchers: {
  [K in Kind]: (request: FetchRequest<K>) => Promise<FetchedAnswer<Values[K]>>;
} = {
  alerts: inOneRequest((client, serverId, options) => client.listAlertRules({ serverId }, options)),
  resources: inOneRequest((client, id, options) => client.listResources(id, options)),
  secrets: inOneRequest((client, sourceId, options) => client.listSecrets({ sourceId }, options)),
  deployments: inOneRequest((client, id, options) => client.listDeployments(id, options)),
  integrations: inOneRequest((client, _id, options) => client.listIntegrations(options)),
  repositories: fetchRepositories,
};

interface Localized {
  localization?: Formats;
}

function inOneRequest<T extends Localized>(
  call: (client: StoreClient, id: string, options: CallOptions) => Promise<T>,
): (
  request: Pick<FetchRequest<Kind>, 'client' | 'id' | 'options'>,
) => Promise<FetchedAnswer<Omit<T, 'localization'>>> {
  return async ({ client, id, options }) => withoutFormats(await call(client, id, options));
}

async function fetchRepositories({
  client,
  id: search,
  before,
  extent,
  options,
}: FetchRequest<'repositories'>): Promise<FetchedAnswer<RepositoryPages>> {
  const loaded = extent === 'more' ? before : undefined;
  const last = loaded === undefined ? (before?.pages ?? 1) : loaded.pages + 1;
  const repositories: Repository[] = [...(loaded?.repositories ?? [])];
  let pages = loaded?.pages ?? 0;
  let page: number | undefined = loaded === undefined ? 1 : loaded.nextPage;
  let formats: Formats = {};
  while (page !== undefined && pages < last) {
    const current: number = page;
    const query = { ...(search === '' ? {} : { search }), ...(page === 1 ? {} : { page }) };
    const answer = withoutFormats(await client.listRepositories(query, options));
    formats = answer.formats;
    repositories.push(...(answer.value.repositories ?? []));
    pages++;
    page = pageAfter(current, answer.value.nextPage);
  }
  return {
    value: { repositories, pages, ...(page === undefined ? {} : { nextPage: page }) },
    formats,
  };
}

/** Accepts only a greater page number, so that a server cannot cause an endless loop. */
function pageAfter(page: number, next: number | undefined): number | undefined {
  return next !== undefined && Number.isInteger(next) && next > page ? next : undefined;
}

function withoutFormats<T extends Localized>(answer: T): FetchedAnswer<Omit<T, 'localization'>> {
  const { localization: { dateFormat, timeFormat, timeZone } = {}, ...value } = answer;
  return {
    value,
    formats: {
      ...(dateFormat === undefined ? {} : { dateFormat }),
      ...(timeFormat === undefined ? {} : { timeFormat }),
      ...(timeZone === undefined ? {} : { timeZone }),
    },
  };
}
