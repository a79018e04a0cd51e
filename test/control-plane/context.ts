import type {
  Integration,
  LogRecord,
  Operation,
  Permission,
  Repository,
  Resource,
  SecretBinding,
} from '../../src/api/types';
import type { Alerts } from './alerts';
import type { Cursors } from './cursors';
import type { Deployments } from './deployments';
import type { Fault, Faults } from './faults';
import type { Generator } from './generator';
import type { Journal } from './journal';
import type { Key, Keys } from './keys';
import type { Operations } from './operations';
import type { RecordStore } from './records';
import type { Source, World } from './world';

export interface ControlPlaneOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** What everything made up comes from (1). */
  readonly seed?: number;
  /** Wall-clock time in milliseconds, of timestamps and the Date header. */
  readonly now?: () => number;
  /** Log files to follow; then nothing is made up unless `live` says so. */
  readonly ingest?: readonly string[];
  /** After how long a stream is closed (300). */
  readonly streamSeconds?: number;
  /** The spacing of the comments in a stream (15); 0 for none. */
  readonly heartbeatSeconds?: number;
  /** The rate of the records that are made up (8). */
  readonly logsPerSecond?: number;
  /** Whether records are made up as time goes by (true, false with `ingest`). */
  readonly live?: boolean;
  /** How many records of the last day there are at the start (20,000, none with `ingest`). */
  readonly historyRecords?: number;
  /** How many records are held (1,000,000). */
  readonly maxRecords?: number;
  /** Whether a cursor is bound to `from` and `to` as to every other filter (true). */
  readonly requiresExactRange?: boolean;
  /** How long an operation and each step of a deployment take (4). */
  readonly operationSeconds?: number;
}

/** Members of a record as a test wants them. */
export type Members = Readonly<Record<string, unknown>>;

/** What is asked of the control plane besides its API: in process here, over HTTP in routes/admin. */
export interface Admin {
  fault(fault: Fault): void;
  /** How many requests the faults will still meet. */
  pendingFaults(): number;
  /** Adds records now: so many made-up ones, or these with what they lack filled in. */
  emit(records: number | readonly Partial<LogRecord>[]): LogRecord[];
  /** The event ids of all records since (or without) `from`, in order; `end` is the next `from`. */
  emitted(from?: number): { count: number; end: number; eventIds: string[] };
  /** What has been given to connections, in order, repeats included; not whether it arrived. */
  sent(): { count: number; distinct: number; eventIds: string[] };
  /** What was received since the start or the last reset. */
  requests(): readonly ReceivedRequest[];
  /** Every operation that was accepted, as it stands. */
  operations(): Operation[];
  /** How many log streams are open. */
  streams(): number;
  /** Changes members of a resource, a deployment, an alert rule or an operation by its id, to what may
   * break the contract; undefined removes one. */
  change(id: string, members: Members): void;
  addKey(name: string, permissions: readonly Permission[], value?: string): string;
  revokeKey(name: string): void;
  restoreKey(name: string): void;
  /** Changes what a key may do, or only its access revision. */
  changeAccess(name: string, permissions?: readonly Permission[]): void;
  /** Leaves a key these log records to see; the others are restricted. Not over HTTP. */
  restrict(name: string, sees: (record: LogRecord) => boolean): void;
  /** Sets the rate of the made-up records; 0 stops them. */
  setRate(logsPerSecond: number): void;
  /** Ends every connection, and listens again at the same port after `downMs`. */
  restart(downMs: number): Promise<void>;
  /** Forgets faults, requests and what was sent, and restores revoked keys. */
  reset(): void;
}

export interface ReceivedRequest {
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The name of the key, where it was a valid one. */
  key: string | undefined;
  /** As it came, byte for byte. */
  body: string | undefined;
  /** Undefined as long as nothing was answered, and where the client has gone before. */
  status: number | undefined;
  /** Whether its answer has been sent or the client has gone. */
  isOver: boolean;
}

/** What the routes share. */
export interface Context {
  readonly now: () => number;
  readonly streamSeconds: number;
  readonly heartbeatSeconds: number;
  readonly keys: Keys;
  readonly store: RecordStore;
  readonly cursors: Cursors;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly world: World;
  readonly resources: readonly Resource[];
  readonly deployments: Deployments;
  readonly alerts: Alerts;
  readonly secrets: ReadonlyMap<Source, SecretBinding[]>;
  readonly repositories: readonly Repository[];
  readonly integrations: readonly Integration[];
  readonly operations: Operations;
  /** A new UUID. */
  readonly newId: () => string;
  readonly generator: Generator;
  readonly admin: Admin;
}

declare module 'fastify' {
  interface FastifyRequest {
    key: Key | undefined;
    fault: Fault | undefined;
    received: ReceivedRequest | undefined;
  }
  interface FastifyContextConfig {
    operationId?: string;
    permission?: Permission;
  }
}
