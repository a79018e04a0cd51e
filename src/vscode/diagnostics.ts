import * as vscode from 'vscode';
import type { RequestEntry, TimedRequest } from '../api/sendRequest';
import { diagnosticLine } from '../base/untrustedText';
import { systemClock } from './systemClock';
import { channels } from './contributions';

/** How many requests `Copy Diagnostics` lists. */
const keptRequests = 50;

/** The names and messages of an error and its causes. */
function describeError(error: unknown): string {
  const parts: string[] = [];
  for (let one = error; one instanceof Error && parts.length < 5; one = one.cause) {
    parts.push(`${one.name}: ${one.message}`);
  }
  return parts.length > 0 ? parts.join(' ← ') : String(error);
}

/** The output channel `Control Plane`: one line for each request and each problem. */
export class Diagnostics {
  private readonly channel = vscode.window.createOutputChannel(channels.diagnostics, { log: true });
  /** The latest requests of this window, the newest last. */
  readonly recentRequests: TimedRequest[] = [];

  info(text: string): void {
    this.channel.info(diagnosticLine(text));
  }

  warn(text: string): void {
    this.channel.warn(diagnosticLine(text));
  }

  readonly request = (entry: RequestEntry): void => {
    this.recentRequests.push({ ...entry, at: systemClock.now() });
    if (this.recentRequests.length > keptRequests) this.recentRequests.shift();
    const { method, path, status, milliseconds, requestId, failure, isOptional } = entry;
    const line = [
      method,
      path,
      status ?? '-',
      `${Math.round(milliseconds)} ms`,
      ...(requestId === undefined ? [] : [requestId]),
      ...(failure === undefined ? [] : [failure]),
    ].join(' ');
    if (failure === undefined) this.info(line);
    else if (isOptional === true) this.channel.debug(diagnosticLine(line));
    else this.warn(line);
  };

  /** Logs an error with its name, message and causes, never its properties. */
  error(what: string, error: unknown): void {
    this.channel.error(diagnosticLine(`${what}: ${describeError(error)}`));
  }

  show(): void {
    this.channel.show(true);
  }

  dispose(): void {
    this.channel.dispose();
  }
}
