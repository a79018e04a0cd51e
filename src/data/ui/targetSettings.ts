import * as vscode from 'vscode';
import {
  onDidChangeSettings,
  type SettingsOwner,
  valueIn,
  valuesByOwner,
  writeSetting,
} from '../../vscode/settings';
import { type JoinedTargets, joinTargets, readTargets, type Target } from '../targets';

/** The settings that list what the API does not. */
export type TargetKind = 'sources' | 'servers';

/** The sources and servers of the settings, read on each change. */
export class TargetSettings {
  private readonly changes = new vscode.EventEmitter<TargetKind>();
  private readonly lists = { sources: read('sources'), servers: read('servers') };
  private readonly disposables = vscode.Disposable.from(
    onDidChangeSettings('sources', () => this.update('sources')),
    onDidChangeSettings('servers', () => this.update('servers')),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      this.update('sources');
      this.update('servers');
    }),
    this.changes,
  );
  readonly onDidChange: vscode.Event<TargetKind> = this.changes.event;

  readonly sources = (): readonly Target[] => this.lists.sources.targets;

  readonly servers = (): readonly Target[] => this.lists.servers.targets;

  /** How many are left out because there are too many. */
  leftOut(kind: TargetKind): number {
    return this.lists[kind].leftOut;
  }

  dispose(): void {
    void this.disposables.dispose();
  }

  private update(kind: TargetKind): void {
    this.lists[kind] = read(kind);
    this.changes.fire(kind);
  }
}

/**
 * Reads both lists, because VS Code would replace the user's list by that of the workspace, which could
 * hide or rename the user's own. VS Code ignores restricted settings of an untrusted folder; checking the
 * trust here holds even in an editor that does not.
 */
function read(kind: TargetKind): JoinedTargets {
  const { user, workspace } = valuesByOwner(kind);
  const shared = vscode.workspace.isTrusted ? workspace : undefined;
  return joinTargets(readTargets(user), readTargets(shared));
}

export function placeOf({ isOfWorkspace }: Target): SettingsOwner {
  return isOfWorkspace ? 'workspace' : 'user';
}

/**
 * Changes one list.
 *
 * @param change takes the current value of the setting, such as `addTarget`.
 * @throws the error of VS Code if the settings cannot be written.
 */
export async function changeTargets(
  kind: TargetKind,
  change: (setting: unknown) => unknown[],
  place: SettingsOwner,
): Promise<void> {
  await writeSetting(place, kind, change(valueIn(place, kind)));
}
