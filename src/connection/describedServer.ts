import * as v from 'valibot';
import type { CallOptions, ControlPlaneClient } from '../api/client';
import { ApiError } from '../api/errors';
import type { RequestEntry } from '../api/sendRequest';
import {
  describedOperations,
  isDescribedPath,
  memberForm,
  parameterForm,
  type ServerFacts,
  versionForm,
} from '../api/serverDescription';
import { type Clock, day, hour, minute } from '../base/clock';
import { Emitter } from '../base/event';
import { maybe, readStored, type Storage } from '../base/storedValue';
import type { Connection } from './connections';
import { StoredPerConnection } from './perConnection';

const storedFacts = v.object({
  version: maybe(v.pipe(v.string(), v.regex(versionForm))),
  operations: v.record(
    v.picklist(describedOperations),
    v.union([
      v.literal('none'),
      v.object({
        path: v.pipe(v.string(), v.check(isDescribedPath)),
        query: v.record(
          v.pipe(v.string(), v.regex(memberForm)),
          v.object({ name: v.pipe(v.string(), v.regex(parameterForm)), isRequired: v.boolean() }),
        ),
        body: v.record(v.string(), v.boolean()),
      }),
    ]),
  ),
});

const storedReading = v.object({
  /** In milliseconds since 1970, by the clock of this machine. */
  at: v.number(),
  /** Absent: the server does not describe itself. What is not valid is read again. */
  facts: v.optional(storedFacts),
});
type Reading = v.InferOutput<typeof storedReading>;

/** For how long a description counts, in milliseconds like all of these. */
const lifetime = day;
/** What an answer says against a description is looked into no more often than this. */
const leastBetween = hour;
/** After a failure that may pass. */
const leastAfterFailure = 10 * minute;

/**
 * What the server of a connection says of itself: read after the first answer to anything else, or when a view shows
 * what only it can tell of, if it was not read for a day, and kept for all windows. That it says nothing is no failure
 * that anybody is told of without asking.
 */
export class DescribedServer {
  private readonly stored: StoredPerConnection<Reading>;
  /** The last reading; absent before the storage was read. */
  private known: { readonly last: Reading | undefined } | undefined;
  private reading: Promise<void> | undefined;
  /** When the last reading ended, on the monotonic clock. */
  private endedAt = -Infinity;
  private error: unknown;
  private readonly changes = new Emitter<void>();
  /** Fires when it says something else than before. */
  readonly onDidChange = this.changes.event;

  /** @param storage that of all windows. */
  constructor(
    connection: Connection,
    storage: Storage,
    private readonly clock: Clock,
  ) {
    const current = { state: { kind: 'signedIn', connection } } as const;
    this.stored = new StoredPerConnection(current, storage, 'serverDescriptions', (value) =>
      readStored(storedReading, value),
    );
  }

  /** Undefined if it does not describe itself, or was not asked yet. */
  get facts(): ServerFacts | undefined {
    return this.last?.facts;
  }

  /** When it was asked, in milliseconds since 1970 by the clock of this machine; undefined if it never was. */
  get readAt(): number | undefined {
    return this.last?.at;
  }

  /** Why the last reading of this window said nothing; undefined if it did. */
  get failure(): unknown {
    return this.error;
  }

  /** Whether it was not read for a day, nor tried a short while ago. */
  get isDue(): boolean {
    const { last } = this;
    const now = this.clock.now();
    const isRecent = last !== undefined && last.at <= now && now - last.at <= lifetime;
    return this.reading === undefined && !isRecent && this.sinceEnd > leastAfterFailure;
  }

  /** Whether the answer to a request is a reason to read it now. */
  isDueAfter({ status }: RequestEntry): boolean {
    if (!isAnswer(status)) return false;
    if (this.isDue) return true;
    const { last } = this;
    if (this.reading !== undefined || last?.facts === undefined) return false;
    // The description said that there is such a thing.
    const isContradicted = [400, 404, 405].includes(status);
    const since = this.clock.now() - last.at;
    return isContradicted && since > leastBetween && this.sinceEnd > leastBetween;
  }

  /** Reads it, or joins the reading under way. Never rejects: see `failure`. */
  read(client: Pick<ControlPlaneClient, 'readDescription'>, options: CallOptions): Promise<void> {
    this.reading ??= this.readNow(client, options).finally(() => {
      this.reading = undefined;
      this.endedAt = this.clock.monotonic();
    });
    return this.reading;
  }

  /** Since the last reading ended, in milliseconds. */
  private get sinceEnd(): number {
    return this.clock.monotonic() - this.endedAt;
  }

  private get last(): Reading | undefined {
    this.known ??= { last: this.stored.value };
    return this.known.last;
  }

  private async readNow(
    client: Pick<ControlPlaneClient, 'readDescription'>,
    options: CallOptions,
  ): Promise<void> {
    try {
      this.keep(await client.readDescription({}, options));
      this.error = undefined;
    } catch (error) {
      if (options.signal.aborted) return;
      this.error = error;
      if (isLasting(error)) this.keep(undefined);
    }
  }

  private keep(facts: ServerFacts | undefined): void {
    const before = JSON.stringify(this.facts);
    const last = { at: this.clock.now(), ...(facts === undefined ? {} : { facts }) };
    this.known = { last };
    this.stored.set(last);
    if (JSON.stringify(facts) !== before) this.changes.fire();
  }
}

/** Whether the control plane has answered and knows the key: it could answer other requests, too. */
function isAnswer(status: number | undefined): status is number {
  return status !== undefined && status < 500 && ![401, 408, 429].includes(status);
}

/** Whether an error says that the server does not describe itself. */
function isLasting(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.kind === 'protocol' || error.kind === 'redirect' || isAnswer(error.status);
}
