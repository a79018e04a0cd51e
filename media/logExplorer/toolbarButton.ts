import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import type { VscodeToolbarButton } from '@vscode-elements/elements/dist/vscode-toolbar-button/vscode-toolbar-button.js';

/** A button with a codicon; its label is read out and shown when the mouse rests on it. */
export function toolbarButton(
  icon: string,
  label: string,
  onClick: () => unknown,
): VscodeToolbarButton {
  const button = document.createElement('vscode-toolbar-button');
  button.icon = icon;
  button.label = label;
  button.title = label;
  button.addEventListener('click', () => void onClick());
  return button;
}
