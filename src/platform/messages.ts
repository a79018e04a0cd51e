import * as vscode from 'vscode';
import type { Diagnostics } from './diagnostics';
import { describe } from './wording';

/** A button of a message and what it does. */
export interface Action {
  readonly title: string;
  readonly run: () => unknown;
}

/**
 * Tells that something failed: what, why and what to do, with buttons that help. Resolves when the
 * message is gone; callers need not wait.
 */
export async function showFailure(
  diagnostics: Diagnostics,
  what: string,
  error: unknown,
  actions: readonly Action[] = [],
): Promise<void> {
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

/** Runs something long behind a progress notification that can be cancelled; `tell` says how far it is. */
export async function withProgress<T>(
  title: string,
  run: (signal: AbortSignal, tell: (message: string) => void) => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (progress, token) => run(signalOf(token), (message) => progress.report({ message })),
  );
}
