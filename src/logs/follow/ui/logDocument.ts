import type * as vscode from 'vscode';
import { channels, schemes } from '../../../vscode/contributions';

/** Output documents of the language that our channel has; `isLogDocument` tells ours from others. */
export const logDocuments: vscode.DocumentFilter = { scheme: 'output', language: 'log' };

/** Whether a document is that of the channel `Control Plane Logs`; VS Code gives it no better id. */
export function isLogDocument({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === 'output' && uri.path.endsWith(channels.logs);
}

/** Logs that are shown as text. */
export const logTextDocuments: vscode.DocumentFilter = { scheme: schemes.logs };
