import { timeText } from '../../trees/details';
import { makeNode, type NodeDetail, type NodeStatus, type TreeNode } from '../../trees/nodes';
import type { DataContext } from '../../data/dataContext';
import { noneNode } from '../../trees/placeholderNodes';
import { plain } from '../../trees/status';
import { dotted, someNames } from '../../base/textFormat';
import { timeOf } from '../../base/timeFormat';
import { bodyText } from '../record/readableBody';
import { type ErrorKind, KindLookup, titleOf } from './errorKind';
import { deploymentDetails, deploymentsOf, errorPartNodes, longestBody } from './errorPartNodes';
import { traceIdsOf } from './errorQueries';
import type { ErrorScope, MutedError } from './errorScope';

/** What the rows show. */
export interface ShownErrors extends Pick<ErrorScope, 'sorting'> {
  /** All kinds, with muted ones, in any order. */
  readonly kinds: readonly ErrorKind[];
  readonly muted: readonly MutedError[];
  /** The path of a file as the user knows it. @param file its URI as text. */
  readonly pathOf: (file: string) => string;
}

/** How many kinds have a row. */
const mostKinds = 500;

/** The rows of errors by kind. Muted ones are below a row of their own at the end. */
export function errorNodes(context: DataContext, shown: ShownErrors): readonly TreeNode[] {
  const { kinds, muted, sorting } = shown;
  const hidden = new KindLookup(muted);
  const rows = sorted(
    kinds.filter(({ key }) => !hidden.has(key)),
    sorting,
  );
  const more = rows.length - mostKinds;
  return [
    ...rows.slice(0, mostKinds).map((kind) => errorNode(context, shown, kind, [])),
    ...(more > 0 ? [noneNode('errors', context.t('{0} more', more))] : []),
    ...(muted.length > 0 ? [mutedNode(context, shown)] : []),
  ];
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
  const { key, count, workloads, last, spots } = kind;
  const [place] = spots;
  const id = `error ${key}`;
  return makeNode({
    id,
    kind: 'error',
    // First, because a narrow view cuts off everything after a long message.
    label: counted(count, '{0} × {1}', '{0} × {1}', messageOf(kind, t)),
    description: dotted([
      someNames(
        workloads.map(({ name }) => name),
        t,
      ),
      timeFormat.relative(last.timestamp),
    ]),
    status: statusOfKind(kind, t),
    target: { errorKey: key, place },
    tokens: [
      ...tokens,
      ...(place === undefined ? [] : ['hasCode']),
      ...(traceIdsOf(kind.records).length > 0 ? ['hasTrace'] : []),
    ],
    record: kind,
    details: () => detailsOfKind(kind, context),
    time: () => timeOf(last.timestamp),
    children: () => errorPartNodes(context, id, kind, shown.pathOf),
  });
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
      for (const { key, template } of [...muted].reverse()) {
        const found = lookup.of(key);
        for (const kind of found) rows.set(kind.key, errorNode(context, shown, kind, ['muted']));
        if (found.length > 0) continue;
        const absent = makeNode({
          id: `error ${key}`,
          kind: 'error',
          label: template || t('without a message'),
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
