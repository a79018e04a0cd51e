import * as vscode from 'vscode';
import { membersOf } from '../../api/lenient';
import type { Connection } from '../../connection/connections';
import { ensureConnection, type SignedInConnection } from '../../connection/ui/session';
import { systemClock } from '../../vscode/clock';
import { commands, views } from '../../vscode/contributions';
import { withProgress } from '../../vscode/notifications';
import { discover, type Discovery, type DiscoveryProgress } from '../discovery/discovery';
import { isEmpty, keepFound, offerFound, offerOf, type OfferServices } from './discoverPicker';
import { offerText, progressText } from './discoveryText';
import type { WorkspaceData } from './workspaceData';

const { t } = vscode.l10n;

export interface DiscoverServices extends OfferServices {
  readonly globalState: vscode.Memento;
}

/** `discover`: finds sources and servers, and asks which of them the views are to show. */
export function registerDiscover(services: DiscoverServices): vscode.Disposable {
  const { data } = services;
  let running: AbortController | undefined;

  /**
   * One at a time: the newer one is what the person waits for. Undefined where it was ended.
   *
   * @param ended aborted with the connection, at the latest.
   */
  async function run(
    { client }: SignedInConnection,
    ended: AbortSignal,
    onProgress: (progress: DiscoveryProgress) => void,
  ): Promise<Discovery | undefined> {
    running?.abort();
    const controller = new AbortController();
    running = controller;
    const signal = AbortSignal.any([controller.signal, ended]);
    try {
      const found = await discover({
        client,
        clock: systemClock,
        signal,
        onProgress,
        sources: data.targets.sources().map(({ id }) => id),
        servers: data.targets.servers().map(({ id }) => id),
      });
      return signal.aborted ? undefined : found;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      if (running === controller) running = undefined;
    }
  }

  async function discoverNow(): Promise<void> {
    const signedIn = await ensureConnection(data.session);
    if (signedIn === undefined) return;
    const { signal: lifetime } = signedIn;
    const title = t('Discovering sources and servers…');
    const found = await withProgress(title, lifetime, (signal, tell) =>
      run(signedIn, signal, (progress) => tell(progressText(progress))),
    );
    if (found === undefined) return;
    await noteDone(services, signedIn.connection);
    await offerFound(services, found, lifetime);
  }

  /**
   * After the first connect of a connection, where nothing is known yet: nobody has asked for it, so
   * it shows nothing but the bar of progress above the trees and, where it has found something, one
   * notification, which takes no focus. The lists stay untouched until somebody says so: settings
   * may be synced to other machines, and the ids come from a server.
   */
  async function discoverOnce(): Promise<void> {
    const { session } = data;
    await session.ready;
    const { signedIn } = session;
    if (signedIn === undefined) return;
    const { connection, signal: lifetime } = signedIn;
    if (isDone(services, connection) || !isNothingKnown(data)) return;
    const found = await inViews(() => run(signedIn, lifetime, () => undefined));
    if (found === undefined) return;
    await noteDone(services, connection);
    const first = offerOf(data, found);
    // The welcome texts say how to go on where nothing was found; the command says why.
    if (isEmpty(first)) return;
    const [all, choose] = [t('Show All'), t('Choose…')];
    const chosen = await vscode.window.showInformationMessage(
      t('Found {0}.', offerText(first)),
      all,
      choose,
    );
    if (chosen === undefined) return;
    // It may have waited for long: another connection has other things.
    if (lifetime.aborted) await discoverNow();
    else if (chosen === choose) await offerFound(services, found, lifetime);
    else if (await keepFound(services, { ...offerOf(data, found), inWorkspace: false })) {
      await vscode.commands.executeCommand(`${views.sources}.focus`);
    }
  }

  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.discover, (argument) =>
      isFirstConnect(argument) ? discoverOnce() : discoverNow(),
    ),
    new vscode.Disposable(() => running?.abort()),
  );
}

/** What `connect` calls this with; a view's title calls it with whatever row has the focus there. */
function isFirstConnect(argument: unknown): boolean {
  return membersOf(argument)['firstConnect'] === true;
}

function isNothingKnown({ targets: known }: WorkspaceData): boolean {
  return known.sources().length + known.servers().length === 0;
}

/** Shows that something is under way in both views that it fills. */
async function inViews<T>(work: () => Promise<T>): Promise<T> {
  const result = work();
  for (const viewId of [views.sources, views.servers]) {
    void vscode.window.withProgress({ location: { viewId } }, async () => {
      await result.catch(() => undefined);
    });
  }
  return result;
}

/** With the origin: another control plane under an old name has other things. */
function doneKey({ name, origin }: Connection): string {
  return `discovered ${origin} ${name}`;
}

function isDone({ globalState }: DiscoverServices, connection: Connection): boolean {
  return globalState.get<unknown>(doneKey(connection)) === true;
}

async function noteDone({ globalState }: DiscoverServices, connection: Connection): Promise<void> {
  await globalState.update(doneKey(connection), true);
}
