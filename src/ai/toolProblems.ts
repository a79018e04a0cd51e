import { ApiError, InvalidRequestError, localizableMessage } from '../api/errors';
import type { Validator } from '../api/generated/validators';
import type { Permission } from '../api/types';
import { validateParameters } from '../api/validateRequest';
import { isObject } from '../base/json';
import { Excerpt, type ToolAnswer } from './answer';

/*
 * Error texts for models: what happened, whether to try again, and what to ask the user for. In English,
 * like all text for models. Network messages contain hosts and ports and are left out; messages of the
 * server go between the lines of the fence.
 */

/** The command for signing in, as shown in the command palette. */
const connectCommand = 'Control Plane: Connect…';

export const signedOut: ToolAnswer = {
  words: [
    'Not done: VS Code is not signed in to a control plane. ' +
      `Ask the user to run the command "${connectCommand}", then call this again. ` +
      'Never ask for the API key itself.',
  ],
};

export const connectionChanged: ToolAnswer = {
  words: [
    'Not done: the user changed the connection in the meantime. Ids and names from earlier answers ' +
      'belong to another control plane. Start over.',
  ],
};

/** The answer if no source or server was given and none is known. */
export function nothingKnown(kind: 'source' | 'server'): ToolAnswer {
  return {
    words: [
      `No ${kind} is known: the API does not list them. Ask the user to run the command ` +
        `"Control Plane: Discover…", or to give the id of a ${kind}.`,
    ],
  };
}

/** The answer if a missing permission is known before anything is sent. */
export function lackingAnswer(permission: Permission): ToolAnswer {
  return { words: [`Nothing was sent: ${lacks(permission)}`] };
}

/** @param permission required by the operation. */
export function problemAnswer(error: unknown, permission: Permission): ToolAnswer {
  if (error instanceof InvalidRequestError) return inputAnswer(error.message);
  if (!(error instanceof ApiError)) {
    return {
      words: ['Failed unexpectedly. Details are in the output channel "Control Plane".'],
    };
  }
  const { kind, message } = error;
  if (kind === 'signedOut') return signedOut;
  const words = [`Failed: ${explain(error, permission)}${reference(error)}`];
  if (kind !== 'http' || message === '') return { words };
  const entries = [new Excerpt(`The control plane says: ${message}`, 500)];
  return { words, data: { entries, keep: 'first', noun: 'message' } };
}

/** @param problem of the input, in English, with field and limit. */
function inputAnswer(problem: string): ToolAnswer {
  return {
    words: ['Not done: the input is not valid. Correct it and call this again.'],
    data: { entries: [new Excerpt(problem, 2000)], keep: 'first', noun: 'problem' },
  };
}

function explain(
  { meaning, kind, status, retryAfter, isForReading }: ApiError,
  permission: Permission,
): string {
  switch (meaning) {
    case 'unreachable':
      return kind === 'timeout'
        ? 'the control plane did not respond in time. Try again once; then tell the user.'
        : 'the control plane cannot be reached. Ask the user to check the network and the connection.';
    case 'unexpected':
      return 'unexpected response from the server. Trying again does not help; tell the user.';
    case 'unknownKey':
      return `the control plane does not accept the API key. Ask the user to run "${connectCommand}".`;
    case 'missingPermission':
      return isForReading
        ? 'the API key may only read, and the control plane refuses everything that is sent to it. Tell the user.'
        : lacks(permission);
    case 'notFound':
      return 'the id does not exist, or the API key has no access to it. Look up the id first.';
    case 'rateLimited':
      return retryAfter === undefined
        ? 'too many requests. Wait a minute before you try again.'
        : `too many requests. Wait ${Math.ceil(retryAfter / 1000)} seconds before you try again.`;
    case 'serverFailed':
      return 'internal error of the control plane. Try again once; then tell the user.';
    case 'signedOut':
    case 'refused':
      return status !== undefined && [400, 413, 422].includes(status)
        ? 'the control plane does not accept the request. Change the input.'
        : 'the control plane refused the request.';
  }
}

function lacks(permission: Permission): string {
  return (
    `the API key lacks the permission ${permission}. Trying again does not help: the user has to ` +
    'request the permission or connect with another key.'
  );
}

/** Status, code and request id, for an error report. */
function reference({ status, code, requestId }: ApiError): string {
  const parts = [
    ...(status === undefined ? [] : [`status ${status}`]),
    ...named('code', code),
    ...named('request id', requestId),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** Codes and ids come from the server: only harmless ones are part of our own sentences. */
function named(label: string, value: string | undefined): string[] {
  return value !== undefined && /^[\w.:-]{1,80}$/.test(value) ? [`${label} ${value}`] : [];
}

/**
 * Validates the input of a model against the schema in package.json, which VS Code does not do.
 *
 * @throws InvalidRequestError with the field and its limit.
 */
export function readInput<T extends Record<string, unknown>>(
  validator: Validator<T>,
  given: unknown,
): T {
  const input = given ?? {};
  if (isObject(input)) {
    validateParameters(validator, input);
    if (validator(input)) return input;
  }
  throw new InvalidRequestError(
    'input',
    localizableMessage('is of the wrong type'),
    localizableMessage('{0}', 'object'),
  );
}

export type Validated<V> = V extends Validator<infer T> ? T : never;
