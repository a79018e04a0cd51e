import * as vscode from 'vscode';
import type { Session, SessionState } from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import { registerCommand } from '../../../vscode/commands';
import { channels, commands } from '../../../vscode/contributions';
import { counted } from '../../../vscode/numbers';
import { logSettings, logTimeZone, onDidChangeSettings } from '../../../vscode/settings';
import { createFormatter, type Formatter, type LogLine, type Marker } from '../../record/logLine';
import { createLineStore, type LineStore } from '../lineStore';
import { endedBySignOut, type FollowedTail } from '../tails';
import type { TailOutput } from '../types';
import type { LogFollowing, TailChange } from './following';
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
  { tails }: Pick<LogFollowing, 'tails'>,
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
        if (session.kind === 'none' || tails[0] !== followed) return undefined;
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

interface LogChannelServices {
  readonly following: LogFollowing;
  readonly names: Names;
  readonly session: Session;
}

/** The entries that the channel shows, for links and hovers. */
export interface LogChannel {
  readonly lines: LineStore;
  dispose(): void;
}

/** The channel `Control Plane Logs`: appends the records of the tails in batches, the first one at once. */
export function registerLogChannel(services: LogChannelServices): LogChannel {
  const { following, names, session } = services;
  let output: LogOutput | undefined;
  let format = formatterFor(session);
  let formatZone = logTimeZone(session);
  const newStore = (): LineStore => createLineStore({ maxLines: logSettings().maxLines, format });
  let lines = newStore();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastTake = Number.NEGATIVE_INFINITY;

  // Created with the first line: an empty channel is of no use.
  const open = (): LogOutput =>
    (output ??= createLogOutput(
      () => vscode.window.createOutputChannel(channels.logs, 'log'),
      () => lines.text(),
    ));

  const schedule = (): void => {
    timer ??= setTimeout(take, Math.max(0, lastTake + takeEvery - performance.now()));
  };

  function take(): void {
    timer = undefined;
    lastTake = performance.now();
    if (logTimeZone(session) !== formatZone) reformat();
    let taken = following.take(takeAtOnce);
    while (taken !== undefined) {
      for (const output of taken.outputs) show(taken.followed, output);
      if (performance.now() - lastTake > sliceTime) break;
      taken = following.take(takeAtOnce);
    }
    output?.flush();
    if (taken !== undefined) {
      lastTake = Number.NEGATIVE_INFINITY;
      schedule();
    }
  }

  function show(followed: FollowedTail, taken: TailOutput): void {
    if (taken.kind !== 'records') {
      add(outputMarker(followed, taken));
      return;
    }
    for (const record of taken.records) {
      names.learn('workload', record.workloadId, record.workloadName);
      add(record);
    }
  }

  function add(entry: LogLine): void {
    const text = format(entry);
    if (lines.append(entry, text)) open().append(text);
    else open().replace();
  }

  /** Applies other settings or another time zone, also to the lines that are already shown. */
  function reformat(): void {
    formatZone = logTimeZone(session);
    format = formatterFor(session);
    lines.configure({ maxLines: logSettings().maxLines, format });
    if (lines.entries === 0) return;
    open().replace();
    open().flush();
  }

  function showChange(change: TailChange): void {
    const marker = changeMarker(change, following, session.state);
    if (marker === undefined) return;
    add(marker);
    open().flush();
  }

  function clear(): void {
    names.clear();
    lines = newStore();
    output?.clear();
  }

  const subscriptions = vscode.Disposable.from(
    following.onDidReceive(schedule),
    following.onDidChange(showChange),
    following.onDidClear(clear),
    onDidChangeSettings('logs', reformat),
    registerCommand(commands.showLogs, () => open().show(true)),
  );
  return {
    get lines() {
      return lines;
    },
    dispose() {
      clearTimeout(timer);
      subscriptions.dispose();
      output?.dispose();
    },
  };
}

function formatterFor(session: Session): Formatter {
  const { showAttributes, bodies } = logSettings();
  return createFormatter({ timeZone: logTimeZone(session), showAttributes, bodies });
}
