import type { OwnValues } from './assumptions';
import type { paths } from './generated/schema';
import type { EndpointClass, RetryRule } from './retryPolicy';
import type { HttpAnswer } from './sendRequest';
import type { OpenSetting } from './serverDescription';
import type { Permission } from './types';

/** What the user has set of the requests. */
export interface ApiSettings {
  /** How many seconds to wait for the headers of a response and for each part of its body; a whole body: twice. */
  readonly timeoutSeconds: number;
  /** Of what the contract leaves open (`x-assumptions`). */
  readonly own: OwnValues;
}

/** What a request carries. It is valid. */
export interface RequestContent {
  /** By their names in the contract. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** JSON. As text, so that every try sends the same bytes, even if what it was made of changes. */
  readonly body?: string;
}

/** An operation of the API. `generated/operations.ts` has them all. */
export interface ApiOperation<Input = never, Answer = unknown> {
  readonly method: 'get' | 'post';
  readonly path: keyof paths;
  /** The segment of the path that is only an example, and the setting that has it. */
  readonly segment?: { readonly example: string; readonly setting: OpenSetting };
  /** The setting that has the path, if all of it is only an example. If it is empty, nothing is sent. */
  readonly pathSetting?: OpenSetting;
  /** Whether the contract does not have it: nothing is sent unless the description of the server lists it. */
  readonly isOnlyIfDescribed?: true;
  /** Where each parameter is sent, and the setting that has its name if that is only an example. */
  readonly parameters: Readonly<
    Record<
      string,
      {
        readonly in: 'path' | 'query' | 'header';
        readonly setting?: OpenSetting;
      }
    >
  >;
  /** @throws InvalidRequestError if the contract does not allow the input. */
  readonly contentOf: (input: Input) => RequestContent;
  /** Whether the answer is a stream, which stays open. */
  readonly isStream: boolean;
  /** Reads the answer with a status of success, now or later. */
  readonly read: (answer: HttpAnswer, input: Input) => Answer | Promise<Answer>;
  readonly permission: Permission;
  readonly retry: RetryRule;
  readonly limit: EndpointClass;
}
