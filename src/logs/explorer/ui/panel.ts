import * as vscode from 'vscode';
import { contextKeys } from '../../../vscode/contributions';
import { createSavedPageState } from '../panel/pageState';
import type { ExplorerState } from '../explorerState';
import {
  createPanelController,
  type PanelController,
  panelOptions,
  webviewOptions,
} from './panelController';
import { registerRecordMenu } from './recordDetails';
import type { RequestServices } from './requests';
import type { LogExplorer } from './logExplorer';

export const viewType = 'controlPlane.logExplorer';

interface LogExplorerServices extends RequestServices {
  readonly extensionUri: vscode.Uri;
  readonly workspaceState: vscode.Memento;
}

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
    const adopted = createPanelController(panel, { ...services, noteState, savedPageState }, () => {
      if (open === adopted) open = undefined;
    });
    return (open = adopted);
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
      opened.show(query, run);
    },
  });

  const menu = registerRecordMenu(services, (action, key) => open?.act(action, key));

  return {
    show: () => (open ?? create()).reveal(),
    open(query, { run } = { run: true }) {
      const panel = open ?? create();
      panel.reveal();
      panel.show(query, run);
    },
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
    void vscode.commands.executeCommand('setContext', contextKeys.searched, true);
  };
}

/** The first page may be empty if there are no records. */
function hasFirstPage({ search, loading, failure, count, older }: ExplorerState): boolean {
  if (search === undefined || failure !== undefined || loading?.direction === 'first') return false;
  return count > 0 || older.kind === 'reached';
}
