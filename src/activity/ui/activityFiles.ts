import * as vscode from 'vscode';
import { oneLine } from '../../base/untrustedText';
import { connectionId } from '../../connection/connections';
import type { ConnectionData } from '../../data/ui/connectionData';
import { systemClock } from '../../vscode/clock';
import type { Diagnostics } from '../../vscode/diagnostics';
import { randomId } from '../../vscode/extensionHost';
import { JsonFiles } from '../../vscode/jsonFiles';
import type { ReadonlyDocuments } from '../../vscode/readonlyDocuments';
import { Activity } from '../activity';
import {
  type ActivityEntry,
  type ActivityKind,
  grantedPermission,
  permissionOfAction,
} from '../activityEntry';
import { stateText, titleOf } from '../activityNodes';
import type { ActivityStorage } from '../activityStorage';
import { CleanUpRunner } from '../../actions/kinds/cleanUp';
import { PreviewReportingRunner } from '../../actions/kinds/previewReporting';
import { PushRunner, type Repositories } from '../../pushes/pushRunner';
import { SyncRunner } from '../../actions/kinds/sync';
import { askAboutUnknown } from '../../actions/ui/cleanUpQuestions';

/**
 * Saves each entry in a file, in the storage that all windows of this extension share. A memento is not
 * enough: it is one value, so two windows that write at the same time would lose entries.
 */
export class ActivityFiles implements ActivityStorage {
  private readonly files: JsonFiles;

  constructor(globalStorage: vscode.Uri) {
    this.files = new JsonFiles(vscode.Uri.joinPath(globalStorage, 'activity'));
  }

  async list(): Promise<readonly unknown[]> {
    return Promise.all((await this.files.list()).map((id) => this.files.readOrDraft(id)));
  }

  read(id: string): Promise<unknown> {
    return this.files.read(id);
  }

  /** A draft that cannot become an entry is gone: it would be read, and an action that did not start be resumed. */
  write(entry: ActivityEntry): Promise<void> {
    return this.files.write(entry.id, entry);
  }

  remove(id: string): Promise<void> {
    return this.files.remove(id);
  }
}

/** The activity of the connection of this window. */
export class SessionActivity {
  readonly activity: Activity;
  private readonly disposables: vscode.Disposable;

  /** @param globalStorage the folder for files of this extension, which all windows share. */
  constructor(
    private readonly data: ConnectionData,
    repositories: Repositories,
    globalStorage: vscode.Uri,
    reports: ReadonlyDocuments,
    private readonly diagnostics: Diagnostics,
  ) {
    const { session, store, polling } = data;
    const activity = new Activity(
      new ActivityFiles(globalStorage),
      (client) => ({
        cleanUp: new CleanUpRunner(client, systemClock, Math.random, randomId),
        sync: new SyncRunner(client, store, polling, systemClock, Math.random),
        previewReporting: new PreviewReportingRunner(client, systemClock, Math.random),
        push: new PushRunner(client, store, polling, repositories, systemClock),
      }),
      (entry, until) => askAboutUnknown(entry, session, reports, until),
      systemClock,
      randomId,
    );
    this.activity = activity;
    activity.setFocused(vscode.window.state.focused);
    this.disposables = vscode.Disposable.from(
      activity.onDidFail((error) =>
        diagnostics.error('An action failed or could not be saved', error),
      ),
      activity.onDidChange((change) => {
        const { entry } = change ?? {};
        if (change === undefined || entry === undefined || !activity.isHere(entry.id)) return;
        logChange(diagnostics, data, entry, change.previous);
        rememberPermission(data, entry.kind, grantedPermission(change));
      }),
      session.onDidChange((change) => (change === 'forgotten' ? this.forget() : this.adopt())),
      vscode.window.onDidChangeWindowState(({ focused }) => activity.setFocused(focused)),
    );
    void session.ready.then(() => this.adopt());
  }

  dispose(): void {
    this.disposables.dispose();
    void this.activity.close();
  }

  private forget(): void {
    const { state } = this.data.session;
    if (state.kind !== 'none') void this.activity.forget(connectionId(state.connection));
  }

  private adopt(): void {
    const { signedIn } = this.data.session;
    const work =
      signedIn === undefined
        ? this.activity.close()
        : this.activity.open(signedIn.connection, signedIn.client);
    work.catch((error: unknown) => this.diagnostics.error('Could not load the activity', error));
  }
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
