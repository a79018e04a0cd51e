import * as vscode from 'vscode';
import { labelText, oneLine } from '../text/plainText';

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
