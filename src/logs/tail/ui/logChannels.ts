import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import type { Session, SessionState } from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import { Soon } from '../../../vscode/systemClock';
import { registerCommand } from '../../../vscode/commands';
import { channels, commands } from '../../../vscode/contributions';
import { counted } from '../../../vscode/numbers';
import { logSettings, logTimeZone, onDidChangeSettings } from '../../../vscode/settings';
import {
  type Formatter,
  createFormatter,
  isRecord,
  type LogLine,
  type Marker,
} from '../../record/logLine';
import { RecordJoiner } from '../../record/joinRecords';
import { ChannelLines } from '../channelLines';
import { endedBySignOut, type FollowedTail, type TailChange, type Tails } from '../tails';
import type { TailOutput } from '../tailState';
import { logChannelOf, ownChannelName } from './channelDocuments';
import { LogOutput } from './logOutput';
import { explanation } from './tailText';

const { t } = vscode.l10n;

/** A marker without its time, which it gets where it is added. */
type Notice = Omit<Marker, 'timestamp'>;

function marker(level: Marker['level'], text: string): Notice {
  return { level, text };
}

/** The line for a gap, dropped records, or a notice of the server. */
function outputMarker(
  { label }: FollowedTail,
  output: Exclude<TailOutput, { kind: 'records' }>,
): Notice {
  switch (output.kind) {
    case 'gap':
      return marker(
        'warning',
        t('Gap in {0}: the position was lost. Lines may be missing here.', label),
      );
    case 'dropped':
      return marker(
        'warning',
        counted(
          output.count,
          '{0} line of {1} dropped: logs arrived faster than they could be shown.',
          '{0} lines of {1} dropped: logs arrived faster than they could be shown.',
          label,
        ),
      );
    case 'partial':
      return marker(
        'warning',
        t('Following {0}: the control plane returned only part of the logs here.', label),
      );
    case 'accessChanged':
      return marker('info', t('Following {0}: the access of the API key changed here.', label));
  }
}

/**
 * The line for a start, an end or a failure. Reconnects, pauses and waits appear only in the status bar.
 */
function changeMarker(
  { followed, previous, listChanged }: TailChange,
  { all }: Pick<Tails, 'all'>,
  session: SessionState,
): Notice | undefined {
  const { label, tail } = followed;
  const { state } = tail;
  if (previous?.kind === state.kind) return undefined;
  switch (state.kind) {
    case 'connecting':
      return previous === undefined || previous.kind === 'stopped' || previous.kind === 'failed'
        ? marker('info', t('Following {0}.', label))
        : undefined;
    case 'stopped':
      return listChanged ? undefined : marker('info', t('Stopped following {0}.', label));
    case 'failed':
      if (endedBySignOut(state)) {
        // Once, not for each tail.
        if (session.kind === 'none' || all[0] !== followed) return undefined;
        return marker('info', t('Signed out of {0}.', session.connection.name));
      }
      return marker('error', t('Following {0} failed. {1}', label, explanation(state) ?? ''));
    default:
      return undefined;
  }
}

/** Milliseconds between reads: short enough to look immediate, long enough for batches. */
const readEvery = 100;
/** Milliseconds of formatting before other work gets its turn. */
const sliceTime = 12;
/** Records per read; small enough that a slice ends in time. */
const readAtOnce = 500;

/**
 * The channel `Control Plane Logs`, and one for each tail that is shown apart, until it is removed. Appends the
 * records of the tails in batches, the first one at once, says when each is shown, and marks them as read when they are
 * written.
 */
export class LogChannels {
  private readonly shared: LogChannel;
  private readonly own = new Map<FollowedTail, LogChannel>();
  private readonly subscriptions: vscode.Disposable;
  private formatZone: string;
  private readonly reading = new Soon(() => this.read());
  private lastRead = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly tails: Tails,
    private readonly names: Names,
    private readonly session: Session,
  ) {
    this.formatZone = logTimeZone(session);
    this.shared = new LogChannel(channels.logs, () => this.markRead(), channelStyle(session));
    this.subscriptions = vscode.Disposable.from(
      tails.onDidReceive(() => this.schedule()),
      tails.onDidChange((change) => this.showChange(change)),
      tails.onDidClear(() => this.clear()),
      onDidChangeSettings('logs', () => this.reformat()),
      registerCommand(commands.showLogs, (argument) => {
        const followed = tails.all.find((one) => one === argument);
        (followed === undefined ? this.shared : this.channelOf(followed)).show();
      }),
    );
  }

  /** The lines of the channel that a document shows; undefined if it is that of no log channel. */
  linesOf(document: vscode.TextDocument): ChannelLines | undefined {
    const name = logChannelOf(document);
    return this.all.find((channel) => channel.name === name)?.lines;
  }

  /** The newest records of each channel, oldest first. */
  newest(count: number): LogRecord[] {
    return this.all.flatMap(({ lines }) => lines.newest(count));
  }

  dispose(): void {
    this.reading.dispose();
    this.subscriptions.dispose();
    for (const channel of this.all) channel.dispose();
  }

  private get all(): readonly LogChannel[] {
    return [this.shared, ...this.own.values()];
  }

  private channelOf(followed: FollowedTail): LogChannel {
    if (!followed.hasOwnChannel) return this.shared;
    const known = this.own.get(followed);
    if (known !== undefined) return known;
    const name = ownChannelName(followed.label);
    const isTaken = (one: string): boolean => this.all.some((channel) => channel.name === one);
    let free = name;
    for (let number = 2; isTaken(free); number++) free = `${name} ${number}`;
    const didWrite = (): void => followed.tail.markRead();
    const channel = new LogChannel(free, didWrite, channelStyle(this.session));
    this.own.set(followed, channel);
    return channel;
  }

  /** What the tails of the shared channel have brought is written. */
  private markRead(): void {
    for (const { hasOwnChannel, tail } of this.tails.all) if (!hasOwnChannel) tail.markRead();
  }

  private schedule(): void {
    this.reading.in(Math.max(0, this.lastRead + readEvery - performance.now()));
  }

  private read(): void {
    this.lastRead = performance.now();
    if (logTimeZone(this.session) !== this.formatZone) this.reformat();
    let next = this.tails.read(readAtOnce);
    while (next !== undefined) {
      for (const output of next.outputs) this.show(next.followed, output);
      this.tails.didShow(next);
      if (performance.now() - this.lastRead > sliceTime) break;
      next = this.tails.read(readAtOnce);
    }
    for (const channel of this.all) channel.flush();
    if (next !== undefined) {
      this.lastRead = Number.NEGATIVE_INFINITY;
      this.schedule();
    }
  }

  private show(followed: FollowedTail, output: TailOutput): void {
    const channel = this.channelOf(followed);
    if (output.kind !== 'records') {
      this.mark(channel, outputMarker(followed, output));
      return;
    }
    for (const record of output.records) {
      this.names.remember('workload', record.workloadId, record.workloadName);
      channel.add(record);
    }
  }

  /** Applies other settings or another time zone, also to the lines that are already shown. */
  private reformat(): void {
    this.formatZone = logTimeZone(this.session);
    for (const channel of this.all) channel.configure(channelStyle(this.session));
  }

  private showChange(change: TailChange): void {
    const { followed } = change;
    if (!this.tails.all.includes(followed)) {
      this.own.get(followed)?.dispose();
      this.own.delete(followed);
      return;
    }
    const notice = changeMarker(change, this.tails, this.session.state);
    if (notice === undefined) return;
    const channel = this.channelOf(followed);
    this.mark(channel, notice);
    channel.flush();
  }

  /** Adds a marker with the time by the clock that dates the records around it. */
  private mark(channel: LogChannel, notice: Notice): void {
    channel.add({ timestamp: new Date(this.session.serverNow()).toISOString(), ...notice });
  }

  private clear(): void {
    this.names.clear();
    for (const channel of this.all) channel.clear();
  }
}

/** What the settings say of a channel. */
interface ChannelStyle {
  readonly maxLines: number;
  readonly joinLines: boolean;
  readonly format: Formatter;
}

/** An output channel of records and markers. */
class LogChannel {
  /** The entries that the channel shows, for links and hovers. */
  readonly lines: ChannelLines;
  private output: LogOutput | undefined;
  /** Records that are not in the channel yet, because the next one may be of the same entry. */
  private joiner = new RecordJoiner();
  private readonly releasing = new Soon(() => this.flush());

  /**
   * @param name of the channel, which no other one has.
   * @param didWrite called when all that was added is written, and nothing is held back.
   */
  constructor(
    readonly name: string,
    private readonly didWrite: () => void,
    private style: ChannelStyle,
  ) {
    this.lines = new ChannelLines(style.maxLines);
  }

  /** Adds a record or a marker to the next write. */
  add(entry: LogLine): void {
    if (isRecord(entry) && this.style.joinLines) {
      this.joiner.add(entry, performance.now());
      return;
    }
    this.write(this.joiner.readAll());
    this.write([entry]);
  }

  flush(): void {
    const now = performance.now();
    this.write(this.joiner.read(now));
    const due = this.joiner.dueIn(now);
    if (due !== undefined) this.releasing.in(due);
    if (this.output === undefined) this.wrote();
    else this.output.flush();
  }

  /** Applies another limit and format, also to the lines that are already shown. */
  configure(style: ChannelStyle): void {
    this.style = style;
    this.write(this.joiner.readAll());
    this.lines.configure(style.maxLines, style.format, style.joinLines);
    if (this.lines.entries === 0) return;
    this.open().replace();
    this.flush();
  }

  clear(): void {
    this.joiner = new RecordJoiner();
    this.lines.clear();
    this.output?.clear();
  }

  show(): void {
    this.open().show(true);
  }

  dispose(): void {
    this.releasing.dispose();
    this.output?.dispose();
  }

  private write(entries: readonly LogLine[]): void {
    for (const entry of entries) {
      const text = this.style.format(entry);
      if (this.lines.append(entry, text)) this.open().append(text);
      else this.open().replace();
    }
  }

  private wrote(): void {
    if (this.joiner.isEmpty) this.didWrite();
  }

  /** Created with the first line: an empty channel is of no use. */
  private open(): LogOutput {
    if (this.output !== undefined) return this.output;
    this.output = new LogOutput(
      this.name,
      () => vscode.window.createOutputChannel(this.name, 'log'),
      () => this.lines.text(),
    );
    this.output.onDidWrite(() => this.wrote());
    return this.output;
  }
}

function channelStyle(session: Session): ChannelStyle {
  const settings = logSettings();
  const { maxLines, joinLines } = settings;
  const format = createFormatter({ timeZone: logTimeZone(session), ...settings });
  return { maxLines, joinLines, format };
}
