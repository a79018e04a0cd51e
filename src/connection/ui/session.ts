import * as vscode from 'vscode';
import {
  createSession as createSessionCore,
  type Session as SessionCore,
  type SessionChange,
} from '../session';
import type { CommonClientOptions } from '../signedIn';
import { systemClock } from '../../vscode/clock';
import { contextKeys } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { editorFetch } from './editorFetch';
import type { ApiKeys } from './apiKeys';
import * as settings from '../../vscode/settings';
import { connections } from './connectionSettings';

export type { SessionState } from '../session';
export type { SignedInConnection } from '../signedIn';

/** The connection of this window and whether there is a key for it. */
export interface Session extends SessionCore {
  /** The time zone of the control plane's workspace, once an answer has said it. */
  readonly timeZone: string | undefined;
  readonly onDidChange: vscode.Event<SessionChange>;
}

export interface SessionServices {
  readonly keys: ApiKeys;
  readonly workspaceState: vscode.Memento;
  readonly globalState: vscode.Memento;
  readonly diagnostics: Diagnostics;
}

const lastUsedKey = 'connection';
const keptKeysKey = 'keptKeys';

/** How this editor sends requests, whatever they ask. */
export function clientOptions({ request }: Diagnostics): CommonClientOptions {
  return {
    fetch: editorFetch,
    clock: systemClock,
    random: Math.random,
    settings: () => settings.apiSettings(),
    onDidRequest: request,
  };
}

export function createSession(services: SessionServices): Session {
  const { keys, workspaceState, globalState, diagnostics } = services;
  const changes = new vscode.EventEmitter<SessionChange>();
  const core = createSessionCore({
    keys,
    known: {
      all: connections,
      onDidChange: (listener) => settings.onDidChangeSettings('connections', listener),
    },
    lastUsed: {
      read: () => workspaceState.get<unknown>(lastUsedKey) ?? globalState.get<unknown>(lastUsedKey),
      async write(connection) {
        await workspaceState.update(lastUsedKey, connection?.name);
        if (connection !== undefined) await globalState.update(lastUsedKey, connection.name);
      },
    },
    keptKeys: {
      read: () => globalState.get<unknown>(keptKeysKey),
      write: async (value) => globalState.update(keptKeysKey, value),
    },
    client: clientOptions(diagnostics),
    onDidChange(change) {
      void vscode.commands.executeCommand('setContext', contextKeys.session, core.state.kind);
      changes.fire(change);
    },
    onFailure: (error) => diagnostics.error('The connections could not be kept', error),
  });
  return {
    get state() {
      return core.state;
    },
    get signedIn() {
      return core.signedIn;
    },
    get ready() {
      return core.ready;
    },
    get timeZone() {
      return core.signedIn?.timeZone;
    },
    onDidChange: changes.event,
    use: (connection) => core.use(connection),
    signOut: () => core.signOut(),
    dispose() {
      core.dispose();
      changes.dispose();
    },
  };
}
