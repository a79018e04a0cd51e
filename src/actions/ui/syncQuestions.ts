import * as vscode from 'vscode';
import type { TreeContext } from '../../inventory/tree/nodes';
import { plainText } from '../../text/plainText';
import { counted } from '../../vscode/numbers';
import type { EntryConnection, SyncEntry } from '../entries';
import type { EnvironmentTarget } from '../environment';
import { environmentNames, namedSource, resourceCount } from '../targetNames';
import { connectionLine, folderWarning, nameWithId } from './operationText';

const { t } = vscode.l10n;

export interface SyncPlan {
  readonly target: EnvironmentTarget;
  readonly connection: EntryConnection;
  /** A sync of the same environment that goes on. */
  readonly running: SyncEntry | undefined;
}

/** Asks whether to sync, naming environment, source and connection; undefined if it was dismissed. */
export async function confirmSync(
  context: TreeContext,
  { target, connection, running }: SyncPlan,
): Promise<'sync' | 'watch' | undefined> {
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
  ];
  const notes = [
    ...(running === undefined
      ? []
      : [t('A sync of it that began {0} goes on.', context.moments.relativeTo(running.at))]),
    t('The control plane deploys what the source says now.'),
  ];
  const [go, watch] = [running === undefined ? t('Sync') : t('Sync Again'), t('Watch It')];
  const chosen = await vscode.window.showWarningMessage(
    running === undefined ? t('Sync {0} of {1}?', ...names) : t('Sync {0} of {1} again?', ...names),
    { modal: true, detail: `${lines.join('\n')}\n\n${notes.join(' ')}` },
    ...(running === undefined ? [go] : [watch, go]),
  );
  if (chosen === watch) return 'watch';
  return chosen === go ? 'sync' : undefined;
}
