import * as vscode from 'vscode';
import {
  createActivity,
  type Activity,
  type ActivityChange,
} from '../activity';
import { learntOfPermission, permissionOfAction } from '../actionPermissions';
import { titleOf, stateWords } from '../activityText';
import type { UnknownAnswer } from '../cleanUp';
import type { CleanUpEntry } from '../entries';
import { createActivityFiles } from './activityFiles';
import { systemClock } from '../../vscode/clock';
import type { Diagnostics } from '../../vscode/diagnostics';
import { oneLine } from '../../text/plainText';
import { randomId } from '../../vscode/randomId';
import type { WorkspaceData } from '../../inventory/ui/workspaceData';

export interface ActivityServices {
  readonly data: WorkspaceData;
  readonly diagnostics: Diagnostics;
  /** Where files of this extension are kept, for all windows. */
  readonly globalStorage: vscode.Uri;
  readonly ask: (entry: CleanUpEntry, signal: AbortSignal) => Promise<UnknownAnswer>;
}

export interface SessionActivity {
  /** What was started on the session's connection, and what becomes of it. */
  readonly activity: Activity;
  dispose(): void;
}

export function createSessionActivity(services: ActivityServices): SessionActivity {
  const { data, diagnostics, globalStorage, ask } = services;
  const { session, store, polling } = data;
  const window = randomId();
  const activity = createActivity({
    clock: systemClock,
    random: Math.random,
    newId: randomId,
    window,
    entries: createActivityFiles(globalStorage, window),
    workspace: { store, polling },
    ask,
    onStoreFailure: (error) => diagnostics.error('What was started could not be kept', error),
  });

  function adopt(): void {
    const { signedIn } = session;
    const work =
      signedIn === undefined
        ? activity.close()
        : activity.open(signedIn.connection, signedIn.client);
    work.catch((error: unknown) =>
      diagnostics.error('What was started before is not known', error),
    );
  }

  const unsubscribe = activity.onDidChange((change) => {
    if (!change?.isHere) return;
    note(diagnostics, data, change);
    learn(data, change);
  });
  const disposables = vscode.Disposable.from(
    session.onDidChange(adopt),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      // What other windows have begun meanwhile.
      if (focused) void activity.refresh();
    }),
  );
  void session.ready.then(adopt);

  return {
    activity,
    dispose() {
      unsubscribe();
      disposables.dispose();
      void activity.close();
    },
  };
}

/** Whether the key may do such a thing, where the answer says so. */
function learn({ lacking }: WorkspaceData, change: ActivityChange): void {
  const isGranted = learntOfPermission(change);
  if (change.entry === undefined || isGranted === undefined) return;
  const permission = permissionOfAction[change.entry.kind];
  if (isGranted) lacking.delete(permission);
  else lacking.add(permission);
}

/** What the person who reports a problem wants to see: each step, and what a sync answered. */
function note(diagnostics: Diagnostics, { context }: WorkspaceData, change: ActivityChange): void {
  const { entry, previous } = change;
  if (entry === undefined) return;
  const words = stateWords(entry, context);
  if (previous === undefined || words !== stateWords(previous, context)) {
    diagnostics.info(oneLine(`${titleOf(entry, context)}: ${words}`));
  }
  const isAnswered = entry.kind === 'sync' && entry.sync !== undefined;
  if (isAnswered && previous?.kind === 'sync' && previous.sync === undefined) {
    diagnostics.info(oneLine(`sync: ${JSON.stringify(entry.sync)}`));
  }
}
