import type * as fs from 'node:fs/promises';
import type * as vscode from 'vscode';

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
