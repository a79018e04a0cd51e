import * as vscode from 'vscode';
import { setContext } from '../../../vscode/contextKeys';
import { contextKeys } from '../../../vscode/contributions';
import { unambiguousNames } from '../../query/print';
import { printSearch } from '../../query/searchQuery';
import { createSavedPageState } from '../protocol/pageState';
import type { ExplorerState } from '../explorerState';
import {
  createPanelController,
  type PanelController,
  panelOptions,
  webviewOptions,
} from './panelController';
import { registerRecordMenu } from './recordDetails';
import type { RequestServices } from './pageRequests';
import type { LogExplorer } from './logExplorer';

export const viewType = 'controlPlane.logExplorer';

interface LogExplorerServices extends RequestServices {
  /** The ids of the apps that are deployed from the folder, as far as they are known. */
  readonly folderApps: () => readonly string[];
  readonly extensionUri: vscode.Uri;
  readonly workspaceState: vscode.Memento;
}

/** The maximum number of apps in the first query. */
const mostApps = 10;

interface OwnedLogExplorer extends LogExplorer {
  dispose(): void;
}

/**
 * Registers the Log Explorer, which has at most one panel. The page stays in memory while it is hidden:
 * 100,000 rows would otherwise have to be sent and laid out again each time.
 */
export function registerLogExplorer(services: LogExplorerServices): OwnedLogExplorer {
  let open: PanelController | undefined;
  const noteState = createFirstPageNote();
  const savedPageState = createSavedPageState(services);

  function adopt(panel: vscode.WebviewPanel): PanelController {
    open?.dispose();
    const controls = { ...services, noteState, savedPageState, firstQuery };
    const adopted = createPanelController(panel, controls, () => {
      if (open === adopted) open = undefined;
    });
    return (open = adopted);
  }

  /** The logs of the apps of the folder, or of everything. */
  function firstQuery(): string {
    const workloadIds = services.folderApps().slice(0, mostApps);
    if (workloadIds.length === 0) return '';
    const filter = { workloadIds: [...workloadIds] };
    return printSearch({ filter, range: {} }, unambiguousNames(services.names));
  }

  function create(): PanelController {
    const { extensionUri } = services;
    const title = vscode.l10n.t('Log Explorer');
    const options = { ...webviewOptions(extensionUri), ...panelOptions };
    return adopt(
      vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, options),
    );
  }

  const serializer = vscode.window.registerWebviewPanelSerializer(viewType, {
    async deserializeWebviewPanel(panel, saved) {
      panel.webview.options = webviewOptions(services.extensionUri);
      const opened = adopt(panel);
      const { query, run } = await savedPageState.restore(saved);
      if (query === '') opened.start();
      else opened.show(query, run);
    },
  });

  const menu = registerRecordMenu(services, (action, key) => open?.act(action, key));

  return {
    show() {
      if (open !== undefined) open.reveal();
      else create().start();
    },
    open(query, { run } = { run: true }) {
      const panel = open ?? create();
      panel.reveal();
      panel.show(query, run);
    },
    recordOf: (key) => open?.recordOf(key),
    dispose() {
      menu.dispose();
      serializer.dispose();
      open?.dispose();
    },
  };
}

/**
 * Sets a context key after the first page of the first search, which completes a step of the walkthrough.
 */
function createFirstPageNote(): (state: ExplorerState) => void {
  let isNoted = false;
  return (state) => {
    if (isNoted || !hasFirstPage(state)) return;
    isNoted = true;
    void setContext(contextKeys.searched, true);
  };
}

/** The first page may be empty if there are no records. */
function hasFirstPage({ search, loading, failure, count, older }: ExplorerState): boolean {
  if (search === undefined || failure !== undefined || loading?.direction === 'first') return false;
  return count > 0 || older.kind === 'reached';
}
