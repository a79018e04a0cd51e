import type * as vscode from 'vscode';
import { second } from '../../../base/clock';
import { type Disposable, Emitter, type Event } from '../../../base/event';
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
const writeMuchEvery = second;
/** The same if the oldest lines must be removed, which writes all lines again. */
const replaceEvery = 2000;

/** The most characters of one append. Larger ones block other messages of the editor. */
const pieceLength = 256 * 1024;

/**
 * The text of an output channel, written no faster than VS Code can handle. Each write waits until the one
 * before is visible; text that arrives meanwhile is collected. VS Code reads, shows and colours the text again
 * for each append, so many appends would show nothing until the end and take twice the time. Large amounts are
 * written with pauses, because colouring takes far longer if text arrives meanwhile.
 */
export class LogOutput implements Disposable {
  private readonly writes = new Emitter<void>();
  /** All text that was added is written to the channel. */
  readonly onDidWrite: Event<void> = this.writes.event;
  private readonly documents: ChannelDocuments;
  private channel: vscode.OutputChannel;
  private pending: string[] = [];
  private replaces = false;
  /** Characters since the last write. */
  private gathered = 0;
  /** Bytes in the file, and how many of them were there when the channel was new. */
  private written = 0;
  private atFirst = 0;
  private wantsNewFile = false;
  /** Resolves when VS Code has loaded the channel, which must not be replaced before. */
  private loading = Promise.resolve();
  /** Whether nothing was written since the channel was new or cleared. */
  private isEmpty = true;
  /** Aborted when the channel is cleared: what was written before is never seen then. */
  private clearing = new AbortController();
  private isBusy = false;
  private isDisposed = false;
  /** Ends the wait of a write for the channel to be shown. */
  private endWait = (): void => undefined;

  /**
   * @param name of the channel.
   * @param open creates a new, empty channel with this name.
   * @param wholeText the whole text of the channel, including what was appended last.
   * @param fileLimit bytes after which a new channel replaces the old one.
   */
  constructor(
    name: string,
    private readonly open: () => vscode.OutputChannel,
    private readonly wholeText: () => string,
    private readonly fileLimit = host.fileLimit,
  ) {
    this.documents = new ChannelDocuments(name);
    this.channel = open();
  }

  /** Adds text to the next write. */
  append(text: string): void {
    this.gathered += text.length;
    // The whole text contains it already.
    if (this.replaces) return;
    const { pending } = this;
    const last = pending.at(-1);
    if (last === undefined || last.length + text.length > pieceLength) pending.push(text);
    else pending[pending.length - 1] = last + text;
  }

  /** Replaces the whole text with the next write. */
  replace(): void {
    this.pending = [];
    this.replaces = true;
  }

  /** Writes the pending text now, or as soon as the write before is visible. */
  flush(): void {
    if (this.replaces || this.pending.length > 0) void this.writeAll();
    else this.writes.fire();
  }

  /** Empties the channel at once. */
  clear(): void {
    this.gathered = 0;
    this.pending = [];
    // Nothing would be lost, so start a new file with the next text.
    this.wantsNewFile = this.written > this.fileLimit / 4;
    this.replaces = !host.keepsOrder;
    if (this.replaces) {
      void this.writeAll();
      return;
    }
    this.channel.clear();
    this.isEmpty = true;
    this.clearing.abort();
    this.clearing = new AbortController();
  }

  show(preserveFocus: boolean): void {
    const { documents } = this;
    if (documents.all.length === 0) this.loading = documents.loaded([], this.isEmpty ? 1 : 2);
    this.channel.show(preserveFocus);
    this.endWait();
  }

  dispose(): void {
    this.isDisposed = true;
    this.writes.dispose();
    this.channel.dispose();
  }

  /** Resolves when the channel is shown and loaded, or stays hidden. */
  private async decided(): Promise<void> {
    if (this.documents.all.length === 0) {
      await Promise.race([
        pause(host.hiddenAfter),
        new Promise<void>((resolve) => (this.endWait = resolve)),
      ]);
    }
    await this.loading;
  }

  private async writeAll(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    if (host.hiddenAfter > 0) await this.decided();
    while (!this.isDisposed && (this.replaces || this.pending.length > 0)) {
      const start = performance.now();
      await this.write();
      if (this.gathered <= pieceLength) continue;
      await pause(start + (this.replaces ? replaceEvery : writeMuchEvery) - performance.now());
    }
    this.isBusy = false;
  }

  /** Writes the pending text. Resolves when it is visible. */
  private async write(): Promise<void> {
    const { documents, replaces, pending } = this;
    const texts = replaces ? [this.wholeText()] : host.keepsOrder ? pending : [pending.join('')];
    const size = sizeOf(texts);
    // If the shown text is nearly as large as the file may be, it is not rewritten every time.
    const isWorthIt = replaces || this.written - this.atFirst >= this.fileLimit / 2;
    if (this.wantsNewFile || (this.written + size > this.fileLimit && isWorthIt)) {
      await this.renew();
      return;
    }
    // Nothing would change, so nothing would tell when VS Code is done with the replacement.
    const isThere = replaces && documents.all.some((document) => isShown(document, texts[0] ?? ''));
    // The end of a replacement can be visible below the old lines before it replaces them.
    const isVisible = replaces ? showsOnly : shows;
    const isBroken = (document: vscode.TextDocument): boolean =>
      startsWithHalf(document, this.wholeText);
    for (const text of isThere ? [] : texts) {
      if (replaces) this.channel.replace(text);
      else this.channel.append(text);
    }
    if (!isThere) this.written += size;
    this.isEmpty = size === 0 && (this.isEmpty || replaces);
    this.didWriteAll();
    if (isThere) return;
    const isSettled: typeof shows = (document, text) =>
      isVisible(document, text) || isBroken(document);
    await documents.seen(texts.at(-1) ?? '', isSettled, host.hiddenWithin, this.clearing.signal);
    // The file cannot be repaired: what is written next would be read from the wrong place, too.
    if (documents.all.some(isBroken)) await this.renew();
  }

  private didWriteAll(): void {
    this.gathered = 0;
    this.pending = [];
    this.replaces = false;
    this.writes.fire();
  }

  private async renew(): Promise<void> {
    await this.loading;
    if (this.isDisposed) return;
    this.wantsNewFile = false;
    const { documents } = this;
    const text = this.wholeText();
    const renewal = renewed(documents, this.channel, this.open, text);
    this.channel = renewal.channel;
    this.written = sizeOf([text]);
    this.atFirst = this.written;
    this.isEmpty = text === '';
    this.didWriteAll();
    const { signal } = this.clearing;
    await renewal.settled;
    if (!documents.all.some((document) => shows(document, text)))
      await documents.seen(text, shows, host.hiddenWithin, signal);
  }
}

const encoder = new TextEncoder();

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((size, text) => size + encoder.encode(text).length, 0);
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
