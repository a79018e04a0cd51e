import * as vscode from 'vscode';
import {
  registerCompareDeployments,
  registerComparisonLinks,
} from './logs/explorer/ui/compareDeployments';
import { createLogExports, registerExportLogs } from './logs/explorer/ui/exportLogs';
import { createLogTexts, registerOpenAsText } from './logs/explorer/ui/openAsText';
import { registerLogExplorer } from './logs/explorer/ui/panel';
import { registerSavedSearches } from './logs/explorer/ui/savedSearches';
import type { SearchTools } from './logs/explorer/ui/searchTools';
import { createSearchLinks, registerSearchLinks } from './logs/explorer/ui/searchLinks';
import { createSearchList } from './logs/explorer/ui/searchList';
import { registerSearchLogs } from './logs/explorer/ui/searchLogs';
import { registerSearchRows } from './logs/explorer/ui/searchRows';
import { createSearchSaving } from './logs/explorer/ui/saveSearch';
import { registerLogTextFeatures } from './logs/follow/ui/logTextFeatures';
import { createSourceFiles } from './logs/record/ui/sourceFiles';
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
  const tools: SearchTools = {
    ...createSearchSaving(services),
    ...createSearchLinks(services),
    ...createLogExports(services),
    openAsText: texts.openAsText,
  };
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
