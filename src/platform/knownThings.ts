import * as vscode from 'vscode';
import { readKnownThings, type KnownThing, type KnownThings } from '../workspace/knownThings';
import { onDidChangeSettings } from './settings';

/** The settings that hold what the API does not list. */
export type KnownKind = 'sources' | 'servers';

/** The sources and servers of the settings, read once for each change of them. */
export interface KnownSettings {
  readonly sources: () => readonly KnownThing[];
  readonly servers: () => readonly KnownThing[];
  /** What is wrong with entries that were left out, in English. */
  problems(kind: KnownKind): readonly string[];
  readonly onDidChange: vscode.Event<KnownKind>;
  dispose(): void;
}

const section = 'controlPlane';

export function createKnownSettings(): KnownSettings {
  const changes = new vscode.EventEmitter<KnownKind>();
  const read = (kind: KnownKind): KnownThings =>
    readKnownThings(vscode.workspace.getConfiguration(section).get<unknown>(kind));
  const known = { sources: read('sources'), servers: read('servers') };
  const watch = (kind: KnownKind): vscode.Disposable =>
    onDidChangeSettings(kind, () => {
      known[kind] = read(kind);
      changes.fire(kind);
    });
  const disposables = vscode.Disposable.from(watch('sources'), watch('servers'), changes);
  return {
    sources: () => known.sources.things,
    servers: () => known.servers.things,
    problems: (kind) => known[kind].problems,
    onDidChange: changes.event,
    dispose: () => void disposables.dispose(),
  };
}

/** Where a list is kept: in the settings of the person, or shared by the workspace. */
export type KnownPlace = 'user' | 'workspace';

/** The place whose list counts now: a workspace that has one hides that of the person. */
export function placeOf(kind: KnownKind): KnownPlace {
  const found = vscode.workspace.getConfiguration(section).inspect<unknown>(kind);
  return found?.workspaceValue === undefined ? 'user' : 'workspace';
}

/**
 * Changes a list where it counts, or in the place that is asked for; a workspace that has none yet
 * begins with the one that was in force, so that nothing disappears.
 *
 * @param change one of the pure functions of `knownThings`: takes the setting as it is.
 * @throws what VS Code says where the settings cannot be written.
 */
export async function changeKnown(
  kind: KnownKind,
  change: (setting: unknown) => unknown[],
  place: KnownPlace = placeOf(kind),
): Promise<void> {
  const settings = vscode.workspace.getConfiguration(section);
  const found = settings.inspect<unknown>(kind);
  const present =
    place === 'user' ? found?.globalValue : (found?.workspaceValue ?? found?.globalValue);
  await settings.update(
    kind,
    change(present),
    place === 'user' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace,
  );
}
