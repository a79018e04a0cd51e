import type * as vscode from 'vscode';
import { secretKeyOf, type Connection } from '../workspace/connections';
import type { Diagnostics } from './diagnostics';

/** The API keys: one per connection and origin, in SecretStorage and nowhere else. */
export interface ApiKeys {
  /** Undefined where there is none, or where the storage fails: then the user is signed out. */
  get(connection: Connection): Promise<string | undefined>;
  set(connection: Connection, apiKey: string): Promise<void>;
  delete(connection: Connection): Promise<void>;
  /** Calls back when the key of some connection may have changed, here or in another window. */
  onDidChange(listener: (isFor: (connection: Connection) => boolean) => void): vscode.Disposable;
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
