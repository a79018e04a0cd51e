import * as vscode from 'vscode';
import type { Entry } from '../logs/format';
import { createFormatter } from '../logs/format';
import type { LineStore } from '../logs/lineStore';
import { createLineStore } from '../logs/lineStore';
import { createSeen } from '../logs/seen';
import type { FollowedTail } from '../logs/tails';
import { hasEnded } from '../logs/tails';
import type { TailOutput } from '../logs/tailTypes';
import { channels, commands } from '../platform/contributions';
import type { LogFollowing, TailChange } from '../platform/following';
import type { Session } from '../platform/session';
import { logSettings, onDidChangeSettings } from '../platform/settings';
import type { Names } from '../workspace/names';
import { changeMarker, outputMarker } from './logMarkers';

/** At most this many characters in one append: larger ones hold up the editor's other messages. */
const pieceLength = 256 * 1024;
/** Time between appends: faster than an eye, slow enough to gather a batch. */
const flushEvery = 100;
/** Milliseconds of formatting after which others get their turn. */
const sliceTime = 12;
/** Records taken at once; small enough that a slice ends in time. */
const takeAtOnce = 500;

export interface LogChannelServices {
  readonly following: LogFollowing;
  readonly names: Names;
  readonly session: Session;
}

/** What is shown right now, for links and hovers. */
export interface LogChannel {
  readonly lines: LineStore;
  dispose(): void;
}

/**
 * The channel `Control Plane Logs`: takes what the tails received and appends it in batches, the
 * first line at once.
 */
export function registerLogChannel(services: LogChannelServices): LogChannel {
  const { following, names } = services;
  let channel: vscode.OutputChannel | undefined;
  let lines = createLineStore({ maxLines: logSettings().maxLines });
  let format = formatOf(services);
  let formatZone = services.session.timeZone;
  /** Two tails may match the same record: it is shown once. */
  let shown = createSeen(10_000);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastFlush = Number.NEGATIVE_INFINITY;

  // Made when there is something to show: an empty channel in everybody's list helps nobody.
  const open = (): vscode.OutputChannel =>
    (channel ??= vscode.window.createOutputChannel(channels.logs, 'log'));

  const schedule = (): void => {
    timer ??= setTimeout(flush, Math.max(0, lastFlush + flushEvery - performance.now()));
  };

  function flush(): void {
    timer = undefined;
    lastFlush = performance.now();
    if (formatZone !== services.session.timeZone) {
      formatZone = services.session.timeZone;
      format = formatOf(services);
    }
    const writer = createWriter();
    let more = false;
    for (const followed of following.tails) {
      while (!more) {
        const outputs = followed.tail.take(takeAtOnce);
        if (outputs.length === 0) break;
        for (const output of outputs) write(writer, followed, output);
        more = performance.now() - lastFlush > sliceTime;
      }
    }
    writer.end();
    if (more) {
      lastFlush = Number.NEGATIVE_INFINITY;
      schedule();
    }
  }

  /** Gathers text to pieces of bounded length; replaces the whole text where the oldest must go. */
  function createWriter(): { add(entry: Entry): void; end(): void } {
    let piece = '';
    const end = (): void => {
      if (piece === '') return;
      const replacement = lines.takeReplacement();
      if (replacement === undefined) open().append(piece);
      else open().replace(replacement);
      piece = '';
    };
    return {
      add(entry) {
        const text = format(entry);
        lines.append(entry, text);
        piece += text;
        if (piece.length >= pieceLength) end();
      },
      end,
    };
  }

  function write(
    writer: ReturnType<typeof createWriter>,
    followed: FollowedTail,
    output: TailOutput,
  ): void {
    if (output.kind !== 'records') {
      writer.add(outputMarker(followed, output));
      return;
    }
    for (const record of output.records) {
      names.learn('workload', record.workloadId, record.workloadName);
      if (shown.add(record.eventId)) writer.add(record);
    }
    following.didShow(followed, output.records.length);
  }

  const showChange = (change: TailChange): void => {
    const marker = changeMarker(change);
    if (marker !== undefined) {
      const writer = createWriter();
      writer.add(marker);
      writer.end();
    }
    if (following.tails.every(({ tail }) => hasEnded(tail.state))) shown = createSeen(10_000);
  };

  const subscriptions = [
    following.onDidReceive(schedule),
    following.onDidChange(showChange),
    following.onDidClear(() => {
      channel?.clear();
      lines = createLineStore({ maxLines: logSettings().maxLines });
      shown = createSeen(10_000);
    }),
    onDidChangeSettings('logs', () => {
      format = formatOf(services);
      lines.setMaxLines(logSettings().maxLines);
    }),
    vscode.commands.registerCommand(commands.showLogs, () => open().show(true)),
  ];
  return {
    get lines() {
      return lines;
    },
    dispose() {
      clearTimeout(timer);
      vscode.Disposable.from(...subscriptions).dispose();
      channel?.dispose();
    },
  };
}

function formatOf({ session }: LogChannelServices): (entry: Entry) => string {
  const { timeZone, showAttributes } = logSettings();
  return createFormatter({
    timeZone: timeZone === 'workspace' ? (session.timeZone ?? 'utc') : timeZone,
    showAttributes,
  });
}
