import * as vscode from 'vscode';
import { joinThings, readKnownThings, type JoinedThings, type KnownThing } from '../targets';
import { onDidChangeSettings } from '../../vscode/settings';

/** The settings that hold what the API does not list. */
export type KnownKind = 'sources' | 'servers';

/** The sources and servers of the settings, read once for each change of them. */
export interface KnownSettings {
  readonly sources: () => readonly KnownThing[];
  readonly servers: () => readonly KnownThing[];
  /** How many are left out, since there are too many. */
  left(kind: KnownKind): number;
  readonly onDidChange: vscode.Event<KnownKind>;
  dispose(): void;
}

const section = 'controlPlane';

export function createKnownSettings(): KnownSettings {
  const changes = new vscode.EventEmitter<KnownKind>();
  const known = { sources: read('sources'), servers: read('servers') };
  const update = (kind: KnownKind): void => {
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
function read(kind: KnownKind): JoinedThings {
  const found = vscode.workspace.getConfiguration(section).inspect<unknown>(kind);
  const shared = vscode.workspace.isTrusted ? found?.workspaceValue : undefined;
  return joinThings(readKnownThings(found?.globalValue), readKnownThings(shared));
}

/** Where a list is kept: in the settings of the person, or shared by the workspace. */
export type KnownPlace = 'user' | 'workspace';

export function placeOf({ isOfWorkspace }: KnownThing): KnownPlace {
  return isOfWorkspace ? 'workspace' : 'user';
}

/**
 * Changes the list of one place.
 *
 * @param change one of the pure functions of `knownThings`: takes the setting as it is.
 * @throws what VS Code says where the settings cannot be written.
 */
export async function changeKnown(
  kind: KnownKind,
  change: (setting: unknown) => unknown[],
  place: KnownPlace,
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
