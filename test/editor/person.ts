import * as vscode from 'vscode';

/**
 * What a person sees and answers where the editor gives tests no way to look: notifications and
 * quick picks. A window under test shows neither, so they are answered here; everything else is the
 * real thing.
 */

type Items = readonly vscode.QuickPickItem[];
/** What is chosen of a quick pick; undefined dismisses it. */
export type Choose = (items: Items) => vscode.QuickPickItem | undefined;

const errors: string[] = [];
const answers: Choose[] = [];
const originals = { ...vscode.window };

/** Begins to look at notifications and to answer quick picks. */
export function attend(): void {
  errors.length = 0;
  answers.length = 0;
  Object.assign(vscode.window, {
    showErrorMessage(message: string) {
      errors.push(message);
      // It stays where it is: nobody has to close a message for things to go on.
      return new Promise(() => undefined);
    },
    async showQuickPick(given: Items | Promise<Items>) {
      const items = await given;
      const choose = answers.shift();
      if (!choose) throw new Error(`Nobody answers: ${items.map(({ label }) => label).join(', ')}`);
      return choose(items);
    },
  });
}

/** Gives the window its own ways back. */
export function leave(): void {
  const { showErrorMessage, showQuickPick } = originals;
  Object.assign(vscode.window, { showErrorMessage, showQuickPick });
}

/** The error messages that were shown since `attend`. */
export function errorMessages(): readonly string[] {
  return errors;
}

/** Answers the next quick pick. */
export function answerPick(choose: Choose): void {
  answers.push(choose);
}

/** What the menu of the status bar says of one tail. */
export interface TailInMenu {
  label: string;
  state: string;
  /** What can be done with it. */
  actions: string[];
  /** Why it failed or waits. */
  detail: string | undefined;
}

/** Opens the menu of the status bar and closes it again. */
export async function followedLogs(): Promise<TailInMenu[]> {
  const tails: TailInMenu[] = [];
  answerPick((items) => {
    for (const { label, kind, detail } of items) {
      const [, name = '', state = ''] = /^(.*) · (.*)$/.exec(label) ?? [];
      const tail = tails.at(-1);
      if (kind === vscode.QuickPickItemKind.Separator) {
        // An empty separator begins what concerns no tail.
        tails.push({ label: name, state, actions: [], detail: undefined });
      } else if (tail) {
        tail.actions.push(label);
        tail.detail = detail ?? tail.detail;
      }
    }
    return undefined;
  });
  await vscode.commands.executeCommand('controlPlane.logsMenu');
  return tails.filter(({ label }) => label !== '');
}

/** Chooses an action for a tail in the menu of the status bar. */
export async function chooseInMenu(tail: string, action: string): Promise<void> {
  answerPick((items) => {
    const start = items.findIndex(
      ({ kind, label }) =>
        kind === vscode.QuickPickItemKind.Separator && label.startsWith(`${tail} · `),
    );
    const chosen = items.slice(start + 1).find(({ label }) => label === action);
    if (start < 0 || !chosen) throw new Error(`The menu has no ${action} for ${tail}.`);
    return chosen;
  });
  await vscode.commands.executeCommand('controlPlane.logsMenu');
}
