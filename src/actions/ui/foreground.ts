import * as vscode from 'vscode';
import { plainText } from '../../text/plainText';
import { commands, contextKeys } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { announce, withProgress } from '../../vscode/notifications';
import { notifiesOfActivity } from '../../vscode/settings';
import { type ActivityChange, type ActivityEntry, isUnsettled } from '../activityEntry';
import { stateText, titleOf } from '../activityText';
import { type ActivityFeature, takeOffer } from './activityOffers';
import { type ActivityOffer, endNotice, plainTitle } from './endNotice';

const { t } = vscode.l10n;

/** Says how far something is. */
type Tell = (message: string) => void;

/** What a person watches in a notification, and what they are told of its end. */
export interface Foreground {
  /** Shows how far an entry is until its end, which is told, or until it is sent to the background. */
  show(id: string): Promise<void>;
  /** The same in a notification that is there already; resolves when that can go. */
  go(id: string, signal: AbortSignal, tell: Tell): Promise<void>;
  /** Watches an entry again that is no longer watched, and shows how far it is. */
  watchAgain(id: string): void;
  /** Takes the notification away, or all where no id is given; what it is about goes on. */
  hide(id?: string): void;
  dispose(): void;
}

/** What the commands work with that start something. */
export interface ActionServices extends ActivityFeature {
  readonly foreground: Foreground;
  readonly diagnostics: Diagnostics;
}

export function createForeground(feature: ActivityFeature): Foreground {
  const { data, activity } = feature;
  /** What takes away the notification of each entry that has one. */
  const shown = new Map<string, () => void>();
  /** What is to be shown once it goes on. */
  const wanted = new Set<string>();

  function publish(): void {
    const isAny = shown.size > 0;
    void vscode.commands.executeCommand('setContext', contextKeys.foreground, isAny);
  }

  async function show(id: string): Promise<void> {
    const entry = activity.find(id);
    if (entry === undefined || shown.has(id)) return;
    if (!isUnsettled(entry)) return tellEnd(entry);
    const over = begin(id);
    // It goes with the entry, which is left alone where the connection is left.
    await withProgress(plainTitle(entry), undefined, (signal, tell) =>
      keepTelling(id, over, signal, tell),
    );
  }

  async function go(id: string, signal: AbortSignal, tell: Tell): Promise<void> {
    const entry = activity.find(id);
    if (entry === undefined || shown.has(id)) return;
    // Nobody need wait for the answer to what is told at its end.
    if (!isUnsettled(entry)) void tellEnd(entry);
    else await keepTelling(id, begin(id), signal, tell);
  }

  /** It is shown from now on, since it may be over before the notification is there; until `hide`. */
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

  async function keepTelling(
    id: string,
    over: Promise<void>,
    signal: AbortSignal,
    tell: Tell,
  ): Promise<void> {
    let told = '';
    const look = (): void => {
      const now = activity.find(id);
      if (now === undefined || !isUnsettled(now)) return shown.get(id)?.();
      const words = plainText(stateText(now, data.context));
      // Each time makes a new link of it, which takes the focus from whoever is on the old one.
      if (words !== told) tell(`${words} — ${backgroundLink(id)}`);
      told = words;
    };
    const stop = (): void => activity.stop(id);
    const unsubscribe = activity.onDidChange(look);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    look();
    await over;
    unsubscribe();
    signal.removeEventListener('abort', stop);
  }

  function watchAgain(id: string): void {
    wanted.add(id);
    activity.watchAgain(id);
  }

  async function tellEnd(entry: ActivityEntry): Promise<void> {
    const notice = endNotice(entry, data.context);
    if (notice === undefined) return;
    const { signedIn } = data.session;
    const { severity, message, offers } = notice;
    const buttons = new Map(offers.map((offer) => [offerText(offer), offer]));
    const chosen = await showerOf(severity)(message, ...buttons.keys());
    const offer = chosen === undefined ? undefined : buttons.get(chosen);
    // It may have stood there for long: nothing of a connection that was left is shown on another.
    if (offer !== 'connect' && signedIn?.signal.aborted !== false) return;
    if (offer === 'watchAgain') watchAgain(entry.id);
    else if (offer !== undefined) await takeOffer(feature, offer, entry);
  }

  function onChange(change: ActivityChange | undefined): void {
    const { entry, previous } = change ?? {};
    if (entry === undefined || previous === undefined || !activity.isHere(entry.id)) return;
    if (isUnsettled(entry)) {
      // Somebody has just agreed to that, or asked for it.
      const isSentAgain = previous.progress.kind === 'unknown' && entry.progress.kind === 'sending';
      if (wanted.delete(entry.id) || isSentAgain) void show(entry.id);
      return;
    }
    if (!isUnsettled(previous)) return;
    const isShown = shown.has(entry.id);
    // Only who watches it, and who wants to hear of everything, has to look at it.
    if (isShown || notifiesOfActivity()) void tellEnd(entry);
    else announce(`${titleOf(entry, data.context)}: ${stateText(entry, data.context)}`, 'bell-dot');
  }
  const unsubscribe = activity.onDidChange(onChange);

  return {
    show,
    go,
    watchAgain,
    hide(id) {
      const ends = id === undefined ? [...shown.values()] : [shown.get(id)];
      ends.forEach((end) => end?.());
    },
    dispose() {
      unsubscribe();
      [...shown.values()].forEach((end) => end());
    },
  };
}

/**
 * A progress notification has no buttons but Cancel, so a link stands in its text. All else of that
 * text is plain.
 */
function backgroundLink(id: string): string {
  const argument = encodeURIComponent(JSON.stringify([id]));
  return `[${t('Run in Background')}](command:${commands.runInBackground}?${argument})`;
}

function offerText(offer: ActivityOffer): string {
  switch (offer) {
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

function showerOf(
  severity: 'information' | 'warning' | 'error',
): (message: string, ...buttons: string[]) => Thenable<string | undefined> {
  switch (severity) {
    case 'information':
      return (message, ...buttons) => vscode.window.showInformationMessage(message, ...buttons);
    case 'warning':
      return (message, ...buttons) => vscode.window.showWarningMessage(message, ...buttons);
    case 'error':
      return (message, ...buttons) => vscode.window.showErrorMessage(message, ...buttons);
  }
}
