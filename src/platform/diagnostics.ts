import * as vscode from 'vscode';
import type { RequestEntry } from '../api/client';
import { channels } from './contributions';

/** The channel `Control Plane`: what this extension does, one line each, fit for a bug report. */
export interface Diagnostics {
  readonly request: (entry: RequestEntry) => void;
  info(message: string): void;
  warn(message: string): void;
  /** Anything thrown: its name, message and causes, never its properties. */
  error(what: string, error: unknown): void;
  show(): void;
  dispose(): void;
}

/** Names and messages of an error and of what caused it; nothing else of them is printed. */
export function describeError(error: unknown): string {
  const parts: string[] = [];
  for (let one = error; one instanceof Error && parts.length < 5; one = one.cause) {
    parts.push(`${one.name}: ${one.message}`);
  }
  return parts.length > 0 ? parts.join(' ← ') : String(error);
}

export function createDiagnostics(): Diagnostics {
  const channel = vscode.window.createOutputChannel(channels.diagnostics, { log: true });
  return {
    request({ method, path, status, milliseconds, requestId, failure }) {
      const line = [
        method,
        path,
        status ?? '-',
        `${Math.round(milliseconds)} ms`,
        ...(requestId === undefined ? [] : [requestId]),
        ...(failure === undefined ? [] : [failure]),
      ].join(' ');
      if (failure === undefined) channel.info(line);
      else channel.warn(line);
    },
    info: (message) => channel.info(message),
    warn: (message) => channel.warn(message),
    error: (what, error) => channel.error(`${what}: ${describeError(error)}`),
    show: () => channel.show(true),
    dispose: () => channel.dispose(),
  };
}
