import type { AlertListing } from '../../api/types';
import { dotted, isBlank, someNames } from '../../base/textFormat';
import { Labels, ownerText, withUniqueIds, type DataContext } from '../../data/labels';
import type { CacheKey } from '../../data/store';
import { isUuid, type Target, shortId } from '../../data/targets';
import { firingRules } from '../alerts/alertWatch';
import { ruleNodes } from '../alerts/ruleNodes';
import {
  detailLines,
  factsOf,
  ownerDetails,
  createKeys,
  makeNode,
  type NodeDetail,
  type NodeParts,
  type NodeStatus,
  type TreeNode,
} from '../nodes';
import { childrenFrom, availabilityText } from '../placeholderNodes';
import { failed, plain } from '../status';

/** The keys for the rows of the view and for the badge. */
export function serverKeys(context: DataContext): readonly CacheKey[] {
  return context.servers().map(({ id }) => ({ kind: 'alerts', id }));
}

/** Server → alert rules, destinations, providers, workloads. */
export function serverNodes(context: DataContext): readonly TreeNode[] {
  const labels = new Labels(context);
  return withUniqueIds(context.servers(), (server) => labels.server(server)).map(
    ([server, label, id]) => serverNode(context, server, label, id),
  );
}

function serverNode(
  context: DataContext,
  server: Target,
  label: string,
  idText: string | undefined,
): TreeNode {
  const { t, store } = context;
  const id = `server ${server.id}`;
  const key = { kind: 'alerts', id: server.id } as const;
  const known = store.read('alerts', server.id);
  const firing = firingStatus(known.value, t);
  const follow = { filter: { serverIds: [server.id] }, label };
  return makeNode({
    id,
    kind: 'server',
    isSortable: true,
    label,
    description: dotted([
      firing.words,
      idText,
      ownerText(server, t),
      availabilityText(known, context),
    ]),
    status: firing.status,
    target: { id: server.id, name: label, serverId: server.id, follow },
    cacheKeys: [key],
    tokens: [
      ...(server.isListed === true ? [] : ['canRename']),
      ...(firing.words === undefined ? [] : ['firing']),
    ],
    details: () => [
      ...listingDetails(known.value, t),
      ...ownerDetails(server, t),
      { label: t('ID'), value: server.id },
    ],
    children: () =>
      childrenFrom(context, id, key, known, t('Nothing is monitored'), (listing) =>
        groupNodes(context, id, server.id, listing),
      ),
  });
}

function listingDetails(
  { rules = [], workloads = [], destinations = [] }: AlertListing = {},
  t: DataContext['t'],
): readonly NodeDetail[] {
  return detailLines([
    [t('Alert Rules'), rules.length || undefined],
    [
      t('Workloads'),
      someNames(
        workloads.flatMap(({ name }) => name ?? []),
        t,
      ),
    ],
    [
      t('Destinations'),
      someNames(
        destinations.flatMap(({ provider }) => provider ?? []),
        t,
      ),
    ],
  ]);
}

function firingStatus(
  listing: AlertListing | undefined,
  t: DataContext['t'],
): { status: NodeStatus; words: string | undefined } {
  const count = firingRules(listing).length;
  if (count === 0) return { status: plain('server'), words: undefined };
  const words = t('{0} firing', count);
  return { status: { ...failed('server', words), states: [t('firing')] }, words };
}

/** One row for each group that is not empty. */
function groupNodes(
  context: DataContext,
  parent: string,
  serverId: string,
  listing: AlertListing,
): readonly TreeNode[] {
  const { t } = context;
  const { rules = [], destinations = [], providers = {}, workloads = [] } = listing;
  const group = (
    kind: NodeParts['kind'],
    label: string,
    icon: string,
    count: number,
    children: (id: string) => readonly TreeNode[],
    extra: Partial<NodeParts> = {},
  ): NodeParts[] => {
    const id = `${parent}/${kind}`;
    const node = { id, kind, label, status: plain(icon), children: () => children(id), ...extra };
    return count === 0 ? [] : [node];
  };
  const { words, status } = firingStatus(listing, t);
  const fires = words !== undefined;
  const groups = [
    ...group(
      'rules',
      t('Alert Rules'),
      'bell',
      rules.length,
      (id) => ruleNodes(context, id, serverId, listing),
      {
        description: words,
        ...(fires ? { isExpanded: true, status: { ...status, icon: 'bell-dot' } } : {}),
      },
    ),
    ...group('destinations', t('Destinations'), 'mail', destinations.length, (id) =>
      destinationNodes(context, id, destinations),
    ),
    ...group('providers', t('Providers'), 'plug', Object.keys(providers).length, (id) =>
      providerNodes(context, id, providers),
    ),
    ...group('workloads', t('Workloads'), 'package', workloads.length, (id) =>
      workloadNodes(context, id, serverId, workloads),
    ),
  ];
  const isOnly = groups.length === 1;
  return groups.map((node) => makeNode({ ...node, isExpanded: node.isExpanded ?? isOnly }));
}

function destinationNodes(
  context: DataContext,
  parent: string,
  destinations: NonNullable<AlertListing['destinations']>,
): readonly TreeNode[] {
  const { t } = context;
  const keyOf = createKeys(parent, 'destination');
  return destinations.map((destination) => {
    const { id, provider, enabled, categories, source } = destination;
    const isOff = enabled === false;
    const words = enabled === undefined ? '' : isOff ? t('off') : t('on');
    return makeNode({
      id: keyOf(id),
      kind: 'destination',
      isSortable: true,
      label: provider ?? (id === undefined ? t('Destination') : shortId(id)),
      description: dotted([
        isOff ? words : undefined,
        categories?.join(', '),
        source === undefined ? undefined : t('from {0}', source),
      ]),
      status: {
        ...(isOff ? plain('circle-slash', 'disabledForeground') : plain('mail')),
        words,
        states: words === '' ? [] : [words],
      },
      target: { id, name: provider },
      record: destination,
      details: () =>
        factsOf('AlertDestination', destination, context, [
          [t('Categories'), categories?.join(', ')],
          [t('From'), source],
        ]),
    });
  });
}

function providerNodes(
  { t }: DataContext,
  parent: string,
  providers: Readonly<Record<string, unknown>>,
): readonly TreeNode[] {
  const keyOf = createKeys(parent, 'provider');
  return Object.entries(providers).map(([name, value]) => {
    const words =
      value === true
        ? t('available')
        : value === false
          ? t('not available')
          : typeof value === 'string' || typeof value === 'number'
            ? String(value)
            : '';
    const icon =
      value === true ? 'pass' : value === false ? 'circle-slash' : 'circle-large-outline';
    return makeNode({
      id: keyOf(name),
      kind: 'provider',
      isSortable: true,
      // The name is a key of JSON, which may be blank.
      label: isBlank(name) ? t('Provider') : name,
      description: words,
      status: { ...plain(icon), words, states: words === '' ? [] : [words] },
      target: { name },
    });
  });
}

function workloadNodes(
  context: DataContext,
  parent: string,
  serverId: string,
  workloads: NonNullable<AlertListing['workloads']>,
): readonly TreeNode[] {
  const { t } = context;
  const keyOf = createKeys(parent, 'workload');
  return workloads.map((workload) => {
    const { id, name, kind, sourceId } = workload;
    const label = name ?? (id === undefined ? t('Workload') : shortId(id));
    return makeNode({
      id: keyOf(id ?? name),
      kind: 'workload',
      isSortable: true,
      label,
      description: kind,
      status: plain(kind === 'job' ? 'watch' : 'package'),
      target: {
        id,
        resourceId: id,
        name,
        sourceId,
        serverId,
        follow: isUuid(id) ? { filter: { workloadIds: [id] }, label } : undefined,
      },
      record: workload,
      details: () => factsOf('AlertWorkload', workload, context, [[t('Kind'), kind]]),
    });
  });
}
