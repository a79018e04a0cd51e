import { type Clock, minute, second, untilAborted } from '../base/clock';
import type { CallOptions, Calls, ControlPlaneClient } from './client';
import { ApiError, failedAs, InvalidRequestError } from './errors';
import type { OperationFacts, ServerFacts } from './serverDescription';
import type { Deployment, DeploymentListing, Preview, SecretListing } from './types';

/** The calls of the contract that a server may answer better with what it has beyond it. */
type JoinedCalls = Pick<
  ControlPlaneClient,
  'listResources' | 'listDeployments' | 'listSecrets' | 'listRepositories'
>;

/** For how long an answer for a whole source serves each of its apps, in milliseconds like all of these. */
const sharedFor = 2 * second;
/** The same for previews, which change less often. */
const previewsSharedFor = minute;
/** For how long secret keys that took many requests serve those who only keep up to date what is known. */
const secretsSharedFor = 5 * minute;
/** How many environments of a source are asked for their secret keys. */
const mostEnvironments = 20;

/** What is known of a workload from the listing of its source. */
interface Workload {
  readonly sourceId: string;
  readonly isApp: boolean;
}

/**
 * Calls that answer as the contract says, from everything that a server has: apps that it lists apart from other
 * resources, deployments of a whole source in one request, the previews of its branches, and the secret keys of one
 * environment after the other. With a server that describes nothing of that, each is the one of the contract.
 */
export function joinDescribed(
  calls: Calls,
  clock: Pick<Clock, 'monotonic'>,
  facts: () => ServerFacts | undefined,
): JoinedCalls {
  const deployments = new JoinedDeployments(calls, clock);
  const secrets = new Map<string, { readonly at: number; readonly listing: SecretListing }>();
  return {
    listResources: (input, options) => deployments.listResources(input, options),
    listDeployments: (input, options) => deployments.listDeployments(input, options),
    async listSecrets(input, options) {
      const described = factsOf(facts()?.operations.listSecrets);
      if (described?.query['environment'] === undefined || input.environment !== undefined) {
        return calls.listSecrets(input, options);
      }
      const before = secrets.get(input.ownerId);
      const now = clock.monotonic();
      const isRecent = before !== undefined && now - before.at < secretsSharedFor;
      if (isRecent && options.priority === 'automatic') return before.listing;
      const { listing, requests } = await listAllSecrets(calls, described, input, options);
      if (requests > 1) secrets.set(input.ownerId, { at: now, listing });
      return listing;
    },
    async listRepositories(input, options) {
      const isOfConnection = requiresConnection(facts());
      let connection = input.search;
      if (isOfConnection && connection === undefined) {
        const all = await calls.listRepositoryConnections({}, options);
        const connections = (all?.connections ?? []).flatMap(({ slug, name }) =>
          slug === undefined ? [] : [{ slug, name }],
        );
        if (all !== undefined && connections.length !== 1) return { repositories: [], connections };
        connection = connections[0]?.slug;
      }
      if (connection === undefined) return calls.listRepositories(input, options);
      const found = await calls.listRepositories({ ...input, search: connection }, options);
      return isOfConnection ? { ...found, connection } : found;
    },
  };
}

/** Whether a server lists the repositories of one of its connections at a time: what others search for is its name. */
export function requiresConnection(facts: ServerFacts | undefined): boolean {
  const { query } = factsOf(facts?.operations.listRepositories) ?? {};
  return query?.['search']?.isRequired === true;
}

/** Whether a clean-up of a server says of what kind its items are. */
export function hasKindsOfItems(facts: ServerFacts | undefined): boolean {
  return factsOf(facts?.operations.cleanUpOrphans)?.body['items[].kind'] !== undefined;
}

function factsOf(facts: OperationFacts | 'none' | undefined): OperationFacts | undefined {
  return facts === 'none' ? undefined : facts;
}

/** An answer that serves several calls. */
interface Shared<T> {
  readonly at: number;
  readonly priority: CallOptions['priority'];
  readonly answer: Promise<T>;
}

/** Answers of a server for a source, each of which serves the calls of a while. */
class SharedAnswers<T> {
  private readonly bySource = new Map<string, Shared<T>>();

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    private readonly lifetime: number,
  ) {}

  /** @throws as `request`, or the reason of the signal. */
  async get(
    sourceId: string,
    { signal, priority }: CallOptions,
    request: () => Promise<T>,
  ): Promise<T> {
    const now = this.clock.monotonic();
    const before = this.bySource.get(sourceId);
    const isUrgent = priority === 'person' && before?.priority !== 'person';
    if (before !== undefined && now - before.at < this.lifetime && !isUrgent) {
      try {
        // A signal of its own: a long-lived one would collect the listeners of all calls.
        return await untilAborted(before.answer, AbortSignal.any([signal]));
      } catch {
        // Whoever asked may have stopped, which is no reason to stop for others.
        signal.throwIfAborted();
      }
    }
    const answer = request();
    this.bySource.set(sourceId, { at: now, priority, answer });
    return answer;
  }
}

/** The resources of sources with their apps, and their deployments. */
class JoinedDeployments {
  /** By their ids in lower case. */
  private readonly workloads = new Map<string, Workload>();
  private readonly deployments: SharedAnswers<DeploymentListing | undefined>;
  private readonly previews: SharedAnswers<readonly Preview[]>;

  constructor(
    private readonly calls: Calls,
    clock: Pick<Clock, 'monotonic'>,
  ) {
    this.deployments = new SharedAnswers(clock, sharedFor);
    this.previews = new SharedAnswers(clock, previewsSharedFor);
  }

  readonly listResources: Calls['listResources'] = async (input, options) => {
    const [listing, beyond] = await Promise.all([
      this.calls.listResources(input, options),
      this.calls.listApps(input, options),
    ]);
    if (beyond === undefined) return listing;
    const { sourceId } = input;
    const [apps, others] = [beyond.apps ?? [], listing.resources ?? []];
    const remember = (isApp: boolean, id = ''): unknown =>
      this.workloads.set(id.toLowerCase(), { sourceId, isApp });
    for (const { id } of others) remember(false, id);
    for (const { id } of apps) remember(true, id);
    const ids = new Set(apps.map(({ id }) => id));
    return {
      ...listing,
      // A server that lists apps apart may still list them here, too.
      resources: [...apps, ...others.filter(({ id }) => id === undefined || !ids.has(id))],
    };
  };

  readonly listDeployments: Calls['listDeployments'] = async (input, options) => {
    const id = input.resourceId.toLowerCase();
    const known = this.workloads.get(id);
    if (known === undefined) return this.ofOne(input.resourceId, true, options);
    const { sourceId, isApp } = known;
    const [listing, previews] = await Promise.all([
      this.ofSource(sourceId, id, options).then(
        (found) => found ?? this.ofOne(input.resourceId, isApp, options),
      ),
      isApp ? this.previewsOf(sourceId, id, options) : [],
    ]);
    if (previews.length === 0) return listing;
    const ids = new Set(listing.deployments?.map((one) => one.id));
    const added = previews.filter((one) => !ids.has(one.id));
    return { ...listing, deployments: [...(listing.deployments ?? []), ...added] };
  };

  /** The deployments of one workload. One that may be an app is asked for as one first. */
  private async ofOne(
    id: string,
    mayBeApp: boolean,
    options: CallOptions,
  ): Promise<DeploymentListing> {
    if (mayBeApp) {
      try {
        const found = await this.calls.listAppDeployments({ appId: id }, options);
        if (found !== undefined) return found;
      } catch (error) {
        if (!failedAs(error, 'notFound')) throw error;
      }
    }
    return this.calls.listDeployments({ resourceId: id }, options);
  }

  /** Undefined if the server does not list those of a source, or does not say whose they are. */
  private async ofSource(
    sourceId: string,
    workloadId: string,
    options: CallOptions,
  ): Promise<DeploymentListing | undefined> {
    const all = await this.deployments
      .get(sourceId, options, () => this.calls.listSourceDeployments({ sourceId }, options))
      .catch((error: unknown) => {
        if (failedAs(error, 'notFound', 'missingPermission')) return undefined;
        throw error;
      });
    const { deployments } = all ?? {};
    if (deployments === undefined || deployments.some(({ appId }) => appId === undefined)) {
      return undefined;
    }
    const own = deployments.filter(({ appId }) => appId?.toLowerCase() === workloadId);
    return { ...all, deployments: own };
  }

  private async previewsOf(
    sourceId: string,
    appId: string,
    options: CallOptions,
  ): Promise<readonly Deployment[]> {
    const all = await this.previews
      .get(sourceId, options, async () => {
        const { previews = [] } = (await this.calls.listPreviews({ sourceId }, options)) ?? {};
        return previews;
      })
      .catch((error: unknown): readonly Preview[] => {
        // What is deployed is known without them.
        options.signal.throwIfAborted();
        if (failedAs(error, 'notFound', 'missingPermission')) return [];
        throw error;
      });
    return all
      .filter((one) => one.appId?.toLowerCase() === appId && one.status !== 'deleted')
      .map(deploymentOfPreview);
  }
}

/** A preview as the deployment that it runs. */
function deploymentOfPreview({
  id,
  latestDeploymentId = id,
  appId,
  branch,
  hostname,
  latestCommitSha,
  status,
  createdAt,
  updatedAt,
}: Preview): Deployment {
  const members = {
    id: latestDeploymentId,
    appId,
    gitRef: branch,
    hostname,
    commitSha: latestCommitSha,
    state: status,
    createdAt,
    updatedAt,
  };
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return { environment: 'preview', ...Object.fromEntries(given) };
}

/** The secret keys of all environments of a source, also if the server answers those of one at a time. */
async function listAllSecrets(
  calls: Calls,
  { query }: OperationFacts,
  input: Parameters<Calls['listSecrets']>[0],
  options: CallOptions,
): Promise<{ readonly listing: SecretListing; readonly requests: number }> {
  const first =
    query['environment']?.isRequired === true
      ? { environments: await environmentNames(calls, input.ownerId, options) }
      : await calls.listSecrets(input, options);
  const bindings = [...(first.bindings ?? [])];
  const known = new Set(bindings.map(({ environment }) => environment));
  const others = (first.environments ?? []).filter((name) => !known.has(name));
  let last: SecretListing = first;
  const asked = others.slice(0, mostEnvironments);
  for (const environment of asked) {
    try {
      last = await calls.listSecrets({ ...input, environment }, options);
      bindings.push(...(last.bindings ?? []));
    } catch (error) {
      // It is no name that can be asked for, or it went since.
      const isNone = error instanceof ApiError && [404, 422].includes(error.status ?? 0);
      if (!isNone && !(error instanceof InvalidRequestError)) throw error;
    }
  }
  return { listing: { ...last, ...first, bindings }, requests: 1 + asked.length };
}

async function environmentNames(
  calls: Calls,
  sourceId: string,
  options: CallOptions,
): Promise<string[]> {
  const { environments = [] } = (await calls.listEnvironments({ sourceId }, options)) ?? {};
  return environments.flatMap(({ name }) => name ?? []);
}
