import { detailsOf, timeText } from '../inventory/tree/details';
import type { Detail } from '../inventory/tree/nodes';
import { problemIn, stateWords, type ActivityContext } from './activityText';
import type { Entry } from './entries';

/** All that is known of an entry, for its tooltip and its document; values may be the server's. */
export function detailsOfEntry(entry: Entry, context: ActivityContext): readonly Detail[] {
  const { t } = context;
  const line = (label: string, value: string | number | undefined): Detail[] =>
    value === undefined || value === '' ? [] : [{ label, value: String(value) }];
  const problem = problemIn(entry.progress);
  return [
    ...line(t('Connection'), entry.connection.name),
    ...line(t('Started here'), timeText(new Date(entry.at).toISOString(), context)),
    ...line(t('Progress'), stateWords(entry, context)),
    ...targetLines(entry, context, line),
    ...line(t('Error'), problem?.message),
    ...line(t('Code'), problem?.code),
    ...line(t('Status'), problem?.status),
    ...line(t('Request id'), problem?.requestId),
  ];
}

function targetLines(
  entry: Entry,
  context: ActivityContext,
  line: (label: string, value: string | number | undefined) => Detail[],
): readonly Detail[] {
  const { t } = context;
  switch (entry.kind) {
    case 'cleanUp': {
      const { operation = {}, replayed } = entry;
      return [
        ...line(t('Server'), `${entry.serverName} (${entry.serverId})`),
        ...line(t('Items'), entry.items.join(', ')),
        ...line(t('Idempotency key'), entry.idempotencyKey),
        ...line(t('Replayed'), replayed === undefined ? undefined : replayed ? t('yes') : t('no')),
        ...detailsOf(
          { ...operation, result: withoutLogs(operation.result) },
          context,
          entry.serverId === operation.serverId ? ['serverId'] : [],
        ),
      ];
    }
    case 'sync':
      return [
        ...line(t('Source'), `${entry.sourceName} (${entry.sourceId})`),
        ...line(t('Environment'), `${entry.environmentName} (${entry.environmentId})`),
        ...(entry.sync === undefined ? [] : detailsOf({ sync: entry.sync }, context)),
        ...line(t('Deployments since'), entry.deployments.length),
      ];
    case 'previewReporting':
      return [
        ...line(t('Attempted'), entry.attempted),
        ...line(t('Succeeded'), entry.succeeded),
        ...line(t('Failed'), entry.failed),
      ];
  }
}

/** Logs have a document of their own. */
function withoutLogs(result: object | undefined): object | undefined {
  if (result === undefined) return undefined;
  const { logs: _logs, ...rest } = result as { logs?: unknown };
  return rest;
}
