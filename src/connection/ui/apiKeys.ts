import type * as vscode from 'vscode';
import type { ConnectionKeys } from '../session';
import { secretKeyOf, type Connection } from '../connections';
import type { Diagnostics } from '../../vscode/diagnostics';

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
