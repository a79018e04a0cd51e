import * as vscode from 'vscode';
import { isWebWorker } from '../../../vscode/host';
import { isLogDocument } from './logLinks';
import { loaded, logTexts, renewed } from './renewedChannel';

/** What a host of VS Code does with the text of a channel. */
interface Host {
  /** Bytes that it writes to the file behind a channel before it begins the file again. */
  readonly fileLimit: number;
  /** Whether it writes one text after the other; else one must be seen before the next is written. */
  readonly keepsOrder: boolean;
  /** Milliseconds after which a text that is not seen is no longer waited for. */
  readonly shownWithin: number;
  /** The same where nobody looks. */
  readonly hiddenWithin: number;
}

const host: Host = isWebWorker
  ? // Begins again at 5 Mi; writes what is hidden after 100 ms. A write before the last one is seen can leave
    // half of a line, so even a busy editor gets the time that it needs.
    { fileLimit: 4 * 1024 * 1024, keepsOrder: false, shownWithin: 10_000, hiddenWithin: 1000 }
  : // Begins again at 30 MiB, and counts on as if it had not: from then on, clearing or replacing
    // leaves nothing to be seen, ever.
    { fileLimit: 28 * 1024 * 1024, keepsOrder: true, shownWithin: 2000, hiddenWithin: 100 };

/** Milliseconds between two writes where so much comes that one piece does not hold it. */
const writeMuchEvery = 1000;
/** The same where so much comes that the oldest lines must go: then all lines are written again. */
const replaceEvery = 2000;

/** At most this many characters in one append: larger ones hold up the editor's other messages. */
const pieceLength = 256 * 1024;

/** The text of an output channel, of which there may be more than VS Code copes with. */
export interface LogOutput {
  /** Gathers more text for the next write. */
  append(text: string): void;
  /** Has the whole text take the place of what is shown, at the next write. */
  replace(): void;
  /** Writes what was gathered, or as soon as what was written before is seen. */
  flush(): void;
  /** Empties the channel at once. */
  clear(): void;
  show(preserveFocus: boolean): void;
  dispose(): void;
}

/**
 * A write waits until the one before is seen, and what comes meanwhile is gathered: each append makes
 * VS Code read, show and colour the text anew, and of a flood of them nothing was seen until it was
 * over, after twice the time. Where much comes, the editor is left alone for longer: then it colours
 * what it shows, which takes far longer when more text comes meanwhile.
 *
 * @param open makes a new, empty channel.
 * @param wholeText everything that the channel should show, what was appended last included.
 * @param fileLimit bytes after which a new channel takes the place of the old one.
 */
export function createLogOutput(
  open: () => vscode.OutputChannel,
  wholeText: () => string,
  fileLimit = host.fileLimit,
): LogOutput {
  const encoder = new TextEncoder();
  const sizeOf = (texts: readonly string[]): number =>
    texts.reduce((size, text) => size + encoder.encode(text).length, 0);

  let channel = open();
  let pending: string[] = [];
  let replaces = false;
  /** Characters that came since the last write. */
  let gathered = 0;
  /** Bytes in the file, and how many of them were there when the channel was new. */
  let written = 0;
  let atFirst = 0;
  let wantsNewFile = false;
  /** Resolves once VS Code has loaded the channel, which must stay in its place until then. */
  let loading = Promise.resolve();
  let isBusy = false;
  let isDisposed = false;

  const renew = async (): Promise<void> => {
    await loading;
    if (isDisposed) return;
    gathered = 0;
    pending = [];
    replaces = false;
    wantsNewFile = false;
    const text = wholeText();
    const renewal = renewed(channel, open, text);
    channel = renewal.channel;
    written = sizeOf([text]);
    atFirst = written;
    await renewal.settled;
    if (!logTexts().some((document) => shows(document, text))) await seen(text);
  };

  /** Writes what was gathered; resolves once it is seen. */
  const write = async (): Promise<void> => {
    const texts = replaces ? [wholeText()] : host.keepsOrder ? pending : [pending.join('')];
    const size = sizeOf(texts);
    // Where all that is shown is nearly as much as the file may hold, it is not written every time.
    const isWorthIt = replaces || written - atFirst >= fileLimit / 2;
    if (wantsNewFile || (written + size > fileLimit && isWorthIt)) {
      await renew();
      return;
    }
    // Where nothing changes, nothing tells that it is seen.
    const isThere = replaces && logTexts().some((document) => isShown(document, texts[0] ?? ''));
    for (const text of texts) {
      if (replaces) channel.replace(text);
      else channel.append(text);
    }
    written += size;
    gathered = 0;
    pending = [];
    replaces = false;
    if (!isThere) await seen(texts.at(-1) ?? '');
  };

  const writeAll = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    while (!isDisposed && (replaces || pending.length > 0)) {
      const start = performance.now();
      await write();
      if (gathered <= pieceLength) continue;
      await pause(start + (replaces ? replaceEvery : writeMuchEvery) - performance.now());
    }
    isBusy = false;
  };

  return {
    append(text) {
      gathered += text.length;
      // The whole text has it already.
      if (replaces) return;
      const last = pending.at(-1);
      if (last === undefined || last.length + text.length > pieceLength) pending.push(text);
      else pending[pending.length - 1] = last + text;
    },
    replace() {
      pending = [];
      replaces = true;
    },
    flush() {
      void writeAll();
    },
    clear() {
      gathered = 0;
      pending = [];
      // There is nothing to keep: no better moment to begin a new file, with what comes next.
      wantsNewFile = written > fileLimit / 4;
      replaces = !host.keepsOrder;
      if (replaces) void writeAll();
      else channel.clear();
    },
    show(preserveFocus) {
      if (logTexts().length === 0) loading = loaded();
      channel.show(preserveFocus);
    },
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

/** Whether a document shows the text and nothing else; its end is looked at first, which is cheap. */
function isShown(document: vscode.TextDocument, text: string): boolean {
  return shows(document, text) && document.getText() === text;
}

/** Resolves once the document of the channel comes to show the text, or when it should have. */
async function seen(text: string): Promise<void> {
  const subscriptions: vscode.Disposable[] = [];
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, logTexts().length > 0 ? host.shownWithin : host.hiddenWithin);
    const check = (document: vscode.TextDocument): void => {
      if (!isLogDocument(document) || !shows(document, text)) return;
      clearTimeout(timer);
      resolve();
    };
    subscriptions.push(
      vscode.workspace.onDidChangeTextDocument((change) => check(change.document)),
      // A document opens with the text that is there by then.
      vscode.workspace.onDidOpenTextDocument(check),
    );
  });
  subscriptions.forEach((one) => void one.dispose());
}

async function pause(time: number): Promise<void> {
  if (time > 0) await new Promise((resolve) => setTimeout(resolve, time));
}
