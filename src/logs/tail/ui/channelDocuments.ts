import * as vscode from 'vscode';
import { rowText } from '../../../base/untrustedText';
import { channels } from '../../../vscode/contributions';
import { countLines } from '../channelLines';

/** What VS Code shows of a channel: it tells nothing about a channel but the changes of its document. */

/** The longest wait for a write to become visible, in milliseconds: enough for a busy editor. */
const shownWithin = 10_000;

/** How long VS Code may take to load the text of a visible channel, in milliseconds. */
const loadedWithin = 15_000;

/** The name of the output channel that a document shows; undefined if it is no such document. */
function channelOf({ uri }: vscode.TextDocument): string | undefined {
  // VS Code provides no better id: `extension-output-publisher.name-#1-Control Plane Logs`.
  return uri.scheme === 'output' ? /-#\d+-(.*)$/s.exec(uri.path)?.[1] : undefined;
}

const ownChannelEnd = ` - ${channels.logs}`;
/** The longest label in the name of a channel, in UTF-16 units: it becomes the name of a file, too. */
const longestLabel = 40;

/** The name of the channel for what is followed apart from the rest: the list of channels shows how a name begins. */
export function ownChannelName(label: string): string {
  return rowText(label, longestLabel) + ownChannelEnd;
}

/** The name of the log channel that a document shows: `Control Plane Logs`, or one that ends like it. */
export function logChannelOf(document: vscode.TextDocument): string | undefined {
  const name = channelOf(document);
  return name === channels.logs || name?.endsWith(ownChannelEnd) === true ? name : undefined;
}

/** What VS Code shows of one channel. */
export class ChannelDocuments {
  /** @param name of the channel. */
  constructor(private readonly name: string) {}

  /** The documents of the channel. VS Code opens one when the channel is first shown. */
  get all(): vscode.TextDocument[] {
    return vscode.workspace.textDocuments.filter((document) => this.has(document));
  }

  get isVisible(): boolean {
    return vscode.window.visibleTextEditors.some(({ document }) => this.has(document));
  }

  /**
   * Resolves when a visible document of the channel has text, or after a time limit.
   *
   * @param except documents that do not count.
   * @param lines the least number of lines of the text.
   */
  async loaded(except: readonly vscode.TextDocument[] = [], lines = 2): Promise<void> {
    const isLoaded = ({ document }: vscode.TextEditor): boolean =>
      this.has(document) && document.lineCount >= lines && !except.includes(document);
    await until(loadedWithin, (check) => {
      const look = (): void => check(vscode.window.visibleTextEditors.some(isLoaded));
      return [
        vscode.window.onDidChangeVisibleTextEditors(look),
        vscode.workspace.onDidChangeTextDocument(look),
      ];
    });
  }

  /**
   * Resolves when a document of the channel shows the text, when it is aborted, or after a time limit.
   *
   * @param hiddenWithin the limit in milliseconds if there is no document, because the channel is hidden.
   */
  async seen(
    text: string,
    isVisible: typeof shows,
    hiddenWithin: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { onDidChangeTextDocument, onDidOpenTextDocument } = vscode.workspace;
    const within = this.all.length > 0 ? shownWithin : hiddenWithin;
    await until(within, (check) => {
      const look = (document: vscode.TextDocument): void =>
        check(this.has(document) && isVisible(document, text));
      // A document opens with the current text.
      const end = (): void => check(true);
      signal.addEventListener('abort', end);
      return [
        onDidChangeTextDocument(({ document }) => look(document)),
        onDidOpenTextDocument(look),
        new vscode.Disposable(() => signal.removeEventListener('abort', end)),
      ];
    });
  }

  private has(document: vscode.TextDocument): boolean {
    return channelOf(document) === this.name;
  }
}

/** Whether the text of a document ends with a text. */
export function shows(document: vscode.TextDocument, text: string): boolean {
  if (text === '') return document.getText() === '';
  const lastLine = text.slice(text.lastIndexOf('\n', text.length - 2) + 1, -1);
  return document.lineCount > 1 && document.lineAt(document.lineCount - 2).text === lastLine;
}

/** Whether a document ends with a text and has as many lines; also if the user has cleared it. */
export function showsOnly(document: vscode.TextDocument, text: string): boolean {
  if (document.lineCount <= 1) return true;
  return shows(document, text) && document.lineCount === countLines(text) + 1;
}

/** The first lines of documents that are whole, because to look for one in all the text takes long. */
const wholeStarts = new WeakMap<vscode.TextDocument, string>();

/**
 * Whether a document starts with half a line. VS Code reads the file of a channel from where it ended before,
 * and a web worker host can lose the start of the file: two of its writes overlap.
 *
 * @param wholeText the whole text of the channel, of which the user may have cleared some lines.
 */
export function startsWithHalf(document: vscode.TextDocument, wholeText: () => string): boolean {
  const first = document.lineAt(0).text;
  if (document.lineCount <= 1 || wholeStarts.get(document) === first) return false;
  const text = `\n${wholeText()}`;
  // A line that is not there at all is older than what the channel is to show.
  if (text.includes(`${first}\n`) && !text.includes(`\n${first}\n`)) return true;
  wholeStarts.set(document, first);
  return false;
}

/** Whether a document has exactly this text. Compares the end first, which is fast. */
export function isShown(document: vscode.TextDocument, text: string): boolean {
  return shows(document, text) && document.getText() === text;
}

/** Resolves when one of the listeners calls `check` with true, or after a time limit. */
async function until(
  milliseconds: number,
  listen: (check: (isSo: boolean) => void) => readonly vscode.Disposable[],
): Promise<void> {
  let subscriptions: readonly vscode.Disposable[] = [];
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    subscriptions = listen((isSo) => {
      if (!isSo) return;
      clearTimeout(timer);
      resolve();
    });
  });
  vscode.Disposable.from(...subscriptions).dispose();
}
