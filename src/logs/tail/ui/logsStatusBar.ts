import * as vscode from 'vscode';
import { labelText } from '../../../base/plainText';
import { systemClock } from '../../../vscode/clock';
import { commands } from '../../../vscode/contributions';
import { markdown } from '../../../vscode/markdown';
import { announce } from '../../../vscode/notifications';
import { createTailStateNotifier } from '../stateNotifier';
import { endedBySignOut, type FollowedTail, type Tails } from '../tails';
import { explanation, rateText, tailSentence, tailStateText } from './tailText';

/** The priority of states: the status bar shows the worst state of several tails. */
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
export function registerLogsStatusBar(tails: Tails): vscode.Disposable {
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
      show(item, tails.all);
      item.show();
    }
  };
  const subscription = tails.onDidChange(update);
  const ticking = tails.onDidTick(update);
  update();
  return vscode.Disposable.from(item, subscription, ticking, announceStates(tails));
}

function show(item: vscode.StatusBarItem, tails: readonly FollowedTail[]): void {
  const now = performance.now();
  const worst = tails.reduce((a, b) => (rank(b) > rank(a) ? b : a));
  const state = worst.tail.state;
  const rate = tails.reduce((sum, one) => sum + one.rate, 0);
  const words = [tailStateText(state, now)];
  if (state.kind === 'live') words.push(rateText(rate));
  item.text = `${icon(worst)} ${labelText(words.join(' · '))}`;
  item.backgroundColor =
    state.kind === 'failed' && !endedBySignOut(state)
      ? new vscode.ThemeColor('statusBarItem.errorBackground')
      : state.kind === 'paused' || state.kind === 'rateLimited'
        ? new vscode.ThemeColor('statusBarItem.warningBackground')
        : undefined;
  item.tooltip = markdown(
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

function rank({ tail }: FollowedTail): number {
  return severity.indexOf(tail.state.kind);
}

function icon({ tail }: FollowedTail): string {
  switch (tail.state.kind) {
    case 'live':
      return '$(broadcast)';
    case 'paused':
      return '$(debug-pause)';
    case 'connecting':
    case 'reconnecting':
      return '$(sync~spin)';
    case 'rateLimited':
      return '$(watch)';
    case 'stopped':
      return '$(debug-stop)';
    case 'failed':
      return endedBySignOut(tail.state) ? '$(key)' : '$(error)';
  }
}

/** Shows in the status bar, mainly for screen readers, that a tail waits or has failed. */
function announceStates(tails: Tails): vscode.Disposable {
  const notifier = createTailStateNotifier({
    clock: systemClock,
    notify(key) {
      const followed = tails.all.find((one) => one.key === key);
      if (followed === undefined) return;
      const { kind } = followed.tail.state;
      const icon = kind === 'failed' ? 'error' : kind === 'live' ? 'broadcast' : 'sync';
      announce(tailSentence(followed, systemClock.monotonic()), icon);
    },
  });
  return vscode.Disposable.from(
    notifier,
    tails.onDidChange(({ followed }) => notifier.changed(followed.key, followed.tail.state)),
  );
}
