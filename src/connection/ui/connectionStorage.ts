import type * as vscode from 'vscode';
import type { Diagnostics } from '../../vscode/diagnostics';
import { ownValue, writeSetting } from '../../vscode/settings';
import { type Connection, readConnections, secretKeyOf } from '../connections';
import type { ConnectionKeys } from '../session';

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

/** The API keys: one per connection and origin, in SecretStorage and nowhere else. */
export interface ApiKeys extends ConnectionKeys {
  set(connection: Connection, apiKey: string): Promise<void>;
}

export function createApiKeys(storage: vscode.SecretStorage, diagnostics: Diagnostics): ApiKeys {
  return {
    async get(connection) {
      try {
        return (await storage.get(secretKeyOf(connection))) ?? undefined;
      } catch (error) {
        diagnostics.error('The secret storage cannot be read', error);
        return undefined;
      }
    },
    set: async (connection, apiKey) => storage.store(secretKeyOf(connection), apiKey),
    delete: async (connection) => storage.delete(secretKeyOf(connection)),
    onDidChange: (listener) =>
      storage.onDidChange(({ key }) => listener((connection) => key === secretKeyOf(connection))),
  };
}
