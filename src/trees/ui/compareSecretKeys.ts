import * as vscode from 'vscode';
import { untilAborted } from '../../base/clock';
import { ensureConnection } from '../../connection/ui/session';
import { sourceName } from '../../data/labels';
import type { ConnectionData } from '../../data/ui/connectionData';
import { registerCommand } from '../../vscode/commands';
import { commands } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { withProgress } from '../../vscode/notifications';
import type { ReadonlyDocuments } from '../../vscode/readonlyDocuments';
import { staleText } from '../placeholderNodes';
import { compareSecretKeys, secretComparisonText } from '../sources/secretComparison';
import type { Views } from './views';

const { t } = vscode.l10n;

/** `compareSecretKeys`: opens a table of the secret keys of the source of a row, by environment. True if it was shown. */
export function registerCompareSecretKeys(
  data: ConnectionData,
  views: Views,
  documents: ReadonlyDocuments,
  diagnostics: Diagnostics,
): vscode.Disposable {
  const compare = async (argument: unknown): Promise<boolean> => {
    const sourceId = views.nodeOf(argument)?.target.sourceId;
    const signedIn = sourceId === undefined ? undefined : await ensureConnection(data.session);
    if (sourceId === undefined || signedIn === undefined) return false;
    const { signal: lifetime } = signedIn;
    const key = { kind: 'secrets', id: sourceId } as const;
    await withProgress(t('Loading secret keys…'), lifetime, (signal) =>
      untilAborted(data.store.refresh(key, 'person'), signal),
    );
    const entry = data.store.entry(key);
    if (entry.value === undefined) {
      if (entry.error instanceof Error) throw entry.error;
      return false;
    }
    const text = secretComparisonText(
      compareSecretKeys(entry.value),
      sourceName(data.context, sourceId),
      staleText(entry, data.context),
      t,
    );
    await documents.show(`${t('Secret Keys')}.txt`, text, lifetime);
    return true;
  };
  return registerCommand(commands.compareSecretKeys, compare, {
    diagnostics,
    failed: t('Could not compare the secret keys.'),
  });
}
