import type { Clock } from '../../src/base/clock';
import type { LogPage, LogQueryRequest, LogTailRequest } from '../../src/api/types';
import type { Operation } from './contract';
import type { Cursors } from './cursors';
import type { Fault, Faults } from './faults';
import type { Generator, Live } from './generator';
import type { Journal } from './journal';
import type { Key, Keys } from './keys';
import type { Limiter } from './limiter';
import type { Random } from './random';
import type { RecordStore } from './records';
import type { Unkindness } from './unkind';
import type { Workspace } from './workspace';
import type { World } from './world';

/** A request in the same form for each kind of connection. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
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
  /** Set if the body is a log stream. */
  readonly stream: LogStream | undefined;
}

/** An open log stream, and its controls for a test. They take effect after the records so far. */
export interface LogStream {
  /** The name of its key. */
  readonly key: string;
  readonly request: LogTailRequest;
  readonly isOpen: boolean;
  /**
   * Sends, as one piece, pages as `records` events and text unchanged: comments, `retry:`,
   * anything.
   */
  send(...items: readonly (LogPage | string)[]): void;
  /** Sends no records of its own until `release`; the other controls still work. */
  hold(): void;
  release(): void;
  /** Ends it normally, as after five minutes. */
  end(): void;
  /** Sends an `error` event, then ends. */
  fail(status: number, code?: string, message?: string): void;
  /** Closes the connection without an end of the body, now or after this many more bytes. */
  cut(afterBytes?: number): void;
  /** Resets the connection at once; what was not read yet is lost. */
  reset(): void;
  /** The page with the records of these numbers, with the cursor after them. */
  page(from: number, to: number): LogPage;
}

/** A request with a valid key. */
export interface Call {
  readonly key: Key;
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Valid by the contract; undefined if there is none. */
  readonly body: unknown;
  readonly fault: Fault | undefined;
  readonly signal: AbortSignal;
  readonly requestId: string;
}

export type Handler = (call: Call) => { readonly status?: number; readonly json: object };

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
  readonly limiter: Limiter;
  /** Of what is unkind by chance. */
  readonly unkindRandom: Random;
  readonly generator: Generator;
  readonly live: Live;
  readonly streams: Set<LogStream>;
  readonly unkind: Unkindness;
  readonly unkindAtStart: Unkindness;
  readonly on: Hooks;
  /** Created on first use. */
  readonly workspace: () => Workspace;
  /** A new UUID. */
  readonly newId: () => string;
  readonly restart: (downMs: number) => Promise<void>;
}
