import * as vscode from 'vscode';
import type { Entry, Formatter } from '../logs/lines/format';
import { createFormatter } from '../logs/lines/format';
import type { LineStore } from '../logs/lines/lineStore';
import { createLineStore } from '../logs/lines/lineStore';
import { createSeen } from '../logs/tail/seen';
import type { FollowedTail } from '../logs/tail/tails';
import { hasEnded } from '../logs/tail/tails';
import type { TailOutput } from '../logs/tail/types';
import { channels, commands } from '../platform/contributions';
import type { LogFollowing, TailChange } from '../platform/following';
import type { Session } from '../platform/session';
import { logSettings, onDidChangeSettings } from '../platform/settings';
import { isWebWorker } from '../platform/webWorker';
import type { Names } from '../workspace/names';
import { changeMarker, outputMarker } from './logMarkers';
import { createBoundedOutput } from './boundedOutput';
import { createPacedOutput } from './pacedOutput';
import type { TextOutput } from './textOutput';

/** At most this many characters in one append: larger ones hold up the editor's other messages. */
const pieceLength = 256 * 1024;
/** Each host of VS Code has its own way to lose text. */
const createOutput = isWebWorker ? createPacedOutput : createBoundedOutput;
/** Time between appends: faster than an eye, slow enough to gather a batch. */
const flushEvery = 100;
/** Milliseconds of formatting after which others get their turn. */
const sliceTime = 12;
/** Records taken at once; small enough that a slice ends in time. */
const takeAtOnce = 500;
/** Ids of records that are not shown twice. */
const rememberedIds = 10_000;

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
  const { following, names, session } = services;
  let channel: TextOutput | undefined;
  let format = formatterFor(session);
  let formatZone = timeZoneFor(session);
  const newStore = (): LineStore => createLineStore({ maxLines: logSettings().maxLines, format });
  let lines = newStore();
  /** Two tails may match the same record: it is shown once. */
  let shown = createSeen(rememberedIds);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastFlush = Number.NEGATIVE_INFINITY;

  // Made when there is something to show: an empty channel in everybody's list helps nobody.
  const open = (): TextOutput =>
    (channel ??= createOutput(
      () => vscode.window.createOutputChannel(channels.logs, 'log'),
      wholeText,
    ));

  const schedule = (): void => {
    timer ??= setTimeout(flush, Math.max(0, lastFlush + flushEvery - performance.now()));
  };

  function flush(): void {
    timer = undefined;
    lastFlush = performance.now();
    if (timeZoneFor(session) !== formatZone) reformat();
    const writer = createWriter(lines, format, open);
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

  function write(writer: Writer, followed: FollowedTail, output: TailOutput): void {
    if (output.kind !== 'records') {
      writer.add(outputMarker(followed, output));
      return;
    }
    for (const record of output.records) {
      names.learn('workload', record.workloadId, record.workloadName);
      if (shown.add(record.eventId)) writer.add(record);
    }
    following.didShow(followed);
  }

  function wholeText(): string {
    lines.configure({ maxLines: logSettings().maxLines, format });
    return lines.takeReplacement() ?? '';
  }

  /** Other settings, or the time zone of the workspace became known: for the lines shown too. */
  function reformat(): void {
    formatZone = timeZoneFor(session);
    format = formatterFor(session);
    const text = wholeText();
    if (lines.entries > 0) open().replace(text);
  }

  function showChange(change: TailChange): void {
    const marker = changeMarker(change);
    if (marker !== undefined) {
      const writer = createWriter(lines, format, open);
      writer.add(marker);
      writer.end();
    }
    // Whoever starts again after everything had ended wants to see the history again.
    if (following.tails.every(({ tail }) => hasEnded(tail.state))) {
      shown = createSeen(rememberedIds);
    }
  }

  function clear(): void {
    channel?.clear();
    lines = newStore();
    shown = createSeen(rememberedIds);
  }

  const subscriptions = vscode.Disposable.from(
    following.onDidReceive(schedule),
    following.onDidChange(showChange),
    following.onDidClear(clear),
    onDidChangeSettings('logs', reformat),
    vscode.commands.registerCommand(commands.showLogs, () => open().show(true)),
  );
  return {
    get lines() {
      return lines;
    },
    dispose() {
      clearTimeout(timer);
      subscriptions.dispose();
      channel?.dispose();
    },
  };
}

function formatterFor(session: Session): Formatter {
  const { showAttributes } = logSettings();
  return createFormatter({ timeZone: timeZoneFor(session), showAttributes });
}

/** The zone of the times in the channel; the workspace's own is UTC until an answer has named it. */
function timeZoneFor(session: Session): string {
  const { timeZone } = logSettings();
  return timeZone === 'workspace' ? (session.timeZone ?? 'utc') : timeZone;
}

interface Writer {
  add(entry: Entry): void;
  end(): void;
}

/** Gathers text to pieces of bounded length; shows everything anew where the oldest had to go. */
function createWriter(lines: LineStore, format: Formatter, open: () => TextOutput): Writer {
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
      if (piece !== '' && piece.length + text.length > pieceLength) end();
      lines.append(entry, text);
      piece += text;
    },
    end,
  };
}
