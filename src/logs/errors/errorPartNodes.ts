import type { Deployment, LogRecord } from '../../api/types';
import { shortSha } from '../../data/deployments';
import { isUuid, shortId } from '../../data/targets';
import { timeText } from '../../trees/details';
import { createKeys, makeNode, type NodeDetail, type TreeNode } from '../../trees/nodes';
import type { DataContext } from '../../data/dataContext';
import { plain } from '../../trees/status';
import { cutMiddle } from '../../base/plainText';
import { dotted } from '../../base/textFormat';
import { bodyText } from '../record/readableBody';
import type { CountedItem, ErrorKind, ErrorSpot } from './errorKind';

/** How many rows of each sort are below a kind. */
const mostBelow = 5;
/** The longest message of a record in its row, in UTF-16 units. */
const longestLine = 24;
/** The longest body in a tooltip, in UTF-16 units. */
export const longestBody = 1000;

/**
 * The rows below a kind: its lines in the workspace, its workloads and deployments, and its newest records.
 *
 * @param pathOf returns the path of a file as the user knows it, for its URI as text.
 */
export function errorPartNodes(
  context: DataContext,
  parent: string,
  kind: ErrorKind,
  pathOf: (file: string) => string,
): readonly TreeNode[] {
  return [
    ...placeNodes(context, parent, kind, pathOf),
    ...workloadNodes(context, parent, kind),
    ...deploymentNodes(context, parent, kind),
    ...recordNodes(context, parent, kind),
  ];
}

/** The lines of deployed files, each once for all deployments. */
function placeNodes(
  { t, counted, store }: DataContext,
  parent: string,
  kind: ErrorKind,
  pathOf: (file: string) => string,
): readonly TreeNode[] {
  const { key, spots } = kind;
  const places = new Map<string, ErrorSpot[]>();
  for (const spot of spots) {
    const id = `${spot.file}:${spot.line}`;
    const there = places.get(id);
    if (there === undefined) places.set(id, [spot]);
    else there.push(spot);
  }
  return [...places].slice(0, mostBelow).flatMap(([id, same]) => {
    const [spot] = same;
    if (spot === undefined) return [];
    const count = same.reduce((sum, one) => sum + one.count, 0);
    const path = pathOf(spot.file);
    const end = path.lastIndexOf('/') + 1;
    return makeNode({
      id: `${parent}/place ${id}`,
      kind: 'errorPlace',
      label: `${path.slice(end)}:${spot.line}`,
      description: dotted([
        path.slice(0, end).replace(/\/$/, ''),
        counted(count, '{0} ×', '{0} ×'),
      ]),
      status: plain('go-to-file'),
      target: { errorKey: key, place: spot, name: `${path}:${spot.line}` },
      record: spot,
      // Of another deployment, the same line may have another number.
      details: () =>
        deploymentDetails(
          deploymentsOf(kind, store).filter(({ id: one }) =>
            same.some(({ deploymentId }) => deploymentId === one),
          ),
          t,
        ),
    });
  });
}

function workloadNodes(
  { counted }: DataContext,
  parent: string,
  { key, workloads }: ErrorKind,
): readonly TreeNode[] {
  return workloads.slice(0, mostBelow).map(({ id, name, count }) =>
    makeNode({
      id: `${parent}/workload ${id}`,
      kind: 'errorWorkload',
      label: name === '' ? shortId(id) : name,
      description: counted(count, '{0} ×', '{0} ×'),
      status: plain('package'),
      target: {
        id,
        name,
        errorKey: key,
        follow: isUuid(id) ? { filter: { workloadIds: [id] }, label: name } : undefined,
      },
    }),
  );
}

/** A deployment that wrote errors, with its app or job if it is loaded. */
interface SeenDeployment extends CountedItem {
  /** Its commit if that is known, otherwise its id; short. */
  readonly label: string;
  readonly deployment?: Deployment;
  readonly resourceId?: string;
}

/** The deployments of a kind, newest first. */
export function deploymentsOf(
  { workloads, deployments }: Pick<ErrorKind, 'workloads' | 'deployments'>,
  store: DataContext['store'],
): readonly SeenDeployment[] {
  const known = new Map(
    workloads
      .slice(0, mostBelow)
      .flatMap(({ id: resourceId }) =>
        (store.deployments(resourceId).value?.deployments ?? []).map(
          (deployment) => [deployment.id, { deployment, resourceId }] as const,
        ),
      ),
  );
  return deployments.map((item) => {
    const found = known.get(item.id);
    return { ...item, ...found, label: shortSha(found?.deployment.commitSha) ?? shortId(item.id) };
  });
}

/** A line of a tooltip that names the newest of these; none without any. */
export function deploymentDetails(
  deployments: readonly Pick<SeenDeployment, 'label'>[],
  t: DataContext['t'],
): readonly NodeDetail[] {
  const names = [...new Set(deployments.map(({ label }) => label))].slice(0, mostBelow);
  return names.length === 0 ? [] : [{ label: t('Deployments'), value: names.join(', ') }];
}

function deploymentNodes(
  { counted, store }: DataContext,
  parent: string,
  kind: ErrorKind,
): readonly TreeNode[] {
  const { key } = kind;
  const newest = deploymentsOf(kind, store).slice(0, mostBelow);
  return newest.map((item) => {
    const { id, name, count, label, deployment, resourceId } = item;
    const commit = deployment?.commitSha;
    return makeNode({
      id: `${parent}/deployment ${id}`,
      kind: 'deployment',
      label,
      description: dotted([name, counted(count, '{0} ×', '{0} ×')]),
      status: plain('rocket'),
      target: {
        id,
        deploymentId: id,
        resourceId,
        errorKey: key,
        name: commit,
        commitSha: commit,
        follow: isUuid(id) ? { filter: { deploymentIds: [id] }, label } : undefined,
      },
      record: deployment,
    });
  });
}

function recordNodes(
  context: DataContext,
  parent: string,
  { key, records }: ErrorKind,
): readonly TreeNode[] {
  const keyOf = createKeys(parent, 'record');
  const { t, timeFormat } = context;
  return records.slice(0, mostBelow).map((record) => {
    const { eventId, timestamp, workloadName } = record;
    return makeNode({
      id: keyOf(eventId),
      kind: 'errorRecord',
      // Short, because the message follows.
      label: timeFormat.relative(timestamp),
      description: dotted([cutMiddle(firstLine(record), longestLine), workloadName]),
      status: plain('output'),
      target: { errorKey: key, eventId },
      record,
      details: () => [
        { label: t('Time'), value: timeText(timestamp, context) },
        { label: t('Message'), value: bodyText(record, 'readable').slice(0, longestBody) },
      ],
    });
  });
}

function firstLine(record: LogRecord): string {
  return bodyText(record, 'readable').trimStart().split('\n', 1)[0] ?? '';
}
