import * as vscode from 'vscode';
import type { Session, SessionState } from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import { registerCommand } from '../../../vscode/commands';
import { channels, commands } from '../../../vscode/contributions';
import { counted } from '../../../vscode/numbers';
import { logSettings, logTimeZone, onDidChangeSettings } from '../../../vscode/settings';
import { createFormatter, type Formatter, type LogLine, type Marker } from '../../record/logLine';
import { ChannelLines } from '../channelLines';
import { endedBySignOut, type FollowedTail, type TailChange, type Tails } from '../tails';
import type { TailOutput } from '../types';
import { createLogOutput, type LogOutput } from './logOutput';
import { explanation } from './tailText';

const { t } = vscode.l10n;

function marker(level: Marker['level'], text: string): Marker {
  return { timestamp: new Date().toISOString(), level, text };
}

/** The line for a gap, dropped records, or a notice of the server. */
function outputMarker(
  { label }: FollowedTail,
  output: Exclude<TailOutput, { kind: 'records' }>,
): Marker {
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
): Marker | undefined {
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

/** Milliseconds between takes: short enough to look immediate, long enough for batches. */
const takeEvery = 100;
/** Milliseconds of formatting before other work gets its turn. */
const sliceTime = 12;
/** Records per take; small enough that a slice ends in time. */
const takeAtOnce = 500;

/**
 * The channel `Control Plane Logs`: appends the records of the tails in batches, the first one at once, and
 * acknowledges each.
 */
export class LogChannel {
  /** The entries that the channel shows, for links and hovers. */
  readonly lines: ChannelLines;
  private readonly subscriptions: vscode.Disposable;
  private output: LogOutput | undefined;
  private format: Formatter;
  private formatZone: string;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastTake = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly tails: Tails,
    private readonly names: Names,
    private readonly session: Session,
  ) {
    this.format = formatterFor(session);
    this.formatZone = logTimeZone(session);
    this.lines = new ChannelLines({ maxLines: logSettings().maxLines, format: this.format });
    this.subscriptions = vscode.Disposable.from(
      tails.onDidReceive(() => this.schedule()),
      tails.onDidChange((change) => this.showChange(change)),
      tails.onDidClear(() => this.clear()),
      onDidChangeSettings('logs', () => this.reformat()),
      registerCommand(commands.showLogs, () => this.open().show(true)),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.dispose();
    this.output?.dispose();
  }

  /** Created with the first line: an empty channel is of no use. */
  private open(): LogOutput {
    return (this.output ??= createLogOutput(
      () => vscode.window.createOutputChannel(channels.logs, 'log'),
      () => this.lines.text(),
    ));
  }

  private schedule(): void {
    const wait = Math.max(0, this.lastTake + takeEvery - performance.now());
    this.timer ??= setTimeout(() => this.take(), wait);
  }

  private take(): void {
    this.timer = undefined;
    this.lastTake = performance.now();
    if (logTimeZone(this.session) !== this.formatZone) this.reformat();
    let taken = this.tails.take(takeAtOnce);
    while (taken !== undefined) {
      for (const output of taken.outputs) this.show(taken.followed, output);
      this.tails.acknowledge(taken);
      if (performance.now() - this.lastTake > sliceTime) break;
      taken = this.tails.take(takeAtOnce);
    }
    this.output?.flush();
    if (taken !== undefined) {
      this.lastTake = Number.NEGATIVE_INFINITY;
      this.schedule();
    }
  }

  private show(followed: FollowedTail, taken: TailOutput): void {
    if (taken.kind !== 'records') {
      this.add(outputMarker(followed, taken));
      return;
    }
    for (const record of taken.records) {
      this.names.learn('workload', record.workloadId, record.workloadName);
      this.add(record);
    }
  }

  private add(entry: LogLine): void {
    const text = this.format(entry);
    if (this.lines.append(entry, text)) this.open().append(text);
    else this.open().replace();
  }

  /** Applies other settings or another time zone, also to the lines that are already shown. */
  private reformat(): void {
    this.formatZone = logTimeZone(this.session);
    this.format = formatterFor(this.session);
    this.lines.configure({ maxLines: logSettings().maxLines, format: this.format });
    if (this.lines.entries === 0) return;
    this.open().replace();
    this.open().flush();
  }

  private showChange(change: TailChange): void {
    const marker = changeMarker(change, this.tails, this.session.state);
    if (marker === undefined) return;
    this.add(marker);
    this.open().flush();
  }

  private clear(): void {
    this.names.clear();
    this.lines.clear();
    this.output?.clear();
  }
}

function formatterFor(session: Session): Formatter {
  const { showAttributes, bodies } = logSettings();
  return createFormatter({ timeZone: logTimeZone(session), showAttributes, bodies });
}
