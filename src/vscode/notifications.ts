import * as vscode from 'vscode';
import { ConnectionLeftError } from '../api/errors';
import { labelText, oneLine } from '../text/plainText';
import type { Diagnostics } from './diagnostics';
import { describe } from './errorMessages';

/** As long as other messages of the status bar stay, in milliseconds. */
const shownFor = 5000;

/** Takes away what is shown. */
let hide: (() => void) | undefined;

/**
 * Says something in the status bar for a while, in the place of what was said before. A screen reader
 * reads it out once it has come to the end of its sentence; nothing takes the focus or waits for a click.
 *
 * @param message may hold the server's text.
 * @param icon the name of a codicon.
 */
export function announce(message: string, icon = 'check'): void {
  hide?.();
  // The item is another one each time: what an item says is read out when it appears.
  const item = vscode.window.createStatusBarItem(
    'controlPlaneMessages',
    vscode.StatusBarAlignment.Left,
    -1,
  );
  item.name = vscode.l10n.t('Control Plane: Messages');
  item.text = `$(${icon}) ${labelText(message)}`;
  item.accessibilityInformation = { label: oneLine(message), role: 'status' };
  item.show();
  const timer = setTimeout(() => item.dispose(), shownFor);
  hide = () => {
    clearTimeout(timer);
    item.dispose();
  };
}

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
