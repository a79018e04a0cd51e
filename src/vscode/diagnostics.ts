import * as vscode from 'vscode';
import type { RequestEntry, TimedRequest } from '../api/sendRequest';
import { diagnosticLine } from '../base/plainText';
import { systemClock } from './clock';
import { channels } from './contributions';

/** How many requests `Copy Diagnostics` lists. */
const keptRequests = 50;

/** The output channel `Control Plane`: one line for each request and each problem. */
export interface Diagnostics {
  readonly request: (entry: RequestEntry) => void;
  /** The latest requests of this window, the newest last. */
  readonly recentRequests: readonly TimedRequest[];
  info(message: string): void;
  warn(message: string): void;
  /** Logs an error with its name, message and causes, never its properties. */
  error(what: string, error: unknown): void;
  show(): void;
  dispose(): void;
}

/** The names and messages of an error and its causes. */
function describeError(error: unknown): string {
  const parts: string[] = [];
  for (let one = error; one instanceof Error && parts.length < 5; one = one.cause) {
    parts.push(`${one.name}: ${one.message}`);
  }
  return parts.length > 0 ? parts.join(' ← ') : String(error);
}

export function createDiagnostics(): Diagnostics {
  const channel = vscode.window.createOutputChannel(channels.diagnostics, { log: true });
  // Each text is one line, so that a server cannot add lines of its own.
  const info = (text: string): void => channel.info(diagnosticLine(text));
  const warn = (text: string): void => channel.warn(diagnosticLine(text));
  const recentRequests: TimedRequest[] = [];
  return {
    recentRequests,
    request(entry) {
      recentRequests.push({ ...entry, at: systemClock.now() });
      if (recentRequests.length > keptRequests) recentRequests.shift();
      const { method, path, status, milliseconds, requestId, failure } = entry;
      const line = [
        method,
        path,
        status ?? '-',
        `${Math.round(milliseconds)} ms`,
        ...(requestId === undefined ? [] : [requestId]),
        ...(failure === undefined ? [] : [failure]),
      ].join(' ');
      if (failure === undefined) info(line);
      else warn(line);
    },
    info,
    warn,
    error: (what, error) => channel.error(diagnosticLine(`${what}: ${describeError(error)}`)),
    show: () => channel.show(true),
    dispose: () => channel.dispose(),
  };
}
