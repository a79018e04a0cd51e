import * as vscode from 'vscode';
import { until } from './wait';

/**
 * Boxes that ask one thing after the other. They are the editor's own: they are noted when they are
 * made, filled in, and accepted by the command behind Enter.
 */

type Pick = vscode.QuickPick<vscode.QuickPickItem>;

const { createInputBox, createQuickPick } = vscode.window;
let boxes: vscode.InputBox[] = [];
let picks: Pick[] = [];

/** Notes every box that is shown from now on; those of before are forgotten. */
export function attendBoxes(): void {
  [boxes, picks] = [[], []];
  Object.assign(vscode.window, {
    createInputBox: () => noted(createInputBox(), boxes),
    createQuickPick: () => noted(createQuickPick(), picks),
  });
}

/** A box that is in the list once it is shown: before that, keys would go past it. */
function noted<Box extends vscode.QuickInput>(box: Box, list: Box[]): Box {
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

/** Gives the window its own ways back. */
export function leaveBoxes(): void {
  Object.assign(vscode.window, { createInputBox, createQuickPick });
}

/** Waits for the next input box and the next thing it asks. */
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

/** Presses Enter in the box that is open. */
export async function enter(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
}

/** Ticks these items and no others. */
export async function tick(pick: Pick, items: readonly vscode.QuickPickItem[]): Promise<void> {
  // The window has the last word on what is ticked.
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
