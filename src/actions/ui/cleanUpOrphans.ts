import * as vscode from 'vscode';
import { membersOf } from '../../api/readLenient';
import { ensureConnection, type SignedInConnection } from '../../connection/ui/session';
import type { CacheEntry } from '../../data/store';
import { isUuid } from '../../data/targets';
import { Labels, idText } from '../../data/labels';
import { isRow } from '../../trees/ui/treeRow';
import type { ConnectionData } from '../../data/ui/connectionData';
import { labelText } from '../../base/plainText';
import { registerCommand } from '../../vscode/commands';
import { commands } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { UserError } from '../../vscode/errorMessages';
import { showFailure } from '../../vscode/notifications';
import { pickOne } from '../../vscode/quickInput';
import { readItemNames } from '../itemNames';
import {
  findOrphanCandidates,
  knownWorkloads,
  type OrphanCandidates,
  orphanKeys,
} from '../orphanCandidates';
import { namedServer } from '../targetNames';
import { confirmCleanUp } from './cleanUpQuestions';
import { confirmPermission, offerDiscovery } from './confirmations';
import { type ActionServices, startAction } from './progressNotifications';
import { askForItemNames, itemsProblemText, pickItems } from './itemPicker';

const { t } = vscode.l10n;

/**
 * Registers `cleanUpOrphans`. Its argument is a row, `{ serverId, items }` or missing; then the user
 * picks. It always asks for confirmation, and returns the id of the entry that it started.
 */
export function registerCleanUpOrphans(services: ActionServices): vscode.Disposable {
  return registerCommand(commands.cleanUpOrphans, (argument) => cleanUp(services, argument));
}

/** Returns the id of the entry that was started, or undefined if nothing was sent. */
async function cleanUp(services: ActionServices, argument: unknown): Promise<string | undefined> {
  const { data, activity, progressNotifications, reports } = services;
  // Before any wait, since the row may go meanwhile.
  const given = readArgument(services, argument);
  if (given === undefined) return undefined;
  const signedIn = await ensureConnection(data.session);
  if (signedIn === undefined || !(await confirmPermission(data, 'cleanUp'))) return undefined;
  const { signal: lifetime } = signedIn;
  const serverId = given.serverId ?? (await pickServer(data, lifetime));
  if (serverId === undefined) return undefined;
  const items =
    given.items === undefined
      ? await chooseItems(data, signedIn, serverId)
      : checked(given.items, services.diagnostics);
  if (items === undefined || lifetime.aborted) return undefined;
  const server = namedServer(data.context, serverId);
  const { connection } = signedIn;
  const isAgreed = await confirmCleanUp({ server, connection, items }, { reports, lifetime });
  const failed = t('Nothing was sent because the request could not be saved.');
  return startAction(services, lifetime, failed, async () => {
    if (!isAgreed) return undefined;
    const id = await activity.cleanUp({ serverId, serverName: server.name, items });
    void progressNotifications.show(id);
    return id;
  });
}

interface Given {
  readonly serverId?: string | undefined;
  /** Untrusted. */
  readonly items?: unknown;
}

/** Returns undefined for a row that is gone or is no server. */
function readArgument({ views }: ActionServices, argument: unknown): Given | undefined {
  if (isRow(argument)) {
    const node = views.nodeOf(argument);
    return node?.kind === 'server' ? { serverId: node.target.serverId } : undefined;
  }
  const { serverId, items } = membersOf(argument);
  return { ...(isUuid(serverId) ? { serverId } : {}), ...(items === undefined ? {} : { items }) };
}

/** Validates the items of an argument, and shows what is wrong with them. */
function checked(items: unknown, diagnostics: Diagnostics): readonly string[] | undefined {
  const { names, problem } = readItemNames(items);
  if (problem === undefined) return names;
  const wrong = new UserError(itemsProblemText(problem));
  void showFailure(diagnostics, t('Nothing was sent.'), wrong);
  return undefined;
}

async function pickServer(
  { targets: known, context }: ConnectionData,
  lifetime: AbortSignal,
): Promise<string | undefined> {
  const labels = new Labels(context);
  const items = known.servers().map((server) => ({
    label: labelText(labels.server(server)),
    description: idText(server, t),
    serverId: server.id,
  }));
  if (items.length === 0) return offerDiscovery(t('No server is known yet.'));
  const chosen = await pickOne(
    items,
    { title: t('Clean Up Orphans'), placeHolder: t('Select a server') },
    lifetime,
  );
  return chosen?.serverId;
}

async function chooseItems(
  data: ConnectionData,
  signedIn: SignedInConnection,
  serverId: string,
): Promise<readonly string[] | undefined> {
  const serverName = namedServer(data.context, serverId).name;
  for (let whyNone: string | undefined; ;) {
    const typed = await askForItemNames(serverName, signedIn.signal, whyNone);
    if (typed === undefined) return undefined;
    const picked = await pickItems({
      serverName,
      typed,
      timeFormat: data.context.timeFormat,
      findCandidates: (signal) => findCandidates(data, signedIn, serverId, signal),
      lifetime: signedIn.signal,
    });
    if (picked === undefined || !('reason' in picked)) return picked;
    whyNone = picked.reason;
  }
}

/** @throws if the logs cannot be searched or the known workloads cannot be loaded. */
async function findCandidates(
  data: ConnectionData,
  { client, signal: lifetime }: SignedInConnection,
  serverId: string,
  cancelled: AbortSignal,
): Promise<OrphanCandidates> {
  const { context, store } = data;
  const signal = AbortSignal.any([cancelled, lifetime]);
  await store.refreshAll(orphanKeys(context, serverId));
  signal.throwIfAborted();
  const known = knownWorkloads(context, serverId);
  // Without their names, known resources would count as orphans.
  const [missing] = known.missing;
  if (missing !== undefined) throw errorOf(store.entry(missing));
  return findOrphanCandidates({ client, signal, serverId, known });
}

function errorOf({ error }: CacheEntry<unknown>): Error {
  return error instanceof Error
    ? error
    : new UserError(t('the list of what runs there is incomplete'));
}
