import * as vscode from 'vscode';
import { registerExportLogs } from './commands/exportLogs';
import { createLogTexts, registerOpenAsText } from './commands/openAsText';
import { createSearchList } from './platform/searchList';
import { registerLogTextFeatures } from './views/logTextFeatures';
import { registerSearchRows } from './views/searchRows';
import type { LateServices, WorkspaceFeatures } from './workspaceFeatures';

/**
 * The list of features that search the logs. A part of the extension as `workspaceFeatures.ts` is,
 * loaded after that; nothing but `extension.ts` may import it.
 */
export function registerSearchFeatures(
  services: LateServices,
  { memory }: WorkspaceFeatures,
): vscode.Disposable {
  const { session, logsView } = services;
  const list = createSearchList({ session, memory });
  const searching = { ...services, memory, list };
  const texts = createLogTexts(services);
  return vscode.Disposable.from(
    list,
    texts,
    registerSearchRows(logsView, list, session),
    registerExportLogs(searching),
    registerOpenAsText(searching, texts),
    registerLogTextFeatures(),
  );
}
