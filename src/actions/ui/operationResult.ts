import * as vscode from 'vscode';
import { sanitise } from '../../text/sanitise';
import { counted } from '../../vscode/numbers';
import type { Reports } from '../../vscode/readonlyDocuments';
import { shortId } from '../../inventory/targets';
import { detailsOfEntry } from '../activityDetails';
import { titleOf, type ActivityContext } from '../activityText';
import type { Entry } from '../entries';

const { t } = vscode.l10n;

/**
 * Everything that is known of an entry, as a read-only document: logs of the server are text there.
 *
 * @param lifetime of the connection that it was started on.
 */
export async function showResult(
  reports: Reports,
  entry: Entry,
  context: ActivityContext,
  lifetime: AbortSignal,
): Promise<void> {
  const name = `${t('Result')} ${shortId(entry.id)}.txt`;
  await reports.show(name, resultText(entry, context), lifetime);
}

function resultText(entry: Entry, context: ActivityContext): string {
  const details = detailsOfEntry(entry, context);
  const width = Math.max(0, ...details.map(({ label }) => label.length));
  const lines = details.map(({ label, value }) => `${label.padEnd(width)}  ${value}`);
  return (
    [titleOf(entry, { t, counted }), '', ...lines, ...logLines(entry)].map(sanitise).join('\n') +
    '\n'
  );
}

/** What the action printed; the rest of its result is among the details. */
function logLines(entry: Entry): readonly string[] {
  if (entry.kind !== 'cleanUp') return [];
  const { logs, truncated } = entry.operation?.result ?? {};
  if (logs === undefined || logs === '') return [];
  return [
    '',
    t('Logs:'),
    '',
    ...logs.replace(/\r?\n$/, '').split(/\r?\n/),
    ...(truncated === true ? ['', t('The control plane has cut the logs.')] : []),
  ];
}
