import * as vscode from 'vscode';
import { ConnectionLeftError } from '../api/errors';
import type { Diagnostics } from './diagnostics';
import { describe } from './errorMessages';

/** A button of a message and what it does. */
export interface Action {
  readonly title: string;
  readonly run: () => unknown;
}

/**
 * Tells that something failed: what, why and what to do, with buttons that help. Resolves when the
 * message is gone; callers need not wait. Says nothing where the connection was left meanwhile: whoever
 * has left it does not wait for what was to come of it.
 */
export async function showFailure(
  diagnostics: Diagnostics,
  what: string,
  error: unknown,
  actions: readonly Action[] = [],
): Promise<void> {
  if (error instanceof ConnectionLeftError) return;
  diagnostics.error(what, error);
  const all = [
    ...actions,
    { title: vscode.l10n.t('Show Diagnostics'), run: () => diagnostics.show() },
  ];
  const chosen = await vscode.window.showErrorMessage(
    `${what} ${describe(error)}`,
    ...all.map(({ title }) => title),
  );
  await all.find(({ title }) => title === chosen)?.run();
}

/** An AbortSignal for what a CancellationToken cancels; the rest of the code knows signals only. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

/** Acts once a signal is aborted, or at once where it is already; returns what lets go of it. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  signal.addEventListener('abort', act);
  if (signal.aborted) act();
  return () => signal.removeEventListener('abort', act);
}

/** Asks for something that is dismissed once a signal is aborted. */
export async function askUntil<T>(
  signal: AbortSignal,
  ask: (token: vscode.CancellationToken) => PromiseLike<T>,
): Promise<T> {
  const source = new vscode.CancellationTokenSource();
  const release = onAbort(signal, () => source.cancel());
  try {
    return await ask(source.token);
  } finally {
    release();
    source.dispose();
  }
}

/**
 * Runs something long behind a progress notification that can be cancelled; `tell` says how far it is.
 *
 * @param lifetime what else ends it: that of the connection that it runs for, where it runs for one.
 */
export async function withProgress<T>(
  title: string,
  lifetime: AbortSignal | undefined,
  run: (signal: AbortSignal, tell: (message: string) => void) => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (progress, token) => {
      const cancelled = signalOf(token);
      const signal = lifetime === undefined ? cancelled : AbortSignal.any([cancelled, lifetime]);
      return run(signal, (message) => progress.report({ message }));
    },
  );
}
