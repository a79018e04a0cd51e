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
  /** Whether each text is a document of its own, whatever its name; else it takes the place of one. */
  readonly isAlwaysNew?: boolean;
}

export function createReports(
  { scheme, gone, isAlwaysNew = false }: ReportOptions = {
    scheme: schemes.reports,
    gone: () => '',
  },
): Reports {
  /** By their URIs. */
  const texts = new Map<string, string>();
  let count = 0;
  const changes = new vscode.EventEmitter<vscode.Uri>();
  const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changes.event,
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? gone(),
  });
  const closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
    texts.delete(uri.toString());
  });
  return {
    async show(name, text) {
      const query = isAlwaysNew ? String(++count) : '';
      const uri = vscode.Uri.from({ scheme, path: `/${name}`, query });
      texts.set(uri.toString(), text);
      changes.fire(uri);
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: true });
    },
    clear() {
      const uris = [...texts.keys()];
      texts.clear();
      for (const uri of uris) changes.fire(vscode.Uri.parse(uri));
    },
    dispose() {
      vscode.Disposable.from(registration, closing, changes).dispose();
    },
  };
}
