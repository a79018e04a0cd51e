import * as vscode from 'vscode';
import { ConnectionLeftError } from '../../api/errors';
import { systemClock } from '../../vscode/clock';
import { commands, contextKeys } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { showFailure } from '../../vscode/notifications';
import * as settings from '../../vscode/settings';
import { isWebWorker } from '../../vscode/host';
import {
  createSession as createSessionCore,
  type ConnectionSession as SessionCore,
  type SessionChange,
} from '../session';
import type { CommonClientOptions, SignedInConnection } from '../signedIn';
import type { ApiKeys } from './apiKeys';
import { connections } from './connectionSettings';

/**
 * The editor's own `fetch`, which knows its proxy and certificates. In a web worker the browser hides
 * why a request failed; one look at the same origin without a key tells a control plane that does
 * not let browsers in from one that is not there.
 */
const editorFetch: (request: Request) => Promise<Response> = isWebWorker
  ? browserFetch
  : (request) => globalThis.fetch(request);

async function browserFetch(request: Request): Promise<Response> {
  try {
    return await globalThis.fetch(request);
  } catch (error) {
    if (!(error instanceof TypeError) || request.signal.aborted) throw error;
    if (await answersAtAll(new URL(request.url).origin, request.signal)) throw error;
    throw Object.assign(new Error('no answer from the control plane', { cause: error }), {
      code: 'ERR_ADDRESS_UNREACHABLE',
    });
  }
}

/** Without CORS the answer cannot be read, but that there is one can be seen. */
async function answersAtAll(origin: string, signal: AbortSignal): Promise<boolean> {
  try {
    await globalThis.fetch(origin, {
      mode: 'no-cors',
      credentials: 'omit',
      signal,
    });
    return true;
  } catch {
    return false;
  }
}

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

/** Says that nothing was sent, since the connection that it was meant for was left. */
export function sayConnectionChanged(): void {
  const message = vscode.l10n.t('The connection has changed: nothing was sent.');
  void vscode.window.showWarningMessage(message);
}

/** Says why nothing was sent. @param what failed, where it was not that the connection was left. */
export function sayNothingSent(diagnostics: Diagnostics, what: string, error: unknown): void {
  if (error instanceof ConnectionLeftError) sayConnectionChanged();
  else void showFailure(diagnostics, what, error);
}

/**
 * The connection that something is started for, which it asks until it ends. Without a key there is
 * nothing to ask with: the way to one is offered at once.
 */
export async function ensureConnection(session: Session): Promise<SignedInConnection | undefined> {
  await session.ready;
  if (session.signedIn === undefined) await connectOnTheWay();
  return session.signedIn;
}

/** Asks for a connection within something else, which goes on after it. */
export async function connectOnTheWay(): Promise<void> {
  await vscode.commands.executeCommand(commands.connect, { onTheWay: true });
}
