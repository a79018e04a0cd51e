import * as vscode from 'vscode';
import { registerCompareDeployments } from './commands/compareDeployments';
import { registerExportLogs } from './commands/exportLogs';
import { createLogTexts, registerOpenAsText } from './commands/openAsText';
import { registerSavedSearches } from './commands/savedSearches';
import { registerSearchLinks } from './commands/searchLinks';
import { registerSearchLogs } from './commands/searchLogs';
import { createSearchTools } from './commands/searchTools';
import { registerLogExplorer } from './panels/logExplorer/panel';
import { createSearchList } from './platform/searchList';
import { createSourceFiles } from './platform/sourceFiles';
import { registerComparisonLinks } from './views/comparisonLinks';
import { registerLogTextFeatures } from './views/logTextFeatures';
import { registerSearchRows } from './views/searchRows';
import type { LateServices, WorkspaceFeatures } from './workspaceFeatures';

/**
 * The list of features that search the logs. A part of the extension as `workspaceFeatures.ts` is,
 * loaded after that; nothing but `extension.ts` may import it.
 */
export function registerSearchFeatures(
  late: LateServices,
  { data, views, memory }: WorkspaceFeatures,
): vscode.Disposable {
  const list = createSearchList({ session: late.session, memory });
  const services = { ...late, data, views, memory, list };
  const texts = createLogTexts(services);
  const files = createSourceFiles();
  const tools = createSearchTools(services, texts);
  const explorer = registerLogExplorer({ ...services, files, tools });
  const searching = { ...services, explorer, tools };
  return vscode.Disposable.from(
    list,
    texts,
    files,
    explorer,
    registerSearchLogs(searching),
    registerCompareDeployments(searching),
    registerComparisonLinks(),
    registerSavedSearches(searching),
    registerSearchLinks(explorer),
    registerExportLogs(searching),
    registerOpenAsText(searching, texts),
    registerSearchRows(searching),
    registerLogTextFeatures(),
  );
}
