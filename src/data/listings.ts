import type {
  AnswerOf,
  CallOptions,
  ControlPlaneClient,
  RepositoryConnection,
} from '../api/client';
import { operations } from '../api/generated/operations';
import type { Permission, Repository } from '../api/types';
import { day } from '../base/clock';
import { joined, type Translate } from '../base/textFormat';
import { timeOf, type Formats } from '../base/timeFormat';
import { isRunning } from './states';

/*
 * What the store keeps: the listings of the API. Each kind is one object of `listings`, and nothing else knows what is
 * special about it.
 */

/** The value of each kind of listing. */
export interface ListingValues {
  /** By the id of the server. */
  alerts: AnswerOf<'listAlertRules'>;
  /** By the id of the source. */
  resources: AnswerOf<'listResources'>;
  /** By the id of the source. */
  secrets: AnswerOf<'listSecrets'>;
  /** By the id of the resource. */
  deployments: AnswerOf<'listDeployments'>;
  /** By the search; an empty one lists everything. */
  repositories: RepositoryPages;
  /** There is one, with an empty id. */
  integrations: AnswerOf<'listIntegrations'>;
  /** The same. Without members if the control plane does not describe that it lists its sources. */
  sourceList: AnswerOf<'listSources'>;
  /** The same for servers. */
  serverList: AnswerOf<'listServers'>;
  /** By the id of the source; the same. */
  environments: AnswerOf<'listEnvironments'>;
  /** By the id of the resource. */
  lastRecord: LastRecord;
}

export type ListingKind = keyof ListingValues;

/** The loaded repositories of one search. */
export interface RepositoryPages {
  readonly repositories: readonly Repository[];
  /** How many pages are loaded. */
  readonly pages: number;
  /** The number of the page to load next; absent after the last page. */
  readonly nextPage?: number;
  /** The connection that they are of, where they are listed by connection. */
  readonly connection?: string | undefined;
  /** Those of which one has to be chosen first. */
  readonly connections?: readonly RepositoryConnection[] | undefined;
}

/** What an app or job has logged last; times by the clock of the control plane, in milliseconds since 1970. */
export interface LastRecord {
  /** Up to when records were looked for, from `lastRecordReach` before. */
  readonly asOf: number;
  /** The time of the newest record; undefined if there is none. */
  readonly time?: number | undefined;
  /** Whether there may be records that the control plane did not say. */
  readonly isPartial: boolean;
}

/** The calls that listings make. */
export type ListingClient = Pick<
  ControlPlaneClient,
  'serverNow' | 'queryLogs' | Extract<keyof ControlPlaneClient, `list${string}`>
>;

interface ListingRequest<T> {
  readonly client: ListingClient;
  readonly id: string;
  readonly before: T | undefined;
  /** `more`: the next page instead of all loaded ones. */
  readonly extent: 'all' | 'more';
  readonly options: CallOptions;
}

interface ListingAnswer<T> {
  readonly value: T;
  readonly formats: Formats;
}

/** What tells how often a listing is requested. */
interface ListingState {
  readonly id: string;
  /** The time by the control plane's clock, in milliseconds since 1970. */
  readonly now: number;
  /** The last value of this or another listing. */
  readonly valueOf: <K extends ListingKind>(kind: K, id: string) => ListingValues[K] | undefined;
}

/** The names of what listings belong to, by id, and the texts for the others. */
interface ListingOwners {
  readonly server: (id: string) => string;
  readonly source: (id: string) => string;
  readonly resource: (id: string) => string;
  readonly t: Translate;
}

/** A kind of listing. */
interface Listing<T> {
  /** The permission that a request needs. */
  readonly permission: Permission;
  /** Whether it lists the whole workspace, so that a refusal concerns no single object. */
  readonly isOfWorkspace: boolean;
  /** The operation beyond the contract that lists sources or servers. */
  readonly targetsBy?: 'listSources' | 'listServers';
  /** Rejects as the client does. */
  readonly fetch: (request: ListingRequest<T>) => Promise<ListingAnswer<T>>;
  /**
   * Milliseconds between the end of one request and the next while it is shown. Absent: as usual.
   *
   * @param usual the interval of the settings, in milliseconds.
   */
  readonly interval?: (usual: number, state: ListingState) => number;
  /** The label of the row that it belongs to, such as `shop-web`. */
  readonly label: (id: string, owners: ListingOwners) => string;
  /** Says what is hidden without the permission. Absent: nothing is, so that others come first and no failure is told. */
  readonly hidden?: (t: Translate) => string;
}

export const listings: { readonly [K in ListingKind]: Listing<ListingValues[K]> } = {
  alerts: {
    permission: operations.listAlertRules.permission,
    isOfWorkspace: false,
    fetch: inOneRequest((client, serverId, options) =>
      client.listAlertRules({ serverId }, options),
    ),
    label: (id, { server }) => server(id),
    hidden: (t) => t('Alert rules are hidden.'),
  },
  resources: {
    permission: operations.listResources.permission,
    isOfWorkspace: false,
    fetch: inOneRequest((client, sourceId, options) => client.listResources({ sourceId }, options)),
    interval(usual, { id: sourceId, ...state }) {
      const { resources = [] } = state.valueOf('resources', sourceId) ?? {};
      const isBusy = resources.some(({ id }) => id !== undefined && hasRunning({ id, ...state }));
      return isBusy ? Math.min(fastInterval, usual) : usual;
    },
    label: (id, { source }) => source(id),
    hidden: (t) => t('Apps and jobs are hidden.'),
  },
  secrets: {
    permission: operations.listSecrets.permission,
    isOfWorkspace: false,
    fetch: inOneRequest((client, ownerId, options) => client.listSecrets({ ownerId }, options)),
    label: (id, { source }) => source(id),
    hidden: (t) => t('Secret keys are hidden.'),
  },
  deployments: {
    permission: operations.listDeployments.permission,
    isOfWorkspace: false,
    fetch: inOneRequest((client, resourceId, options) =>
      client.listDeployments({ resourceId }, options),
    ),
    interval: (usual, state) => (hasRunning(state) ? Math.min(fastInterval, usual) : usual),
    label: (id, { resource }) => resource(id),
    hidden: (t) => t('Deployments are hidden.'),
  },
  repositories: {
    permission: operations.listRepositories.permission,
    isOfWorkspace: true,
    fetch: fetchRepositories,
    interval: atLeastSlow,
    label: (_search, { t }) => t('Repositories'),
    hidden: (t) => t('Repositories are hidden.'),
  },
  integrations: {
    permission: operations.listIntegrations.permission,
    isOfWorkspace: true,
    fetch: inOneRequest((client, _id, options) => client.listIntegrations({}, options)),
    interval: atLeastSlow,
    label: (_id, { t }) => t('Integrations'),
    hidden: (t) => t('Integrations are hidden.'),
  },
  sourceList: {
    permission: operations.listSources.permission,
    isOfWorkspace: true,
    targetsBy: 'listSources',
    fetch: inOneRequest(
      async (client, _id, options) => (await client.listSources({}, options)) ?? {},
    ),
    interval: atLeastSlow,
    label: (_id, { t }) => t('Sources'),
    hidden: (t) => t('Sources are hidden.'),
  },
  serverList: {
    permission: operations.listServers.permission,
    isOfWorkspace: true,
    targetsBy: 'listServers',
    fetch: inOneRequest(
      async (client, _id, options) => (await client.listServers({}, options)) ?? {},
    ),
    interval: atLeastSlow,
    label: (_id, { t }) => t('Servers'),
    hidden: (t) => t('Servers are hidden.'),
  },
  environments: {
    permission: operations.listEnvironments.permission,
    isOfWorkspace: false,
    fetch: inOneRequest(
      async (client, sourceId, options) =>
        (await client.listEnvironments({ sourceId }, options)) ?? {},
    ),
    interval: atLeastSlow,
    label: (id, { source }) => source(id),
    hidden: (t) => t('Environments are hidden.'),
  },
  lastRecord: {
    permission: operations.queryLogs.permission,
    isOfWorkspace: false,
    fetch: fetchLastRecord,
    label: (id, { resource }) => resource(id),
  },
};

/** Says what is hidden without a permission. */
export function hiddenWithout(permission: Permission, t: Translate): string {
  const all = Object.values(listings).filter((listing) => listing.permission === permission);
  return joined(
    all.map(({ hidden }) => hidden?.(t)),
    ' ',
  );
}

/** While a deployment is running, in milliseconds like all of these. */
export const fastInterval = 5_000;
/** For what rarely changes. */
const slowInterval = 600_000;
/** A deployment that is reported as running for longer is stuck, or its end was not reported. */
const longestRun = day;

function atLeastSlow(usual: number): number {
  return Math.max(slowInterval, usual);
}

/** Whether a deployment of the resource is running. */
function hasRunning({ id, now, valueOf }: ListingState): boolean {
  return (valueOf('deployments', id)?.deployments ?? []).some(
    (one) => isRunning(one) && now - (timeOf(one.startedAt) ?? -Infinity) < longestRun,
  );
}

interface Localized {
  localization?: Formats;
}

function inOneRequest<T extends Localized>(
  call: (client: ListingClient, id: string, options: CallOptions) => Promise<T>,
): (
  request: Pick<ListingRequest<unknown>, 'client' | 'id' | 'options'>,
) => Promise<ListingAnswer<Omit<T, 'localization'>>> {
  return async ({ client, id, options }) => withoutFormats(await call(client, id, options));
}

/** How far back the last record of an app or job is looked for, in milliseconds. */
export const lastRecordReach = 7 * day;

async function fetchLastRecord({
  client,
  id,
  options,
}: Pick<ListingRequest<LastRecord>, 'client' | 'id' | 'options'>): Promise<
  ListingAnswer<LastRecord>
> {
  const asOf = client.serverNow();
  const filters = {
    workloadIds: [id],
    from: new Date(asOf - lastRecordReach).toISOString(),
    to: new Date(asOf).toISOString(),
  };
  const { records, partial } = await client.queryLogs({ filters, limit: 1 }, options);
  return {
    value: { asOf, time: timeOf(records[0]?.timestamp), isPartial: partial },
    formats: {},
  };
}

/** The longest search for repositories that the contract allows, in characters. */
export const longestRepositorySearch = 64;

async function fetchRepositories({
  client,
  id: search,
  before,
  extent,
  options,
}: ListingRequest<RepositoryPages>): Promise<ListingAnswer<RepositoryPages>> {
  const loaded = extent === 'more' ? before : undefined;
  const last = loaded === undefined ? (before?.pages ?? 1) : loaded.pages + 1;
  const repositories: Repository[] = [...(loaded?.repositories ?? [])];
  let pages = loaded?.pages ?? 0;
  let page: number | undefined = loaded === undefined ? 1 : loaded.nextPage;
  let formats: Formats = {};
  let of: Pick<RepositoryPages, 'connection' | 'connections'> = {};
  while (page !== undefined && pages < last) {
    const current: number = page;
    const query = { ...(search === '' ? {} : { search }), ...(page === 1 ? {} : { page }) };
    const answer = withoutFormats(await client.listRepositories(query, options));
    formats = answer.formats;
    const { connection, connections } = answer.value;
    of = { connection, connections };
    repositories.push(...(answer.value.repositories ?? []));
    pages++;
    page = pageAfter(current, answer.value.nextPage);
  }
  return {
    value: { repositories, pages, ...of, ...(page === undefined ? {} : { nextPage: page }) },
    formats,
  };
}

/** Accepts only a greater page number, so that a server cannot cause an endless loop. */
function pageAfter(page: number, next: number | undefined): number | undefined {
  return next !== undefined && Number.isInteger(next) && next > page ? next : undefined;
}

function withoutFormats<T extends Localized>(answer: T): ListingAnswer<Omit<T, 'localization'>> {
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
