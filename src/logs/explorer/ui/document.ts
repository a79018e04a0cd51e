import * as vscode from 'vscode';
import { pageHtml } from '../panel/html';

const folder = 'dist/logExplorer';

/** What the panel is besides its page. */
export const panelOptions: vscode.WebviewPanelOptions = {
  retainContextWhenHidden: true,
  // The page looks through all of its rows, while VS Code would look through those on the screen.
  enableFindWidget: false,
};

/** The page runs its own script and loads its own files. */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [vscode.Uri.joinPath(extensionUri, folder)],
  };
}

/** The document of the page. */
export function documentOf(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const uri = (file: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, folder, file)).toString();
  return pageHtml({
    script: uri('page.js'),
    style: uri('page.css'),
    icons: uri('codicon.css'),
    cspSource: webview.cspSource,
    nonce: newNonce(),
    // Without texts of the editor's language all of them are English.
    language: vscode.l10n.bundle === undefined ? 'en' : vscode.env.language,
    title: vscode.l10n.t('Log Explorer'),
  });
}

function newNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
