import * as vscode from 'vscode';
import { onAbort } from '../base/clock';
import { boxText } from '../base/untrustedText';
import { askUntil } from './notifications';

interface InputQuestion {
  readonly title: string;
  /** Both absent for a single question. */
  readonly step?: number;
  readonly totalSteps?: number;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly password?: boolean;
  /** Called on every key: why the value is invalid; undefined if it is valid. */
  readonly problemOf: (value: string) => string | undefined;
  /** Called on Enter: why the value is refused; undefined if it is accepted. */
  readonly refusalOf?: (value: string, signal: AbortSignal) => Promise<string | undefined>;
  /** Dismisses the question, such as the signal of its connection. */
  readonly lifetime?: AbortSignal;
}

/** The user chose the Back button. */
export const back = Symbol('back');

/** Asks for one text. Undefined if the box is dismissed. */
export function ask(question: InputQuestion): Promise<string | typeof back | undefined> {
  const box = vscode.window.createInputBox();
  box.title = question.title;
  box.step = question.step;
  box.totalSteps = question.totalSteps;
  box.prompt = boxText(question.prompt);
  box.placeholder = question.placeholder;
  box.value = question.value ?? '';
  box.password = question.password ?? false;
  box.ignoreFocusOut = true;
  if (question.step !== undefined && question.step > 1)
    box.buttons = [vscode.QuickInputButtons.Back];
  const say = (problem: string | undefined): void => {
    box.validationMessage = problem && boxText(problem);
  };
  return showBox(box, question.lifetime, (answer, whileOpen) => {
    box.onDidTriggerButton(() => answer(back));
    box.onDidChangeValue((value) => say(question.problemOf(value.trim())));
    box.onDidAccept(async () => {
      if (box.busy) return;
      const value = box.value.trim();
      const problem = question.problemOf(value);
      say(problem);
      if (problem !== undefined) return;
      box.busy = true;
      box.enabled = false;
      const refusal = await question.refusalOf?.(value, whileOpen);
      box.busy = false;
      box.enabled = true;
      say(refusal);
      if (refusal === undefined) answer(value);
    });
  });
}

/** Subscribes to a box; `whileOpen` is aborted when it was answered or dismissed. */
type Listen<Answer> = (answer: (given: Answer | undefined) => void, whileOpen: AbortSignal) => void;

/**
 * Shows a box until it is answered, and disposes it. Undefined if it is dismissed.
 *
 * @param lifetime dismisses it, such as the signal of its connection.
 */
export async function showBox<Answer>(
  box: vscode.QuickInput,
  lifetime: AbortSignal | undefined,
  listen: Listen<Answer>,
): Promise<Answer | undefined> {
  try {
    return await answerIn(box, lifetime, listen);
  } finally {
    box.dispose();
  }
}

/** The same for one question of a box that stays for others. */
async function answerIn<Answer>(
  box: vscode.QuickInput,
  lifetime: AbortSignal | undefined,
  listen: Listen<Answer>,
): Promise<Answer | undefined> {
  const closing = new AbortController();
  const listeners: { dispose(): unknown }[] = [];
  try {
    return await new Promise((resolve) => {
      const dismiss = (): void => resolve(undefined);
      listeners.push(box.onDidHide(dismiss));
      listen(resolve, closing.signal);
      box.show();
      if (lifetime !== undefined) listeners.push({ dispose: onAbort(lifetime, dismiss) });
    });
  } finally {
    vscode.Disposable.from(...listeners).dispose();
    closing.abort();
  }
}

/**
 * Asks for one of several items. Undefined if the question is dismissed.
 *
 * @param lifetime dismisses it, such as the signal of its connection.
 */
export function pickOne<Item extends vscode.QuickPickItem>(
  items: readonly Item[] | Promise<readonly Item[]>,
  options: Pick<vscode.QuickPickOptions, 'title' | 'placeHolder'>,
  lifetime: AbortSignal,
): Promise<Item | undefined> {
  const all = { ...options, matchOnDescription: true };
  return askUntil(lifetime, (token) =>
    vscode.window.showQuickPick(Promise.resolve(items), all, token),
  );
}

/**
 * Several questions in one box. With one box for each, a page could take the focus back when the first one closes
 * and so close the next one.
 */
export class Picks {
  private readonly box = vscode.window.createQuickPick();

  /** @param lifetime dismisses the box, such as the signal of its connection. */
  constructor(
    title: string,
    private readonly lifetime: AbortSignal,
  ) {
    this.box.title = title;
  }

  /** The chosen item; undefined if the box is dismissed. */
  async choose<Item extends vscode.QuickPickItem>(
    items: readonly Item[],
    placeholder: string,
  ): Promise<Item | undefined> {
    this.box.value = '';
    this.box.placeholder = placeholder;
    this.box.items = items;
    return answerIn<Item>(this.box, this.lifetime, (answer, whileOpen) => {
      const accepted = this.box.onDidAccept(() => {
        const chosen = items.find((item) => item === this.box.selectedItems[0]);
        if (chosen !== undefined) answer(chosen);
      });
      onAbort(whileOpen, () => void accepted.dispose());
    });
  }

  dispose(): void {
    this.box.dispose();
  }
}
