import * as vscode from 'vscode';
import { labelText, plainText } from '../../base/untrustedText';
import { systemClock } from '../../vscode/systemClock';
import { registerCommand, setContext } from '../../vscode/commands';
import { commands, contextKeys } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { isWebWorker, promptOptions } from '../../vscode/extensionHost';
import { JsonFiles } from '../../vscode/jsonFiles';
import { announce } from '../../vscode/notifications';
import { counted } from '../../vscode/numbers';
import * as settings from '../../vscode/settings';
import { ownValue, writeSetting } from '../../vscode/settings';
import type { ApiKeys, MachineFile } from '../apiKeys';
import { type Connection, readConnections } from '../connections';
import {
  Session,
  SessionMemory,
  type CommonClientOptions,
  type SignedInConnection,
} from '../session';

const { t } = vscode.l10n;

/**
 * The `fetch` of VS Code, which uses its proxy and certificates. In a web worker, the browser hides why a
 * request failed: a second request without the key tells whether the control plane refuses browsers or
 * cannot be reached.
 */
const editorFetch: (request: Request) => Promise<Response> = isWebWorker
  ? browserFetch
  : (request) => globalThis.fetch(request);

async function browserFetch(request: Request): Promise<Response> {
  try {
    return await globalThis.fetch(request);
  } catch (error) {
    if (!(error instanceof TypeError) || request.signal.aborted) throw error;
    if (await isReachable(new URL(request.url).origin, request.signal)) throw error;
    throw Object.assign(new Error('no answer from the control plane', { cause: error }), {
      code: 'ERR_ADDRESS_UNREACHABLE',
    });
  }
}

/** Without CORS the answer cannot be read, but its arrival can be noticed. */
async function isReachable(origin: string, signal: AbortSignal): Promise<boolean> {
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

export type { SessionState } from '../connections';
export type { Session } from '../session';
export type { SignedInConnection } from '../session';

/** The options of every client in this window. */
export function clientOptions({ request }: Diagnostics): CommonClientOptions {
  return {
    fetch: editorFetch,
    clock: systemClock,
    random: Math.random,
    settings: () => settings.apiSettings(),
    onDidRequest: request,
  };
}

/** The session of this window. */
export function openSession(
  keys: ApiKeys,
  workspaceState: vscode.Memento,
  globalState: vscode.Memento,
  diagnostics: Diagnostics,
): Session {
  const session = new Session(
    keys,
    {
      all: connections,
      onDidChange: (listener) => settings.onDidChangeSettings('connections', listener),
    },
    new SessionMemory(workspaceState, globalState),
    clientOptions(diagnostics),
    (error) => diagnostics.error('Could not save the connections', error),
  );
  const say = (): void => void setContext(contextKeys.session, session.state.kind);
  session.onDidChange(say);
  // Without a connection nothing changes.
  void session.ready.then(say);
  return session;
}

/** The signed-in connection. If there is none, asks the user to connect; undefined if they do not. */
export async function ensureConnection(session: Session): Promise<SignedInConnection | undefined> {
  await session.ready;
  if (session.signedIn === undefined) await promptToConnect();
  return session.signedIn;
}

/** Asks for a connection within a command, which continues afterwards. */
export async function promptToConnect(): Promise<void> {
  await vscode.commands.executeCommand(commands.connect, { withinCommand: true });
}

/**
 * `signOut` and `switchConnection`.
 *
 * @param followed how many logs are followed, which ends with the connection.
 */
export function registerConnections(
  session: Session,
  keys: ApiKeys,
  followed: () => number,
): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(commands.signOut, () => signOut(session, keys, followed)),
    registerCommand(commands.switchConnection, () => switchConnection(session, keys)),
  );
}

/**
 * Asks always: what a person chose from the palette and what another program runs looks the same. What stays on this
 * computer is offered to go, too.
 */
async function signOut(session: Session, keys: ApiKeys, followed: () => number): Promise<void> {
  await session.ready;
  const connection = connectionOf(session);
  if (connection === undefined) return;
  const { name } = connection;
  const count = followed();
  const isOnly = connections().every((one) => one.name === name);
  const detail = [
    ...(count === 0
      ? []
      : [
          counted(
            count,
            '{0} query is followed. It continues when you connect again.',
            '{0} queries are followed. They continue when you connect again.',
          ),
        ]),
    t(
      'Sign Out deletes the API key. Sign Out and Forget also removes what is kept of the connection on this computer: recent queries, muted errors, layouts, activity and pushes.',
    ),
    isOnly
      ? t('With it go the sources and servers in your settings, with their labels.')
      : t('The sources and servers in your settings stay, because other connections may use them.'),
  ].join('\n\n');
  const [keep, forget] = [t('Sign Out'), t('Sign Out and Forget')];
  const question = t('Sign out of {0}?', plainText(name, 100));
  const chosen = await vscode.window.showWarningMessage(
    question,
    { modal: true, detail },
    keep,
    forget,
  );
  // The dialog was about this connection.
  if (chosen === undefined || connectionOf(session) !== connection) return;
  const forgets = chosen === forget;
  await session.signOut({ forgets });
  const known = connections();
  // If the settings cannot be read, no connection is known.
  if (known.some((one) => one.name === name)) await keys.deleteOrphans(known);
  if (forgets && isOnly) {
    for (const list of ['sources', 'servers']) await writeSetting('user', list, undefined);
  }
  announce(t('Signed out of {0}.', name), 'key');
}

/** Names the connection, for the tooltips of the status bar: nothing if there is none. */
export function tooltipOfConnection(session: Session): readonly string[] {
  const connection = connectionOf(session);
  return connection === undefined ? [] : [t('Connection: {0}', connection.name)];
}

/** Keeps the name of the connection in the title of a view while there are several to choose from. */
export function registerConnectionName(
  view: Pick<vscode.TreeView<unknown>, 'description'>,
  session: Session,
): vscode.Disposable {
  const update = (): void => {
    const name = connections().length > 1 ? connectionOf(session)?.name : undefined;
    view.description = labelText(name ?? '');
  };
  void session.ready.then(update);
  return vscode.Disposable.from(
    session.onDidChange(update),
    settings.onDidChangeSettings('connections', update),
  );
}

function connectionOf({ state }: Session): Connection | undefined {
  return state.kind === 'none' ? undefined : state.connection;
}

async function switchConnection(session: Session, keys: ApiKeys): Promise<void> {
  const current = connectionOf(session);
  const known = connections().map((connection) => ({
    label: labelText(connection.name),
    description: labelText(connection.baseUrl),
    iconPath: new vscode.ThemeIcon(connection.name === current?.name ? 'check' : 'plug'),
    connection,
  }));
  const add = {
    label: t('Connect to Another…'),
    iconPath: new vscode.ThemeIcon('add'),
    alwaysShow: true,
  };
  const chosen = await vscode.window.showQuickPick([...known, add], {
    title: t('Switch Connection'),
    ...promptOptions(t('Following logs of the current connection stops.')),
    matchOnDescription: true,
  });
  if (chosen === undefined) return;
  if (!('connection' in chosen)) await vscode.commands.executeCommand(commands.connect);
  else {
    await session.use(chosen.connection);
    if (await keys.isElsewhere(chosen.connection)) await promptToConnect();
  }
}

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
  const files = new JsonFiles(globalStorage);
  const name = 'loopbackConnections';
  return { read: () => files.readOrDraft(name), write: (value) => files.write(name, value) };
}
