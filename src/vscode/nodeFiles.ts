import type * as fs from 'node:fs/promises';
import type * as vscode from 'vscode';
import { isWebWorker } from './webWorker';

/** Of files that hold logs, or what somebody did: nobody else who works on this machine reads them. */
export const ownerOnly = 0o600;

/** The files of Node.js, if a file is one of this machine; VS Code's own know no permissions. */
export function nodeFiles(uri: vscode.Uri): typeof fs | undefined {
  // Not by an import, which the web worker host cannot take.
  return uri.scheme === 'file' && !isWebWorker
    ? process.getBuiltinModule('node:fs/promises')
    : undefined;
}
