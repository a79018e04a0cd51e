import { Failure } from './failure';
import type { ReceivedRequest } from './journal';
import type { Key } from './keys';
import type { ApiRequest, Parts } from './parts';

/** The key of a request; reports one that should not have been sent. Undefined if it is missing or not valid. */
export function keyOf(
  { keys, journal }: Parts,
  { headers }: ApiRequest,
  received: ReceivedRequest,
): Key | undefined {
  const value = /^Bearer (\S+)$/i.exec(single(headers['authorization']) ?? '')?.[1] ?? '';
  const key = keys.find(value);
  if (key === undefined) {
    if (keys.isForeign(value)) {
      journal.report('foreignKey', 'The key belongs to another control plane.', received);
    }
    return undefined;
  }
  received.key = key.name;
  if (key.forbidden) {
    journal.report('forbiddenKey', `The key ${key.name} must not be used any more.`, received);
  }
  return key;
}

/** Reports a failed check: the client should not have sent this request. */
export function reported<Result>(
  { journal }: Pick<Parts, 'journal'>,
  received: ReceivedRequest,
  check: () => Result,
): Result {
  try {
    return check();
  } catch (error) {
    if (error instanceof Failure) journal.report('brokenContract', error.message, received);
    throw error;
  }
}

export function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}
