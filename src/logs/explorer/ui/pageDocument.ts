import * as vscode from 'vscode';
import type { Event } from '../../../base/event';
import { pageHtml } from '../protocol/html';

/** The pages, which are folders of `dist`. */
type PageName = 'logExplorer' | 'logComparison';

const panelOptions: vscode.WebviewPanelOptions = {
  retainContextWhenHidden: true,
  // The page finds text in all rows; VS Code would find it only in those on the screen.
  enableFindWidget: false,
};

function folderOf(extensionUri: vscode.Uri, page: PageName): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', page);
}

/** A page can run only its own script and load only its own files. */
function webviewOptions(extensionUri: vscode.Uri, page: PageName): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [folderOf(extensionUri, page)],
  };
}

/** The icon of the tab. */
function pageIcon(extensionUri: vscode.Uri): { light: vscode.Uri; dark: vscode.Uri } {
  const uri = (theme: string): vscode.Uri =>
    vscode.Uri.joinPath(extensionUri, `media/log-explorer-${theme}.svg`);
  return { light: uri('light'), dark: uri('dark') };
}

/** The document of a page. */
function documentOf(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  page: PageName,
  title: string,
): string {
  const uri = (file: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(folderOf(extensionUri, page), file)).toString();
  return pageHtml({
    script: uri('page.js'),
    style: uri('page.css'),
    icons: uri('codicon.css'),
    cspSource: webview.cspSource,
    nonce: newNonce(),
    // Without a translation all texts are English.
    language: vscode.l10n.bundle === undefined ? 'en' : vscode.env.language,
    title,
  });
}

function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

interface OpenPanel extends vscode.Disposable {
  /** Fires once when it closes, for whatever reason. */
  readonly onDidClose: Event<void>;
}

/** A page with at most one panel. It stays in memory while it is hidden. */
export class OnePanel<Open extends OpenPanel> implements vscode.Disposable {
  private opened: Open | undefined;
  private readonly viewType: string;
  private readonly registration: vscode.Disposable;

  /** @param restore shows what a page saved before the window was reloaded. */
  constructor(
    private readonly page: PageName,
    private readonly title: string,
    private readonly extensionUri: vscode.Uri,
    private readonly open: (panel: vscode.WebviewPanel) => Open,
    restore: (opened: Open, saved: unknown) => Promise<void>,
  ) {
    this.viewType = `controlPlane.${page}`;
    this.registration = vscode.window.registerWebviewPanelSerializer(this.viewType, {
      deserializeWebviewPanel: (panel, saved) => {
        panel.webview.options = webviewOptions(extensionUri, page);
        return restore(this.adopt(panel), saved);
      },
    });
  }

  /** Undefined if it is not open. */
  get now(): Open | undefined {
    return this.opened;
  }

  /** The open panel, or a new one. */
  show(): Open {
    const { viewType, title } = this;
    const options = { ...webviewOptions(this.extensionUri, this.page), ...panelOptions };
    return (
      this.opened ??
      this.adopt(
        vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, options),
      )
    );
  }

  dispose(): void {
    this.registration.dispose();
    this.opened?.dispose();
  }

  private adopt(panel: vscode.WebviewPanel): Open {
    this.opened?.dispose();
    const opened = this.open(panel);
    opened.onDidClose(() => {
      if (this.opened === opened) this.opened = undefined;
    });
    const { extensionUri, page, title } = this;
    panel.iconPath = pageIcon(extensionUri);
    panel.webview.html = documentOf(panel.webview, extensionUri, page, title);
    return (this.opened = opened);
  }
}
