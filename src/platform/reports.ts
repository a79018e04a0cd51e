import * as vscode from 'vscode';
import { schemes } from './contributions';

/** Shows texts of ours as read-only documents that nobody is asked to save. */
export interface Reports {
  /** `name` is what the tab says, with the extension of its language. */
  show(name: string, text: string): Promise<void>;
  /** Empties all documents, as where what they show may not be seen any more. */
  clear(): void;
  dispose(): void;
}

export interface ReportOptions {
  /** Of the URIs of the documents. */
  readonly scheme: string;
  /** The text of a document that was emptied, or that is from before a reload of the window. */
  readonly gone: () => string;
}

export function createReports(
  { scheme, gone }: ReportOptions = { scheme: schemes.reports, gone: () => '' },
): Reports {
  const texts = new Map<string, string>();
  const changes = new vscode.EventEmitter<vscode.Uri>();
  const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changes.event,
    provideTextDocumentContent: (uri) => texts.get(uri.path) ?? gone(),
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
    clear() {
      const paths = [...texts.keys()];
      texts.clear();
      for (const path of paths) changes.fire(vscode.Uri.from({ scheme, path }));
    },
    dispose() {
      vscode.Disposable.from(registration, closing, changes).dispose();
    },
  };
}
