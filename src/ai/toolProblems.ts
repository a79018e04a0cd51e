import { ApiError, InvalidRequestError } from '../api/errors';
import type { Permission } from '../api/types';
import type { ToolAnswer } from './answer';
import { clipped } from './fence';

/*
 * What a model is told where something failed: what it is, whether to try again, and what to ask the
 * person for. In English, as everything that is said to models. Messages of the network name hosts and
 * ports, so they stay here; what the server says goes behind the fence.
 */

/** The command that a person runs to sign in, as the command palette shows it. */
const connectCommand = 'Control Plane: Connect…';

export const signedOut: ToolAnswer = {
  words: [
    'Not done: VS Code is not signed in to a control plane. ' +
      `Ask the person to run the command "${connectCommand}" and then call this again. ` +
      'Never ask for the API key itself.',
  ],
};

export const connectionChanged: ToolAnswer = {
  words: [
    'Not done: the person has changed the connection meanwhile. Ids and names that were read before ' +
      'belong to another control plane; begin anew.',
  ],
};

/** Where a person has named none. */
export function nothingKnown(kind: 'source' | 'server'): ToolAnswer {
  return {
    words: [
      `No ${kind} is known here, since the API lists none. Ask the person to run the command ` +
        `"Control Plane: Discover…", or for the id of a ${kind}.`,
    ],
  };
}

/** Where it is known before anything is sent. */
export function lackingAnswer(permission: Permission): ToolAnswer {
  return { words: [`Nothing was sent: ${lacks(permission)}`] };
}

/** @param permission what the operation needs, by the contract. */
export function problemAnswer(error: unknown, permission: Permission): ToolAnswer {
  if (error instanceof InvalidRequestError) return inputAnswer(error.message);
  if (!(error instanceof ApiError)) {
    return {
      words: ['Failed for a reason of its own; the person finds it in the output channel.'],
    };
  }
  const { kind, message } = error;
  if (kind === 'signedOut') return signedOut;
  const words = [`Failed: ${meaningOf(error, permission)}${reference(error)}`];
  if (kind !== 'http' || message === '') return { words };
  const entries = [`The control plane says: ${clipped(message, 500)}`];
  return { words, data: { entries, keep: 'first', noun: 'message' } };
}

/** What is wrong with what a model gave. @param problem in English, with the field and the limit. */
function inputAnswer(problem: string): ToolAnswer {
  return {
    words: ['Not done: the input is not accepted. Correct it and call this again.'],
    data: { entries: [clipped(problem, 2000)], keep: 'first', noun: 'problem' },
  };
}

function meaningOf({ kind, status, retryAfter }: ApiError, permission: Permission): string {
  switch (kind) {
    case 'timeout':
      return 'the control plane did not answer in time. Try again once; then tell the person.';
    case 'network':
      return 'the control plane cannot be reached. Tell the person to check the network and the connection.';
    case 'redirect':
    case 'protocol':
      return 'the answer is not what the API promises. Trying again will not help; tell the person.';
    case 'signedOut':
    case 'http':
      break;
  }
  switch (status) {
    case 401:
      return `the control plane does not accept the API key. Ask the person to run "${connectCommand}".`;
    case 403:
      return lacks(permission);
    case 404:
      return 'the control plane does not know this id, or the key may not see it. Look the id up first.';
    case 429:
      return retryAfter === undefined
        ? 'too many requests. Wait a minute before you try again.'
        : `too many requests. Wait ${Math.ceil(retryAfter / 1000)} seconds before you try again.`;
    case 400:
    case 413:
    case 422:
      return 'the control plane does not accept the request. Change what is asked for.';
    default:
      return status !== undefined && status >= 500
        ? 'the control plane has a problem of its own. Try again once; then tell the person.'
        : 'the control plane refused the request.';
  }
}

function lacks(permission: Permission): string {
  return (
    `the API key lacks the permission ${permission}. Trying again will not help: the person has ` +
    'to ask for it, or connect with another key.'
  );
}

/** Status, code and request id: for the person who has to report it. */
function reference({ status, code, requestId }: ApiError): string {
  const parts = [
    ...(status === undefined ? [] : [`status ${status}`]),
    ...named('code', code),
    ...named('request id', requestId),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** Codes and ids are the server's: only what can be nothing else is said in our words. */
function named(label: string, value: string | undefined): string[] {
  return value !== undefined && /^[\w.:-]{1,80}$/.test(value) ? [`${label} ${value}`] : [];
}
