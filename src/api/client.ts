import type { Clock } from '../base/clock';
import type { LogQuery, LogQueryPage, LogTail } from './cursors';
import type { LogStream } from './logStream';
import type { Scheduling } from './requestScheduler';
import type { RequestEntry } from './sendRequest';
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

export type { OnWait, Wait } from './requestScheduler';

/** The time-out, and what may differ on a server from the defaults of the contract (`x-assumptions`). */
export interface ApiSettings {
  /** How many seconds to wait for the headers of a response and for each part of its body; a whole body: twice. */
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
  /** A path with `{operationId}`. Empty if the server has no such endpoint. */
  readonly operationPath: string;
}

export interface ClientOptions {
  /** As `parseBaseUrl` returns it. */
  readonly baseUrl: string;
  /** Called before each request. Undefined means signed out. */
  readonly token: () => Promise<string | undefined>;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly clock: Clock;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  /** Called before each request, so a change takes effect at once. */
  readonly settings: () => ApiSettings;
  readonly onDidRequest?: (entry: RequestEntry) => void;
  /** If it is aborted, all calls and waits fail with its reason, and no new call starts. */
  readonly lifetime?: AbortSignal;
}

export interface CallOptions extends Scheduling {
  /** Called for each request of this call, in addition to that of the client. */
  readonly onDidRequest?: (entry: RequestEntry) => void;
}

/**
 * All operations of the API. Each validates its request (throws `InvalidRequestError` and sends
 * nothing), retries by the table in retryPolicy.ts, and throws an `ApiError`, or the reason of the signal or
 * of the client's lifetime if one of them is aborted.
 */
export interface ControlPlaneClient {
  /**
   * The time of the control plane's clock, in milliseconds since 1970, by its last answers. Ranges of
   * records are made with it, because it sets the times of the records.
   */
  serverNow(): number;
  queryLogs(query: LogQuery, options: CallOptions): Promise<LogQueryPage>;
  /** Opens the stream without retries, because the tail has its own rules. */
  openLogStream(tail: LogTail, options: CallOptions): Promise<LogStream>;
  cleanUpOrphans(
    request: { serverId: string; items: readonly string[]; idempotencyKey: string },
    options: CallOptions,
  ): Promise<CleanupResponse>;
  /** Undefined if the settings say that the server has no such endpoint. */
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
