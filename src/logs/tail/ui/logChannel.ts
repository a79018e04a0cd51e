import * as vscode from 'vscode';
import type { LogLine } from '../../record/logLine';
import { ChannelLines, type ChannelLinesOptions } from '../channelLines';
import { createLogOutput, type LogOutput } from './logOutput';

/** An output channel of records and markers. */
export class LogChannel {
  /** The entries that the channel shows, for links and hovers. */
  readonly lines: ChannelLines;
  private output: LogOutput | undefined;

  /** @param name of the channel, which no other one has. */
  constructor(
    readonly name: string,
    private options: ChannelLinesOptions,
  ) {
    this.lines = new ChannelLines(options);
  }

  /** Adds an entry to the next write. */
  add(entry: LogLine): void {
    const text = this.options.format(entry);
    if (this.lines.append(entry, text)) this.open().append(text);
    else this.open().replace();
  }

  flush(): void {
    this.output?.flush();
  }

  /** Applies other options, also to the lines that are already shown. */
  configure(options: ChannelLinesOptions): void {
    this.options = options;
    this.lines.configure(options);
    if (this.lines.entries === 0) return;
    this.open().replace();
    this.flush();
  }

  clear(): void {
    this.lines.clear();
    this.output?.clear();
  }

  show(): void {
    this.open().show(true);
  }

  dispose(): void {
    this.output?.dispose();
  }

  /** Created with the first line: an empty channel is of no use. */
  private open(): LogOutput {
    return (this.output ??= createLogOutput(
      this.name,
      () => vscode.window.createOutputChannel(this.name, 'log'),
      () => this.lines.text(),
    ));
  }
}
