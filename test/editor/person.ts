import * as vscode from 'vscode';
import type { UiText } from '../host/texts';
import { until } from './wait';
import { witness } from './witnesses';

/**
 * Sees and answers notifications and quick picks. A window under test shows neither, and VS Code
 * has no API for them, so they are answered here; everything else is real. As in VS Code, nothing
 * is shown or answered before a later turn of the event loop.
 */

type Items = readonly vscode.QuickPickItem[];
/** Chooses an item of a quick pick; undefined dismisses it. */
export type Choose = (items: Items) => vscode.QuickPickItem | undefined;

interface Click {
  readonly message: RegExp;
  /** Undefined closes the message. */
  readonly button: string | undefined;
}

let errors: string[] = [];
let messages: string[] = [];
let details: string[] = [];
let buttons: string[] = [];
let clicks: Click[] = [];
let answers: Choose[] = [];
/** Open messages, and the function that closes each. */
const closers: (() => void)[] = [];

const { showErrorMessage, showInformationMessage, showWarningMessage, showQuickPick } =
  vscode.window;

/** Starts to record notifications and to answer quick picks; clears earlier records. */
export function attend(): void {
  [errors, messages, details, buttons, clicks, answers] = [[], [], [], [], [], []];
  Object.assign(vscode.window, {
    showErrorMessage: (message: string, ...rest: unknown[]) => show(errors, message, rest),
    showInformationMessage: (message: string, ...rest: unknown[]) => show(messages, message, rest),
    showWarningMessage: (message: string, ...rest: unknown[]) => show(messages, message, rest),
    showQuickPick: pick,
  });
}

/** Closes what is still open, and restores the functions of the window. */
export function leave(): void {
  closers.splice(0).forEach((close) => close());
  Object.assign(vscode.window, {
    showErrorMessage,
    showInformationMessage,
    showWarningMessage,
    showQuickPick,
  });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** @param rest options, and the buttons, which are texts or have a title. */
async function show(list: string[], message: string, rest: readonly unknown[]): Promise<unknown> {
  await nextTurn();
  list.push(message);
  const [options] = rest;
  if (typeof options === 'object' && options !== null && 'detail' in options) {
    details.push(String(options.detail));
  }
  const titleOf = (button: unknown): unknown =>
    typeof button === 'object' && button !== null && 'title' in button ? button.title : button;
  buttons = rest.map(titleOf).filter((title) => typeof title === 'string');
  const index = clicks.findIndex((click) => click.message.test(message));
  const [click] = index < 0 ? [] : clicks.splice(index, 1);
  // Stays open until the end: the extension must not depend on the closing of a message.
  if (click === undefined) {
    return new Promise<void>((resolve) => closers.push(() => resolve(undefined)));
  }
  if (click.button === undefined) return undefined;
  const button = rest.find((one) => titleOf(one) === click.button);
  if (button === undefined) throw new Error(`No button ${click.button}: ${message}`);
  await nextTurn();
  return button;
}

async function pick(
  given: Items | PromiseLike<Items>,
  _options?: vscode.QuickPickOptions,
  token?: vscode.CancellationToken,
): Promise<vscode.QuickPickItem | undefined> {
  const items = await given;
  await nextTurn();
  if (token?.isCancellationRequested) return undefined;
  const choose = answers.shift();
  if (!choose)
    throw new Error(`No answer was prepared: ${items.map(({ label }) => label).join(', ')}`);
  const chosen = choose(items);
  if (chosen?.kind === vscode.QuickPickItemKind.Separator) {
    throw new Error(`A separator cannot be chosen: ${chosen.label}`);
  }
  await nextTurn();
  return chosen;
}

/** The error messages shown since `attend`, including pending ones. */
export async function errorMessages(): Promise<readonly string[]> {
  await nextTurn();
  return errors;
}

/** The information and warning messages shown since `attend`, including pending ones. */
export async function shownMessages(): Promise<readonly string[]> {
  await nextTurn();
  return messages;
}

/** The details of dialogs shown since `attend`, the last one first. */
export function dialogDetails(): readonly string[] {
  return [...details].reverse();
}

/** The buttons of the newest message. */
export function offeredButtons(): readonly string[] {
  return buttons;
}

/** Waits for a message of any kind that is this text, or that matches. */
export function notification(text: string | RegExp): Promise<string> {
  return until(`a message like ${String(text)}`, () =>
    [...messages, ...errors].find((one) =>
      typeof text === 'string' ? one === text : text.test(one),
    ),
  );
}

witness('Errors', errorMessages);
witness('Messages', shownMessages);

/** Clicks a button of the next message that matches. Returns what takes that back, if none came. */
export function clickInMessage(message: RegExp, button: UiText): () => void {
  const click = { message, button };
  clicks.push(click);
  return () => void (clicks = clicks.filter((one) => one !== click));
}

/** Closes the next message that matches. */
export function closeMessage(message: RegExp): void {
  clicks.push({ message, button: undefined });
}

/** Answers the next quick pick. */
export function answerPick(choose: Choose): void {
  answers.push(choose);
}

/** One tail in the menu of the status bar. */
export interface TailInMenu {
  label: string;
  state: string;
  /** The actions that the menu offers. */
  actions: string[];
  /** The reason for a failure or a wait. */
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
        // An empty separator starts the items that are not about a tail.
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
export async function chooseInMenu(tail: string, action: UiText): Promise<void> {
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
