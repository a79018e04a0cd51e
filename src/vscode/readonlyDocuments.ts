import * as vscode from 'vscode';
import { schemes } from './contributions';
import { onAbort } from './notifications';

/** Shows texts of ours as read-only documents that nobody is asked to save. */
export interface ReadonlyDocuments {
  /**
   * Shows a text, unless it is too late for it.
   *
   * @param name what the tab says, with the extension of its language.
   * @param lifetime of what the text is about: it is emptied once that is over.
   */
  show(name: string, text: string, lifetime?: AbortSignal): Promise<void>;
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

interface Shown {
  readonly text: string;
  /** Lets go of the lifetime of the text. */
  readonly release: (() => void) | undefined;
}

export function createReadonlyDocuments(
  { scheme, gone, isAlwaysNew = false }: ReportOptions = {
    scheme: schemes.reports,
    gone: () => vscode.l10n.t('This report is not here any more.'),
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
      // It is empty by now, and would only be in the way.
      if (isOver(lifetime)) return;
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

/** Asked again after a wait, since it may have ended meanwhile. */
function isOver(lifetime: AbortSignal | undefined): boolean {
  return lifetime?.aborted === true;
}
