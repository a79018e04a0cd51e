import * as vscode from 'vscode';
import {
  onDidChangeSettings,
  type SettingsOwner,
  valueIn,
  writeSetting,
} from '../../vscode/settings';
import { type JoinedTargets, joinTargets, readTargets, type Target } from '../targets';

/** The settings that list what the API does not. */
export type TargetKind = 'sources' | 'servers';

/** The sources and servers of the settings, read on each change. */
export interface TargetSettings {
  readonly sources: () => readonly Target[];
  readonly servers: () => readonly Target[];
  /** How many are left out because there are too many. */
  leftOut(kind: TargetKind): number;
  readonly onDidChange: vscode.Event<TargetKind>;
  dispose(): void;
}

export function createTargetSettings(): TargetSettings {
  const changes = new vscode.EventEmitter<TargetKind>();
  const lists = { sources: read('sources'), servers: read('servers') };
  const update = (kind: TargetKind): void => {
    lists[kind] = read(kind);
    changes.fire(kind);
  };
  const disposables = vscode.Disposable.from(
    onDidChangeSettings('sources', () => update('sources')),
    onDidChangeSettings('servers', () => update('servers')),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      update('sources');
      update('servers');
    }),
    changes,
  );
  return {
    sources: () => lists.sources.targets,
    servers: () => lists.servers.targets,
    leftOut: (kind) => lists[kind].leftOut,
    onDidChange: changes.event,
    dispose: () => void disposables.dispose(),
  };
}

/**
 * Reads both lists, because VS Code would replace the user's list by that of the workspace, which could
 * hide or rename the user's own. VS Code ignores restricted settings of an untrusted folder; checking the
 * trust here holds even in an editor that does not.
 */
function read(kind: TargetKind): JoinedTargets {
  const shared = vscode.workspace.isTrusted ? valueIn('workspace', kind) : undefined;
  return joinTargets(readTargets(valueIn('user', kind)), readTargets(shared));
}

/** Whose settings a target is in. */
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
