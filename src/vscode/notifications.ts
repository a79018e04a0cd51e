import * as vscode from 'vscode';
import { ConnectionEndedError } from '../api/errors';
import { onAbort } from '../base/clock';
import { labelText, oneLine } from '../base/untrustedText';
import type { NotifySetting } from './contributions';
import type { Diagnostics } from './diagnostics';
import { describe, UserError } from './errorMessages';
import { section, turnOff } from './settings';

/** How long a status bar message is shown, in milliseconds. */
const shownFor = 5000;

/** Removes the current message. */
let hide: (() => void) | undefined;

/**
 * Shows a message in the status bar for a while, instead of the one before. Screen readers read it out.
 * It does not take the focus.
 *
 * @param message may contain the server's text.
 * @param icon the name of a codicon.
 */
export function announce(message: string, icon = 'check'): void {
  hide?.();
  // A new item each time, because screen readers read an item when it appears.
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

/** How serious a message is: its icon. */
export type MessageSeverity = 'information' | 'warning' | 'error';

/** Shows a message with buttons. Returns the chosen button; undefined if it was dismissed. */
export function showMessage(
  severity: MessageSeverity,
  message: string,
  ...buttons: readonly string[]
): Thenable<string | undefined> {
  switch (severity) {
    case 'information':
      return vscode.window.showInformationMessage(message, ...buttons);
    case 'warning':
      return vscode.window.showWarningMessage(message, ...buttons);
    case 'error':
      return vscode.window.showErrorMessage(message, ...buttons);
  }
}

/** What the last button of a message says, which turns its setting off: never just *Turn Off*, next to what runs. */
function offTitle(setting: NotifySetting): string {
  switch (setting) {
    case 'alerts.notify':
      return vscode.l10n.t("Don't Notify About Alerts");
    case 'errors.notify':
      return vscode.l10n.t("Don't Notify About Errors");
    case 'activity.notify':
      return vscode.l10n.t("Don't Notify About Actions");
    case 'deployments.notify':
      return vscode.l10n.t("Don't Notify About Pushes");
  }
}

/**
 * Shows a message that comes again by itself, with a last button that turns its setting off. Returns the other
 * button if one was chosen.
 */
export async function showRecurringMessage(
  setting: NotifySetting,
  severity: MessageSeverity,
  message: string,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const off = offTitle(setting);
  const chosen = await showMessage(severity, message, ...buttons, off);
  if (chosen !== off) return chosen;
  await turnOff(setting);
  announce(vscode.l10n.t('{0} is off.', `${section}.${setting}`));
  return undefined;
}

/**
 * Shows an error: what failed, why, and what to do. Resolves when the message is closed. Shows nothing if the
 * connection ended or the user cancelled, because nobody waits for the result. Of a problem that the user can solve,
 * the diagnostics say nothing.
 */
export async function showFailure(
  diagnostics: Diagnostics,
  what: string,
  error: unknown,
): Promise<void> {
  if (error instanceof ConnectionEndedError || isAbort(error)) return;
  const message = `${what} ${describe(error)}`;
  if (error instanceof UserError) {
    await vscode.window.showErrorMessage(message);
    return;
  }
  diagnostics.error(what, error);
  const show = vscode.l10n.t('Show Diagnostics');
  const chosen = await vscode.window.showErrorMessage(message, show);
  if (chosen === show) diagnostics.show();
}

/** Whether an error is the reason that a signal has by itself, as after *Cancel*. */
function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

/** Asks a question that is dismissed when a signal is aborted. */
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
 * Runs a task with a progress notification that can be cancelled. `report` updates its message.
 *
 * @param lifetime aborts the task too, such as the signal of its connection.
 */
export async function withProgress<T>(
  title: string,
  lifetime: AbortSignal | undefined,
  run: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
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
