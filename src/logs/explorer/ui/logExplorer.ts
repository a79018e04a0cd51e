import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import type { LogFilter } from '../../query/filter';
import { unambiguousNames } from '../../query/print';
import { printSearch, type SearchQuery } from '../../query/searchQuery';
import { pageHtml } from '../protocol/html';
import { createSavedPageState } from '../protocol/pageState';
import { ExplorerPanel, type PanelServices } from './explorerPanel';
import { registerRecordMenu } from './recordDetails';

const viewType = 'controlPlane.logExplorer';
const folder = 'dist/logExplorer';

const panelOptions: vscode.WebviewPanelOptions = {
  retainContextWhenHidden: true,
  // The page finds text in all rows; VS Code would find it only in those on the screen.
  enableFindWidget: false,
};

interface LogExplorerServices extends PanelServices {
  readonly extensionUri: vscode.Uri;
  /** The ids of the apps that are deployed from the folder, as far as they are known. */
  readonly folderApps: () => readonly string[];
}

/** The maximum number of apps in the first query. */
const mostApps = 10;

/**
 * The Log Explorer, which has at most one panel. The page stays in memory while it is hidden: 100,000 rows
 * would otherwise have to be sent and laid out again each time.
 */
export class LogExplorer implements vscode.Disposable {
  private panel: ExplorerPanel | undefined;
  private readonly savedPageState: ReturnType<typeof createSavedPageState>;
  private readonly registrations: vscode.Disposable;

  constructor(private readonly services: LogExplorerServices) {
    this.savedPageState = createSavedPageState(services);
    this.registrations = vscode.Disposable.from(
      vscode.window.registerWebviewPanelSerializer(viewType, {
        deserializeWebviewPanel: (panel, saved) => this.restore(panel, saved),
      }),
      registerRecordMenu(services, (action, key) => this.panel?.act(action, key)),
    );
  }

  show(): void {
    if (this.panel !== undefined) this.panel.reveal();
    else void this.create().start();
  }

  /**
   * Shows a query in the query bar.
   *
   * @param options `run`: whether to run it, which is the default. Queries from outside must wait for
   * the user.
   */
  open(query: string, { run }: { readonly run: boolean } = { run: true }): void {
    const panel = this.panel ?? this.create();
    panel.reveal();
    panel.show(query, run);
  }

  /** Shows the records of a filter. */
  search(filter: LogFilter, range: SearchQuery['range'] = {}): void {
    this.open(printSearch({ filter, range }, unambiguousNames(this.services.names)));
  }

  /** A record that is shown, by its key; without one, the record whose details were opened last. */
  recordOf(key?: string): LogRecord | undefined {
    return this.panel?.recordOf(key);
  }

  dispose(): void {
    this.registrations.dispose();
    this.panel?.dispose();
  }

  private create(): ExplorerPanel {
    const title = vscode.l10n.t('Log Explorer');
    const options = { ...webviewOptions(this.services.extensionUri), ...panelOptions };
    return this.adopt(
      vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, options),
    );
  }

  private async restore(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    panel.webview.options = webviewOptions(this.services.extensionUri);
    const opened = this.adopt(panel);
    const { query, run } = await this.savedPageState.restore(saved);
    if (query === '') void opened.start();
    else opened.show(query, run);
  }

  private adopt(panel: vscode.WebviewPanel): ExplorerPanel {
    this.panel?.dispose();
    const adopted = new ExplorerPanel(panel, this.services, this.savedPageState, () =>
      this.firstQuery(),
    );
    adopted.onDidClose(() => {
      if (this.panel === adopted) this.panel = undefined;
    });
    const { extensionUri } = this.services;
    panel.iconPath = {
      light: vscode.Uri.joinPath(extensionUri, 'media/log-explorer-light.svg'),
      dark: vscode.Uri.joinPath(extensionUri, 'media/log-explorer-dark.svg'),
    };
    panel.webview.html = documentOf(panel.webview, extensionUri);
    return (this.panel = adopted);
  }

  /** The logs of the apps of the folder, or of everything. */
  private firstQuery(): string {
    const workloadIds = this.services.folderApps().slice(0, mostApps);
    if (workloadIds.length === 0) return '';
    const filter = { workloadIds: [...workloadIds] };
    return printSearch({ filter, range: {} }, unambiguousNames(this.services.names));
  }
}

/** The page can run only its own script and load only its own files. */
function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [vscode.Uri.joinPath(extensionUri, folder)],
  };
}

function documentOf(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const uri = (file: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, folder, file)).toString();
  return pageHtml({
    script: uri('page.js'),
    style: uri('page.css'),
    icons: uri('codicon.css'),
    cspSource: webview.cspSource,
    nonce: newNonce(),
    // Without a translation all texts are English.
    language: vscode.l10n.bundle === undefined ? 'en' : vscode.env.language,
    title: vscode.l10n.t('Log Explorer'),
  });
}

function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
