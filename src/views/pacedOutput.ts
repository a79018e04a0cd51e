import * as vscode from 'vscode';
import { isLogDocument } from './logDocument';
import { logTexts, renewed, type TextOutput } from './textOutput';

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

  /** Writes what is pending; resolves once it is seen. */
  const write = async (): Promise<void> => {
    const text = pending;
    const replace = replaces;
    pending = '';
    replaces = false;
    if (written + text.length > fileLimit) {
      const whole = wholeText();
      const renewal = renewed(channel, open, whole);
      channel = renewal.channel;
      written = whole.length;
      await renewal.settled;
      if (!logTexts().some((document) => shows(document, whole))) await seen(whole);
      return;
    }
    if (replace) channel.replace(text);
    else channel.append(text);
    written += text.length;
    await seen(text);
  };

  const writeAll = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    while (!isDisposed && (replaces || pending !== '')) await write();
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

/** Whether a document shows the text at its end. */
function shows(document: vscode.TextDocument, text: string): boolean {
  if (text === '') return document.getText() === '';
  const lastLine = text.slice(text.lastIndexOf('\n', text.length - 2) + 1, -1);
  return document.lineCount > 1 && document.lineAt(document.lineCount - 2).text === lastLine;
}

/** Resolves once the document of the channel changes to show the text, or when it should have. */
async function seen(text: string): Promise<void> {
  let subscription: vscode.Disposable | undefined;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, logTexts().length > 0 ? shownWithin : hiddenWrite);
    subscription = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (!isLogDocument(document) || !shows(document, text)) return;
      clearTimeout(timer);
      resolve();
    });
  });
  subscription?.dispose();
}
