import type { Operation } from '../../src/api/types';
import type { Members } from './admin';
import { Failure } from './failure';
import type { Key } from './keys';
import type { Random } from './random';
import type { Unkindness } from './unkind';

export interface CleanupRequest {
  readonly serverId: string;
  readonly idempotencyKey: string;
  readonly items: readonly { readonly name: string }[];
}

export interface Operations {
  /**
   * Accepts a clean-up, or answers with the earlier one of this idempotency key. An item whose name
   * starts with `in-use` makes it fail.
   *
   * @throws 409 `idempotency_key_reused` if the key was sent with another server or other
   * items, and 409 `operation_in_progress` if the server is unkind and the operation runs.
   */
  cleanUp(
    key: Key,
    request: CleanupRequest,
    unkind: Unkindness,
  ): { operation: Operation; replayed: boolean };
  /** The operation in its current state. */
  find(id: string): Operation | undefined;
  all(): Operation[];
  /** Changes members of the operation with this id; false if there is none. */
  change(id: string, members: Members): boolean;
}

interface Entry {
  readonly id: string;
  readonly at: number;
  readonly requestedBy: string;
  readonly request: CleanupRequest;
  readonly print: string;
  /** Members that a test has changed. */
  changes?: Members;
}

export function createOperations(
  random: Random,
  options: { now: () => number; seconds: number },
): Operations {
  const byId = new Map<string, Entry>();
  const byKey = new Map<string, Entry>();

  function current(entry: Entry): Operation {
    return { ...byTime(entry), ...entry.changes };
  }

  /** queued, then running, then finished: computed from the elapsed time. */
  function byTime({ id, at, requestedBy, request }: Entry): Operation {
    const now = options.now();
    const whole = options.seconds * 1000;
    const started = at + whole / 4;
    const ended = at + whole;
    const time = (when: number): string => new Date(when).toISOString();
    const stuck = request.items.find(({ name }) => name.startsWith('in-use'));
    const base = {
      id,
      type: 'cleanup_orphans',
      serverId: request.serverId,
      requestedBy,
      createdAt: time(at),
      request: { type: 'cleanup_orphans' },
    };
    if (now < started) return { ...base, state: 'queued', phase: 'queued', updatedAt: time(at) };
    const running = { ...base, startedAt: time(started) };
    if (now < ended) {
      return { ...running, state: 'running', phase: 'removing', updatedAt: time(started) };
    }
    const over = { ...running, finishedAt: time(ended), updatedAt: time(ended) };
    if (stuck) {
      return {
        ...over,
        state: 'failed',
        phase: 'removing',
        errorCode: 'item_in_use',
        errorMessage: `${stuck.name} is in use.`,
        result: { exitCode: 1, timedOut: false, logs: `keep ${stuck.name}\n`, truncated: false },
      };
    }
    const logs = request.items.map(({ name }) => `removed ${name}\n`).join('');
    return {
      ...over,
      state: 'succeeded',
      phase: 'done',
      result: { exitCode: 0, timedOut: false, logs, truncated: false },
    };
  }

  return {
    cleanUp(key, request, unkind) {
      const name = `${key.name} ${request.idempotencyKey}`;
      const print = JSON.stringify([request.serverId.toLowerCase(), request.items]);
      const known = byKey.get(name);
      if (known && known.print !== print) {
        const message = 'This idempotency key was used for another request.';
        throw new Failure(409, message, 'idempotency_key_reused');
      }
      if (known && unkind.inProgress && byTime(known).finishedAt === undefined) {
        throw new Failure(409, 'The operation is in progress.', 'operation_in_progress');
      }
      const entry = known ?? {
        id: random.uuid(),
        at: options.now(),
        requestedBy: key.name,
        request,
        print,
      };
      byId.set(entry.id, entry);
      byKey.set(name, entry);
      return { operation: current(entry), replayed: known !== undefined };
    },
    find(id) {
      const entry = byId.get(id);
      return entry && current(entry);
    },
    all: () => [...byId.values()].map(current),
    change(id, members) {
      const entry = byId.get(id);
      if (entry) entry.changes = { ...entry.changes, ...members };
      return entry !== undefined;
    },
  };
}
