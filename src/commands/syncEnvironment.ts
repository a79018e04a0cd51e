import * as vscode from 'vscode';
import type { BranchNews } from '../platform/codeInHand';
import { commands, type LateCommand } from '../platform/contributions';
import type { Diagnostics } from '../platform/diagnostics';
import { ensureConnection } from '../platform/ensureConnection';
import type { LateCommands } from '../platform/latePart';
import { showFailure, withProgress } from '../platform/messages';
import { labelText, plainText } from '../platform/plainText';
import { isRow, type WorkspaceViews } from '../platform/rows';
import type { WorkspaceData } from '../platform/workspaceData';
import { describe } from '../platform/wording';
import { isUuid, shortId } from '../workspace/knownThings';
import { createLabels } from '../workspace/labels';
import type { Activity } from '../workspace/operations/activity';
import { syncChoices, type EnvironmentTarget } from '../workspace/operations/environment';
import { environmentNames } from '../workspace/operations/targetNames';
import type { Foreground } from './foreground';

const { t } = vscode.l10n;

export interface SyncServices {
  readonly data: WorkspaceData;
  readonly activity: Activity;
  readonly views: WorkspaceViews;
  readonly news: BranchNews;
  readonly foreground: Foreground;
  readonly diagnostics: Diagnostics;
  readonly lateCommands: LateCommands<LateCommand>;
}

/** `syncEnvironment`: of a row, of `{ sourceId, environmentId }`, or of what a person picks. */
export function registerSyncEnvironment(services: SyncServices): vscode.Disposable {
  return vscode.Disposable.from(
    services.lateCommands.register(commands.syncEnvironment, (argument) =>
      sync(services, argument),
    ),
  );
}

/** True where it was sent. */
async function sync(services: SyncServices, argument: unknown): Promise<boolean> {
  const { data, activity, foreground, diagnostics } = services;
  if (!(await ensureConnection(data.session))) return false;
  const { client } = data.session;
  const target = readTarget(services, argument) ?? (await pickEnvironment(services));
  if (target === undefined) return false;
  if (data.session.client !== client) {
    void vscode.window.showWarningMessage(t('The connection has changed: nothing was sent.'));
    return false;
  }
  const names = () => environmentNames(data.context, target);
  const { sourceName, environmentName } = names();
  const title = t('Sync {0} of {1}', environmentName, sourceName);
  try {
    const id = await withProgress(plainText(title, 120), (signal, tell) => {
      tell(t('looking at what is deployed'));
      return activity.sync({ ...target, names }, signal);
    });
    if (id === undefined) {
      void vscode.window.showInformationMessage(
        `${plainText(title, 120)}: ${t('cancelled, nothing was sent.')}`,
      );
      return false;
    }
    void foreground.show(id);
    return true;
  } catch (error) {
    void showFailure(diagnostics, t('Nothing was sent.'), error);
    return false;
  }
}

/** What a row or another extension says; undefined where a person is to be asked. */
function readTarget({ views }: SyncServices, argument: unknown): EnvironmentTarget | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { sourceId, environmentId } = isRow(argument)
    ? (views.nodeOf(argument)?.target ?? {})
    : {
        sourceId: 'sourceId' in argument ? argument.sourceId : undefined,
        environmentId: 'environmentId' in argument ? argument.environmentId : undefined,
      };
  return isUuid(sourceId) && isUuid(environmentId) ? { sourceId, environmentId } : undefined;
}

interface Item extends vscode.QuickPickItem {
  readonly value: string;
}

/** Source, then environment; those of the branch that is checked out come first. */
async function pickEnvironment(services: SyncServices): Promise<EnvironmentTarget | undefined> {
  const sourceId = await pickSource(services);
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
    const found = await pick(loading, t('Sync Environment'), t('Which environment?'));
    if ((await loading).length === 0) {
      void vscode.window.showInformationMessage(t('This source has no environment to sync.'));
    }
    return found === undefined ? undefined : { sourceId, environmentId: found };
  } catch (error) {
    void vscode.window.showErrorMessage(
      `${t('The environments of the source cannot be listed.')} ${describe(error)}`,
    );
    return undefined;
  }
}

function detailOf(resources: number, isOwn: boolean): string {
  const count = resources === 1 ? t('1 app or job') : t('{0} apps and jobs', resources);
  return isOwn ? `${count} · ${t('of the branch that is checked out')}` : count;
}

async function pickSource({ data, news }: SyncServices): Promise<string | undefined> {
  const labels = createLabels(data.context);
  const own = news.branch?.source.id;
  const items = data.known
    .sources()
    .map((source) => ({
      label: labelText(labels.source(source)),
      description: shortId(source.id),
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
  return pick(items, t('Sync Environment'), t('Of which source?'));
}

async function pick(
  items: readonly Item[] | Promise<readonly Item[]>,
  title: string,
  placeHolder: string,
): Promise<string | undefined> {
  const chosen = await vscode.window.showQuickPick<Item>(Promise.resolve(items), {
    title,
    placeHolder,
    matchOnDescription: true,
  });
  return chosen?.value;
}
