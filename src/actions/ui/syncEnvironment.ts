import * as vscode from 'vscode';
import { contextKey } from '../../vscode/contextKeys';
import { membersOf } from '../../api/readLenient';
import type { BranchState } from '../../deployed/ui/branchState';
import { deployedIn } from '../../data/deployedCommits';
import { isPreview, shortSha } from '../../data/deployments';
import { ensureConnection, type SignedInConnection } from '../../connection/ui/session';
import { isSameId, isUuid } from '../../data/targets';
import type { DataContext } from '../../data/dataContext';
import { isRow } from '../../trees/ui/treeRow';
import { lookUpEnvironments } from '../../data/ui/connectionData';
import { plainText } from '../../base/plainText';
import { registerCommand } from '../../vscode/commands';
import { commands, contextKeys } from '../../vscode/contributions';
import { announce, withProgress } from '../../vscode/notifications';
import { counted } from '../../vscode/numbers';
import type { Activity } from '../activity';
import { type ActivityConnection, isUnsettled, type SyncEntry } from '../activityEntry';
import { type EnvironmentTarget, resourcesOf } from '../environmentDeployments';
import { oneAtATime } from '../sendAction';
import { canGiveConsent, SyncConsent, type SyncRequest } from '../syncConsent';
import { environmentNames, namedSource, resourceCount, syncChoice } from '../targetNames';
import { confirmPermission, connectionLine, folderWarning, nameWithId } from './confirmations';
import { pickEnvironment } from './environmentPicker';
import { type ActionServices, startAction } from './progressNotifications';

const { t } = vscode.l10n;

interface SyncServices extends ActionServices {
  readonly branchState: BranchState;
  readonly workspaceState: vscode.Memento;
}

interface Syncing extends SyncServices {
  readonly consent: SyncConsent;
}

/**
 * Registers `askBeforeSync`, and `syncEnvironment`. Its argument is a row, `{ sourceId, environmentId }` or missing; then the
 * user picks. It returns the id of the entry that it started.
 */
export function registerSyncEnvironment(services: SyncServices): vscode.Disposable {
  const once = oneAtATime<string | undefined>();
  const { session } = services.data;
  const consent = new SyncConsent(session, services.workspaceState);
  const setKey = contextKey(contextKeys.syncsWithoutAsking);
  const publish = (): void => setKey(consent.isAny);
  publish();
  return vscode.Disposable.from(
    consent.onDidChange(publish),
    session.onDidChange((change) => {
      if (change === 'signedOut') consent.takeBack();
      else publish();
    }),
    registerCommand(commands.askBeforeSync, () => {
      consent.takeBack();
      announce(t('Every sync asks first again.'));
    }),
    registerCommand(commands.syncEnvironment, (argument) =>
      sync({ ...services, consent }, argument, once),
    ),
  );
}

/** Returns the id of the entry that was started, or undefined if nothing was sent. */
async function sync(
  services: Syncing,
  argument: unknown,
  once: ReturnType<typeof oneAtATime<string | undefined>>,
): Promise<string | undefined> {
  const { data } = services;
  // Before any wait, since the row may go meanwhile.
  const given = readTarget(services, argument);
  if (given === undefined && isRow(argument)) return undefined;
  const signedIn = await ensureConnection(data.session);
  if (signedIn === undefined || !(await confirmPermission(data, 'sync'))) return undefined;
  const target = given ?? (await pickEnvironment(services, signedIn.signal));
  if (target === undefined) return undefined;
  const { connection } = signedIn;
  const key = [connection.name, connection.baseUrl, target.sourceId, target.environmentId].join(
    ' ',
  );
  // VS Code makes a row of what a link passes, so a row is no choice either.
  const isPicked = given === undefined;
  return once(key, () => askAndSend(services, signedIn, target, isPicked));
}

/**
 * Asks, then sends a sync. Does not ask if the user picked the environment and does not want to be asked
 * about it.
 *
 * @param isPicked whether the user picked the environment from the list of this command.
 */
async function askAndSend(
  services: Syncing,
  { connection, signal: lifetime }: SignedInConnection,
  target: EnvironmentTarget,
  isPicked: boolean,
): Promise<string | undefined> {
  const { data, activity, progressNotifications, consent } = services;
  const running = runningSync(activity, target);
  const request = (): SyncRequest => ({
    target,
    environmentName: syncChoice(data.context, target)?.name,
    isPicked,
    isRunning: running !== undefined,
    isNamedByFolder: namedSource(data.context, target.sourceId).namedBy === 'folder',
  });
  if (!consent.isGiven(request())) {
    await lookUpEnvironments(data, target.sourceId, lifetime);
    if (!lifetime.aborted) {
      const canConsent = canGiveConsent(request());
      const plan = { target, connection, running, canConsent };
      const answer = await confirmSync(data.context, plan);
      if (answer === undefined) return undefined;
      if (answer === 'watch' && running !== undefined) {
        void progressNotifications.show(running.id);
        return undefined;
      }
      // The connection may have changed while the dialog was open.
      if (answer === 'always' && data.session.signedIn?.signal === lifetime) consent.give(target);
    }
  }
  return startAction(services, lifetime, t('Nothing was sent.'), () =>
    send(services, target, lifetime),
  );
}

interface SyncPlan {
  readonly target: EnvironmentTarget;
  readonly connection: ActivityConnection;
  /** A running sync of the same environment. */
  readonly running: SyncEntry | undefined;
  /** Whether the user may choose not to be asked about the environment again. */
  readonly canConsent: boolean;
}

/** Asks whether to sync. Returns undefined if the dialog was dismissed. */
async function confirmSync(
  context: DataContext,
  { target, connection, running, canConsent }: SyncPlan,
): Promise<'sync' | 'always' | 'watch' | undefined> {
  const { environmentName } = environmentNames(context, target);
  const source = namedSource(context, target.sourceId);
  const names = [plainText(environmentName, 100), plainText(source.name, 100)] as const;
  const count = resourceCount(context, target);
  const environment = nameWithId(environmentName, target.environmentId);
  const lines = [
    t('Environment: {0}', environment),
    ...(count === 0 ? [] : [counted(count, '{0} app or job', '{0} apps and jobs')]),
    t('Source: {0}', nameWithId(source.name, source.id)),
    ...folderWarning(source),
    connectionLine(connection),
    ...deploysLine(context, target),
  ];
  const notes = [
    ...(running === undefined
      ? []
      : [
          t('A sync that started {0} is still running.', context.timeFormat.relativeTo(running.at)),
        ]),
    t('The control plane deploys the current state of the source.'),
    ...(canConsent
      ? [t('If you choose not to be asked again, that is for this environment and connection.')]
      : []),
  ];
  const always = t('Sync and Don’t Ask Again');
  const [go, watch] = [running === undefined ? t('Sync') : t('Sync Again'), t('Watch')];
  const chosen = await vscode.window.showWarningMessage(
    running === undefined ? t('Sync {0} of {1}?', ...names) : t('Sync {0} of {1} again?', ...names),
    { modal: true, detail: `${lines.join('\n')}\n\n${notes.join(' ')}` },
    ...(running === undefined ? [go] : [watch, go]),
    ...(canConsent ? [always] : []),
  );
  if (chosen === watch) return 'watch';
  if (chosen === always) return 'always';
  return chosen === go ? 'sync' : undefined;
}

/** What is deployed now and what a sync deploys, as far as both are known. */
function deploysLine(context: DataContext, target: EnvironmentTarget): string[] {
  const branch = syncChoice(context, target)?.branch;
  if (branch === undefined) return [];
  const { store } = context;
  const inIt = new Set(resourcesOf(store, target));
  const resources = (store.resources(target.sourceId).value?.resources ?? []).filter(
    ({ id }) => id !== undefined && inIt.has(id),
  );
  const { commits } = deployedIn(resources, ({ id = '' }) =>
    (store.deployments(id).value?.deployments ?? []).filter((one) => !isPreview(one)),
  );
  const [head, ...shas] = [
    t('HEAD of {0}', plainText(branch, 100)),
    ...commits.slice(0, 3).map(({ sha }) => shortSha(sha) ?? sha),
  ];
  return [t('Deploys: {0}', shas.length === 0 ? head : `${shas.join(', ')} → ${head}`)];
}

function runningSync(
  { entries }: Activity,
  { sourceId, environmentId }: EnvironmentTarget,
): SyncEntry | undefined {
  return entries.find(
    (entry): entry is SyncEntry =>
      entry.kind === 'sync' &&
      isUnsettled(entry) &&
      isSameId(entry.sourceId, sourceId) &&
      isSameId(entry.environmentId, environmentId),
  );
}

/** Shows one notification from the first request to the end. Resolves when the sync is saved. */
async function send(
  { data, activity, progressNotifications }: SyncServices,
  target: EnvironmentTarget,
  lifetime: AbortSignal,
): Promise<string | undefined> {
  const names = () => environmentNames(data.context, target);
  const { sourceName, environmentName } = names();
  const title = plainText(t('Sync {0} of {1}', environmentName, sourceName), 120);
  const sent = await new Promise<string | undefined>((resolve, reject) => {
    withProgress(title, lifetime, async (signal, report) => {
      report(t('checking deployments'));
      const id = await activity.sync({ ...target, names }, signal);
      resolve(id);
      if (id !== undefined) await progressNotifications.showIn(id, signal, report);
    }).catch(reject);
  });
  if (sent === undefined) {
    void vscode.window.showInformationMessage(`${title}: ${t('cancelled, nothing was sent.')}`);
  }
  return sent;
}

/** Reads the environment of the argument, or returns undefined if the user must pick one. */
function readTarget({ views }: SyncServices, argument: unknown): EnvironmentTarget | undefined {
  const { sourceId, environmentId } = isRow(argument)
    ? (views.nodeOf(argument)?.target ?? {})
    : membersOf(argument);
  return isUuid(sourceId) && isUuid(environmentId) ? { sourceId, environmentId } : undefined;
}
