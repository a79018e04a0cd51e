import * as vscode from 'vscode';
import { second } from '../../base/clock';
import { dotted } from '../../base/textFormat';
import { labelText } from '../../base/untrustedText';
import { tooltipOfConnection } from '../../connection/ui/session';
import { commands, statusBarItems } from '../../vscode/contributions';
import { describe } from '../../vscode/errorMessages';
import { markdown } from '../../vscode/markdown';
import { Outage, type Unreachable } from '../outage';
import type { ConnectionData } from './connectionData';

const { t } = vscode.l10n;

/** How often the relative time is drawn again. */
const tickEvery = 10 * second;

/** Says once for all views that the control plane cannot be reached, and since when; the tooltip says why. */
export function registerOfflineStatusBar(data: ConnectionData): vscode.Disposable {
  const outage = new Outage(data.store);
  let item: vscode.StatusBarItem | undefined;
  let ticks: ReturnType<typeof setInterval> | undefined;
  const hide = (): void => {
    clearInterval(ticks);
    item?.dispose();
    item = undefined;
  };
  const subscription = outage.onDidChange((unreachable) => {
    hide();
    if (unreachable === undefined) return;
    const shown = createItem(data, unreachable);
    const draw = (): void => {
      const age = data.context.timeFormat.relativeTo(unreachable.since);
      const words = dotted([t('Control plane offline'), age]);
      shown.text = `$(debug-disconnect) ${labelText(words)}`;
      shown.accessibilityInformation = { label: words, role: 'button' };
    };
    draw();
    shown.show();
    item = shown;
    ticks = setInterval(draw, tickEvery);
  });
  return vscode.Disposable.from(outage, subscription, { dispose: hide });
}

function createItem(data: ConnectionData, { error }: Unreachable): vscode.StatusBarItem {
  const { offline } = statusBarItems;
  // To the left of the items of the branch and of the logs.
  const item = vscode.window.createStatusBarItem(offline, vscode.StatusBarAlignment.Left, 2);
  item.name = t('Control Plane: Offline');
  item.command = commands.checkConnection;
  item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
  item.tooltip = markdown(...tooltipOfConnection(data.session), describe(error));
  return item;
}
