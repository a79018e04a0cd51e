import type { Clock } from '../base/clock';
import type { operations } from './generated/operations';
import type { ApiOperation, ApiSettings } from './operation';
import type { RequestScheduler, Scheduling } from './requestScheduler';
import type { RequestEntry } from './sendRequest';
import type { ServerFacts } from './serverDescription';
import type { RepositoryListing } from './types';

export type { OnWait, Wait } from './requestScheduler';

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
  /** What the server says of itself, if it does. Called before each request; ignored if the settings say never to ask. */
  readonly facts?: () => ServerFacts | undefined;
  readonly onDidRequest?: (entry: RequestEntry) => void;
  /** If it is aborted, all calls and waits fail with its reason, and no new call starts. */
  readonly lifetime?: AbortSignal;
  /** What knows when the server allows the next request: clients that follow one another share it. Default: its own. */
  readonly scheduler?: RequestScheduler;
}

export interface CallOptions extends Scheduling {
  /** Called for each request of this call, in addition to that of the client. */
  readonly onDidRequest?: (entry: RequestEntry) => void;
}

type Operations = typeof operations;

/**
 * The operations of the API. The call of each validates its input (throws `InvalidRequestError` and sends nothing),
 * retries as the operation allows, and throws an `ApiError`, or the reason of the signal or of the client's
 * lifetime if one of them is aborted. The answer is undefined if the settings say that the server has no such
 * endpoint, or if its description does not list what the contract does not have.
 */
export type Calls = { readonly [Name in keyof Operations]: CallOf<Operations[Name]> };

/** An operation that a server may not have. */
type MayBeMissing = { readonly pathSetting: string } | { readonly isOnlyIfDescribed: true };

type CallOf<Operation> =
  Operation extends ApiOperation<infer Input, infer Answer>
    ? (
        input: Input,
        options: CallOptions,
      ) => Promise<Answer | (Operation extends MayBeMissing ? undefined : never)>
    : never;

/** What the call of an operation answers. */
export type AnswerOf<Name extends keyof Calls> = NonNullable<Awaited<ReturnType<Calls[Name]>>>;

/** Repositories, with the connection that they are of where a server lists those of one connection at a time. */
export type ConnectedRepositories = RepositoryListing & {
  readonly connection?: string;
  /** Those of which one has to be chosen first: there are several. */
  readonly connections?: readonly RepositoryConnection[];
};

/** A connection of a control plane to a git provider. */
export interface RepositoryConnection {
  readonly slug: string;
  readonly name?: string | undefined;
}

export interface ControlPlaneClient extends Omit<Calls, 'listRepositories'> {
  readonly listRepositories: (
    ...asked: Parameters<Calls['listRepositories']>
  ) => Promise<ConnectedRepositories>;
  /**
   * The time of the control plane's clock, in milliseconds since 1970, by its last answers. Ranges of
   * records are made with it, because it sets the times of the records.
   */
  readonly serverNow: () => number;
}
