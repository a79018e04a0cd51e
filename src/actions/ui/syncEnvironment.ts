import * as vscode from 'vscode';
import { membersOf } from '../../api/lenient';
import type { BranchNews } from '../../branch/ui/branchNews';
import {
  ensureConnection,
  sayConnectionChanged,
  sayNothingSent,
  type SignedInConnection,
} from '../../connection/ui/session';
import { isMissingPermission } from '../../inventory/resourceKeys';
import { isUuid, shortId } from '../../inventory/targets';
import { createLabels, idWords } from '../../inventory/tree/labels';
import { isRow, type WorkspaceViews } from '../../inventory/ui/treeRegistry';
import { lookUpEnvironments, type WorkspaceData } from '../../inventory/ui/workspaceData';
import { labelText, plainText } from '../../text/plainText';
import { commands } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { describe } from '../../vscode/errorMessages';
import { askUntil, withProgress } from '../../vscode/notifications';
import { counted } from '../../vscode/numbers';
import type { Activity } from '../activity';
import { isUnsettled, type SyncEntry } from '../entries';
import { type EnvironmentTarget, syncChoices } from '../environment';
import { oneAtATime } from '../sendAction';
import { environmentNames, namedSource } from '../targetNames';
import type { Foreground } from './foreground';
import { mayTry } from './missingPermission';
import { confirmSync } from './syncQuestions';

const { t } = vscode.l10n;

export interface SyncServices {
  readonly data: WorkspaceData;
  readonly activity: Activity;
  readonly views: WorkspaceViews;
  readonly news: BranchNews;
  readonly foreground: Foreground;
  readonly diagnostics: Diagnostics;
}

/** `syncEnvironment`: of a row, of `{ sourceId, environmentId }`, or of what a person picks. */
export function registerSyncEnvironment(services: SyncServices): vscode.Disposable {
  const once = oneAtATime<boolean>();
  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.syncEnvironment, (argument) =>
      sync(services, argument, once),
    ),
  );
}

/** True if it was sent. */
async function sync(
  services: SyncServices,
  argument: unknown,
  once: ReturnType<typeof oneAtATime<boolean>>,
): Promise<boolean> {
  const { data } = services;
  const signedIn = await ensureConnection(data.session);
  if (signedIn === undefined || !(await mayTry(data, 'sync'))) return false;
  const given = readTarget(services, argument);
  const target = given ?? (await pickEnvironment(services, signedIn.signal));
  if (target === undefined) return false;
  const { connection } = signedIn;
  const key = [connection.name, connection.baseUrl, target.sourceId, target.environmentId].join(
    ' ',
  );
  const isPicked = given === undefined || isRow(argument);
  return once(key, () => askAndSend(services, signedIn, target, isPicked));
}

/**
 * What nobody has picked from a list, what goes on already, and what a folder has named is asked about
 * first.
 *
 * @param isPicked whether a person has picked this very environment.
 */
async function askAndSend(
  services: SyncServices,
  { connection, signal: lifetime }: SignedInConnection,
  target: EnvironmentTarget,
  isPicked: boolean,
): Promise<boolean> {
  const { data, activity, foreground } = services;
  const running = runningSync(activity, target);
  const { namedBy } = namedSource(data.context, target.sourceId);
  if (!isPicked || running !== undefined || namedBy === 'folder') {
    await lookUpEnvironments(data, target.sourceId, lifetime);
    const answer = lifetime.aborted
      ? 'sync'
      : await confirmSync(data.context, { target, connection, running });
    if (answer === undefined) return false;
    if (answer === 'watch' && running !== undefined) {
      void foreground.show(running.id);
      return false;
    }
  }
  if (isOver(lifetime)) {
    sayConnectionChanged();
    return false;
  }
  return send(services, target, lifetime);
}

function runningSync(
  { entries }: Activity,
  { sourceId, environmentId }: EnvironmentTarget,
): SyncEntry | undefined {
  return entries.find(
    (entry): entry is SyncEntry =>
      entry.kind === 'sync' &&
      isUnsettled(entry) &&
      entry.sourceId.toLowerCase() === sourceId.toLowerCase() &&
      entry.environmentId.toLowerCase() === environmentId.toLowerCase(),
  );
}

/** One notification from the first look to the end; true as soon as it is sent. */
async function send(
  { data, activity, foreground, diagnostics }: SyncServices,
  target: EnvironmentTarget,
  lifetime: AbortSignal,
): Promise<boolean> {
  const names = () => environmentNames(data.context, target);
  const { sourceName, environmentName } = names();
  const title = plainText(t('Sync {0} of {1}', environmentName, sourceName), 120);
  try {
    const isSent = await new Promise<boolean>((resolve, reject) => {
      withProgress(title, lifetime, async (signal, tell) => {
        tell(t('looking at what is deployed'));
        const id = await activity.sync({ ...target, names }, signal);
        resolve(id !== undefined);
        if (id !== undefined) await foreground.go(id, signal, tell);
      }).catch(reject);
    });
    if (!isSent) {
      void vscode.window.showInformationMessage(`${title}: ${t('cancelled, nothing was sent.')}`);
    }
    return isSent;
  } catch (error) {
    sayNothingSent(diagnostics, t('Nothing was sent.'), error);
    return false;
  }
}

/** Asked again after each wait, since it may have been left meanwhile. */
function isOver({ aborted }: AbortSignal): boolean {
  return aborted;
}

/** What a row or another extension says; undefined where a person is to be asked. */
function readTarget({ views }: SyncServices, argument: unknown): EnvironmentTarget | undefined {
  const { sourceId, environmentId } = isRow(argument)
    ? (views.nodeOf(argument)?.target ?? {})
    : membersOf(argument);
  return isUuid(sourceId) && isUuid(environmentId) ? { sourceId, environmentId } : undefined;
}

interface Item extends vscode.QuickPickItem {
  readonly value: string;
}

/** Source, then environment; those of the branch that is checked out come first. */
async function pickEnvironment(
  services: SyncServices,
  lifetime: AbortSignal,
): Promise<EnvironmentTarget | undefined> {
  const sourceId = await pickSource(services, lifetime);
  if (sourceId === undefined) return undefined;
  const { data, news } = services;
  const branch = news.branch?.source.id === sourceId ? news.branch : undefined;
  const own = new Set(
    branch?.relation === 'other'
      ? []
      : branch?.environments.flatMap(({ id }) => id?.toLowerCase() ?? []),
  );
  const items = async (): Promise<Item[]> => {
    await data.store.refresh({ kind: 'resources', sourceId });
    if (lifetime.aborted) return [];
    const { error } = data.store.resources(sourceId);
    const choices = syncChoices(data.store, sourceId);
    if (choices.length === 0 && error instanceof Error) throw error;
    return choices
      .map((one) => ({
        label: labelText(one.name ?? shortId(one.environmentId)),
        description: labelText(one.branch ?? ''),
        detail: detailOf(one.resources, own.has(one.environmentId.toLowerCase())),
        value: one.environmentId,
        isOwn: own.has(one.environmentId.toLowerCase()),
      }))
      .sort((one, other) => Number(other.isOwn) - Number(one.isOwn));
  };
  try {
    const loading = items();
    const nothing = new AbortController();
    // A box without anything in it says nothing.
    void loading.then(
      ({ length }) => length === 0 && nothing.abort(),
      () => undefined,
    );
    const found = await pick(
      loading,
      t('Sync Environment'),
      t('Which environment?'),
      AbortSignal.any([nothing.signal, lifetime]),
    );
    if ((await loading).length === 0 && !lifetime.aborted) {
      void vscode.window.showInformationMessage(t('This source has no environment to sync.'));
    }
    return found === undefined ? undefined : { sourceId, environmentId: found };
  } catch (error) {
    void vscode.window.showErrorMessage(
      [
        t('The environments of the source cannot be listed.'),
        describe(error),
        ...(isMissingPermission(error)
          ? [t('It needs the permission {0}.', 'repository.read')]
          : []),
      ].join(' '),
    );
    return undefined;
  }
}

function detailOf(resources: number, isOwn: boolean): string {
  const count = counted(resources, '{0} app or job', '{0} apps and jobs');
  return isOwn ? `${count} · ${t('of the branch that is checked out')}` : count;
}

async function pickSource(
  { data, news }: SyncServices,
  lifetime: AbortSignal,
): Promise<string | undefined> {
  const labels = createLabels(data.context);
  const own = news.branch?.source.id;
  const items = data.known
    .sources()
    .map((source) => ({
      label: labelText(labels.source(source)),
      description: idWords(source, t),
      ...(source.id === own ? { detail: t('of the folder that is open') } : {}),
      value: source.id,
    }))
    .sort((one, other) => Number(other.value === own) - Number(one.value === own));
  if (items.length === 0) {
    const discover = t('Discover…');
    const chosen = await vscode.window.showInformationMessage(
      t('No source is known yet.'),
      discover,
    );
    if (chosen === discover) await vscode.commands.executeCommand(commands.discover);
    return undefined;
  }
  return pick(items, t('Sync Environment'), t('Of which source?'), lifetime);
}

async function pick(
  items: readonly Item[] | Promise<readonly Item[]>,
  title: string,
  placeHolder: string,
  until: AbortSignal,
): Promise<string | undefined> {
  const options = { title, placeHolder, matchOnDescription: true };
  const chosen = await askUntil(until, (token) =>
    vscode.window.showQuickPick<Item>(Promise.resolve(items), options, token),
  );
  return chosen?.value;
}
