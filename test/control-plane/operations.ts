import type { Operation } from '../../src/api/types';
import { getOrMake } from '../../src/base/maps';
import { Failure } from './failure';
import type { Key } from './keys';
import type { Random } from './random';
import type { Unkindness } from './unkind';

export interface CleanupRequest {
  readonly serverId: string;
  readonly idempotencyKey: string;
  readonly items: readonly { readonly name: string }[];
}

interface Entry {
  readonly id: string;
  readonly at: number;
  readonly requestedBy: string;
  readonly request: CleanupRequest;
  /** Members that a test has changed. */
  readonly changes: object;
}

export class Operations {
  /** By the key of the client and its idempotency key. */
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly random: Random,
    private readonly options: { readonly now: () => number; readonly stepSeconds: number },
  ) {}

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
  ): { operation: Operation; replayed: boolean } {
    const name = `${key.name} ${request.idempotencyKey}`;
    const known = this.entries.get(name);
    if (known && JSON.stringify(known.request) !== JSON.stringify(request)) {
      const message = 'This idempotency key was used for another request.';
      throw new Failure(409, message, 'idempotency_key_reused');
    }
    if (known && unkind.inProgress && this.byTime(known).finishedAt === undefined) {
      throw new Failure(409, 'The operation is in progress.', 'operation_in_progress');
    }
    const entry = getOrMake(this.entries, name, () => ({
      id: this.random.uuid(),
      at: this.options.now(),
      requestedBy: key.name,
      request,
      changes: {},
    }));
    return { operation: this.current(entry), replayed: known !== undefined };
  }

  all(): Operation[] {
    return [...this.entries.values()].map((entry) => this.current(entry));
  }

  /** Where the members are kept that a test changes of an operation; undefined if there is none. */
  changesOf(id: string): object | undefined {
    return [...this.entries.values()].find((entry) => entry.id === id)?.changes;
  }

  private current(entry: Entry): Operation {
    return { ...this.byTime(entry), ...entry.changes };
  }

  /** queued, then running, then finished: computed from the elapsed time. */
  private byTime({ id, at, requestedBy, request }: Entry): Operation {
    const now = this.options.now();
    const whole = this.options.stepSeconds * 1000;
    const started = at + whole / 4;
    const ended = at + whole;
    const time = (when: number): string => new Date(when).toISOString();
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
    const result = { timedOut: false, truncated: false };
    const stuck = request.items.find(({ name }) => name.startsWith('in-use'));
    if (stuck) {
      return {
        ...over,
        state: 'failed',
        phase: 'removing',
        errorCode: 'item_in_use',
        errorMessage: `${stuck.name} is in use.`,
        result: { ...result, exitCode: 1, logs: `keep ${stuck.name}\n` },
      };
    }
    const logs = request.items.map(({ name }) => `removed ${name}\n`).join('');
    return { ...over, state: 'succeeded', phase: 'done', result: { ...result, exitCode: 0, logs } };
  }
}
