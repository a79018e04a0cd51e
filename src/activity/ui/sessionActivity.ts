import * as vscode from 'vscode';
import { oneLine } from '../../base/untrustedText';
import type { Git } from '../../commits/ui/git';
import { connectionId } from '../../connection/connections';
import type { ConnectionData } from '../../data/ui/connectionData';
import { systemClock } from '../../vscode/systemClock';
import type { Diagnostics } from '../../vscode/diagnostics';
import { randomId } from '../../vscode/extensionHost';
import { JsonFiles } from '../../vscode/jsonFiles';
import { logSettings } from '../../vscode/settings';
import { Activity, type ResendChoice } from '../activity';
import { type ActivityChange, type ActivityEntry, grantedPermission } from '../activityEntry';
import { stateText } from '../activityNodes';
import type { EntryKinds } from '../entryKind';

/** The activity of the connection of this window. */
export class SessionActivity {
  readonly activity: Activity;
  private readonly disposables: vscode.Disposable;

  /**
   * @param globalStorage the folder for files of this extension, which all windows share.
   * @param ask as `Activity` needs it.
   */
  constructor(
    kinds: EntryKinds,
    private readonly data: ConnectionData,
    git: Git,
    globalStorage: vscode.Uri,
    ask: (entry: ActivityEntry, until: AbortSignal) => Promise<ResendChoice>,
    private readonly diagnostics: Diagnostics,
  ) {
    const { session, store, polling } = data;
    const activity = new Activity(
      kinds,
      new JsonFiles(vscode.Uri.joinPath(globalStorage, 'activity')),
      {
        store,
        polling,
        clock: systemClock,
        random: Math.random,
        historyOf: (repository) => git.readerOf(repository),
        logStyle: logSettings,
      },
      ask,
      randomId,
    );
    this.activity = activity;
    activity.setFocused(vscode.window.state.focused);
    this.disposables = vscode.Disposable.from(
      activity.onDidFail((error) =>
        diagnostics.error('An action failed or could not be saved', error),
      ),
      activity.onDidChange((change) => {
        if (change !== undefined) this.onChange(change);
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

  /** Logs a change for problem reports, and remembers whether the key has the permission for an action. */
  private onChange(change: ActivityChange): void {
    const { activity, diagnostics, data } = this;
    const { entry, previous } = change;
    if (entry === undefined || !activity.isHere(entry.id)) return;
    const { kinds } = activity;
    const kind = kinds.of(entry);
    const words = stateText(entry, kinds, data.context);
    if (previous === undefined || words !== stateText(previous, kinds, data.context)) {
      diagnostics.info(oneLine(`${kind.title(entry, data.context)}: ${words}`));
    }
    const response = kind.response?.(entry);
    if (response !== undefined && previous && kind.response?.(previous) === undefined) {
      diagnostics.info(oneLine(`${kind.name}: ${JSON.stringify(response)}`));
    }
    const isGranted = grantedPermission(change);
    if (kind.request === undefined || isGranted === undefined) return;
    if (isGranted) data.lacking.delete(kind.request.operation.permission);
    else data.lacking.add(kind.request.operation.permission);
  }
}
