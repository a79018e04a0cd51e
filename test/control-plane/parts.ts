import type { Clock } from '../../src/api/clock';
import type { LogPage, LogQueryRequest, LogTailRequest } from '../../src/api/types';
import type { Operation } from './contract';
import type { Cursors } from './cursors';
import type { Fault, Faults } from './faults';
import type { Generator, Live } from './generator';
import type { Journal } from './journal';
import type { Key, Keys } from './keys';
import type { RecordStore } from './records';
import type { Unkindness } from './unkind';
import type { Workspace } from './workspace';
import type { World } from './world';

/** A request as any kind of connection hands it on. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string | undefined;
  /** Aborted when the exchange is over: with the reason `sent` (journal.ts), or when the client goes. */
  readonly signal: AbortSignal;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<string | Uint8Array>;
  /** What goes wrong; what is left of it is what the connection does with the bytes. */
  readonly fault: Fault | undefined;
  /** Where the body is a log stream. */
  readonly stream: LogStream | undefined;
}

/** An open log stream, and what a test can do to it. What is done comes behind the records so far. */
export interface LogStream {
  /** The name of its key. */
  readonly key: string;
  readonly request: LogTailRequest;
  readonly isOpen: boolean;
  /** Sends, as one piece, pages as `records` events and text as it is: comments, `retry:`, anything. */
  send(...items: readonly (LogPage | string)[]): void;
  /** Sends no records of its own accord, until `release`; what is done to it happens all the same. */
  hold(): void;
  release(): void;
  /** Ends it in good order, as after five minutes. */
  end(): void;
  /** Sends an `error` event, and ends it. */
  fail(status: number, code?: string, message?: string): void;
  /** Closes the connection without an end of the body, or so many bytes later (of what is to come). */
  cut(afterBytes?: number): void;
  /** Resets the connection at once: what was not read yet is lost, too. */
  reset(): void;
  /** What it would send of the records of these numbers: its cursor stands behind them. */
  page(from: number, to: number): LogPage;
}

/** A request that was let in. */
export interface Call {
  readonly key: Key;
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** As the contract wants it; undefined where there is none. */
  readonly body: unknown;
  readonly fault: Fault | undefined;
  readonly signal: AbortSignal;
  readonly requestId: string;
}

export type Handler = (call: Call) => { readonly status?: number; readonly json: object };

/**
 * What a test has to say to each request for logs, once it is known to be good: what it throws is the
 * answer (`Failure`), or that there is none (`NoAnswer`).
 */
export interface Hooks {
  query: (request: LogQueryRequest) => void | Promise<void>;
  connect: (request: LogTailRequest) => void | Promise<void>;
  /** The page as it goes out, of a query or a stream. */
  page: <Page extends LogPage>(page: Page, request: LogQueryRequest | LogTailRequest) => Page;
  /** A stream has opened, and nothing of it was sent yet. */
  open: (stream: LogStream) => void;
}

/** What the parts of the control plane share. */
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
  readonly generator: Generator;
  readonly live: Live;
  readonly streams: Set<LogStream>;
  readonly unkind: Unkindness;
  readonly unkindAtStart: Unkindness;
  readonly on: Hooks;
  /** Made when it is first asked for. */
  readonly workspace: () => Workspace;
  /** A new UUID. */
  readonly newId: () => string;
  readonly restart: (downMs: number) => Promise<void>;
}
