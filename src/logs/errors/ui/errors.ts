import * as vscode from 'vscode';
import { day } from '../../../api/clock';
import { isUuid } from '../../../inventory/targets';
import type { WorkspaceData } from '../../../inventory/ui/workspaceData';
import { pause, systemClock } from '../../../vscode/clock';
import { refreshSeconds } from '../../../vscode/settings';
import type { SourceFiles } from '../../record/ui/sourceFiles';
import { createErrorFeed } from '../errorFeed';
import { createErrorGroups } from '../errorGroups';
import type { ErrorKind, ErrorSpot } from '../errorKind';

/** A kind with one of the places that it points at. */
export interface SpottedKind {
  readonly kind: ErrorKind;
  readonly spot: ErrorSpot;
}

/** The errors of the session's connection by kind. Empty until something wants them. */
export interface Errors {
  /** Those that are shown, in no order. */
  readonly kinds: readonly ErrorKind[];
  readonly onDidChange: vscode.Event<void>;
  /** What points at a file. @param file its URI as text. */
  spotsIn(file: string): readonly SpottedKind[];
  /**
   * Says that something shows errors, or shows them no more. Without any, and without the focus of the
   * window, no request is sent.
   *
   * @param who a name for what wants them.
   */
  want(who: string, isWanted: boolean): void;
  dispose(): void;
}

interface ErrorsServices {
  readonly data: WorkspaceData;
  readonly files: SourceFiles;
  /** The ids of the apps of the open folder; empty while they are unknown. */
  readonly folderApps: () => readonly string[];
}

/** Milliseconds from a change to its event, so that a burst of records causes one. */
const gatherFor = 250;
/** The most workloads that a query can name. */
const mostWorkloads = 50;

export function createErrors({ data, files, folderApps }: ErrorsServices): Errors {
  const { session, polling } = data;
  const changes = new vscode.EventEmitter<void>();
  const wishes = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** By file, from the kinds of the last change. */
  let spots: ReadonlyMap<string, readonly SpottedKind[]> | undefined;

  const changeSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      spots = undefined;
      changes.fire();
    }, gatherFor);
  };

  const groups = createErrorGroups({
    clock: systemClock,
    pause,
    find: async (path, budget) => (await files.find(path, budget))?.toString(),
  });
  const feed = createErrorFeed({
    clock: systemClock,
    groups,
    turn: (signal) => polling.turn(signal),
    interval: () => refreshSeconds() * 1000,
    onDidChange: changeSoon,
  });

  function search(): void {
    const ids = folderApps().filter(isUuid).slice(0, mostWorkloads);
    feed.search({ range: day, filter: ids.length === 0 ? {} : { workloadIds: ids } });
  }

  function wantNow(): void {
    const isWanted = wishes.size > 0 && vscode.window.state.focused;
    if (isWanted) search();
    feed.setWanted(isWanted);
  }

  const open = (): void => feed.open(session.signedIn);
  void session.ready.then(open);
  const subscriptions = vscode.Disposable.from(
    changes,
    session.onDidChange(open),
    vscode.window.onDidChangeWindowState(wantNow),
  );

  return {
    get kinds() {
      return groups.kinds;
    },
    onDidChange: changes.event,
    spotsIn(file) {
      spots ??= spotsOf(groups.kinds);
      return spots.get(file) ?? [];
    },
    want(who, isWanted) {
      if (isWanted) wishes.add(who);
      else wishes.delete(who);
      wantNow();
    },
    dispose() {
      clearTimeout(timer);
      feed.dispose();
      subscriptions.dispose();
    },
  };
}

function spotsOf(kinds: readonly ErrorKind[]): ReadonlyMap<string, readonly SpottedKind[]> {
  const byFile = new Map<string, SpottedKind[]>();
  for (const kind of kinds) {
    for (const spot of kind.spots) {
      const there = byFile.get(spot.file) ?? [];
      byFile.set(spot.file, there);
      there.push({ kind, spot });
    }
  }
  return byFile;
}
