import * as vscode from 'vscode';
import { ConnectionEndedError } from '../../api/errors';
import type { Operation } from '../../api/types';
import type { Disposable } from '../../base/event';
import { plainText, sanitise } from '../../base/untrustedText';
import { promptToConnect } from '../../connection/ui/session';
import type { ConnectionData } from '../../data/ui/connectionData';
import { environmentPath } from '../../trees/sources/sourceNodes';
import type { Views } from '../../trees/ui/views';
import { setContext } from '../../vscode/commands';
import { commands, contextKeys, views as viewIds } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { describe } from '../../vscode/errorMessages';
import {
  announce,
  type MessageSeverity,
  showFailure,
  showMessage,
  showRecurringMessage,
} from '../../vscode/notifications';
import { counted } from '../../vscode/numbers';
import type { ReadonlyDocuments } from '../../vscode/readonlyDocuments';
import { notifiesOfActivity } from '../../vscode/settings';
import type { Activity } from '../activity';
import {
  type ActivityChange,
  type ActivityEntry,
  isUnsettled,
  lacksPermission,
} from '../activityEntry';
import { detailsOfEntry, failureText, stateText, statusOfEntry } from '../activityNodes';
import type { ActionKind, ActivityContext, EntryKinds } from '../entryKind';
import { type ActionProblem, errorOf } from '../problems';

const { t } = vscode.l10n;

/**
 * The progress notifications of entries, and the notifications of their end. What starts an action starts it
 * here, so that its progress is shown.
 */
export class ProgressNotifications {
  /** Hides the notification of each entry that has one. */
  private readonly shown = new Map<string, () => void>();
  /** Entries to show when they are running again. */
  private readonly wanted = new Set<string>();
  private readonly subscription: Disposable;

  constructor(
    private readonly activity: Activity,
    private readonly data: ConnectionData,
    private readonly views: Views,
    private readonly reports: ReadonlyDocuments,
    private readonly diagnostics: Diagnostics,
  ) {
    this.subscription = activity.onDidChange((change) => this.onChange(change));
  }

  /**
   * Starts an action and shows its progress, unless the connection has ended. Returns the id of its entry, or
   * says why nothing was sent.
   *
   * @param lifetime the signal of the connection that the user saw.
   */
  async start<T>(
    kind: ActionKind<ActivityEntry, T>,
    target: NoInfer<T>,
    lifetime: AbortSignal,
  ): Promise<string | undefined> {
    try {
      lifetime.throwIfAborted();
      const id = await this.activity.start(kind, target);
      void this.show(id);
      return id;
    } catch (error) {
      if (error instanceof ConnectionEndedError) {
        void vscode.window.showWarningMessage(t('The connection changed. Nothing was sent.'));
      } else {
        const failed = t('Nothing was sent because the request could not be saved.');
        void showFailure(this.diagnostics, failed, error);
      }
      return undefined;
    }
  }

  /** Shows the progress of an entry until it ends, which is notified, or until it is hidden. */
  async show(id: string): Promise<void> {
    const first = this.activity.find(id);
    if (first === undefined || this.shown.has(id)) return;
    if (!isUnsettled(first)) return this.showEnd(first, true);
    // Not cancellable: *Cancel* would say that what was sent can be called back.
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: plainTitle(this.activity.kinds.of(first).title(first, { t, counted })),
    };
    await vscode.window.withProgress(options, async (progress) => {
      let reported = '';
      const ended = new Promise<void>((resolve) => this.shown.set(id, resolve));
      const look = (): void => {
        const entry = this.activity.find(id);
        if (entry === undefined || !isUnsettled(entry)) {
          this.hide(id);
          return;
        }
        const links = [
          commandLink(
            entry.progress.kind === 'preparing' ? t('Cancel') : t('Stop Watching'),
            commands.stopWatching,
            id,
          ),
          commandLink(t('Run in Background'), commands.runInBackground, id),
        ];
        const message = `${plainText(this.wordsOf(entry))} — ${links.join(' · ')}`;
        // Each update creates new links, which take the keyboard focus from the old ones.
        if (message !== reported) progress.report({ message });
        reported = message;
      };
      const subscription = this.activity.onDidChange(look);
      this.publish();
      look();
      await ended;
      subscription.dispose();
    });
  }

  /** Watches an entry again and shows its progress. */
  watchAgain(id: string): void {
    this.wanted.add(id);
    this.activity.watchAgain(id);
  }

  /** Hides the notification of an entry, or all without an id. The action continues. */
  hide(id?: string): void {
    for (const one of id === undefined ? [...this.shown.keys()] : [id]) {
      this.shown.get(one)?.();
      this.shown.delete(one);
    }
    this.publish();
  }

  dispose(): void {
    this.subscription.dispose();
    this.hide();
  }

  /** Does what a row or a notification suggests for an entry. */
  async runNextStep(step: NextStep, entry: ActivityEntry): Promise<void> {
    const { data, reports, views } = this;
    const { signedIn } = data.session;
    switch (step) {
      case 'watchAgain':
        this.watchAgain(entry.id);
        return;
      case 'showResult':
        // The entry may have changed since the notification.
        return showResult(
          reports,
          this.activity.find(entry.id) ?? entry,
          this.activity.kinds,
          data.context,
          signedIn?.signal ?? AbortSignal.abort(),
        );
      case 'connect':
        await promptToConnect();
        return;
      case 'showDeployments': {
        const { sourceId, environmentId } = this.activity.kinds.of(entry).target(entry);
        if (sourceId === undefined || environmentId === undefined) return;
        return views
          .view(viewIds.sources)
          .reveal(environmentPath(sourceId, environmentId), { expand: true, focus: true });
      }
      case 'listAgain': {
        const { serverId } = this.activity.kinds.of(entry).target(entry);
        await vscode.commands.executeCommand(commands.cleanUpOrphans, { serverId });
      }
    }
  }

  private publish(): void {
    void setContext(contextKeys.progressNotifications, this.shown.size > 0);
  }

  /** @param isAsked whether the user watches the entry; otherwise a setting asks for the notification. */
  private async showEnd(entry: ActivityEntry, isAsked: boolean): Promise<void> {
    const notice = noticeOfEnd(entry, this.activity.kinds, this.data.context);
    if (notice === undefined) return;
    const { signedIn } = this.data.session;
    const { severity, message, nextSteps } = notice;
    const buttons = new Map(nextSteps.map((step) => [nextStepText(step), step]));
    const chosen = isAsked
      ? await showMessage(severity, message, ...buttons.keys())
      : await showRecurringMessage('activity.notify', severity, message, ...buttons.keys());
    const step = chosen === undefined ? undefined : buttons.get(chosen);
    // The notification may have been open for long. Do nothing if its connection is closed.
    if (step !== 'connect' && signedIn?.signal.aborted !== false) return;
    if (step !== undefined) await this.runNextStep(step, entry);
  }

  private onChange(change: ActivityChange | undefined): void {
    const { entry, previous } = change ?? {};
    if (entry === undefined || previous === undefined || !this.activity.isHere(entry.id)) return;
    if (isUnsettled(entry)) {
      // The user has just confirmed this.
      const isSentAgain = previous.progress.kind === 'unknown' && entry.progress.kind === 'sending';
      if (this.wanted.delete(entry.id) || isSentAgain) void this.show(entry.id);
      return;
    }
    if (!isUnsettled(previous)) return;
    const kind = this.activity.kinds.of(entry);
    if (kind.request === undefined) {
      this.hide(entry.id);
      return;
    }
    const isShown = this.shown.has(entry.id);
    // Shows a notification only if the user watches the entry or wants all notifications.
    if (isShown || notifiesOfActivity()) void this.showEnd(entry, isShown);
    else announce(`${kind.title(entry, { t, counted })}: ${this.wordsOf(entry)}`, 'bell-dot');
  }

  private wordsOf(entry: ActivityEntry): string {
    return stateText(entry, this.activity.kinds, this.data.context);
  }
}

/** A link for the text of a progress notification, which cannot have buttons of its own. */
function commandLink(title: string, command: string, id: string): string {
  return `[${title}](command:${command}?${encodeURIComponent(JSON.stringify([id]))})`;
}

function nextStepText(step: NextStep): string {
  const texts: Readonly<Record<NextStep, string>> = {
    showResult: t('Show Details'),
    showDeployments: t('Show Deployments'),
    watchAgain: t('Watch Again'),
    connect: t('Connect…'),
    listAgain: t('List Again…'),
  };
  return texts[step];
}

/** The title of an entry, safe for a notification. */
export function plainTitle(title: string): string {
  return plainText(title, 120);
}

/** What a notification suggests to do. */
type NextStep = 'showResult' | 'showDeployments' | 'watchAgain' | 'connect' | 'listAgain';

/** The notification for an entry that is no longer running. */
interface ActivityNotice {
  readonly severity: MessageSeverity;
  readonly message: string;
  readonly nextSteps: readonly NextStep[];
}

/** Returns undefined if the entry is running or the user is asked about it. */
function noticeOfEnd(
  entry: ActivityEntry,
  kinds: EntryKinds,
  context: ActivityContext,
): ActivityNotice | undefined {
  const kind = kinds.of(entry);
  const title = plainTitle(kind.title(entry, context));
  const say = (
    severity: MessageSeverity,
    words: string,
    ...nextSteps: readonly NextStep[]
  ): ActivityNotice => ({ severity, message: `${title}: ${words}`, nextSteps });
  const hasEnvironment = kind.target(entry).environmentId !== undefined;
  const deployments = hasEnvironment ? (['showDeployments'] as const) : [];
  const state = plainText(stateText(entry, kinds, context));
  const { progress } = entry;
  const { request } = kind;
  switch (progress.kind) {
    case 'preparing':
    case 'sending':
    case 'following':
      return undefined;
    case 'refused': {
      if (progress.problem.kind === 'cancelled') {
        return say('information', t('cancelled, nothing was sent.'));
      }
      const words = describe(errorOf(progress.problem));
      if (request === undefined || !lacksPermission(entry)) {
        // What was to be cleaned up is not there any more, or not in the state for it.
        const isOutdated = progress.problem.status === 409 && kind.target(entry).serverId;
        return say('error', words, ...(isOutdated ? (['listAgain'] as const) : []), 'showResult');
      }
      const needed = t('It needs the permission {0}.', request.operation.permission);
      return say('error', `${words} ${needed}`, 'connect', 'showResult');
    }
    case 'unknown': {
      const words = request?.unknownText(t);
      if (words === undefined) return undefined;
      return say('warning', withReason(words, progress.problem), ...deployments, 'showResult');
    }
    case 'left':
      switch (progress.why) {
        case 'stopped':
          return say('information', t('no longer watched. The operation continues.'), 'watchAgain');
        case 'noPolling':
        case 'nothing':
          return say(
            'information',
            request?.acceptedText?.(entry, t) ?? `${state}.`,
            ...deployments,
          );
        default:
          return say(
            'warning',
            withReason(`${state}.`, progress.problem),
            'watchAgain',
            'showResult',
          );
      }
    case 'over': {
      const { rank } = statusOfEntry(entry, kinds, context);
      const severity = rank >= 4 ? 'error' : rank === 3 ? 'warning' : 'information';
      const error = failureText(entry, kinds);
      const code = kind.operation?.(entry)?.errorCode;
      const words = [
        `${state === '' ? t('ended') : state}.`,
        ...(error === undefined ? [] : [plainText(error)]),
        ...(code === undefined || code === error ? [] : [`(${plainText(code, 80)})`]),
      ];
      return say(severity, words.join(' '), ...deployments, 'showResult');
    }
  }
}

function withReason(words: string, problem: ActionProblem | undefined): string {
  return problem === undefined ? words : `${words} ${describe(errorOf(problem))}`;
}

/**
 * Shows all details of an entry as a read-only plain text document, because logs are untrusted.
 *
 * @param lifetime closes the document with the connection.
 */
async function showResult(
  reports: ReadonlyDocuments,
  entry: ActivityEntry,
  kinds: EntryKinds,
  context: ActivityContext,
  lifetime: AbortSignal,
): Promise<void> {
  const title = kinds.of(entry).resultTitle(entry, t);
  await reports.show(`${fileName(title)}.txt`, resultText(entry, kinds, context), lifetime);
}

/** A text as the title of a tab, which would begin after a slash. */
function fileName(text: string): string {
  return plainText(text, 100).replaceAll('/', '∕');
}

function resultText(entry: ActivityEntry, kinds: EntryKinds, context: ActivityContext): string {
  const kind = kinds.of(entry);
  const details = detailsOfEntry(entry, kinds, context);
  const width = Math.max(0, ...details.map(({ label }) => label.length));
  const lines = details.map(({ label, value }) => `${label.padEnd(width)}  ${value}`);
  const logs = logLines(kind.operation?.(entry));
  return [kind.title(entry, context), '', ...lines, ...logs].map(sanitise).join('\n') + '\n';
}

/** The output of the operation. The details contain the rest of its result. */
function logLines(operation: Operation | undefined): readonly string[] {
  const { logs, truncated } = operation?.result ?? {};
  if (logs === undefined) return [];
  return [
    '',
    t('Logs:'),
    '',
    ...logs.replace(/\r?\n$/, '').split(/\r?\n/),
    ...(truncated === true ? ['', t('The control plane truncated the logs.')] : []),
  ];
}
