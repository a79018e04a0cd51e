import * as vscode from 'vscode';
import { until } from './wait';

/**
 * Drives quick inputs that ask several questions in turn. They are those of VS Code: they are
 * recorded when created, filled in, and accepted with the command of Enter.
 */

type Pick = vscode.QuickPick<vscode.QuickPickItem>;

const { createInputBox, createQuickPick } = vscode.window;
let boxes: vscode.InputBox[] = [];
let picks: Pick[] = [];

/** Records every box that is shown from now on. */
export function attendBoxes(): void {
  [boxes, picks] = [[], []];
  Object.assign(vscode.window, {
    createInputBox: () => listed(createInputBox(), boxes),
    createQuickPick: () => listed(createQuickPick(), picks),
  });
}

/** Adds a box to the list when it is shown: keys sent before that would be lost. */
function listed<Box extends vscode.QuickInput>(box: Box, list: Box[]): Box {
  const show = box.show.bind(box);
  let isNoted = false;
  return Object.assign(box, {
    show() {
      show();
      if (!isNoted) list.push(box);
      isNoted = true;
    },
  });
}

/** Restores the functions of the window. */
export function leaveBoxes(): void {
  Object.assign(vscode.window, { createInputBox, createQuickPick });
}

/** Waits for the next input box, or for its next question. */
export async function nextBox(): Promise<vscode.InputBox> {
  return until('a question', () => boxes.shift());
}

export async function nextPick(): Promise<Pick> {
  return until('a quick pick', () => picks.shift());
}

/** Types into a box and presses Enter. */
export async function type(box: vscode.InputBox, value: string): Promise<void> {
  box.value = value;
  await enter();
}

/** Presses Enter in the open box. */
export async function enter(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
}

/** Selects exactly these items. */
export async function tick(pick: Pick, items: readonly vscode.QuickPickItem[]): Promise<void> {
  // The window reports which items are selected.
  const ticked = new Promise<void>((resolve) => {
    pick.onDidChangeSelection(({ length }) => {
      if (length === items.length) resolve();
    });
  });
  pick.selectedItems = items;
  await ticked;
}

/** Presses Escape. */
export async function escape(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
}
