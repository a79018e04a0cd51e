import * as vscode from 'vscode';
import { labelText } from '../../../base/untrustedText';
import { tooltipOfConnection, type Session } from '../../../connection/ui/session';
import { systemClock } from '../../../vscode/systemClock';
import { commands } from '../../../vscode/contributions';
import { markdown } from '../../../vscode/markdown';
import { announce } from '../../../vscode/notifications';
import { TailStateNotifier } from '../stateNotifier';
import { endedBySignOut, type FollowedTail, type Tails } from '../tails';
import type { TailState } from '../tailState';
import { explanation, rateText, stateIconName, tailSentence, tailStateText } from './tailText';

/** The priority of states: the status bar shows the worst one of several tails first. */
const severity = [
  'stopped',
  'live',
  'paused',
  'connecting',
  'reconnecting',
  'rateLimited',
  'failed',
];

/** The status bar item: state and records per second. A click shows what you can do. */
export function registerLogsStatusBar(tails: Tails, session: Session): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    'controlPlane.logs',
    vscode.StatusBarAlignment.Left,
    0,
  );
  item.name = vscode.l10n.t('Control Plane Logs');
  item.command = commands.logsMenu;
  const update = (): void => {
    if (tails.all.length === 0) item.hide();
    else {
      show(item, tails.all, tooltipOfConnection(session));
      item.show();
    }
  };
  const subscription = tails.onDidChange(update);
  const ticking = tails.onDidTick(update);
  update();
  return vscode.Disposable.from(item, subscription, ticking, announceStates(tails));
}

function show(
  item: vscode.StatusBarItem,
  tails: readonly FollowedTail[],
  connection: readonly string[],
): void {
  const now = performance.now();
  const states = statesOf(tails);
  const [state] = states;
  if (state === undefined) return;
  const rate = tails.reduce((sum, one) => sum + one.rate, 0);
  // Alone, next to the items of others, “stopped” says nothing.
  const words = states.map((one) =>
    one.kind === 'stopped' ? vscode.l10n.t('Logs stopped') : tailStateText(one, now),
  );
  if (states.some(({ kind }) => kind === 'live')) words.push(rateText(rate));
  item.text = `${icon(state)} ${labelText(words.join(' · '))}`;
  item.backgroundColor =
    state.kind === 'failed' && !endedBySignOut(state)
      ? new vscode.ThemeColor('statusBarItem.errorBackground')
      : state.kind === 'paused' || state.kind === 'rateLimited'
        ? new vscode.ThemeColor('statusBarItem.warningBackground')
        : undefined;
  item.tooltip = markdown(
    ...connection,
    ...tails.flatMap((one) => {
      const why = explanation(one.tail.state);
      return [tailSentence(one, now), ...(why === undefined ? [] : [why])];
    }),
  );
  item.accessibilityInformation = {
    label: vscode.l10n.t('Control Plane logs: {0}', words.join(', ')),
    role: 'button',
  };
}

/** One state of each kind, the worst first. What has stopped counts only if nothing else is there. */
function statesOf(tails: readonly FollowedTail[]): readonly TailState[] {
  const kinds = new Map<string, TailState>();
  for (const { tail } of tails) {
    const { state } = tail;
    const known = kinds.get(state.kind);
    const sum =
      state.kind === 'paused' && known?.kind === 'paused'
        ? { ...state, newRecords: state.newRecords + known.newRecords }
        : (known ?? state);
    kinds.set(state.kind, sum);
  }
  if (kinds.size > 1) kinds.delete('stopped');
  const rank = ({ kind }: TailState): number => severity.indexOf(kind);
  return [...kinds.values()].sort((a, b) => rank(b) - rank(a));
}

function icon(state: TailState): string {
  const name = stateIconName(state);
  return `$(${name}${name === 'sync' ? '~spin' : ''})`;
}

/** Shows in the status bar, mainly for screen readers, that a tail waits or has failed. */
function announceStates(tails: Tails): vscode.Disposable {
  const notifier = new TailStateNotifier(systemClock);
  return vscode.Disposable.from(
    notifier,
    notifier.onDidNotice((key) => {
      const followed = tails.all.find((one) => one.key === key);
      if (followed === undefined) return;
      const { kind } = followed.tail.state;
      const icon = kind === 'failed' ? 'error' : kind === 'live' ? 'broadcast' : 'sync';
      announce(tailSentence(followed, systemClock.monotonic()), icon);
    }),
    tails.onDidChange(({ followed }) => notifier.changed(followed.key, followed.tail.state)),
  );
}
