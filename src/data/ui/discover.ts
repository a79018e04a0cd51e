import * as v from 'valibot';
import * as vscode from 'vscode';
import { membersOf } from '../../base/json';
import { readStored, StoredValue } from '../../base/storedValue';
import { joined } from '../../base/textFormat';
import { labelText, plainText } from '../../base/untrustedText';
import { type Connection, connectionId } from '../../connection/connections';
import { ensureConnection, type SignedInConnection } from '../../connection/ui/session';
import { registerCommand } from '../../vscode/commands';
import { commands, views } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { announce, showFailure, withProgress } from '../../vscode/notifications';
import { counted } from '../../vscode/numbers';
import { showBox } from '../../vscode/quickInput';
import { discover, type Discovery, type DiscoveryProgress } from '../discovery/discovery';
import {
  addThings,
  type DiscoveryOffer,
  discoveryOffer,
  type KeyLimit,
  keyLimits,
  type OfferedTarget,
} from '../discovery/discoveryOffer';
import { type FollowLogs, type FollowTarget, shortId } from '../targets';
import type { ConnectionData } from './connectionData';
import {
  countText,
  offerText,
  discoveryProgressText,
  unseenInShort,
  unseenSentences,
} from './discoveryText';
import { changeTargets, type TargetKind } from './targetSettings';

const { t } = vscode.l10n;

/** `discover`: finds sources and servers, and asks which of them to show. */
export class DiscoverCommand {
  private running: AbortController | undefined;
  private readonly registration: vscode.Disposable;

  constructor(
    private readonly data: ConnectionData,
    private readonly diagnostics: Diagnostics,
    private readonly globalState: vscode.Memento,
    private readonly followLogs: FollowLogs,
  ) {
    this.registration = registerCommand(commands.discover, (argument) =>
      isFirstConnect(argument) ? this.discoverOnce() : this.discoverNow(),
    );
  }

  /**
   * Shows what a new connection has and what its key cannot do, and asks what to follow, as the last box of *Connect…*.
   */
  async askAfterConnect(step: number, mayReadLogs: boolean): Promise<void> {
    const { signedIn } = this.data.session;
    if (signedIn === undefined) return;
    const finding = this.isFirst(signedIn)
      ? inViews(() => this.run(signedIn, signedIn.signal))
      : Promise.resolve(undefined);
    const chosen = await askWhatToFollow(signedIn, finding, { step, mayReadLogs });
    if (chosen?.follow !== undefined) await this.followLogs(chosen.follow, signedIn);
    if (chosen?.isLimit === true) await vscode.commands.executeCommand(commands.checkConnection);
    const isAnswered = chosen !== undefined;
    const found = await finding;
    if (found === undefined) return;
    if (isAnswered) await keepFound(offerOf(this.data, found), false, this.diagnostics);
    else await this.notifyOfFound(found, signedIn);
  }

  dispose(): void {
    this.registration.dispose();
    this.running?.abort();
  }

  private async discoverNow(): Promise<void> {
    const signedIn = await ensureConnection(this.data.session);
    if (signedIn === undefined) return;
    const title = t('Discovering sources and servers…');
    const found = await withProgress(title, signedIn.signal, (signal, report) =>
      this.run(signedIn, signal, (progress) => report(discoveryProgressText(progress))),
    );
    if (found !== undefined) await offerFound(this.data, found, signedIn.signal, this.diagnostics);
  }

  /**
   * Runs without being asked, so it shows only progress in the views and one notification. It adds nothing
   * by itself: settings may be synced to other computers, and the ids come from a server.
   */
  private async discoverOnce(): Promise<void> {
    await this.data.session.ready;
    const { signedIn } = this.data.session;
    if (signedIn === undefined || !this.isFirst(signedIn)) return;
    const found = await inViews(() => this.run(signedIn, signedIn.signal));
    if (found !== undefined) await this.notifyOfFound(found, signedIn);
  }

  /** Ends the discovery before. Undefined if this one was ended by the next, or by `ended`. */
  private async run(
    { client, connection }: SignedInConnection,
    ended: AbortSignal,
    onProgress?: (progress: DiscoveryProgress) => void,
  ): Promise<Discovery | undefined> {
    this.running?.abort();
    const controller = new AbortController();
    this.running = controller;
    const signal = AbortSignal.any([controller.signal, ended]);
    const { sources, servers } = this.data.targets;
    try {
      const known = { sources: sources(), servers: servers() };
      const found = await discover(client, known, signal, onProgress);
      if (signal.aborted) return undefined;
      await this.doneFor(connection).set(true);
      return found;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      if (this.running === controller) this.running = undefined;
    }
  }

  private async notifyOfFound(
    found: Discovery,
    { signal: lifetime }: SignedInConnection,
  ): Promise<void> {
    const { data, diagnostics } = this;
    const first = offerOf(data, found);
    // If nothing is found, the welcome texts say how to continue, and the command says why.
    if (isEmpty(first)) return;
    const [all, choose] = [t('Show All'), t('Choose…')];
    const message = t('Found: {0}.', offerText(first));
    const chosen = await vscode.window.showInformationMessage(message, all, choose);
    if (chosen === undefined) return;
    // The connection may have changed while the notification was open.
    if (lifetime.aborted) await this.discoverNow();
    else if (chosen === choose) await offerFound(data, found, lifetime, diagnostics);
    else if (await keepFound(offerOf(data, found), false, diagnostics)) {
      await vscode.commands.executeCommand(`${views.sources}.focus`);
    }
  }

  /** Whether this is the first discovery of a connection, and nothing is listed yet. */
  private isFirst({ connection }: SignedInConnection): boolean {
    const { sources, servers } = this.data.targets;
    const isDone = this.doneFor(connection).value === true;
    return !isDone && sources().length + servers().length === 0;
  }

  /** Whether a discovery of a connection has ended. */
  private doneFor(connection: Connection): StoredValue<boolean> {
    return new StoredValue(this.globalState, `discovered ${connectionId(connection)}`, (isDone) =>
      readStored(v.boolean(), isDone),
    );
  }
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

interface FollowItem extends vscode.QuickPickItem {
  /** Undefined: follow nothing yet. */
  readonly follow: FollowTarget | undefined;
  /** Whether it says what the key cannot do; then it leads to the check of the connection. */
  readonly isLimit?: boolean;
}

interface LastStep {
  /** Of *Connect…*, which has as many. */
  readonly step: number;
  readonly mayReadLogs: boolean;
}

/**
 * The last box of *Connect…*: says what the control plane runs as soon as it is found, and asks what to
 * follow. It can be answered before that. What the key cannot do is below, with what that means.
 *
 * @param finding undefined if the discovery was cancelled.
 * @returns undefined if the box was dismissed.
 */
async function askWhatToFollow(
  signedIn: SignedInConnection,
  finding: Promise<Discovery | undefined>,
  { step, mayReadLogs }: LastStep,
): Promise<FollowItem | undefined> {
  const box = vscode.window.createQuickPick<FollowItem>();
  const name = plainText(signedIn.connection.name, 64);
  box.title = t('Connected to {0}', name);
  box.step = step;
  box.totalSteps = step;
  box.ignoreFocusOut = true;
  box.placeholder = t('Looking for apps and servers…');
  box.busy = true;
  const items = (found?: Discovery): FollowItem[] => [
    ...(mayReadLogs ? itemsToFollow() : [{ label: t('$(check) Continue'), follow: undefined }]),
    ...limitItems(keyLimits(found, mayReadLogs, t)),
  ];
  box.items = items();
  void finding.then(
    (found) => {
      box.busy = false;
      box.placeholder = joined([foundText(found), questionOf(mayReadLogs)], ' ');
      if (found !== undefined && found.unseen.length > 0) box.items = items(found);
    },
    () => (box.busy = false),
  );
  return showBox<FollowItem>(box, signedIn.signal, (answer) => {
    box.onDidAccept(() => answer(box.selectedItems[0]));
  });
}

function questionOf(mayReadLogs: boolean): string | undefined {
  return mayReadLogs ? t('What do you want to follow?') : undefined;
}

function limitItems(limits: readonly KeyLimit[]): readonly FollowItem[] {
  if (limits.length === 0) return [];
  const title = t('What this API key cannot do');
  return [
    { label: title, kind: vscode.QuickPickItemKind.Separator, follow: undefined },
    ...limits.map(({ permission, meaning }) => ({
      label: `$(lock) ${t('{0} is missing.', permission)}`,
      detail: meaning,
      follow: undefined,
      isLimit: true,
      alwaysShow: true,
    })),
  ];
}

function itemsToFollow(): readonly FollowItem[] {
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

/** Such as `Found: 4 sources, 3 servers, 12 apps and jobs.`; undefined if nothing was found. */
function foundText(discovery: Discovery | undefined): string | undefined {
  const { workloads = 0, sources = [], servers = [] } = discovery ?? {};
  if (workloads + sources.length + servers.length === 0) return undefined;
  const apps = counted(workloads, '{0} app or job', '{0} apps and jobs');
  return t('Found: {0}.', `${countText(sources.length, servers.length)}, ${apps}`);
}

interface DiscoveryChoice extends DiscoveryOffer {
  /** Whether to add to the lists of the workspace instead of those of the user. */
  readonly inWorkspace: boolean;
}

interface FoundItem extends vscode.QuickPickItem {
  readonly kindOfThing?: TargetKind;
  readonly offered?: OfferedTarget;
}

/**
 * Asks which of the found sources and servers to add, with all of them selected. Undefined if the user
 * cancels.
 *
 * @param note what could not be searched, in a few words.
 * @param lifetime of the connection: the picker closes when it ends.
 */
function pickDiscovered(
  offer: DiscoveryOffer,
  note: string | undefined,
  lifetime: AbortSignal,
): Promise<DiscoveryChoice | undefined> {
  const picker = vscode.window.createQuickPick<FoundItem>();
  const items = [
    ...section('sources', t('Sources'), offer.sources),
    ...section('servers', t('Servers'), offer.servers),
  ];
  // Lists of an untrusted workspace are ignored.
  const canChoosePlace = hasWorkspace() && vscode.workspace.isTrusted;
  let inWorkspace = false;

  const showPlace = (): void => {
    picker.title = inWorkspace
      ? t('Discover: Add to Workspace Settings')
      : t('Discover: Add to User Settings');
    picker.buttons = canChoosePlace ? [placeButton(inWorkspace)] : [];
  };

  picker.canSelectMany = true;
  picker.ignoreFocusOut = true;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.placeholder = note ?? t('Select sources and servers to show');
  picker.items = items;
  picker.selectedItems = items.filter(({ offered }) => offered !== undefined);
  showPlace();
  return showBox<DiscoveryChoice>(picker, lifetime, (answer) => {
    picker.onDidTriggerButton(() => {
      inWorkspace = !inWorkspace;
      showPlace();
    });
    picker.onDidAccept(() => {
      const { selectedItems } = picker;
      const chosen = (kind: TargetKind): OfferedTarget[] =>
        selectedItems.flatMap((item) => (item.kindOfThing === kind ? (item.offered ?? []) : []));
      answer({ sources: chosen('sources'), servers: chosen('servers'), inWorkspace });
    });
  });
}

/** Whether the window has a folder that can have its own settings. */
function hasWorkspace(): boolean {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  return workspaceFile !== undefined || workspaceFolders.length > 0;
}

/** Shows which settings the selection is saved to, and switches them. The title names them, too. */
function placeButton(inWorkspace: boolean): vscode.QuickInputButton {
  return inWorkspace
    ? {
        iconPath: new vscode.ThemeIcon('folder'),
        tooltip: t('Saving to the workspace settings. Click to save to your user settings'),
      }
    : {
        iconPath: new vscode.ThemeIcon('account'),
        tooltip: t('Saving to your user settings. Click to save to the workspace settings'),
      };
}

function section(kind: TargetKind, title: string, things: readonly OfferedTarget[]): FoundItem[] {
  if (things.length === 0) return [];
  return [
    { label: title, kind: vscode.QuickPickItemKind.Separator },
    ...things.map((offered) => ({
      label: labelText(offered.name),
      description: shortId(offered.target.id),
      detail: labelText(offered.detail),
      kindOfThing: kind,
      offered,
    })),
  ];
}

/**
 * Asks what to add and adds it, or says that nothing new was found.
 *
 * @param lifetime of the connection on which it was found: the question closes when it ends.
 */
async function offerFound(
  data: ConnectionData,
  found: Discovery,
  lifetime: AbortSignal,
  diagnostics: Diagnostics,
): Promise<void> {
  const fresh = offerOf(data, found);
  if (isEmpty(fresh)) return sayNothingNew(data, found);
  const choice = await pickDiscovered(fresh, unseenInShort(found), lifetime);
  if (choice === undefined || isEmpty(choice)) return;
  if (!(await keepFound(choice, choice.inWorkspace, diagnostics))) return;
  const sentences = unseenSentences(found);
  const added = t('Added: {0}', offerText(choice));
  if (sentences.length === 0) announce(added);
  else await sayWithCheck(`${added}. ${sentences.join(' ')}`);
}

async function sayNothingNew({ targets: known }: ConnectionData, found: Discovery): Promise<void> {
  const sentences = unseenSentences(found).join(' ');
  const [sources, servers] = [known.sources().length, known.servers().length];
  if (sources + servers > 0) {
    const nothing = t(
      'Nothing new was found. Already in the views: {0}.',
      countText(sources, servers),
    );
    if (sentences === '') void vscode.window.showInformationMessage(nothing);
    else await sayWithCheck(`${nothing} ${sentences}`);
    return;
  }
  const buttons = new Map([
    [t('Add Source…'), commands.addSource],
    [t('Add Server…'), commands.addServer],
    [t('Check Connection'), commands.checkConnection],
  ]);
  const nothing = t('No sources or servers found: there are no logs from the last 24 hours.');
  const chosen = await vscode.window.showInformationMessage(
    sentences === '' ? nothing : `${t('No sources or servers found.')} ${sentences}`,
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

/**
 * Adds sources and servers to the settings of the workspace or of the user. Shows a failure, and returns
 * whether all were added.
 */
async function keepFound(
  { sources, servers }: DiscoveryOffer,
  inWorkspace: boolean,
  diagnostics: Diagnostics,
): Promise<boolean> {
  const add = async (kind: TargetKind, things: DiscoveryOffer[TargetKind]): Promise<void> => {
    if (things.length === 0) return;
    const change = (setting: unknown): unknown[] =>
      addThings(
        setting,
        things.map(({ target: thing }) => thing),
      );
    await changeTargets(kind, change, inWorkspace ? 'workspace' : 'user');
  };
  try {
    await add('sources', sources);
    await add('servers', servers);
    return true;
  } catch (error) {
    void showFailure(diagnostics, t('Could not save the selection.'), error);
    return false;
  }
}

function offerOf({ targets: known }: ConnectionData, found: Discovery): DiscoveryOffer {
  return discoveryOffer(found, { sources: known.sources(), servers: known.servers() }, t);
}

function isEmpty({ sources, servers }: DiscoveryOffer): boolean {
  return sources.length + servers.length === 0;
}
