import type { Operation as ActionRecord } from '../../src/api/types';
import type { Members } from './admin';
import type { DeploymentStep } from './deployments';
import type { Failure } from './failure';
import type { ReceivedRequest } from './journal';
import type { ApiRequest, Call, Parts } from './parts';
import type { Random } from './random';

/** What of a request is known when it is let in. */
export type Admitted = Pick<Call, 'key' | 'operation' | 'parameters' | 'body'>;

/** An answer in JSON. */
export interface Answered {
  readonly status: number;
  readonly answer: object;
}

/**
 * How a control plane looks from outside: what it routes, how it validates, what it answers. Logs and streams are the
 * same in all.
 */
export interface Face {
  /** Checks key and request, in the order of the face. @throws Failure */
  admit(request: ApiRequest, received: ReceivedRequest): Admitted;
  /** What a valid request is answered, except that of a stream. @throws Failure */
  answer(call: Call): Answered | Promise<Answered>;
  /** The body of an error. */
  failed(failure: Failure, requestId: string, received: ReceivedRequest): object;
  /** Headers of every answer to a request. */
  headersOf(request: ApiRequest): Readonly<Record<string, string>>;
  /** The id of a request. */
  requestIdOf(request: ApiRequest): string;
  /** Whether it answers requests of pages, which only their browser withholds from them. */
  readonly answersPages: boolean;

  /** Where the members are kept that a test changes of what has this id; undefined if there is none. */
  changesOf(id: string): object | undefined;
  /** Starts a deployment of an app, a job or a database; see deployments.ts. */
  deploy(workloadId: string, given: Members, steps: readonly DeploymentStep[]): string;
  /** The id of the last deployment started by `deploy` that runs. */
  running(workloadId: string): string | undefined;
  /** Every action that was accepted, in its current state. */
  operations(): readonly ActionRecord[];
}

/** Makes the face of one control plane. */
export interface FaceKind {
  /** The permissions that a key can have. */
  readonly permissions: readonly string[];
  create(parts: Parts, options: { readonly random: Random; readonly stepSeconds: number }): Face;
}
