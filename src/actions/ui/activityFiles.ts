import * as vscode from 'vscode';
import type { ConnectionData } from '../../data/ui/connectionData';
import { oneLine } from '../../base/plainText';
import { systemClock } from '../../vscode/clock';
import type { Diagnostics } from '../../vscode/diagnostics';
import type { ReadonlyDocuments } from '../../vscode/readonlyDocuments';
import { nodeFiles, ownerOnly, randomId } from '../../vscode/extensionHost';
import { type Activity, createActivity } from '../activity';
import {
  type ActivityEntry,
  type ActivityKind,
  grantedPermission,
  permissionOfAction,
} from '../activityEntry';
import type { ActivityStorage } from '../activityStorage';
import { stateText, titleOf } from '../activityText';
import { askAboutUnknown } from './cleanUpQuestions';

/** How often to try to replace a file. It can fail if two windows do so at the same time. */
const maxTries = 3;

/**
 * Saves each entry in a file, in the storage that all windows of this extension share. A memento is not
 * enough: it is one value, so two windows that write at the same time would lose entries.
 *
 * @param window a unique id of this window, for the names of its drafts.
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
      const found = (await names()).filter((name) => name.endsWith('.json'));
      return Promise.all(found.map((name) => read(vscode.Uri.joinPath(folder, name))));
    },
    read: (id) => read(fileOf(id)),
    async write(entry) {
      made ??= files.createDirectory(folder);
      try {
        await made;
        // Writes a draft and renames it, because the window can end and others can read at any time.
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
      // Also removes drafts of windows that ended while they wrote.
      const all = (await names()).filter((name) => name.startsWith(`${id}.`));
      for (const name of all) {
        await files.delete(vscode.Uri.joinPath(folder, name)).then(undefined, () => undefined);
      }
    },
  };
}

interface SessionActivity {
  /** The activity of the connection of the session. */
  readonly activity: Activity;
  dispose(): void;
}

/** @param globalStorage the folder for files of this extension, which all windows share. */
export function createSessionActivity(
  data: ConnectionData,
  globalStorage: vscode.Uri,
  reports: ReadonlyDocuments,
  diagnostics: Diagnostics,
): SessionActivity {
  const { session, store, polling } = data;
  const window = randomId();
  const activity = createActivity({
    clock: systemClock,
    serverNow: () => session.signedIn?.client.serverNow() ?? systemClock.now(),
    random: Math.random,
    newId: randomId,
    window,
    storage: createActivityFiles(globalStorage, window),
    store,
    polling,
    ask: (entry, lifetime) => askAboutUnknown(entry, { reports, lifetime }),
    onError: (error) => diagnostics.error('An action failed or could not be saved', error),
  });

  function adopt(): void {
    const { signedIn } = session;
    const work =
      signedIn === undefined
        ? activity.close()
        : activity.open(signedIn.connection, signedIn.client);
    work.catch((error: unknown) => diagnostics.error('Could not load the activity', error));
  }

  const subscription = activity.onDidChange((change) => {
    const { entry } = change ?? {};
    if (change === undefined || entry === undefined || !activity.isHere(entry.id)) return;
    logChange(diagnostics, data, entry, change.previous);
    rememberPermission(data, entry.kind, grantedPermission(change));
  });
  const disposables = vscode.Disposable.from(
    session.onDidChange(adopt),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      // Other windows may have started actions.
      if (focused) void activity.refresh();
    }),
  );
  void session.ready.then(adopt);

  return {
    activity,
    dispose() {
      subscription.dispose();
      disposables.dispose();
      void activity.close();
    },
  };
}

/** Remembers whether the key has the permission for an action. */
function rememberPermission(
  { lacking }: ConnectionData,
  kind: ActivityKind,
  isGranted: boolean | undefined,
): void {
  if (isGranted === undefined) return;
  if (isGranted) lacking.delete(permissionOfAction[kind]);
  else lacking.add(permissionOfAction[kind]);
}

/** Logs each change of an entry and the response to a sync, for problem reports. */
function logChange(
  diagnostics: Diagnostics,
  { context }: ConnectionData,
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
