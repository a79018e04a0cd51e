import * as vscode from 'vscode';
import { isLogDocument } from './logDocument';
import { renewed, type TextOutput } from './textOutput';

/** Characters after which VS Code's web worker host starts the file of a channel anew: 5 Mi. */
const fileLimit = 4 * 1024 * 1024;
/** How long a write may take to be seen, in milliseconds. */
const shownWithin = 2000;
/** How long it takes where nobody looks: the host writes what is hidden after 100 ms. */
const hiddenWrite = 300;

/**
 * The web worker host writes the file behind a visible channel without waiting for the write before,
 * which loses text, and then clears and replaces at wrong places. Here, one write waits for the one
 * before to be seen; what comes meanwhile is gathered.
 *
 * @param open makes a new, empty channel.
 * @param wholeText everything that the channel should show, what was appended last included.
 */
export function createPacedOutput(
  open: () => vscode.OutputChannel,
  wholeText: () => string,
): TextOutput {
  let channel = open();
  let pending = '';
  let replaces = false;
  let written = 0;
  let isBusy = false;
  let isDisposed = false;

  const write = (): string => {
    let text = pending;
    const replace = replaces;
    pending = '';
    replaces = false;
    if (written + text.length > fileLimit) {
      text = wholeText();
      channel = renewed(channel, open, text);
      written = 0;
    } else if (replace) channel.replace(text);
    else channel.append(text);
    written += text.length;
    return text;
  };

  const writeAll = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    while (!isDisposed && (replaces || pending !== '')) await seen(write());
    isBusy = false;
  };

  return {
    append(text) {
      pending += text;
      void writeAll();
    },
    replace(text) {
      pending = text;
      replaces = true;
      void writeAll();
    },
    clear() {
      this.replace('');
    },
    show: (preserveFocus) => channel.show(preserveFocus),
    dispose() {
      isDisposed = true;
      channel.dispose();
    },
  };
}

/** Resolves once the document of the channel ends with the text, or when it should have by now. */
async function seen(text: string): Promise<void> {
  const lastLine = text.slice(text.lastIndexOf('\n', text.length - 2) + 1, -1);
  const shows = (document: vscode.TextDocument): boolean =>
    text === ''
      ? document.getText() === ''
      : document.lineCount > 1 && document.lineAt(document.lineCount - 2).text === lastLine;
  const isOpen = vscode.workspace.textDocuments.some(isLogDocument);
  let subscription: vscode.Disposable | undefined;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, isOpen ? shownWithin : hiddenWrite);
    subscription = vscode.workspace.onDidChangeTextDocument((change) => {
      if (!isLogDocument(change.document) || !shows(change.document)) return;
      clearTimeout(timer);
      resolve();
    });
  });
  subscription?.dispose();
}
