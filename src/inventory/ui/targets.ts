import * as vscode from 'vscode';
import { joinTargets, readTargets, type JoinedTargets, type Target } from '../targets';
import { onDidChangeSettings } from '../../vscode/settings';

/** The settings that hold what the API does not list. */
export type TargetKind = 'sources' | 'servers';

/** The sources and servers of the settings, read once for each change of them. */
export interface TargetSettings {
  readonly sources: () => readonly Target[];
  readonly servers: () => readonly Target[];
  /** How many are left out, since there are too many. */
  left(kind: TargetKind): number;
  readonly onDidChange: vscode.Event<TargetKind>;
  dispose(): void;
}

const section = 'controlPlane';

export function createTargetSettings(): TargetSettings {
  const changes = new vscode.EventEmitter<TargetKind>();
  const known = { sources: read('sources'), servers: read('servers') };
  const update = (kind: TargetKind): void => {
    known[kind] = read(kind);
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
    sources: () => known.sources.things,
    servers: () => known.servers.things,
    left: (kind) => known[kind].left,
    onDidChange: changes.event,
    dispose: () => void disposables.dispose(),
  };
}

/**
 * What VS Code would do, the list of a workspace in the place of the user's own, would let a folder hide
 * and rename what the user knows. It leaves restricted settings of an untrusted folder out by itself;
 * looking at the trust too holds even if an editor forgets that.
 */
function read(kind: TargetKind): JoinedTargets {
  const found = vscode.workspace.getConfiguration(section).inspect<unknown>(kind);
  const shared = vscode.workspace.isTrusted ? found?.workspaceValue : undefined;
  return joinTargets(readTargets(found?.globalValue), readTargets(shared));
}

/** Where a list is kept: in the settings of the person, or shared by the workspace. */
export type SettingPlace = 'user' | 'workspace';

export function placeOf({ isOfWorkspace }: Target): SettingPlace {
  return isOfWorkspace ? 'workspace' : 'user';
}

/**
 * Changes the list of one place.
 *
 * @param change one of the pure functions of `knownThings`: takes the setting as it is.
 * @throws what VS Code says where the settings cannot be written.
 */
export async function changeTargets(
  kind: TargetKind,
  change: (setting: unknown) => unknown[],
  place: SettingPlace,
): Promise<void> {
  const settings = vscode.workspace.getConfiguration(section);
  const found = settings.inspect<unknown>(kind);
  const isUsers = place === 'user';
  await settings.update(
    kind,
    change(isUsers ? found?.globalValue : found?.workspaceValue),
    isUsers ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace,
  );
}
