import * as vscode from 'vscode';
import { onAbort } from '../base/clock';
import { schemes } from './contributions';

/** Shows texts as read-only documents, which do not have to be saved. */
export interface ReadonlyDocuments {
  /**
   * Shows a text, unless `lifetime` is aborted.
   *
   * @param name the title of the tab, with the file extension of its language.
   * @param lifetime empties the document when it is aborted.
   */
  show(name: string, text: string, lifetime?: AbortSignal): Promise<void>;
  /** Empties all documents. */
  clear(): void;
  dispose(): void;
}

interface ReportOptions {
  /** The scheme of the URIs. */
  readonly scheme: string;
  /** The text of an emptied document, and of one from before a reload. */
  readonly gone: () => string;
  /** Whether each text is a new document; otherwise it replaces the one of the same name. */
  readonly isAlwaysNew?: boolean;
}

interface Shown {
  readonly text: string;
  /** Unsubscribes from the lifetime. */
  readonly release: (() => void) | undefined;
}

export function createReadonlyDocuments(
  { scheme, gone, isAlwaysNew = false }: ReportOptions = {
    scheme: schemes.reports,
    gone: () => vscode.l10n.t('This report is no longer available.'),
  },
): ReadonlyDocuments {
  /** By their URIs. */
  const texts = new Map<string, Shown>();
  let count = 0;
  const changes = new vscode.EventEmitter<vscode.Uri>();
  const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changes.event,
    provideTextDocumentContent: (uri) => texts.get(uri.toString())?.text ?? gone(),
  });
  const forget = (uri: vscode.Uri): void => {
    texts.get(uri.toString())?.release?.();
    texts.delete(uri.toString());
  };
  const empty = (uri: vscode.Uri): void => {
    forget(uri);
    changes.fire(uri);
  };
  const closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => forget(uri));
  return {
    async show(name, text, lifetime) {
      if (lifetime?.aborted === true) return;
      const query = isAlwaysNew ? String(++count) : '';
      const uri = vscode.Uri.from({ scheme, path: `/${name}`, query });
      forget(uri);
      const release = lifetime && onAbort(lifetime, () => empty(uri));
      texts.set(uri.toString(), { text, release });
      changes.fire(uri);
      const document = await vscode.workspace.openTextDocument(uri);
      // It may have been emptied meanwhile.
      if (!texts.has(uri.toString())) return;
      await vscode.window.showTextDocument(document, { preview: true });
    },
    clear() {
      for (const uri of [...texts.keys()]) empty(vscode.Uri.parse(uri));
    },
    dispose() {
      vscode.Disposable.from(registration, closing, changes).dispose();
      for (const { release } of texts.values()) release?.();
    },
  };
}
