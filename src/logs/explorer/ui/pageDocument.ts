import * as vscode from 'vscode';
import { pageHtml } from '../protocol/html';

/** The pages, which are folders of `dist`. */
type PageName = 'logExplorer' | 'logComparison';

export const panelOptions: vscode.WebviewPanelOptions = {
  retainContextWhenHidden: true,
  // The page finds text in all rows; VS Code would find it only in those on the screen.
  enableFindWidget: false,
};

function folderOf(extensionUri: vscode.Uri, page: PageName): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', page);
}

/** A page can run only its own script and load only its own files. */
export function webviewOptions(extensionUri: vscode.Uri, page: PageName): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [folderOf(extensionUri, page)],
  };
}

/** The icon of the tab. */
export function pageIcon(extensionUri: vscode.Uri): { light: vscode.Uri; dark: vscode.Uri } {
  const uri = (theme: string): vscode.Uri =>
    vscode.Uri.joinPath(extensionUri, `media/log-explorer-${theme}.svg`);
  return { light: uri('light'), dark: uri('dark') };
}

/** The document of a page. */
export function documentOf(
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
