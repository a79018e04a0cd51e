import * as vscode from 'vscode';
import type { Activity } from '../../activity/activity';
import { type ActivityConnection, isUnsettled } from '../../activity/activityEntry';
import type { ProgressNotifications } from '../../activity/ui/progressNotifications';
import { operations } from '../../api/generated/operations';
import { membersOf } from '../../base/json';
import { compareNames, dotted, someNames } from '../../base/textFormat';
import { labelText, plainText } from '../../base/untrustedText';
import { ensureConnection, type SignedInConnection } from '../../connection/ui/session';
import { deployedIn, isIn, shortSha } from '../../data/deployments';
import { type DataContext, Labels, idText } from '../../data/labels';
import { isRefusal } from '../../data/store';
import { isSameId, isUuid, shortId } from '../../data/targets';
import {
  type ConnectionData,
  lookUp,
  lookUpEnvironments,
  lookUpTargets,
} from '../../data/ui/connectionData';
import type { BranchState } from '../../deployed/ui/branchState';
import { lackingKeys } from '../../trees/sources/secretComparison';
import { isRow } from '../../trees/ui/treeRow';
import type { Views } from '../../trees/ui/views';
import { registerCommand, contextKey } from '../../vscode/commands';
import { commands, contextKeys } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { announce, showFailure } from '../../vscode/notifications';
import { counted } from '../../vscode/numbers';
import { pickOne } from '../../vscode/quickInput';
import {
  deployPermission,
  type EnvironmentTarget,
  pausesDeployment,
  resourcesOf,
  syncChoices,
} from '../environmentDeployments';
import { type SyncEntry, syncKind } from '../kinds/sync';
import { oneAtATime } from '../sendAction';
import { canGiveConsent, SyncConsent, type SyncRequest } from '../syncConsent';
import {
  environmentNames,
  isNamedByOthers,
  namedSource,
  resourceCount,
  syncChoice,
} from '../targetNames';
import {
  confirmPermission,
  connectionLine,
  nameWarning,
  nameWithId,
  offerDiscovery,
} from './confirmations';

const { t } = vscode.l10n;

/** Registers `askBeforeSync` and `syncEnvironment`. */
export function registerSyncEnvironment(
  data: ConnectionData,
  activity: Activity,
  notifications: ProgressNotifications,
  views: Views,
  branchState: BranchState,
  workspaceState: vscode.Memento,
  diagnostics: Diagnostics,
): vscode.Disposable {
  const { session } = data;
  const consent = new SyncConsent(session, workspaceState);
  const command = new SyncCommand(
    data,
    activity,
    notifications,
    views,
    branchState,
    consent,
    diagnostics,
  );
  const setKey = contextKey(contextKeys.syncsWithoutAsking);
  const publish = (): void => setKey(consent.isAny);
  publish();
  return vscode.Disposable.from(
    consent.onDidChange(publish),
    session.onDidChange((change) => {
      if (change === 'signedOut') consent.withdraw();
      else publish();
    }),
    registerCommand(commands.askBeforeSync, () => {
      consent.withdraw();
      announce(t('Every sync asks first again.'));
    }),
    registerCommand(commands.syncEnvironment, (argument) => command.run(argument)),
  );
}

interface EnvironmentItem extends vscode.QuickPickItem {
  readonly value: string;
}

/** Asks which environment, and whether to sync it. */
class SyncCommand {
  private readonly once = oneAtATime<string | undefined>();

  constructor(
    private readonly data: ConnectionData,
    private readonly activity: Activity,
    private readonly notifications: ProgressNotifications,
    private readonly views: Views,
    private readonly branchState: BranchState,
    private readonly consent: SyncConsent,
    private readonly diagnostics: Diagnostics,
  ) {}

  /**
   * Returns the id of the entry that was started, or undefined if nothing was sent.
   *
   * @param argument a row, `{ sourceId, environmentId }` or missing; then the user picks.
   */
  async run(argument: unknown): Promise<string | undefined> {
    const { data, views } = this;
    // Before any wait, since the row may go meanwhile.
    const given = readTarget(
      isRow(argument) ? (views.nodeOf(argument)?.target ?? {}) : membersOf(argument),
    );
    if (given === undefined && isRow(argument)) return undefined;
    const signedIn = await ensureConnection(data.session);
    if (signedIn === undefined || !(await confirmPermission(data, syncKind))) return undefined;
    await lookUpTargets(data, 'sources', signedIn);
    const target = given ?? (await this.pickEnvironment(signedIn.signal));
    if (target === undefined) return undefined;
    const { name, baseUrl } = signedIn.connection;
    const key = [name, baseUrl, target.sourceId, target.environmentId].join(' ');
    // VS Code makes a row of what a link passes, so a row is no choice either.
    const isPicked = given === undefined;
    return this.once(key, () => this.askAndSend(signedIn, target, isPicked));
  }

  /**
   * Asks, then sends a sync. Does not ask if the user picked the environment and does not want to be asked
   * about it.
   *
   * @param isPicked whether the user picked the environment from the list of this command.
   */
  private async askAndSend(
    { client, connection, signal: lifetime }: SignedInConnection,
    target: EnvironmentTarget,
    isPicked: boolean,
  ): Promise<string | undefined> {
    const { data, activity, notifications, consent } = this;
    const running = runningSync(activity, target);
    await lookUpEnvironments(data, target.sourceId, lifetime);
    let capabilities: readonly string[] | undefined;
    const asking = client.getIdentity({}, { signal: lifetime, priority: 'person' });
    await lookUp(
      asking.then((identity) => (capabilities = identity?.capabilities)),
      lifetime,
    );
    const request = (): SyncRequest => ({
      target,
      environmentName: syncChoice(data.context, target)?.name,
      isPicked,
      pausesDeployment: pausesDeployment(data.store, target, capabilities),
      isRunning: running !== undefined,
      isNamedByOthers: isNamedByOthers(namedSource(data.context, target.sourceId)),
    });
    if (!consent.isGiven(request())) {
      await lookUpSecretKeys(data, target.sourceId, lifetime);
      if (!lifetime.aborted) {
        const canConsent = canGiveConsent(request());
        const { pausesDeployment: pauses } = request();
        const plan = { target, connection, running, canConsent, pauses };
        const answer = await confirmSync(data.context, plan);
        if (answer === undefined) return undefined;
        if (answer === 'watch' && running !== undefined) {
          void notifications.show(running.id);
          return undefined;
        }
        // The connection may have changed while the dialog was open.
        if (answer === 'always' && data.session.signedIn?.signal === lifetime) consent.give(target);
      }
    }
    const names = environmentNames(data.context, target);
    return notifications.start(syncKind, { ...target, ...names }, lifetime);
  }

  /** Asks for a source and an environment. Those of the checked-out branch come first. */
  private async pickEnvironment(lifetime: AbortSignal): Promise<EnvironmentTarget | undefined> {
    const { data, branchState, consent } = this;
    const sourceId = await this.pickSource(lifetime);
    if (sourceId === undefined) return undefined;
    const branch = branchState.branch?.source.id === sourceId ? branchState.branch : undefined;
    const own = new Set(
      branch?.relation === 'other'
        ? []
        : branch?.environments.flatMap(({ id }) => id?.toLowerCase() ?? []),
    );
    const items = async (): Promise<EnvironmentItem[]> => {
      await data.store.refreshAll([
        { kind: 'resources', id: sourceId },
        { kind: 'environments', id: sourceId },
      ]);
      if (lifetime.aborted) return [];
      const { error } = data.store.read('resources', sourceId);
      const choices = syncChoices(data.store, sourceId);
      if (choices.length === 0 && error instanceof Error) throw error;
      return choices
        .map((one) => {
          const isOwn = own.has(one.environmentId.toLowerCase());
          return {
            label: labelText(one.name ?? shortId(one.environmentId)),
            description: labelText(one.branch ?? ''),
            detail: dotted([
              counted(one.resources, '{0} app or job', '{0} apps and jobs'),
              isOwn ? t('for the checked-out branch') : undefined,
              consent.covers({ sourceId, ...one }) ? t('syncs without asking') : undefined,
            ]),
            value: one.environmentId,
            isOwn,
          };
        })
        .sort(ownFirst);
    };
    try {
      const loading = items();
      const nothing = new AbortController();
      // Closes the empty quick pick.
      void loading.then(
        ({ length }) => length === 0 && nothing.abort(),
        () => undefined,
      );
      const chosen = await pickOne(
        loading,
        { title: t('Sync Environment'), placeHolder: t('Select an environment') },
        AbortSignal.any([nothing.signal, lifetime]),
      );
      if (nothing.signal.aborted && !lifetime.aborted) {
        void vscode.window.showInformationMessage(t('This source has no environment to sync.'));
      }
      return chosen && { sourceId, environmentId: chosen.value };
    } catch (error) {
      const failed = [
        t('Could not list the environments of the source.'),
        ...(isRefusal(error)
          ? [t('It needs the permission {0}.', operations.listResources.permission)]
          : []),
      ];
      void showFailure(this.diagnostics, failed.join(' '), error);
      return undefined;
    }
  }

  private async pickSource(lifetime: AbortSignal): Promise<string | undefined> {
    const { data } = this;
    const labels = new Labels(data.context);
    const own = this.branchState.branch?.source.id;
    const items = data.context
      .sources()
      .map((source) => ({
        label: labelText(labels.source(source)),
        description: idText(source, t),
        ...(source.id === own ? { detail: t('for the open folder') } : {}),
        value: source.id,
        isOwn: source.id === own,
      }))
      .sort(ownFirst);
    if (items.length === 0) return offerDiscovery(t('No source is known yet.'));
    const options = { title: t('Sync Environment'), placeHolder: t('Select a source') };
    return (await pickOne(items, options, lifetime))?.value;
  }
}

interface Choice {
  readonly label: string;
  /** Whether it is of the open folder. */
  readonly isOwn: boolean;
}

/** Orders those of the open folder before others, each by name. */
function ownFirst(a: Choice, b: Choice): number {
  return Number(b.isOwn) - Number(a.isOwn) || compareNames(a.label, b.label);
}

interface SyncPlan {
  readonly target: EnvironmentTarget;
  readonly connection: ActivityConnection;
  /** A running sync of the same environment. */
  readonly running: SyncEntry | undefined;
  /** Whether the user may choose not to be asked about the environment again. */
  readonly canConsent: boolean;
  /** Whether it pauses the automatic deployment of the environment. */
  readonly pauses: boolean;
}

/** Asks whether to sync. Returns undefined if the dialog was dismissed. */
async function confirmSync(
  context: DataContext,
  { target, connection, running, canConsent, pauses }: SyncPlan,
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
    ...nameWarning(source),
    connectionLine(connection),
    ...deploysLine(context, target),
    ...secretKeyLines(context, target),
  ];
  const since = context.timeFormat.relativeTo(running?.at);
  const notes = [
    ...(since === undefined ? [] : [t('A sync that started {0} is still running.', since)]),
    ...(pauses
      ? [
          t(
            'Your API key lacks the permission {0}: this sync pauses the automatic deployment of the environment, so that pushes are not deployed any more.',
            deployPermission,
          ),
        ]
      : []),
    context.store.read('environments', target.sourceId).value?.environments === undefined
      ? t('The control plane deploys the current state of the source.')
      : t(
          'The control plane reads the configuration of the source, and deploys only if it is set up to.',
        ),
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
  const resources = (store.read('resources', target.sourceId).value?.resources ?? []).filter(
    ({ id }) => id !== undefined && inIt.has(id),
  );
  const { commits } = deployedIn(resources, ({ id = '' }) =>
    (store.read('deployments', id).value?.deployments ?? []).filter((one) =>
      isIn(one, { id: target.environmentId }),
    ),
  );
  const [head, ...shas] = [
    t('HEAD of {0}', plainText(branch, 100)),
    ...commits.slice(0, 3).map(({ sha }) => shortSha(sha) ?? sha),
  ];
  return [t('Deploys: {0}', shas.length === 0 ? head : `${shas.join(', ')} → ${head}`)];
}

/** Loads the secret keys of a source if they are not loaded. Never rejects: without them, the question says nothing of them. */
async function lookUpSecretKeys(
  { store }: ConnectionData,
  sourceId: string,
  lifetime: AbortSignal,
): Promise<void> {
  const key = { kind: 'secrets', id: sourceId } as const;
  const { value, error } = store.entry(key);
  if (value === undefined && error === undefined) {
    await lookUp(store.refresh(key, 'person'), lifetime);
  }
}

/** The secret keys that the environment lacks, as far as the control plane says which it has. */
function secretKeyLines(context: DataContext, target: EnvironmentTarget): string[] {
  const listing = context.store.read('secrets', target.sourceId).value ?? {};
  const { missing, keys, of } = lackingKeys(listing, syncChoice(context, target)?.name);
  const named = (names: readonly string[]): string => plainText(someNames(names, t) ?? '', 200);
  return [
    ...(missing.length === 0 ? [] : [t('Secret keys without a value: {0}', named(missing))]),
    ...(keys.length === 0
      ? []
      : [t('Secret keys that it lacks and {1} has: {0}', named(keys), named(of))]),
  ];
}

function runningSync(
  activity: Activity,
  { sourceId, environmentId }: EnvironmentTarget,
): SyncEntry | undefined {
  return activity
    .entriesOf(syncKind)
    .find(
      (entry) =>
        isUnsettled(entry) &&
        isSameId(entry.sourceId, sourceId) &&
        isSameId(entry.environmentId, environmentId),
    );
}

function readTarget(members: object): EnvironmentTarget | undefined {
  const { sourceId, environmentId } = membersOf(members);
  return isUuid(sourceId) && isUuid(environmentId) ? { sourceId, environmentId } : undefined;
}
