import * as vscode from 'vscode';
import { onAbort } from '../base/clock';
import { schemes } from './contributions';

/**
 * A text with its links. They are made with it: what a provider finds in a text may be what others wrote to look
 * like one.
 */
export interface LinkedText {
  readonly text: string;
  readonly links: readonly vscode.DocumentLink[];
}

interface Shown extends LinkedText {
  /** Unsubscribes from the lifetime. */
  readonly release: (() => void) | undefined;
}

/** Shows texts as read-only documents, which do not have to be saved. */
export class ReadonlyDocuments {
  /** By their URIs. */
  private readonly texts = new Map<string, Shown>();
  private count = 0;
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration: vscode.Disposable;
  private readonly closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri));

  /**
   * @param scheme the scheme of the URIs.
   * @param gone the text of an emptied document, and of one from before a reload.
   * @param isAlwaysNew whether each text is a new document; otherwise it replaces the one of the same name.
   */
  constructor(
    private readonly scheme: string = schemes.reports,
    gone = () => vscode.l10n.t('This report is no longer available.'),
    private readonly isAlwaysNew = false,
  ) {
    this.registration = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(this.scheme, {
        onDidChange: this.changes.event,
        provideTextDocumentContent: (uri) => this.texts.get(uri.toString())?.text ?? gone(),
      }),
      vscode.languages.registerDocumentLinkProvider(
        { scheme: this.scheme },
        { provideDocumentLinks: ({ uri }) => [...(this.texts.get(uri.toString())?.links ?? [])] },
      ),
    );
  }

  /**
   * Shows a text, unless `lifetime` is aborted.
   *
   * @param name the title of the tab, with the file extension of its language.
   * @param lifetime empties the document when it is aborted.
   */
  async show(name: string, shown: string | LinkedText, lifetime?: AbortSignal): Promise<void> {
    if (lifetime?.aborted === true) return;
    const query = this.isAlwaysNew ? String(++this.count) : '';
    const uri = vscode.Uri.from({ scheme: this.scheme, path: `/${name}`, query });
    this.forget(uri);
    const release = lifetime && onAbort(lifetime, () => this.empty(uri));
    const { text, links } = typeof shown === 'string' ? { text: shown, links: [] } : shown;
    this.texts.set(uri.toString(), { text, links, release });
    this.changes.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    // It may have been emptied meanwhile.
    if (!this.texts.has(uri.toString())) return;
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** Empties all documents. */
  clear(): void {
    for (const uri of [...this.texts.keys()]) this.empty(vscode.Uri.parse(uri));
  }

  dispose(): void {
    vscode.Disposable.from(this.registration, this.closing, this.changes).dispose();
    for (const { release } of this.texts.values()) release?.();
  }

  private forget(uri: vscode.Uri): void {
    this.texts.get(uri.toString())?.release?.();
    this.texts.delete(uri.toString());
  }

  private empty(uri: vscode.Uri): void {
    this.forget(uri);
    this.changes.fire(uri);
  }
}
