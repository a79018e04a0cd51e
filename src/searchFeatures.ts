import * as vscode from 'vscode';
import type { LateServices, WorkspaceFeatures } from './workspaceFeatures';

/**
 * The list of features that search the logs. A part of the extension as `workspaceFeatures.ts` is,
 * loaded after that; nothing but `extension.ts` may import it.
 */
export function registerSearchFeatures(
  _services: LateServices,
  _workspace: WorkspaceFeatures,
): vscode.Disposable {
  return vscode.Disposable.from();
}
