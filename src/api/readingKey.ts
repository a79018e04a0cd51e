import type { CallOptions, Calls } from './client';
import { ApiError, failedAs } from './errors';
import type { ApiOperation } from './operation';

const reads = /\.(?:read|list)$/;

/** Whether a key with these permissions may only read. */
export function mayOnlyRead(permissions: readonly string[]): boolean {
  return permissions.length > 0 && permissions.every((one) => reads.test(one));
}

/**
 * What became of a request that sends something, with the reason if it was refused because the key may only read: then
 * no permission is missing that the key could have. Only a server that says what the key may do tells that.
 *
 * @throws the reason of the signal.
 */
export async function withReasonOfRefusal(
  error: unknown,
  { permission }: Pick<ApiOperation, 'permission'>,
  { getIdentity }: Pick<Calls, 'getIdentity'>,
  { signal, priority }: CallOptions,
): Promise<unknown> {
  if (!failedAs(error, 'missingPermission')) return error;
  const identity = await getIdentity({}, { signal, priority }).catch(() => undefined);
  signal.throwIfAborted();
  const { capabilities = [] } = identity ?? {};
  // A permission to read that the key does not have is just that.
  const isForReading =
    mayOnlyRead(capabilities) && (capabilities.includes(permission) || !reads.test(permission));
  const { kind, status, code, message, requestId, retryAfter } = error;
  return isForReading
    ? new ApiError({ kind, status, code, message, requestId, retryAfter, isForReading })
    : error;
}
