import type * as fs from 'node:fs/promises';
import * as vscode from 'vscode';
import { hasAiFeatures } from './settings';

/** The mode of files with logs or activity: only the owner can read them. */
export const ownerOnly = 0o600;

/** Node.js file functions if a file is on this computer, because those of VS Code cannot set a mode. */
export function nodeFiles(uri: vscode.Uri): typeof fs | undefined {
  // An import would fail in the web worker host.
  return uri.scheme === 'file' && !isWebWorker
    ? process.getBuiltinModule('node:fs/promises')
    : undefined;
}

/** Whether this is the web worker extension host: a browser's fetch, and no Node.js. */
export const isWebWorker = 'WorkerGlobalScope' in globalThis;

/** The name of the machine where this extension runs; undefined in a browser. */
export function machineName(): string | undefined {
  return isWebWorker ? undefined : process.getBuiltinModule('node:os').hostname();
}

/** A random UUID (version 4). `crypto.randomUUID` is missing on pages that were loaded over plain http. */
export function randomId(): string {
  return uuidOf(crypto.getRandomValues(new Uint8Array(16)));
}

/** The same UUID for the same text, in each window. */
export async function idOfText(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return uuidOf(new Uint8Array(hash, 0, 16));
}

function uuidOf(bytes: Uint8Array): string {
  const hex = [...bytes].map((byte, at) => {
    if (at === 6) return ((byte & 0x0f) | 0x40).toString(16).padStart(2, '0');
    if (at === 8) return ((byte & 0x3f) | 0x80).toString(16).padStart(2, '0');
    return byte.toString(16).padStart(2, '0');
  });
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

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
  const icon = { iconPath: vscode.ThemeIcon.File, resourceUri };
  return icon;
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

/** The command of VS Code that opens the chat with a text. */
const open = 'workbench.action.chat.open';

/** Whether there is a chat to ask: its command is there, too, if the user has turned it off. */
export async function hasChat(): Promise<boolean> {
  return hasAiFeatures() && (await vscode.commands.getCommands(true)).includes(open);
}

/** Opens the chat with a question, which the user reads and sends. */
export async function openChat(query: string): Promise<void> {
  // Partial: it is not sent before the user says so.
  await vscode.commands.executeCommand(open, { query, isPartialQuery: true });
}
