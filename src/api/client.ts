import type { Clock } from './clock';
import type { LogQuery, LogQueryPage, LogTail } from './cursors';
import type { ApiError } from './errors';
import type { RequestEntry } from './sendRequest';
import type { LogStream } from './logStream';
import type {
  AlertListing,
  CleanupResponse,
  DeploymentListing,
  IntegrationListing,
  Operation,
  PreviewReportingResponse,
  RepositoryListing,
  ResourceListing,
  SecretListing,
  SyncResponse,
} from './types';

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
  /** Once it is aborted, every call ends with its reason, waits included, and none begins. */
  readonly lifetime?: AbortSignal;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** False: one try, whatever comes of it, for a caller with rules of its own. */
  readonly retries?: boolean;
  /** Told before each wait for another try, and with undefined once the wait is over. */
  readonly onWait?: OnWait | undefined;
  /** Told of each request of this call, as the one of the client is. */
  readonly onDidRequest?: (entry: RequestEntry) => void;
}

export type OnWait = (wait: Wait | undefined) => void;

/** A wait between two tries. */
export interface Wait {
  /** Milliseconds from its beginning to its end. */
  readonly ms: number;
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly until: number;
  /** What the try before it came to. */
  readonly error: ApiError;
}

/**
 * All operations of the API. Each validates what it sends (`InvalidRequestError`, nothing leaves),
 * retries by the table in retry.ts, and fails with an `ApiError`, or with the reason of the signal, or
 * of the client's lifetime, once that is aborted.
 */
export interface ControlPlaneClient {
  queryLogs(query: LogQuery, options: CallOptions): Promise<LogQueryPage>;
  /** Opens the stream once, without any retry: the tail has its own rules. */
  openLogStream(tail: LogTail, options: CallOptions): Promise<LogStream>;
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
