import * as vscode from 'vscode';
import { until } from './wait';

/**
 * Boxes that ask one thing after the other, and messages with buttons. The boxes are the editor's
 * own: they are noted when they are made, filled in, and accepted by the command behind Enter.
 */

type Pick = vscode.QuickPick<vscode.QuickPickItem>;

const original = { ...vscode.window };
let boxes: vscode.InputBox[] = [];
let picks: Pick[] = [];
let messages: string[] = [];
let clicks: { readonly message: RegExp; readonly button: string }[] = [];

/** Notes every box and message of each test in a `describe`. */
export function attendBoxes(): void {
  beforeEach(() => {
    [boxes, picks, messages, clicks] = [[], [], [], []];
    const show = (message: string, ...buttons: string[]): Promise<string | undefined> => {
      messages.push(message);
      const index = clicks.findIndex((click) => click.message.test(message));
      const [click] = index < 0 ? [] : clicks.splice(index, 1);
      // Nobody has to close a message for things to go on.
      if (click === undefined) return new Promise(() => undefined);
      if (!buttons.includes(click.button)) throw new Error(`No button ${click.button}: ${message}`);
      return Promise.resolve(click.button);
    };
    Object.assign(vscode.window, {
      showInformationMessage: show,
      showWarningMessage: show,
      createInputBox() {
        const box = original.createInputBox();
        boxes.push(box);
        return box;
      },
      createQuickPick() {
        const pick = original.createQuickPick();
        picks.push(pick);
        return pick;
      },
    });
  });
  afterEach(() => {
    const { showInformationMessage, showWarningMessage, createInputBox, createQuickPick } =
      original;
    Object.assign(vscode.window, {
      showInformationMessage,
      showWarningMessage,
      createInputBox,
      createQuickPick,
    });
  });
}

/** The information and warning messages that were shown in this test. */
export function shownMessages(): readonly string[] {
  return messages;
}

/** Clicks a button of the next message that matches. */
export function clickInMessage(message: RegExp, button: string): void {
  clicks.push({ message, button });
}

/** Waits for the next input box and the next thing it asks. */
export async function nextBox(): Promise<vscode.InputBox> {
  return until('a question', () => Promise.resolve(boxes.shift()));
}

export async function nextPick(): Promise<Pick> {
  return until('a quick pick', () => Promise.resolve(picks.shift()));
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
