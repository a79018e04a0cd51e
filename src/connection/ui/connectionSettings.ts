import * as vscode from 'vscode';
import { ownValue, section } from '../../vscode/settings';
import { readConnections, type Connection } from '../connections';

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
  await vscode.workspace.getConfiguration(section).update(
    'connections',
    [...others, connection].map(({ name, baseUrl }) => ({ name, baseUrl })),
    vscode.ConfigurationTarget.Global,
  );
}
