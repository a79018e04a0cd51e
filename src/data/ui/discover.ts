import * as v from 'valibot';
import * as vscode from 'vscode';
import { readStored, StoredValue } from '../../base/storedValue';
import { membersOf } from '../../base/json';
import { type Connection, connectionId } from '../../connection/connections';
import { ensureConnection, type SignedInConnection } from '../../connection/ui/session';
import { plainText } from '../../base/plainText';
import { registerCommand } from '../../vscode/commands';
import { commands, views } from '../../vscode/contributions';
import { withProgress } from '../../vscode/notifications';
import { counted } from '../../vscode/numbers';
import { showBox } from '../../vscode/quickInput';
import { discover, type Discovery, type DiscoveryProgress } from '../discovery/discovery';
import type { FollowLogs, FollowTarget } from '../followTarget';
import { isEmpty, keepFound, offerFound, offerOf, type OfferServices } from './discoverPicker';
import { countText, offerText, progressText } from './discoveryText';

const { t } = vscode.l10n;

interface DiscoverServices extends OfferServices {
  readonly globalState: vscode.Memento;
  readonly followLogs: FollowLogs;
}

/** Finds sources and servers, and asks which of them to show. */
interface DiscoverCommand {
  /** Shows what a new connection has, and asks what to follow, as the last box of *Connect…*. */
  askAfterConnect(steps: Steps): Promise<void>;
  dispose(): void;
}

export function registerDiscover(services: DiscoverServices): DiscoverCommand {
  const { data, globalState, followLogs } = services;
  const { session } = data;
  let running: AbortController | undefined;
  /** Whether a discovery of a connection has ended. */
  const doneFor = (connection: Connection): StoredValue<boolean> =>
    new StoredValue(globalState, `discovered ${connectionId(connection)}`, (isDone) =>
      readStored(v.boolean(), isDone),
    );

  /** Ends the discovery before. Undefined if this one was ended by the next, or by `ended`. */
  async function run(
    { client, connection }: SignedInConnection,
    ended: AbortSignal,
    onProgress: (progress: DiscoveryProgress) => void = () => undefined,
  ): Promise<Discovery | undefined> {
    running?.abort();
    const controller = new AbortController();
    running = controller;
    const signal = AbortSignal.any([controller.signal, ended]);
    try {
      const found = await discover({
        client,
        signal,
        onProgress,
        sources: data.targets.sources().map(({ id }) => id),
        servers: data.targets.servers().map(({ id }) => id),
      });
      if (signal.aborted) return undefined;
      await doneFor(connection).set(true);
      return found;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      if (running === controller) running = undefined;
    }
  }

  async function discoverNow(): Promise<void> {
    const signedIn = await ensureConnection(session);
    if (signedIn === undefined) return;
    const title = t('Discovering sources and servers…');
    const found = await withProgress(title, signedIn.signal, (signal, report) =>
      run(signedIn, signal, (progress) => report(progressText(progress))),
    );
    if (found !== undefined) await offerFound(services, found, signedIn.signal);
  }

  /** Whether this is the first discovery of a connection, and nothing is listed yet. */
  function isFirst({ connection }: SignedInConnection): boolean {
    const { sources, servers } = data.targets;
    const isDone = doneFor(connection).value === true;
    return !isDone && sources().length + servers().length === 0;
  }

  /**
   * Runs without being asked, so it shows only progress in the views and one notification. It adds nothing
   * by itself: settings may be synced to other computers, and the ids come from a server.
   */
  async function discoverOnce(): Promise<void> {
    await session.ready;
    const { signedIn } = session;
    if (signedIn === undefined || !isFirst(signedIn)) return;
    const found = await inViews(() => run(signedIn, signedIn.signal));
    if (found !== undefined) await notifyOfFound(found, signedIn);
  }

  async function notifyOfFound(
    found: Discovery,
    { signal: lifetime }: SignedInConnection,
  ): Promise<void> {
    const first = offerOf(data, found);
    // If nothing is found, the welcome texts say how to continue, and the command says why.
    if (isEmpty(first)) return;
    const [all, choose] = [t('Show All'), t('Choose…')];
    const message = t('Found {0}.', offerText(first));
    const chosen = await vscode.window.showInformationMessage(message, all, choose);
    if (chosen === undefined) return;
    // The connection may have changed while the notification was open.
    if (lifetime.aborted) await discoverNow();
    else if (chosen === choose) await offerFound(services, found, lifetime);
    else if (await keepFound(services, { ...offerOf(data, found), inWorkspace: false })) {
      await vscode.commands.executeCommand(`${views.sources}.focus`);
    }
  }

  const registration = registerCommand(commands.discover, (argument) =>
    isFirstConnect(argument) ? discoverOnce() : discoverNow(),
  );
  return {
    async askAfterConnect(steps) {
      const { signedIn } = session;
      if (signedIn === undefined) return;
      const finding = isFirst(signedIn)
        ? inViews(() => run(signedIn, signedIn.signal))
        : Promise.resolve(undefined);
      const isAnswered = await askWhatToFollow(signedIn, finding, followLogs, steps);
      const found = await finding;
      if (found === undefined) return;
      if (isAnswered) await keepFound(services, { ...offerOf(data, found), inWorkspace: false });
      else await notifyOfFound(found, signedIn);
    },
    dispose() {
      registration.dispose();
      running?.abort();
    },
  };
}

/** Whether `connect` calls the command. The title of a view calls it with its focused row. */
function isFirstConnect(argument: unknown): boolean {
  return membersOf(argument)['firstConnect'] === true;
}

/** Shows progress in the views that a discovery fills. */
async function inViews<T>(work: () => Promise<T>): Promise<T> {
  const result = work();
  for (const viewId of [views.sources, views.servers]) {
    void vscode.window.withProgress({ location: { viewId } }, async () => {
      await result.catch(() => undefined);
    });
  }
  return result;
}

/** The position of a box in a series. */
interface Steps {
  readonly step: number;
  readonly totalSteps: number;
}

interface Item extends vscode.QuickPickItem {
  /** Undefined: follow nothing yet. */
  readonly follow: FollowTarget | undefined;
}

/**
 * The last box of *Connect…*: says what the control plane runs as soon as it is found, and asks what to
 * follow. It can be answered before that.
 *
 * @param finding undefined if the discovery was cancelled.
 * @returns whether the user answered; false if the box was dismissed.
 */
async function askWhatToFollow(
  signedIn: SignedInConnection,
  finding: Promise<Discovery | undefined>,
  followLogs: FollowLogs,
  { step, totalSteps }: Steps,
): Promise<boolean> {
  const box = vscode.window.createQuickPick<Item>();
  const name = plainText(signedIn.connection.name, 64);
  box.title = t('Connected to {0}', name);
  box.step = step;
  box.totalSteps = totalSteps;
  box.ignoreFocusOut = true;
  box.placeholder = t('Looking for apps and servers…');
  box.busy = true;
  box.items = itemsToFollow();
  void finding.then(
    (found) => {
      box.busy = false;
      box.placeholder = foundText(found);
    },
    () => (box.busy = false),
  );
  const chosen = await showBox<Item>(box, signedIn.signal, (answer) => {
    box.onDidAccept(() => answer(box.selectedItems[0]));
  });
  if (chosen?.follow !== undefined) await followLogs(chosen.follow, signedIn);
  return chosen !== undefined;
}

function itemsToFollow(): readonly Item[] {
  return [
    {
      label: t('$(error) Follow Errors'),
      description: 'severity:error,fatal',
      follow: { filter: { severities: ['error', 'fatal'] }, label: t('errors') },
    },
    { label: t('$(broadcast) Follow Everything'), follow: { filter: {}, label: t('everything') } },
    { label: t('$(circle-slash) Nothing Yet'), follow: undefined },
  ];
}

/** Such as `Found 4 sources, and 12 apps and jobs on 3 servers. What do you want to follow?` */
function foundText(discovery: Discovery | undefined): string {
  const question = t('What do you want to follow?');
  const { workloads = 0, sources = [], servers = [] } = discovery ?? {};
  if (workloads + sources.length + servers.length === 0) return question;
  const apps = counted(workloads, '{0} app or job', '{0} apps and jobs');
  const found = t(
    'Found {2}, and {0} on {1}.',
    apps,
    countText(0, servers.length),
    counted(sources.length, '{0} source', '{0} sources'),
  );
  return `${found} ${question}`;
}
