import type { Clock } from '../../src/base/clock';
import type { LogPage, LogQueryRequest, LogTailRequest } from '../../src/api/types';
import type { Cursors } from './cursors';
import type { Fault, Faults } from './faults';
import type { Generator } from './generator';
import type { Journal } from './journal';
import type { Key, Keys } from './keys';
import type { Random } from './random';
import type { RecordStore } from './records';
import type { LogStream } from './stream';
import type { Unkindness } from './unkind';
import type { World } from './world';

export type { LogStream };

/** A request in the same form for each kind of connection. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Where it comes from. */
  readonly address: string;
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string | undefined;
  /**
   * Aborted when the exchange ends: with the reason `sent` (journal.ts), or when the client
   * disconnects.
   */
  readonly signal: AbortSignal;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<string | Uint8Array>;
  /** The fault of this request; the connection applies what concerns the bytes. */
  readonly fault: Fault | undefined;
}

/** A request with a valid key. */
export interface Call {
  readonly key: Key;
  /** By its id in the contract, or its own if that does not have it. */
  readonly operation: { readonly id: string };
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Valid by the contract; undefined if there is none. */
  readonly body: unknown;
  readonly fault: Fault | undefined;
  readonly signal: AbortSignal;
  readonly requestId: string;
}

/**
 * Called for each valid log request. What they throw is the answer (`Failure`), or no answer
 * (`NoAnswer`).
 */
export interface Hooks {
  query: (request: LogQueryRequest) => void | Promise<void>;
  connect: (request: LogTailRequest) => void | Promise<void>;
  /** The page of a query or a stream before it is sent. */
  page: <Page extends LogPage>(page: Page, request: LogQueryRequest | LogTailRequest) => Page;
  /** A stream has opened; nothing has been sent yet. */
  open: (stream: LogStream) => void;
}

/** Shared by the parts of the control plane. */
export interface Parts {
  readonly clock: Clock;
  readonly streamSeconds: number;
  readonly heartbeatSeconds: number;
  readonly world: World;
  readonly keys: Keys;
  readonly store: RecordStore;
  readonly cursors: Cursors;
  readonly faults: Faults;
  readonly journal: Journal;
  /** Of what is unkind by chance. */
  readonly unkindRandom: Random;
  readonly generator: Generator;
  readonly streams: Set<LogStream>;
  readonly unkind: Unkindness;
  readonly unkindAtStart: Unkindness;
  readonly on: Hooks;
  readonly restart: (downMs: number) => Promise<void>;
}
