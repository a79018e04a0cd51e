import * as vscode from 'vscode';

/** What quick picks of newer editors have; the types are those of the oldest supported one. */

/** Whether this is at least VS Code 1.`minor`. */
function isAtLeast(minor: number): boolean {
  const [major = 0, now = 0] = vscode.version.split('.').map(Number);
  return major > 1 || (major === 1 && now >= minor);
}

/**
 * The options of a quick pick for a fact that matters for the choice. VS Code 1.108 shows it above the items, also
 * while one types; an older one as the placeholder.
 */
export function promptOptions(fact: string): { placeHolder?: string; prompt?: string } {
  return isAtLeast(108) ? { prompt: fact } : { placeHolder: fact };
}

/** The same for an open quick pick, which keeps its placeholder. An older editor does not show it. */
export function setPrompt(
  picker: vscode.QuickPick<vscode.QuickPickItem>,
  fact: string | undefined,
): void {
  if (isAtLeast(108)) Object.assign(picker, { prompt: fact });
}

/** An item of a file, with its icon from VS Code 1.108 on. */
export function fileIcon(resourceUri: vscode.Uri): { readonly iconPath: vscode.ThemeIcon } {
  return { iconPath: vscode.ThemeIcon.File, ...{ resourceUri } };
}

/** A button that can be on. */
interface ToggleButton extends vscode.QuickInputButton {
  readonly toggle: { checked: boolean };
}

/** A toggle button inside of the input, off at first; undefined before VS Code 1.109. */
export function toggleButton(icon: string, tooltip: string): ToggleButton | undefined {
  if (!isAtLeast(109)) return undefined;
  const inInput = 3;
  const button = { iconPath: new vscode.ThemeIcon(icon), tooltip, toggle: { checked: false } };
  return Object.assign(button, { location: inInput });
}
