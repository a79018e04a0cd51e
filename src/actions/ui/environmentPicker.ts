import * as vscode from 'vscode';
import { compareNames } from '../../base/compareNames';
import { dotted } from '../../base/textFormat';
import type { BranchState } from '../../deployed/ui/branchState';
import { isRefusal } from '../../data/cacheKeys';
import { shortId } from '../../data/targets';
import { Labels, idText } from '../../data/labels';
import type { ConnectionData } from '../../data/ui/connectionData';
import { labelText } from '../../base/plainText';
import { showFailure } from '../../vscode/notifications';
import type { Diagnostics } from '../../vscode/diagnostics';
import { counted } from '../../vscode/numbers';
import { pickOne } from '../../vscode/quickInput';
import { type EnvironmentTarget, syncChoices } from '../environmentDeployments';
import type { SyncConsent } from '../syncConsent';
import { offerDiscovery } from './confirmations';

const { t } = vscode.l10n;

interface Item extends vscode.QuickPickItem {
  readonly value: string;
}

interface PickServices {
  readonly data: ConnectionData;
  readonly branchState: BranchState;
  readonly consent: SyncConsent;
  readonly diagnostics: Diagnostics;
}

/** Asks for a source and an environment. Those of the checked-out branch come first. */
export async function pickEnvironment(
  { data, branchState, consent, diagnostics }: PickServices,
  lifetime: AbortSignal,
): Promise<EnvironmentTarget | undefined> {
  const sourceId = await pickSource(data, branchState, lifetime);
  if (sourceId === undefined) return undefined;
  const branch = branchState.branch?.source.id === sourceId ? branchState.branch : undefined;
  const own = new Set(
    branch?.relation === 'other'
      ? []
      : branch?.environments.flatMap(({ id }) => id?.toLowerCase() ?? []),
  );
  const items = async (): Promise<Item[]> => {
    await data.store.refresh({ kind: 'resources', sourceId }, 'person');
    if (lifetime.aborted) return [];
    const { error } = data.store.resources(sourceId);
    const choices = syncChoices(data.store, sourceId);
    if (choices.length === 0 && error instanceof Error) throw error;
    return choices
      .map((one) => ({
        label: labelText(one.name ?? shortId(one.environmentId)),
        description: labelText(one.branch ?? ''),
        detail: dotted([
          counted(one.resources, '{0} app or job', '{0} apps and jobs'),
          own.has(one.environmentId.toLowerCase()) ? t('for the checked-out branch') : undefined,
          consent.covers({ sourceId, ...one }) ? t('syncs without asking') : undefined,
        ]),
        value: one.environmentId,
        isOwn: own.has(one.environmentId.toLowerCase()),
      }))
      .sort(
        (one, other) =>
          Number(other.isOwn) - Number(one.isOwn) || compareNames(one.label, other.label),
      );
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
      ...(isRefusal(error) ? [t('It needs the permission {0}.', 'repository.read')] : []),
    ];
    void showFailure(diagnostics, failed.join(' '), error);
    return undefined;
  }
}

async function pickSource(
  data: ConnectionData,
  branchState: BranchState,
  lifetime: AbortSignal,
): Promise<string | undefined> {
  const labels = new Labels(data.context);
  const own = branchState.branch?.source.id;
  const items = data.targets
    .sources()
    .map((source) => ({
      label: labelText(labels.source(source)),
      description: idText(source, t),
      ...(source.id === own ? { detail: t('for the open folder') } : {}),
      value: source.id,
    }))
    .sort(
      (one, other) =>
        Number(other.value === own) - Number(one.value === own) ||
        compareNames(one.label, other.label),
    );
  if (items.length === 0) return offerDiscovery(t('No source is known yet.'));
  const options = { title: t('Sync Environment'), placeHolder: t('Select a source') };
  return (await pickOne(items, options, lifetime))?.value;
}
