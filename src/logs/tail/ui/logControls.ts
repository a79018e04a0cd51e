import * as vscode from 'vscode';
import { membersOf } from '../../../base/json';
import { labelText } from '../../../base/untrustedText';
import { contextKey, type CommandId, registerCommand } from '../../../vscode/commands';
import { commands, contextKeys } from '../../../vscode/contributions';
import { activityOf, type FollowedTail, hasTailEnded, type Tails } from '../tails';
import { explanation, stateIcon, tailStateText } from './tailText';

const { t } = vscode.l10n;

/** `pauseLogs`, `resumeLogs`, `stopLogs`, `removeLogs` and the menu of the status bar. */
export function registerLogControls(tails: Tails): vscode.Disposable {
  const on = (
    command: CommandId,
    question: string,
    fits: (followed: FollowedTail) => boolean,
    act: (followed: FollowedTail) => void,
  ): vscode.Disposable =>
    registerCommand(command, async (argument?: unknown) => {
      const chosen = await choose(tails, argument, question, fits);
      if (chosen !== undefined) act(chosen);
    });

  const setTails = contextKey(contextKeys.tails);
  const update = (): void => {
    setTails([...new Set(tails.all.map(({ tail }) => activityOf(tail)))].join(' '));
  };

  return vscode.Disposable.from(
    tails.onDidChange(update),
    on(commands.pauseLogs, t('Select logs to pause'), isRunning, ({ tail }) => tail.pause()),
    on(commands.resumeLogs, t('Select logs to resume'), canGoOn, resume),
    on(
      commands.stopLogs,
      t('Select logs to stop'),
      ({ tail }) => activityOf(tail) !== 'ended',
      ({ tail }) => tail.stop(),
    ),
    on(
      commands.removeLogs,
      t('Select logs to remove from the list'),
      () => true,
      (followed) => tails.remove(followed),
    ),
    registerCommand(commands.logsMenu, () => showMenu(tails)),
  );
}

function isRunning({ tail }: FollowedTail): boolean {
  return activityOf(tail) === 'running';
}

function canGoOn({ tail }: FollowedTail): boolean {
  return activityOf(tail) !== 'running';
}

function resume({ tail }: FollowedTail): void {
  if (hasTailEnded(tail.state)) tail.start();
  else tail.resume();
}

/** The tail of a row, or the only one that the command fits, or one that the user picks. */
async function choose(
  tails: Tails,
  argument: unknown,
  question: string,
  fits: (followed: FollowedTail) => boolean,
): Promise<FollowedTail | undefined> {
  const isTail = 'tail' in membersOf(argument);
  const chosen = isTail ? argument : await pick(tails.all.filter(fits), question);
  // It may be gone by now, as after a switch of the connection.
  return tails.all.find((followed) => followed === chosen);
}

/** The only one of the tails, or the one that the user picks. */
async function pick(
  fitting: readonly FollowedTail[],
  question: string,
): Promise<FollowedTail | undefined> {
  if (fitting.length <= 1) return fitting[0];
  const now = performance.now();
  const items = fitting.map((followed) => ({
    label: labelText(followed.label),
    description: tailStateText(followed.tail.state, now),
    iconPath: stateIcon(followed.tail.state),
    followed,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: question }))?.followed;
}

interface MenuItem extends vscode.QuickPickItem {
  readonly run: () => unknown;
}

/** The actions for the current tails, the worst states first. */
async function showMenu(tails: Tails): Promise<void> {
  const run =
    (command: CommandId, ...followed: FollowedTail[]) =>
    () =>
      vscode.commands.executeCommand(command, ...followed);
  const icon = (id: string): vscode.ThemeIcon => new vscode.ThemeIcon(id);
  const items: (MenuItem | vscode.QuickPickItem)[] = [
    { label: t('Show Logs'), iconPath: icon('output'), run: run(commands.showLogs) },
  ];
  const now = performance.now();
  for (const followed of tails.all) {
    const detail = explanation(followed.tail.state);
    const add = (label: string, id: string, action: () => unknown): void => {
      items.push({
        label,
        iconPath: icon(id),
        ...(detail === undefined ? {} : { detail }),
        run: action,
      });
    };
    items.push({
      label: `${labelText(followed.label)} · ${tailStateText(followed.tail.state, now)}`,
      kind: vscode.QuickPickItemKind.Separator,
    });
    const { state } = followed.tail;
    if (state.kind === 'failed' && state.why.kind === 'signedOut') {
      add(t('Connect…'), 'key', run(commands.connect));
    }
    if (followed.hasOwnChannel) {
      add(t('Show Logs'), 'output', run(commands.showLogs, followed));
    }
    if (isRunning(followed)) add(t('Pause'), 'debug-pause', run(commands.pauseLogs, followed));
    if (canGoOn(followed)) add(t('Resume'), 'debug-continue', run(commands.resumeLogs, followed));
    if (hasTailEnded(state))
      add(t('Remove from List'), 'close', run(commands.removeLogs, followed));
    else add(t('Stop'), 'debug-stop', run(commands.stopLogs, followed));
  }
  items.push(
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: t('Follow Logs…'), iconPath: icon('add'), run: run(commands.followLogs) },
    { label: t('Search Logs'), iconPath: icon('search'), run: run(commands.searchLogs) },
    { label: t('Show Diagnostics'), iconPath: icon('info'), run: run(commands.showOutput) },
  );
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: t('Followed logs') });
  if (chosen !== undefined && 'run' in chosen) await chosen.run();
}
