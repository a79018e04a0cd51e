import * as vscode from 'vscode';
import type { ApiSettings, ControlPlaneClient } from '../api/client';
import { createClient } from '../api/createClient';
import type { RequestEntry } from '../api/exchange';
import type { Connection } from '../workspace/connections';
import { systemClock } from './clock';
import { contextKeys } from './contributions';
import type { Diagnostics } from './diagnostics';
import { editorFetch } from './fetch';
import type { ApiKeys } from './secrets';
import * as settings from './settings';

export type SessionState =
  | { readonly kind: 'none' }
  | { readonly kind: 'signedOut'; readonly connection: Connection }
  | { readonly kind: 'signedIn'; readonly connection: Connection };

export type SessionChange =
  /** Another connection, or none: whatever was shown of the old one is gone. */
  | 'connection'
  /** The key is gone. */
  | 'signedOut'
  /** A key came or was replaced. */
  | 'key';

/** The connection of this window and whether there is a key for it. */
export interface Session {
  readonly state: SessionState;
  /** For the current connection; reads its key for each request. Another connection has another. */
  readonly client: ControlPlaneClient | undefined;
  /** Settled once the key was looked up; before that `state` is not final. */
  readonly ready: Promise<void>;
  /** The time zone of the control plane's workspace, once an answer has said it. */
  readonly timeZone: string | undefined;
  /** The key of the current connection. */
  readonly readKey: () => Promise<string | undefined>;
  readonly onDidChange: vscode.Event<SessionChange>;
  /** Makes a connection the one of this window, and of windows to come. */
  use(connection: Connection | undefined): Promise<void>;
  signOut(): Promise<void>;
  dispose(): void;
}

export interface SessionServices {
  readonly keys: ApiKeys;
  readonly workspaceState: vscode.Memento;
  readonly globalState: vscode.Memento;
  readonly diagnostics: Diagnostics;
}

const stateKey = 'connection';

/** A client for a connection and any source of its key. */
export function clientFor(
  connection: Connection,
  token: () => Promise<string | undefined>,
  onDidRequest: (entry: RequestEntry) => void,
): ControlPlaneClient {
  return createClient({
    baseUrl: connection.baseUrl,
    token,
    fetch: editorFetch,
    clock: systemClock,
    random: Math.random,
    settings: (): ApiSettings => settings.apiSettings(),
    onDidRequest,
  });
}

/** The connection that this window had, else the one that was used last anywhere, else the first. */
function chooseConnection(services: SessionServices): Connection | undefined {
  const known = settings.connections();
  const name =
    services.workspaceState.get<unknown>(stateKey) ?? services.globalState.get<unknown>(stateKey);
  return known.find((connection) => connection.name === name) ?? known[0];
}

export function createSession(services: SessionServices): Session {
  const { keys, diagnostics } = services;
  const changes = new vscode.EventEmitter<SessionChange>();
  let connection: Connection | undefined;
  let key: string | undefined;
  let client: ControlPlaneClient | undefined;
  let timeZone: string | undefined;

  const state = (): SessionState =>
    connection === undefined
      ? { kind: 'none' }
      : { kind: key === undefined ? 'signedOut' : 'signedIn', connection };

  const readKey = async (): Promise<string | undefined> =>
    connection === undefined ? undefined : keys.get(connection);

  const publish = (change: SessionChange): void => {
    void vscode.commands.executeCommand('setContext', contextKeys.session, state().kind);
    changes.fire(change);
  };

  let work: Promise<void> = Promise.resolve();
  /** One transition at a time: each sees what the one before it has settled. */
  const inTurn = (step: () => Promise<void>): Promise<void> => (work = work.then(step, step));

  /** Compares before it tells: the storage tells of changes twice, and of changes that are none. */
  const keyMayHaveChanged = async (): Promise<void> => {
    const found = await readKey();
    if (found === key) return;
    key = found;
    publish(found === undefined ? 'signedOut' : 'key');
  };

  /** The client of a connection, which notes the time zone that its answers name. */
  const openClient = (next: Connection): ControlPlaneClient => {
    const opened = clientFor(next, () => keys.get(next), diagnostics.request);
    return {
      ...opened,
      async queryLogs(request, options) {
        const answer = await opened.queryLogs(request, options);
        if (connection === next) timeZone = answer.localization.timeZone;
        return answer;
      },
    };
  };

  const adopt = async (next: Connection | undefined): Promise<void> => {
    connection = next;
    timeZone = undefined;
    client = next === undefined ? undefined : openClient(next);
    key = await readKey();
    publish('connection');
  };

  const settingsMayHaveChanged = async (): Promise<void> => {
    const current = settings.connections().find(({ name }) => name === connection?.name);
    if (connection === undefined || current?.baseUrl !== connection.baseUrl) {
      await adopt(current ?? chooseConnection(services));
    }
  };

  const disposables = [
    changes,
    keys.onDidChange((isFor) => {
      if (connection !== undefined && isFor(connection)) void inTurn(keyMayHaveChanged);
    }),
    settings.onDidChangeSettings('connections', () => void inTurn(settingsMayHaveChanged)),
  ];
  const first = chooseConnection(services);
  // Without a connection there is nothing to read: the context key's absence says so already.
  if (first !== undefined) void inTurn(() => adopt(first));

  return {
    get state() {
      return state();
    },
    get client() {
      return client;
    },
    get ready() {
      return work;
    },
    get timeZone() {
      return timeZone;
    },
    readKey,
    onDidChange: changes.event,
    async use(next) {
      await services.workspaceState.update(stateKey, next?.name);
      if (next !== undefined) await services.globalState.update(stateKey, next.name);
      await inTurn(() =>
        next?.name === connection?.name && next?.baseUrl === connection?.baseUrl
          ? keyMayHaveChanged()
          : adopt(next),
      );
    },
    signOut: () =>
      inTurn(async () => {
        if (connection === undefined) return;
        await keys.delete(connection);
        await keyMayHaveChanged();
      }),
    dispose: () => disposables.forEach((one) => void one.dispose()),
  };
}
