import * as vscode from 'vscode';
import { ownValue, writeSetting } from '../../vscode/settings';
import type { MachineFile } from '../apiKeys';
import { type Connection, readConnections } from '../connections';

/** The connections in the user's own settings. */
export function connections(): Connection[] {
  return readConnections(ownValue('connections'));
}

/** Adds a connection or replaces the one with the same name. Writes nothing if it is already there. */
export async function saveConnection(connection: Connection): Promise<void> {
  const known = connections();
  const before = known.find(({ name }) => name === connection.name);
  if (before?.baseUrl === connection.baseUrl) return;
  const others = known.filter((one) => one !== before);
  const all = [...others, connection].map((one) => ({ name: one.name, baseUrl: one.baseUrl }));
  await writeSetting('user', 'connections', all);
}

/** A file of this extension on the machine where it runs. Neither a remote nor a sync of settings shares it. */
export function machineFile(globalStorage: vscode.Uri): MachineFile {
  const file = vscode.Uri.joinPath(globalStorage, 'loopbackConnections.json');
  const { fs } = vscode.workspace;
  return {
    async read() {
      try {
        return JSON.parse(new TextDecoder().decode(await fs.readFile(file))) as unknown;
      } catch {
        return undefined;
      }
    },
    async write(value) {
      await fs.createDirectory(globalStorage);
      await fs.writeFile(file, new TextEncoder().encode(JSON.stringify(value)));
    },
  };
}
