import type { LogRecord } from '../../api/types';
import { dotted } from '../../base/textFormat';
import { deploymentTime, shortSha } from '../../data/deployments';
import type { Names } from '../../data/knownNames';
import type { DataContext } from '../../data/labels';
import { isSameId, shortId } from '../../data/targets';

/** What is known of where records come from. */
export interface RecordOrigins {
  readonly context: Pick<DataContext, 'store' | 't' | 'timeFormat'>;
  readonly names: Pick<Names, 'nameOf'>;
}

/**
 * Where a record comes from, with names instead of ids where they are known: its workload, the commit and age of the
 * deployment, its server, and its trace. Requests nothing. Untrusted texts.
 */
export function recordFacts(
  record: LogRecord,
  { context, names }: RecordOrigins,
): readonly (readonly [label: string, value: string])[] {
  const { t } = context;
  const { workloadName, workloadId, service, serverId, traceId } = record;
  const workloads = [workloadName, names.nameOf('workload', workloadId), service];
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t('Workload'), workloads.find(Boolean) ?? shortId(workloadId)],
    [t('Deployment'), deploymentText(record, { context, names })],
    [t('Server'), names.nameOf('server', serverId) ?? shortId(serverId)],
    [t('Trace'), traceId ?? undefined],
  ];
  return facts.flatMap(([label, value]) =>
    value === undefined || value === '' ? [] : [[label, value] as const],
  );
}

/** The commit of the deployment that wrote a record and its age, such as `a1b2c3d · 2 hr. ago`; undefined without one. */
function deploymentText(
  { deploymentId, workloadId }: LogRecord,
  { context, names }: RecordOrigins,
): string | undefined {
  if (deploymentId === null || deploymentId === '') return undefined;
  const { deployments = [] } = context.store.read('deployments', workloadId).value ?? {};
  const known = deployments.find(({ id }) => isSameId(id, deploymentId));
  const commit = shortSha(known?.commitSha) ?? names.nameOf('deployment', deploymentId);
  const time = known && deploymentTime(known);
  return dotted([commit ?? shortId(deploymentId), context.timeFormat.relativeTo(time)]);
}
