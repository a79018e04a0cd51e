import * as vscode from 'vscode';
import { onAbort } from '../../base/clock';
import { ConnectionEndedError } from '../../api/errors';
import { plainText } from '../../base/plainText';
import { setContext } from '../../vscode/contextKeys';
import { commands, contextKeys } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import {
  announce,
  showFailure,
  showMessage,
  showRecurringMessage,
  withProgress,
} from '../../vscode/notifications';
import { notifiesOfActivity } from '../../vscode/settings';
import { type ActivityChange, type ActivityEntry, isUnsettled } from '../activityEntry';
import { stateText, titleOf } from '../activityText';
import {
  type ActivityFeature,
  noticeOfEnd,
  type NextStep,
  plainTitle,
  runNextStep,
} from './activityNotices';

const { t } = vscode.l10n;

/** Updates the text of a progress notification. */
type Report = (message: string) => void;

/** The progress notifications of entries, and the notifications of their end. */
export interface ProgressNotifications {
  /** Shows the progress of an entry until it ends, which is notified, or until it is hidden. */
  show(id: string): Promise<void>;
  /** The same in an open progress notification. Resolves when that can be closed. */
  showIn(id: string, signal: AbortSignal, report: Report): Promise<void>;
  /** Watches an entry again and shows its progress. */
  watchAgain(id: string): void;
  /** Hides the notification of an entry, or all without an id. The action continues. */
  hide(id?: string): void;
  dispose(): void;
}

/** What commands that start an action need. */
export interface ActionServices extends ActivityFeature {
  readonly progressNotifications: ProgressNotifications;
  readonly diagnostics: Diagnostics;
}

/**
 * Starts an action, unless the connection has ended. Says why nothing was sent.
 *
 * @param failed what to say if it could not be started.
 * @param start returns the id of the entry, or undefined if nothing was to be sent.
 */
export async function startAction(
  { diagnostics }: Pick<ActionServices, 'diagnostics'>,
  lifetime: AbortSignal,
  failed: string,
  start: () => Promise<string | undefined>,
): Promise<string | undefined> {
  try {
    lifetime.throwIfAborted();
    return await start();
  } catch (error) {
    if (error instanceof ConnectionEndedError) {
      void vscode.window.showWarningMessage(t('The connection changed. Nothing was sent.'));
    } else void showFailure(diagnostics, failed, error);
    return undefined;
  }
}

export function createProgressNotifications(feature: ActivityFeature): ProgressNotifications {
  const { data, activity } = feature;
  /** Hides the notification of each entry that has one. */
  const shown = new Map<string, () => void>();
  /** Entries to show when they are running again. */
  const wanted = new Set<string>();

  function publish(): void {
    const isAny = shown.size > 0;
    void setContext(contextKeys.progressNotifications, isAny);
  }

  async function show(id: string): Promise<void> {
    const entry = activity.find(id);
    if (entry === undefined || shown.has(id)) return;
    if (!isUnsettled(entry)) return showEnd(entry, true);
    const over = begin(id);
    // No signal of the connection: when it closes, the entries are removed, which ends the notification.
    await withProgress(plainTitle(entry), undefined, (signal, report) =>
      reportProgress(id, over, signal, report),
    );
  }

  async function showIn(id: string, signal: AbortSignal, report: Report): Promise<void> {
    const entry = activity.find(id);
    if (entry === undefined || shown.has(id)) return;
    // Does not wait until the user closes the notification.
    if (!isUnsettled(entry)) void showEnd(entry, true);
    else await reportProgress(id, begin(id), signal, report);
  }

  /** Marks an entry as shown before its notification opens, because it may end earlier. */
  function begin(id: string): Promise<void> {
    const over = new Promise<void>((resolve) => {
      shown.set(id, () => {
        shown.delete(id);
        publish();
        resolve();
      });
    });
    publish();
    return over;
  }

  async function reportProgress(
    id: string,
    over: Promise<void>,
    signal: AbortSignal,
    report: Report,
  ): Promise<void> {
    let reported = '';
    const look = (): void => {
      const now = activity.find(id);
      if (now === undefined || !isUnsettled(now)) return shown.get(id)?.();
      const words = plainText(stateText(now, data.context));
      // Each update creates a new link, which takes the keyboard focus from the old one.
      if (words !== reported) report(`${words} — ${backgroundLink(id)}`);
      reported = words;
    };
    const subscription = activity.onDidChange(look);
    const release = onAbort(signal, () => activity.stop(id));
    look();
    await over;
    subscription.dispose();
    release();
  }

  function watchAgain(id: string): void {
    wanted.add(id);
    activity.watchAgain(id);
  }

  /** @param isAsked whether the user watches the entry; otherwise a setting asks for the notification. */
  async function showEnd(entry: ActivityEntry, isAsked: boolean): Promise<void> {
    const notice = noticeOfEnd(entry, data.context);
    if (notice === undefined) return;
    const { signedIn } = data.session;
    const { severity, message, nextSteps } = notice;
    const buttons = new Map(nextSteps.map((step) => [nextStepText(step), step]));
    const chosen = isAsked
      ? await showMessage(severity, message, ...buttons.keys())
      : await showRecurringMessage('activity.notify', severity, message, ...buttons.keys());
    const step = chosen === undefined ? undefined : buttons.get(chosen);
    // The notification may have been open for long. Do nothing if its connection is closed.
    if (step !== 'connect' && signedIn?.signal.aborted !== false) return;
    if (step === 'watchAgain') watchAgain(entry.id);
    else if (step !== undefined) await runNextStep(feature, step, entry);
  }

  function onChange(change: ActivityChange | undefined): void {
    const { entry, previous } = change ?? {};
    if (entry === undefined || previous === undefined || !activity.isHere(entry.id)) return;
    if (isUnsettled(entry)) {
      // The user has just confirmed this.
      const isSentAgain = previous.progress.kind === 'unknown' && entry.progress.kind === 'sending';
      if (wanted.delete(entry.id) || isSentAgain) void show(entry.id);
      return;
    }
    if (!isUnsettled(previous)) return;
    const isShown = shown.has(entry.id);
    // Shows a notification only if the user watches the entry or wants all notifications.
    if (isShown || notifiesOfActivity()) void showEnd(entry, isShown);
    else announce(`${titleOf(entry, data.context)}: ${stateText(entry, data.context)}`, 'bell-dot');
  }
  const subscription = activity.onDidChange(onChange);

  return {
    show,
    showIn,
    watchAgain,
    hide(id) {
      const ends = id === undefined ? [...shown.values()] : [shown.get(id)];
      ends.forEach((end) => end?.());
    },
    dispose() {
      subscription.dispose();
      [...shown.values()].forEach((end) => end());
    },
  };
}

/** A link for the text of a progress notification, which cannot have buttons except Cancel. */
function backgroundLink(id: string): string {
  const argument = encodeURIComponent(JSON.stringify([id]));
  return `[${t('Run in Background')}](command:${commands.runInBackground}?${argument})`;
}

function nextStepText(step: NextStep): string {
  switch (step) {
    case 'showResult':
      return t('Show Details');
    case 'showDeployments':
      return t('Show Deployments');
    case 'watchAgain':
      return t('Watch Again');
    case 'connect':
      return t('Connect…');
  }
}
