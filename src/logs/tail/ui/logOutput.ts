import type * as vscode from 'vscode';
import { isWebWorker } from '../../../vscode/extensionHost';
import { ChannelDocuments, isShown, shows, showsOnly, startsWithHalf } from './channelDocuments';

/** How a host of VS Code handles the text of a channel. */
interface Host {
  /** The file size of a channel, in bytes, at which the host starts the file again. */
  readonly fileLimit: number;
  /**
   * Whether it applies writes one after the other. If not, a write must be visible before the next one.
   */
  readonly keepsOrder: boolean;
  /** How long to wait for a write while the channel is hidden, in milliseconds. */
  readonly hiddenWithin: number;
  /**
   * How long a write to a hidden channel waits, in milliseconds, because the channel may be shown in the
   * same moment: VS Code then reads its file twice, and what is written next loses its start.
   */
  readonly hiddenAfter: number;
}

const host: Host = isWebWorker
  ? // Starts the file again at 5 MiB, and applies hidden writes after 100 ms, or after seconds if the
    // window is busy. A write that overtakes another can leave half of a line.
    { fileLimit: 4 * 1024 * 1024, keepsOrder: false, hiddenWithin: 5000, hiddenAfter: 300 }
  : // Starts the file again at 30 MiB but counts on: after that, a cleared or replaced channel stays
    // empty. A replacement that overtakes another shows its text twice.
    { fileLimit: 28 * 1024 * 1024, keepsOrder: true, hiddenWithin: 100, hiddenAfter: 0 };

/** Milliseconds between two writes if one write cannot hold everything. */
const writeMuchEvery = 1000;
/** The same if the oldest lines must be removed, which writes all lines again. */
const replaceEvery = 2000;

/** The most characters of one append. Larger ones block other messages of the editor. */
const pieceLength = 256 * 1024;

/** The text of an output channel, written no faster than VS Code can handle. */
export interface LogOutput {
  /** Adds text to the next write. */
  append(text: string): void;
  /** Replaces the whole text with the next write. */
  replace(): void;
  /** Writes the pending text now, or as soon as the write before is visible. */
  flush(): void;
  /** Empties the channel at once. */
  clear(): void;
  show(preserveFocus: boolean): void;
  dispose(): void;
}

/**
 * Each write waits until the one before is visible; text that arrives meanwhile is collected. VS Code
 * reads, shows and colours the text again for each append, so many appends would show nothing until the
 * end and take twice the time. Large amounts are written with pauses, because colouring takes far longer
 * if text arrives meanwhile.
 *
 * @param name of the channel.
 * @param open creates a new, empty channel with this name.
 * @param wholeText the whole text of the channel, including what was appended last.
 * @param fileLimit bytes after which a new channel replaces the old one.
 */
export function createLogOutput(
  name: string,
  open: () => vscode.OutputChannel,
  wholeText: () => string,
  fileLimit = host.fileLimit,
): LogOutput {
  const encoder = new TextEncoder();
  const sizeOf = (texts: readonly string[]): number =>
    texts.reduce((size, text) => size + encoder.encode(text).length, 0);

  const documents = new ChannelDocuments(name);
  let channel = open();
  let pending: string[] = [];
  let replaces = false;
  /** Characters since the last write. */
  let gathered = 0;
  /** Bytes in the file, and how many of them were there when the channel was new. */
  let written = 0;
  let atFirst = 0;
  let wantsNewFile = false;
  /** Resolves when VS Code has loaded the channel, which must not be replaced before. */
  let loading = Promise.resolve();
  /** Whether nothing was written since the channel was new or cleared. */
  let isEmpty = true;
  /** Aborted when the channel is cleared: what was written before is never seen then. */
  let clearing = new AbortController();
  let isBusy = false;
  let isDisposed = false;
  /** Ends the wait of a write for the channel to be shown. */
  let didShow = (): void => undefined;

  /** Resolves when the channel is shown and loaded, or stays hidden. */
  const decided = async (): Promise<void> => {
    if (documents.all.length === 0) {
      await Promise.race([
        pause(host.hiddenAfter),
        new Promise<void>((resolve) => (didShow = resolve)),
      ]);
    }
    await loading;
  };

  const renew = async (): Promise<void> => {
    await loading;
    if (isDisposed) return;
    gathered = 0;
    pending = [];
    replaces = false;
    wantsNewFile = false;
    const text = wholeText();
    const renewal = renewed(documents, channel, open, text);
    channel = renewal.channel;
    written = sizeOf([text]);
    atFirst = written;
    isEmpty = text === '';
    const { signal } = clearing;
    await renewal.settled;
    if (!documents.all.some((document) => shows(document, text)))
      await documents.seen(text, shows, host.hiddenWithin, signal);
  };

  /** Writes the pending text. Resolves when it is visible. */
  const write = async (): Promise<void> => {
    const texts = replaces ? [wholeText()] : host.keepsOrder ? pending : [pending.join('')];
    const size = sizeOf(texts);
    // If the shown text is nearly as large as the file may be, it is not rewritten every time.
    const isWorthIt = replaces || written - atFirst >= fileLimit / 2;
    if (wantsNewFile || (written + size > fileLimit && isWorthIt)) {
      await renew();
      return;
    }
    // Nothing would change, so nothing would tell when VS Code is done with the replacement.
    const isThere = replaces && documents.all.some((document) => isShown(document, texts[0] ?? ''));
    // The end of a replacement can be visible below the old lines before it replaces them.
    const isVisible = replaces ? showsOnly : shows;
    const isBroken = (document: vscode.TextDocument): boolean =>
      startsWithHalf(document, wholeText);
    for (const text of isThere ? [] : texts) {
      if (replaces) channel.replace(text);
      else channel.append(text);
    }
    if (!isThere) written += size;
    isEmpty = size === 0 && (isEmpty || replaces);
    gathered = 0;
    pending = [];
    replaces = false;
    if (isThere) return;
    const isSettled: typeof shows = (document, text) =>
      isVisible(document, text) || isBroken(document);
    await documents.seen(texts.at(-1) ?? '', isSettled, host.hiddenWithin, clearing.signal);
    // The file cannot be repaired: what is written next would be read from the wrong place, too.
    if (documents.all.some(isBroken)) await renew();
  };

  const writeAll = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    if (host.hiddenAfter > 0) await decided();
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
      // The whole text contains it already.
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
      // Nothing would be lost, so start a new file with the next text.
      wantsNewFile = written > fileLimit / 4;
      replaces = !host.keepsOrder;
      if (replaces) {
        void writeAll();
        return;
      }
      channel.clear();
      isEmpty = true;
      clearing.abort();
      clearing = new AbortController();
    },
    show(preserveFocus) {
      if (documents.all.length === 0) loading = documents.loaded([], isEmpty ? 1 : 2);
      channel.show(preserveFocus);
      didShow();
    },
    dispose() {
      isDisposed = true;
      channel.dispose();
    },
  };
}

async function pause(time: number): Promise<void> {
  if (time > 0) await new Promise((resolve) => setTimeout(resolve, time));
}

/** A channel that replaces another one. */
interface Renewal {
  readonly channel: vscode.OutputChannel;
  /** Resolves when the old channel is gone. Do not replace the new one before that. */
  readonly settled: Promise<void>;
}

/** Replaces a channel by a new one with this text. The new channel has its own file. */
function renewed(
  documents: ChannelDocuments,
  old: vscode.OutputChannel,
  open: () => vscode.OutputChannel,
  text: string,
): Renewal {
  const { isVisible } = documents;
  const channel = open();
  channel.append(text);
  if (!isVisible) {
    old.dispose();
    return { channel, settled: Promise.resolve() };
  }
  // If the visible channel is disposed first, VS Code shows some other channel. A channel that is
  // disposed while it loads stays in memory.
  const settled = documents.loaded(documents.all, text === '' ? 1 : 2).then(() => old.dispose());
  channel.show(true);
  return { channel, settled };
}
