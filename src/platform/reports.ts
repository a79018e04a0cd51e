import * as vscode from 'vscode';

const scheme = 'control-plane';

/** Shows texts of ours as read-only documents that nobody is asked to save. */
export interface Reports {
  /** `name` is what the tab says, with the extension of its language. */
  show(name: string, text: string): Promise<void>;
  dispose(): void;
}

export function createReports(): Reports {
  const texts = new Map<string, string>();
  const changes = new vscode.EventEmitter<vscode.Uri>();
  const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changes.event,
    provideTextDocumentContent: (uri) => texts.get(uri.path) ?? '',
  });
  const closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
    if (uri.scheme === scheme) texts.delete(uri.path);
  });
  return {
    async show(name, text) {
      const uri = vscode.Uri.from({ scheme, path: `/${name}` });
      texts.set(uri.path, text);
      changes.fire(uri);
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: true });
    },
    dispose() {
      vscode.Disposable.from(registration, closing, changes).dispose();
    },
  };
}
