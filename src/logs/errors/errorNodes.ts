import { timeText } from '../../trees/details';
import { makeNode, type NodeDetail, type NodeStatus, type TreeNode } from '../../trees/nodes';
import type { DataContext } from '../../data/dataContext';
import { shortId } from '../../data/targets';
import { noneNode } from '../../trees/placeholderNodes';
import { plain } from '../../trees/status';
import { cutMiddle } from '../../base/plainText';
import { dotted, someNames } from '../../base/textFormat';
import { timeOf } from '../../base/timeFormat';
import { bodyText } from '../record/readableBody';
import { type ErrorKind, KindLookup, titleOf } from './errorKind';
import { deploymentDetails, deploymentsOf, errorPartNodes, longestBody } from './errorPartNodes';
import { suspectNodes, suspectText, suspicionDetails } from './suspectNodes';
import { traceIdsOf } from './errorQueries';
import type { ErrorScope, MutedError } from './errorScope';
import { newSince, type Suspicion } from './suspects';

/** What the rows show. */
export interface ShownErrors {
  /** All kinds, with muted ones, in the order of their rows. */
  readonly kinds: readonly ErrorKind[];
  readonly muted: readonly MutedError[];
  /** The ids of the deployments in which kinds came back that were fixed, by their keys. */
  readonly cameBack: ReadonlyMap<string, string>;
  /** The commits that may have caused a kind; undefined while that is not known. */
  readonly suspicionOf: (kind: ErrorKind) => Suspicion | undefined;
  /** The path of a file as the user knows it. @param file its URI as text. */
  readonly pathOf: (file: string) => string;
}

/** The longest message of a row without and with a place, in UTF-16 units, for a side bar of 300 pixels. */
const longestMessage = { alone: 40, placed: 24 } as const;
/** How many kinds have a row. */
const mostKinds = 500;

/** The rows of errors by kind. Muted ones are below a row of their own at the end. */
export function errorNodes(context: DataContext, shown: ShownErrors): readonly TreeNode[] {
  const { kinds, muted } = shown;
  const hidden = new KindLookup(muted);
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
  const byTime = (one: ErrorKind, other: ErrorKind): number =>
    (seen.get(other) ?? 0) - (seen.get(one) ?? 0) || (one.key < other.key ? -1 : 1);
  return [...kinds].sort((one, other) =>
    sorting === 'frequent' ? other.count - one.count || byTime(one, other) : byTime(one, other),
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
  const id = `error ${key}`;
  // What differs between kinds comes first, because a narrow view cuts off the rest.
  const where = place && `${pathEnd(shown.pathOf(place.file))}:${place.line}`;
  const message = cutMiddle(messageOf(kind, t), longestMessage[where ? 'placed' : 'alone']);
  return makeNode({
    id,
    kind: 'error',
    label: where ?? message,
    description: dotted([
      cameBack && t('came back in {0}', deploymentName(cameBack, kind, context)),
      where && message,
      counted(count, '{0} ×', '{0} ×'),
      someNames(
        workloads.map(({ name }) => name),
        t,
      ),
      timeFormat.relative(last.timestamp),
      suspicion?.[0] && suspectText(suspicion[0], context),
    ]),
    status: statusOfKind(kind, t),
    target: {
      errorKey: key,
      place,
      deploymentId: since?.pair.deployment.id,
      resourceId: since?.pair.resource.id,
    },
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
      ...suspectNodes(context, id, key, suspicion),
      ...errorPartNodes(context, id, kind, shown.pathOf),
    ],
  });
}

/** The commit of a deployment if it is known, otherwise its id; short. */
function deploymentName(id: string, kind: ErrorKind, { store }: DataContext): string {
  return deploymentsOf(kind, store).find((one) => one.id === id)?.label ?? shortId(id);
}

function pathEnd(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function messageOf(kind: Pick<ErrorKind, 'last'>, t: DataContext['t']): string {
  return titleOf(kind) || t('without a message');
}

function detailsOfKind(kind: ErrorKind, context: DataContext): readonly NodeDetail[] {
  const { t, store } = context;
  const { count, first, last, workloads } = kind;
  return [
    { label: t('Message'), value: bodyText(last, 'readable').slice(0, longestBody) },
    { label: t('Count'), value: String(count) },
    { label: t('Workloads'), value: workloads.map(({ name }) => name).join(', ') },
    ...deploymentDetails(deploymentsOf(kind, store), t),
    { label: t('First seen'), value: timeText(first.timestamp, context) },
    { label: t('Last seen'), value: timeText(last.timestamp, context) },
  ];
}

/** The muted kinds, also those that did not occur. */
function mutedNode(context: DataContext, shown: ShownErrors): TreeNode {
  const { t, counted } = context;
  const { muted } = shown;
  return makeNode({
    id: 'muted',
    kind: 'mutedErrors',
    label: counted(muted.length, '{0} muted', '{0} muted'),
    status: plain('bell-slash', 'descriptionForeground'),
    record: muted,
    children() {
      const lookup = new KindLookup(shown.kinds);
      const rows = new Map<string, TreeNode>();
      for (const { key, template, fixed } of [...muted].reverse()) {
        const found = lookup.of(key);
        const until = fixed && t('until it comes back in a newer deployment');
        for (const kind of found) {
          const row = errorNode(context, shown, kind, ['muted']);
          rows.set(kind.key, { ...row, description: dotted([until, row.description]) });
        }
        if (found.length > 0) continue;
        const absent = makeNode({
          id: `error ${key}`,
          kind: 'error',
          label: cutMiddle(template, longestMessage.alone) || t('without a message'),
          description: until,
          status: plain('bell-slash', 'descriptionForeground'),
          target: { errorKey: key },
          tokens: ['muted', 'absent'],
        });
        rows.set(key, absent);
      }
      return [...rows.values()];
    },
  });
}
