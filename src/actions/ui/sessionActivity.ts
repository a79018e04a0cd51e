import * as vscode from 'vscode';
import type { WorkspaceData } from '../../inventory/ui/workspaceData';
import { oneLine } from '../../text/plainText';
import { systemClock } from '../../vscode/clock';
import type { Diagnostics } from '../../vscode/diagnostics';
import type { ReadonlyDocuments } from '../../vscode/readonlyDocuments';
import { nodeFiles, ownerOnly, randomId } from '../../vscode/host';
import { type Activity, createActivity } from '../activity';
import {
  type ActivityEntry,
  type ActivityKind,
  learntOfPermission,
  permissionOfAction,
} from '../activityEntry';
import type { ActivityStorage } from '../activityStorage';
import { stateText, titleOf } from '../activityText';
import { askAboutUnknown } from './cleanUpQuestions';

/** Two windows that replace a file at the same moment can make each other's attempt fail. */
const maxTries = 3;

/**
 * Keeps what was started in a file each, in the storage that all windows of this extension share: the
 * memento of the extension is one value, which two windows that write at the same time would lose
 * entries of.
 *
 * @param window what tells this window from all others: it writes drafts of its own.
 */
export function createActivityFiles(globalStorage: vscode.Uri, window: string): ActivityStorage {
  const folder = vscode.Uri.joinPath(globalStorage, 'activity');
  const fileOf = (id: string): vscode.Uri => vscode.Uri.joinPath(folder, `${id}.json`);
  const files = vscode.workspace.fs;
  let made: PromiseLike<void> | undefined;

  async function read(file: vscode.Uri): Promise<unknown> {
    try {
      return JSON.parse(new TextDecoder().decode(await files.readFile(file))) as unknown;
    } catch {
      return undefined;
    }
  }

  async function names(): Promise<string[]> {
    return files.readDirectory(folder).then(
      (found) => found.map(([name]) => name),
      () => [],
    );
  }

  async function replace(draft: vscode.Uri, file: vscode.Uri): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await files.rename(draft, file, { overwrite: true });
        return;
      } catch (error) {
        if (tries >= maxTries) throw error;
      }
    }
  }

  return {
    async list() {
      const kept = (await names()).filter((name) => name.endsWith('.json'));
      return Promise.all(kept.map((name) => read(vscode.Uri.joinPath(folder, name))));
    },
    read: (id) => read(fileOf(id)),
    async write(entry) {
      made ??= files.createDirectory(folder);
      try {
        await made;
        // Whole or not at all: a window may end at any moment, and others read and write meanwhile.
        const draft = vscode.Uri.joinPath(folder, `${entry.id}.${window}.draft`);
        const bytes = new TextEncoder().encode(JSON.stringify(entry));
        const own = nodeFiles(draft);
        if (own) await own.writeFile(draft.fsPath, bytes, { mode: ownerOnly });
        else await files.writeFile(draft, bytes);
        await replace(draft, fileOf(entry.id));
      } catch (error) {
        made = undefined;
        throw error;
      }
    },
    async remove(id) {
      // With drafts of windows that have ended while they wrote.
      const all = (await names()).filter((name) => name.startsWith(`${id}.`));
      for (const name of all) {
        await files.delete(vscode.Uri.joinPath(folder, name)).then(undefined, () => undefined);
      }
    },
  };
}

export interface SessionActivity {
  /** What was started on the session's connection, and what becomes of it. */
  readonly activity: Activity;
  dispose(): void;
}

/** @param globalStorage where files of this extension are kept, for all windows. */
export function createSessionActivity(
  data: WorkspaceData,
  globalStorage: vscode.Uri,
  reports: ReadonlyDocuments,
  diagnostics: Diagnostics,
): SessionActivity {
  const { session, store, polling } = data;
  const window = randomId();
  const activity = createActivity({
    clock: systemClock,
    random: Math.random,
    newId: randomId,
    window,
    storage: createActivityFiles(globalStorage, window),
    store,
    polling,
    ask: (entry, lifetime) => askAboutUnknown(entry, { reports, lifetime }),
    onStorageFailure: (error) => diagnostics.error('What was started could not be kept', error),
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
    const { entry } = change ?? {};
    if (change === undefined || entry === undefined || !activity.isHere(entry.id)) return;
    note(diagnostics, data, entry, change.previous);
    learn(data, entry.kind, learntOfPermission(change));
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
function learn(
  { lacking }: WorkspaceData,
  kind: ActivityKind,
  isGranted: boolean | undefined,
): void {
  if (isGranted === undefined) return;
  if (isGranted) lacking.delete(permissionOfAction[kind]);
  else lacking.add(permissionOfAction[kind]);
}

/** What the person who reports a problem wants to see: each step, and what a sync answered. */
function note(
  diagnostics: Diagnostics,
  { context }: WorkspaceData,
  entry: ActivityEntry,
  previous: ActivityEntry | undefined,
): void {
  const words = stateText(entry, context);
  if (previous === undefined || words !== stateText(previous, context)) {
    diagnostics.info(oneLine(`${titleOf(entry, context)}: ${words}`));
  }
  const isAnswered = entry.kind === 'sync' && entry.sync !== undefined;
  if (isAnswered && previous?.kind === 'sync' && previous.sync === undefined) {
    diagnostics.info(oneLine(`sync: ${JSON.stringify(entry.sync)}`));
  }
}
