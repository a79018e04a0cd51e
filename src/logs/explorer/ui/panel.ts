import * as vscode from 'vscode';
import type { LateCommand } from '../../../vscode/contributions';
import type { LateCommands } from '../../../vscode/latePart';
import type { LogExplorer } from './logExplorer';
import { panelOptions, webviewOptions } from './document';
import { createFirstPageNote } from './firstPage';
import { createKeptSearch } from '../panel/pageState';
import { openPanel, type OpenPanel } from './panelController';
import { registerRecordMenu } from './recordMenu';
import type { RequestServices } from './requests';

export const viewType = 'controlPlane.logExplorer';

export interface LogExplorerServices extends RequestServices {
  readonly extensionUri: vscode.Uri;
  readonly workspaceState: vscode.Memento;
  readonly lateCommands: LateCommands<LateCommand>;
}

export interface OwnedLogExplorer extends LogExplorer {
  dispose(): void;
}

/**
 * The Log Explorer: one panel, where there is one. Its page keeps what it shows while it is hidden,
 * since 100,000 rows would otherwise have to be sent and laid out again at each look at another
 * editor.
 */
export function registerLogExplorer(services: LogExplorerServices): OwnedLogExplorer {
  let open: OpenPanel | undefined;
  const noteState = createFirstPageNote();
  const keptSearch = createKeptSearch(services);

  function adopt(panel: vscode.WebviewPanel): OpenPanel {
    open?.dispose();
    const adopted = openPanel(panel, { ...services, noteState, keptSearch }, () => {
      if (open === adopted) open = undefined;
    });
    return (open = adopted);
  }

  function create(): OpenPanel {
    const { extensionUri } = services;
    const title = vscode.l10n.t('Log Explorer');
    const options = { ...webviewOptions(extensionUri), ...panelOptions };
    return adopt(
      vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, options),
    );
  }

  const serializer = vscode.window.registerWebviewPanelSerializer(viewType, {
    async deserializeWebviewPanel(panel, kept) {
      panel.webview.options = webviewOptions(services.extensionUri);
      const opened = adopt(panel);
      const { query, run } = await keptSearch.restore(kept);
      opened.show(query, run);
    },
  });

  const menu = registerRecordMenu(services, async (action, key) => open?.act(action, key));

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
