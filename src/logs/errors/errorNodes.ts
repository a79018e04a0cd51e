import type { Deployment, LogRecord } from '../../api/types';
import { groupedBy } from '../../base/maps';
import { dotted, someNames } from '../../base/textFormat';
import { timeOf } from '../../base/timeFormat';
import type { SuspectedCommit, SuspectReason } from '../../commits/suspects';
import { shortSha } from '../../data/deployments';
import type { DataContext } from '../../data/labels';
import { isUuid, shortId } from '../../data/targets';
import {
  detailLines,
  timeText,
  makeNode,
  type NodeDetail,
  type NodeStatus,
  type RowCommand,
  type TreeNode,
  createKeys,
} from '../../trees/nodes';
import { noneNode } from '../../trees/placeholderNodes';
import { plain } from '../../trees/status';
import { commands } from '../../vscode/contributions';
import { bodyText } from '../record/readableBody';
import type { CountedItem, ErrorKind, ErrorSpot } from './errorKind';
import { traceIdsOf, type ErrorScope, type MutedError } from './errorScope';
import { newSince, type Suspicion } from './errorSuspects';

/** What the rows show. */
export interface ShownErrors {
  /** All kinds, with muted ones, in the order of their rows. */
  readonly kinds: readonly ErrorKind[];
  readonly muted: readonly MutedError[];
  /** What hides kinds, by their keys. */
  readonly hidden: ReadonlyMap<string, MutedError>;
  /** The ids of the deployments in which kinds came back that were fixed, by their keys. */
  readonly cameBack: ReadonlyMap<string, string>;
  /** The commits that may have caused a kind; undefined while that is not known. */
  readonly suspicionOf: (kind: ErrorKind) => Suspicion | undefined;
  /** The path of a file as the user knows it. @param file its URI as text. */
  readonly pathOf: (file: string) => string;
  /** The line of a place in its file now, as far as it is known. */
  readonly lineOf: (spot: ErrorSpot) => number;
}

/** How many kinds have a row. */
const mostKinds = 500;

/** The rows of errors by kind. Muted ones are below a row of their own at the end. */
export function errorNodes(context: DataContext, shown: ShownErrors): readonly TreeNode[] {
  const { kinds, muted, hidden } = shown;
  const rows = kinds.filter(({ key }) => !hidden.has(key));
  const more = rows.length - mostKinds;
  return [
    ...rows.slice(0, mostKinds).map((kind) => errorNode(context, shown, kind, [])),
    ...(more > 0 ? [noneNode('errors', context.t('{0} more', more))] : []),
    ...(muted.length > 0 ? [mutedNode(context, shown)] : []),
  ];
}

/**
 * The order of the kinds. It stays as it was first shown while errors arrive, so that no row moves away from
 * the pointer; new kinds take their place in it.
 */
export class KindOrder {
  private sorting: ErrorScope['sorting'] | undefined;
  /** The kinds as they were when their rows got their places, by key. */
  private placed = new Map<string, ErrorKind>();

  /** @param isSettled whether all errors were looked at: until then, every row finds its place. */
  sorted(
    kinds: readonly ErrorKind[],
    sorting: ErrorScope['sorting'],
    isSettled: boolean,
  ): readonly ErrorKind[] {
    if (!isSettled || sorting !== this.sorting) this.reset();
    this.sorting = sorting;
    const now = new Map(kinds.map((kind) => [kind.key, kind]));
    const placed = sorted(
      kinds.map((kind) => this.placed.get(kind.key) ?? kind),
      sorting,
    );
    this.placed = new Map(placed.map((kind) => [kind.key, kind]));
    return placed.flatMap(({ key }) => now.get(key) ?? []);
  }

  /** Gives every row its place by what is known next. */
  reset(): void {
    this.placed.clear();
  }
}

function sorted(kinds: readonly ErrorKind[], sorting: ErrorScope['sorting']): readonly ErrorKind[] {
  const seen = new Map(kinds.map((kind) => [kind, Date.parse(kind.last.timestamp)]));
  const byTime = (a: ErrorKind, b: ErrorKind): number =>
    (seen.get(b) ?? 0) - (seen.get(a) ?? 0) || (a.key < b.key ? -1 : 1);
  return [...kinds].sort((a, b) =>
    sorting === 'frequent' ? b.count - a.count || byTime(a, b) : byTime(a, b),
  );
}

/** The icons of kinds, also in comparisons. */
function statusOfKind({ change, severity }: ErrorKind, t: DataContext['t']): NodeStatus {
  switch (change) {
    case 'new':
      return status('diff-added', 'testing.iconFailed', t('new since the last deployment'), 4);
    case 'more':
      return status('arrow-up', 'list.warningForeground', t('more than before'), 3);
    case 'gone':
      return status('pass', 'testing.iconPassed', t('gone since the last deployment'), 1);
    case undefined:
      return status('error', 'list.errorForeground', severity === 'fatal' ? t('fatal') : '', 2);
  }
}

function status(icon: string, color: string, words: string, rank: number): NodeStatus {
  return { icon, color, words, states: words === '' ? [] : [words], rank };
}

function errorNode(
  context: DataContext,
  shown: ShownErrors,
  kind: ErrorKind,
  tokens: readonly string[],
): TreeNode {
  const { t, counted, timeFormat } = context;
  const { key, count, workloads, last, spots, deployments } = kind;
  const [place] = spots;
  const cameBack = shown.cameBack.get(key);
  const since = newSince(kind, context);
  const suspicion = shown.suspicionOf(kind);
  const likeliest = suspicion?.commits[0];
  const id = `error ${key}`;
  return makeNode({
    id,
    kind: 'error',
    // Its name is that of its pattern, as in the Log Explorer: it stays while errors of the kind come.
    label: counted(count, '{0} × {1}', '{0} × {1}', nameOf(kind, t)),
    description: dotted([
      cameBack && t('came back in {0}', deploymentName(cameBack, kind, context)),
      place && `${pathEnd(shown.pathOf(place.file))}:${shown.lineOf(place)}`,
      someNames(
        workloads.map(({ name }) => name),
        t,
      ),
      timeFormat.relative(last.timestamp),
      likeliest && suspectText(likeliest, context),
    ]),
    status: statusOfKind(kind, t),
    target: {
      key,
      place,
      deploymentId: since?.pair.deployment.id,
      resourceId: since?.pair.resource.id,
    },
    command: place && openCode(t),
    tokens: [
      ...tokens,
      ...(place === undefined ? [] : ['hasCode']),
      ...(deployments.length === 0 ? [] : ['hasDeployment']),
      ...(since === undefined ? [] : ['isNew']),
      ...(traceIdsOf(kind.records).length > 0 ? ['hasTrace'] : []),
    ],
    record: kind,
    details: () => [...detailsOfKind(kind, context), ...suspicionDetails(suspicion, context)],
    time: () => timeOf(last.timestamp),
    children: () => [
      ...suspectNodes(context, id, key, suspicion?.commits),
      ...errorPartNodes(context, id, kind, shown),
    ],
  });
}

/** The command of a row whose target is a place. */
function openCode(t: DataContext['t']): RowCommand {
  return { id: commands.openErrorCode, title: t('Open Code') };
}

/** The commit of a deployment if it is known, otherwise its id; short. */
function deploymentName(id: string, kind: ErrorKind, { store }: DataContext): string {
  return deploymentsOf(kind, store).find((one) => one.id === id)?.label ?? shortId(id);
}

function pathEnd(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function nameOf({ template }: Pick<ErrorKind, 'template'>, t: DataContext['t']): string {
  return template || t('without a message');
}

function detailsOfKind(kind: ErrorKind, context: DataContext): readonly NodeDetail[] {
  const { t, store } = context;
  const { count, first, last, workloads } = kind;
  return [
    ...detailLines([
      [t('Message'), bodyText(last, 'readable').slice(0, longestBody)],
      [t('Count'), count],
      [t('Workloads'), workloads.map(({ name }) => name).join(', ')],
    ]),
    ...deploymentDetails(deploymentsOf(kind, store), t),
    ...detailLines([
      [t('First seen'), timeText(first.timestamp, context)],
      [t('Last seen'), timeText(last.timestamp, context)],
    ]),
  ];
}

/** The muted kinds, also those that did not occur. */
function mutedNode(context: DataContext, shown: ShownErrors): TreeNode {
  const { t, counted } = context;
  const { muted, hidden, kinds } = shown;
  return makeNode({
    id: 'muted',
    kind: 'mutedErrors',
    label: counted(muted.length, '{0} muted', '{0} muted'),
    status: plain('bell-slash', 'descriptionForeground'),
    record: muted,
    children() {
      const rows = new Map<string, TreeNode>();
      for (const mute of [...muted].reverse()) {
        const { key, fixed } = mute;
        const found = kinds.filter((kind) => hidden.get(kind.key) === mute);
        const until = fixed && t('until it comes back in a newer deployment');
        for (const kind of found) {
          const row = errorNode(context, shown, kind, ['muted']);
          rows.set(kind.key, { ...row, description: dotted([until, row.description]) });
        }
        if (found.length > 0) continue;
        const absent = makeNode({
          id: `error ${key}`,
          kind: 'error',
          label: nameOf(mute, t),
          description: until,
          status: plain('bell-slash', 'descriptionForeground'),
          target: { key },
          tokens: ['muted', 'absent'],
        });
        rows.set(key, absent);
      }
      return [...rows.values()];
    },
  });
}

/** How many rows of each sort are below a kind. */
const mostBelow = 5;
/** The longest body in a tooltip, in UTF-16 units. */
const longestBody = 1000;

/** The rows below a kind: its lines in the workspace, its workloads and deployments, and its newest records. */
function errorPartNodes(
  context: DataContext,
  parent: string,
  kind: ErrorKind,
  shown: ShownErrors,
): readonly TreeNode[] {
  return [
    ...placeNodes(context, parent, kind, shown),
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
  { pathOf, lineOf }: ShownErrors,
): readonly TreeNode[] {
  const { key, spots } = kind;
  const places = groupedBy(spots, ({ file, line }) => `${file}:${line}`);
  return [...places].slice(0, mostBelow).map(([id, same]) => {
    const [spot] = same;
    const count = same.reduce((sum, one) => sum + one.count, 0);
    const path = pathOf(spot.file);
    const end = path.lastIndexOf('/') + 1;
    const line = lineOf(spot);
    return makeNode({
      id: `${parent}/place ${id}`,
      kind: 'errorPlace',
      label: `${path.slice(end)}:${line}`,
      description: dotted([
        path.slice(0, end).replace(/\/$/, ''),
        counted(count, '{0} ×', '{0} ×'),
      ]),
      status: plain('go-to-file'),
      target: { key, place: spot, name: `${path}:${line}` },
      command: openCode(t),
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
      label: name,
      description: counted(count, '{0} ×', '{0} ×'),
      status: plain('package'),
      target: {
        id,
        name,
        key,
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
function deploymentsOf(
  { workloads, deployments }: Pick<ErrorKind, 'workloads' | 'deployments'>,
  store: DataContext['store'],
): readonly SeenDeployment[] {
  const known = new Map(
    workloads
      .slice(0, mostBelow)
      .flatMap(({ id: resourceId }) =>
        (store.read('deployments', resourceId).value?.deployments ?? []).map(
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
function deploymentDetails(
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
        key,
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
      description: dotted([firstLine(record), workloadName]),
      status: plain('output'),
      target: { key },
      record,
      details: () =>
        detailLines([
          [t('Time'), timeText(timestamp, context)],
          [t('Message'), bodyText(record, 'readable').slice(0, longestBody)],
        ]),
    });
  });
}

function firstLine(record: LogRecord): string {
  return bodyText(record, 'readable').slice(0, longestBody).trimStart().split('\n', 1)[0] ?? '';
}

/** How many suspected commits are below a kind. */
const mostSuspects = 3;

/** `likely 9f8e7d6 · 2 days ago · A Person` */
function suspectText(suspect: SuspectedCommit, context: DataContext): string {
  const { sha } = suspect.commit;
  return dotted([context.t('likely {0}', shortSha(sha) ?? ''), byline(suspect, context)]);
}

function byline({ commit: { at, author } }: SuspectedCommit, { timeFormat }: DataContext): string {
  return dotted([timeFormat.relativeTo(at), author]);
}

/** The suspected commits of a kind. A click shows what one changed. */
function suspectNodes(
  context: DataContext,
  parent: string,
  key: string,
  suspects: readonly SuspectedCommit[] = [],
): readonly TreeNode[] {
  return suspects.slice(0, mostSuspects).map((suspect) => {
    const { commit, file } = suspect;
    return makeNode({
      id: `${parent}/suspect ${commit.sha}`,
      kind: 'errorSuspect',
      label: commit.title === '' ? (shortSha(commit.sha) ?? '') : commit.title,
      description: suspectText(suspect, context),
      status: plain('git-commit'),
      target: { key, name: commit.sha },
      command: {
        id: commands.showDeployedCommit,
        title: context.t('Show Commit'),
        argument: { sha: commit.sha, file },
      },
      record: suspect,
      details: () => suspicionDetails({ commits: [suspect], tooLarge: [] }, context),
    });
  });
}

/** Why the first commit is suspected, or that none is; nothing while that is not known. */
function suspicionDetails(
  suspicion: Suspicion | undefined,
  context: DataContext,
): readonly NodeDetail[] {
  if (suspicion === undefined) return [];
  const { t } = context;
  const { commits, tooLarge } = suspicion;
  const [first] = commits;
  const label = t('Likely commit');
  const unread =
    tooLarge.length === 0
      ? []
      : [{ label: t('Too large to compare'), value: someNames(tooLarge.map(pathEnd), t) ?? '' }];
  if (first === undefined) {
    const why = tooLarge.length > 0 ? t('unknown') : t('unknown: no commit touches its stack');
    return [{ label, value: why }, ...unread];
  }
  return [
    { label, value: dotted([shortSha(first.commit.sha), first.commit.title]) },
    { label: t('Reason'), value: reasonText(first.reason, t) },
    ...unread,
  ];
}

function reasonText(reason: SuspectReason, t: DataContext['t']): string {
  switch (reason) {
    case 'line':
      return t('it changed a line of the stack');
    case 'near':
      return t('it changed lines next to one of the stack');
    case 'function':
      return t('it changed a function of the stack');
    case 'word':
      return t('it added a name from the message to a file of the stack');
  }
}
