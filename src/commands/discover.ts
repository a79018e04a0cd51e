import * as vscode from 'vscode';
import { membersOf } from '../api/jsonObject';
import { announce } from '../platform/announce';
import { systemClock } from '../platform/clock';
import { commands, views, type LateCommand } from '../platform/contributions';
import type { Diagnostics } from '../platform/diagnostics';
import { ensureConnection } from '../platform/ensureConnection';
import { changeKnown, type KnownKind } from '../platform/knownThings';
import type { LateCommands } from '../platform/latePart';
import { showFailure, withProgress } from '../platform/messages';
import type { WorkspaceData } from '../platform/workspaceData';
import type { Connection } from '../workspace/connections';
import { discover, type Discovery, type DiscoveryProgress } from '../workspace/discovery';
import { addThings, discoveryOffer, type DiscoveryOffer } from '../workspace/discoveryOffer';
import { pickDiscovered } from './discoverPicker';
import {
  countWords,
  offerWords,
  progressWords,
  unseenInShort,
  unseenSentences,
} from './discoveryWords';

const { t } = vscode.l10n;

export interface DiscoverServices {
  readonly data: WorkspaceData;
  readonly diagnostics: Diagnostics;
  readonly globalState: vscode.Memento;
  readonly lateCommands: LateCommands<LateCommand>;
}

/** `discover`: finds sources and servers, and asks which of them the views are to show. */
export function registerDiscover(services: DiscoverServices): vscode.Disposable {
  const { data, lateCommands } = services;
  let running: AbortController | undefined;

  /** One at a time: the newer one is what the person waits for. Undefined where it was ended. */
  async function run(
    ended: AbortSignal | undefined,
    onProgress: (progress: DiscoveryProgress) => void,
  ): Promise<Discovery | undefined> {
    const { client } = data.session;
    if (client === undefined) return undefined;
    running?.abort();
    const controller = new AbortController();
    running = controller;
    ended?.addEventListener('abort', () => controller.abort());
    try {
      return await discover({
        client,
        clock: systemClock,
        signal: controller.signal,
        onProgress,
        sources: data.known.sources().map(({ id }) => id),
        servers: data.known.servers().map(({ id }) => id),
      });
    } catch (error) {
      if (controller.signal.aborted) return undefined;
      throw error;
    } finally {
      if (running === controller) running = undefined;
    }
  }

  async function discoverNow(): Promise<void> {
    if (!(await ensureConnection(data.session))) return;
    const found = await withProgress(t('Discovering sources and servers…'), (signal, tell) =>
      run(signal, (progress) => tell(progressWords(progress))),
    );
    if (found === undefined) return;
    await noteDone(services);
    await offer(services, found);
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
    if (session.state.kind !== 'signedIn') return;
    const { connection } = session.state;
    if (isDone(services, connection) || !isNothingKnown(data)) return;
    const found = await inViews(() => run(undefined, () => undefined));
    if (found === undefined) return;
    await noteDone(services);
    const first = offerOf(data, found);
    // The welcome texts say how to go on where nothing was found; the command says why.
    if (isEmpty(first)) return;
    const [all, choose] = [t('Show All'), t('Choose…')];
    const chosen = await vscode.window.showInformationMessage(
      t('Found {0}. The views can show them.', offerWords(first)),
      all,
      choose,
    );
    if (chosen === undefined) return;
    // It may have waited for long: another connection has other things.
    if (data.session.state.kind === 'none' || data.session.state.connection !== connection) {
      await discoverNow();
    } else if (chosen === choose) await offer(services, found);
    else if (await keep(services, { ...offerOf(data, found), inWorkspace: false })) {
      await vscode.commands.executeCommand(`${views.sources}.focus`);
    }
  }

  return vscode.Disposable.from(
    lateCommands.register(commands.discover, (argument) =>
      isFirstConnect(argument) ? discoverOnce() : discoverNow(),
    ),
    data.session.onDidChange((change) => {
      if (change !== 'key') running?.abort();
    }),
    new vscode.Disposable(() => running?.abort()),
  );
}

/** What `connect` calls this with; a view's title calls it with whatever row has the focus there. */
function isFirstConnect(argument: unknown): boolean {
  return membersOf(argument)['firstConnect'] === true;
}

/** Asks what to add, or says why there is nothing to add. */
async function offer(services: DiscoverServices, found: Discovery): Promise<void> {
  const { data } = services;
  const fresh = offerOf(data, found);
  if (isEmpty(fresh)) return sayNothingNew(data, found);
  const choice = await pickDiscovered(fresh, unseenInShort(found));
  if (choice === undefined || isEmpty(choice) || !(await keep(services, choice))) return;
  const sentences = unseenSentences(found);
  const added = t('Added {0}', offerWords(choice));
  if (sentences.length === 0) announce(added);
  else await sayWithCheck(`${added}. ${sentences.join(' ')}`);
}

async function sayNothingNew({ known }: WorkspaceData, found: Discovery): Promise<void> {
  const sentences = unseenSentences(found).join(' ');
  const [sources, servers] = [known.sources().length, known.servers().length];
  if (sources + servers > 0) {
    const nothing = t('Nothing new was found beside {0}.', countWords(sources, servers));
    if (sentences === '') void vscode.window.showInformationMessage(nothing);
    else await sayWithCheck(`${nothing} ${sentences}`);
    return;
  }
  const buttons = new Map([
    [t('Add Source…'), commands.addSource],
    [t('Add Server…'), commands.addServer],
    [t('Check Connection'), commands.checkConnection],
  ]);
  const nothing = t('No source and no server was found: nothing has logged in the last day.');
  const chosen = await vscode.window.showInformationMessage(
    sentences === '' ? nothing : `${t('No source and no server was found.')} ${sentences}`,
    ...buttons.keys(),
  );
  const command = chosen === undefined ? undefined : buttons.get(chosen);
  if (command !== undefined) await vscode.commands.executeCommand(command);
}

async function sayWithCheck(message: string): Promise<void> {
  const check = t('Check Connection');
  const chosen = await vscode.window.showInformationMessage(message, check);
  if (chosen === check) await vscode.commands.executeCommand(commands.checkConnection);
}

/** Whether all of it stands in the lists now. */
async function keep(
  { diagnostics }: DiscoverServices,
  { sources, servers, inWorkspace }: DiscoveryOffer & { readonly inWorkspace: boolean },
): Promise<boolean> {
  const add = async (kind: KnownKind, things: DiscoveryOffer[KnownKind]): Promise<void> => {
    if (things.length === 0) return;
    const change = (setting: unknown): unknown[] =>
      addThings(
        setting,
        things.map(({ thing }) => thing),
      );
    await changeKnown(kind, change, inWorkspace ? 'workspace' : undefined);
  };
  try {
    await add('sources', sources);
    await add('servers', servers);
    return true;
  } catch (error) {
    void showFailure(diagnostics, t('What was found could not be kept.'), error);
    return false;
  }
}

function offerOf({ known }: WorkspaceData, found: Discovery): DiscoveryOffer {
  return discoveryOffer(found, { sources: known.sources(), servers: known.servers() }, t);
}

function isEmpty({ sources, servers }: DiscoveryOffer): boolean {
  return sources.length + servers.length === 0;
}

function isNothingKnown({ known }: WorkspaceData): boolean {
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

async function noteDone({ globalState, data }: DiscoverServices): Promise<void> {
  const { state } = data.session;
  if (state.kind !== 'none') await globalState.update(doneKey(state.connection), true);
}
