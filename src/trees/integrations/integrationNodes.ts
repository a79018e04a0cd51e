import type { Integration, Repository } from '../../api/types';
import { groupedBy } from '../../base/maps';
import { dotted, joined, someNames } from '../../base/textFormat';
import { httpsUrl } from '../../connection/connections';
import type { DataContext } from '../../data/labels';
import type { RepositoryPages } from '../../data/listings';
import { isRefusal, type CacheKey } from '../../data/store';
import { commands } from '../../vscode/contributions';
import { factsOf, createKeys, makeNode, type TreeNode } from '../nodes';
import { loadingNode, noneNode, problemNode, staleText } from '../placeholderNodes';
import { plain } from '../status';

const key = { kind: 'integrations', id: '' } as const;

/**
 * The keys for the roots of the view. Repositories are requested when their row is open; if the API key
 * may not list integrations, they are requested at once, because the view has nothing else to show.
 */
export function integrationKeys({
  store,
  repositorySearch,
}: Pick<DataContext, 'store' | 'repositorySearch'>): readonly CacheKey[] {
  const { value, error } = store.read('integrations', '');
  const isHidden = value === undefined && isRefusal(error);
  return isHidden ? [key, { kind: 'repositories', id: repositorySearch() }] : [key];
}

/** Categories with their providers, and the repositories with `Load more…`. */
export function integrationNodes(context: DataContext): readonly TreeNode[] {
  const known = context.store.read('integrations', '');
  const repositories = repositoriesNode(context);
  if (known.value !== undefined) {
    const { integrations = [] } = known.value;
    return integrations.length === 0
      ? [noneNode('integrations', context.t('No integrations')), repositories]
      : [...categoryNodes(context, integrations), repositories];
  }
  return known.error === undefined
    ? [loadingNode(context, 'integrations'), repositories]
    : [problemNode(context, 'integrations', key, known.error), repositories];
}

function categoryNodes(
  context: DataContext,
  integrations: readonly Integration[],
): readonly TreeNode[] {
  const groups = groupedBy(integrations, ({ category = '' }) => category);
  return [...groups].map(([category, members]) => {
    const id = `category ${category}`;
    return makeNode({
      id,
      kind: 'category',
      isSortable: true,
      label: category === '' ? context.t('No category') : category,
      description: joined(
        members.map(({ provider }) => provider),
        ', ',
      ),
      status: plain(categoryIcon(category)),
      ...(category === '' ? {} : { target: { name: category } }),
      cacheKeys: [key],
      children: () => providerNodes(context, id, members),
    });
  });
}

function providerNodes(
  context: DataContext,
  parent: string,
  integrations: readonly Integration[],
): readonly TreeNode[] {
  const keyOf = createKeys(parent, 'integration');
  return integrations.map((integration) => {
    const { provider } = integration;
    return makeNode({
      id: keyOf(provider),
      kind: 'integration',
      isSortable: true,
      label: provider ?? context.t('Integration'),
      status: plain('plug'),
      ...(provider === undefined ? {} : { target: { name: provider } }),
      record: integration,
      details: () =>
        factsOf('Integration', integration, context, [
          [context.t('Category'), integration.category],
        ]),
    });
  });
}

const categoryIcons: ReadonlyMap<string, string> = new Map([
  ['git', 'source-control'],
  ['source-control', 'source-control'],
  ['registry', 'package'],
  ['backup', 'archive'],
  ['external-secrets', 'key'],
  ['platform', 'cloud'],
  ['telemetry', 'graph'],
  ['observability', 'graph'],
  ['notification', 'bell'],
]);

function categoryIcon(category: string): string {
  return categoryIcons.get(category.toLowerCase()) ?? 'circle-large-outline';
}

/** The ids of the rows from the root to the row of a search. */
export function repositoriesPath(search: string): readonly [string] {
  return [`repositories ${search}`];
}

function repositoriesNode(context: DataContext): TreeNode {
  const { t, store } = context;
  const search = context.repositorySearch();
  const known = store.read('repositories', search);
  return makeNode({
    // Each search has its own row, so that its repositories are requested.
    id: repositoriesPath(search)[0],
    kind: 'repositories',
    label: t('Repositories'),
    description: dotted([
      known.value?.connection ?? (search === '' ? undefined : t('search: {0}', search)),
      known.value === undefined || isToChoose(known.value) ? undefined : countText(known.value, t),
      staleText(known, context),
    ]),
    status: plain('repo'),
    cacheKeys: [{ kind: 'repositories', id: search }],
    ...(search === '' ? {} : { tokens: ['hasSearch'] }),
    children: () => repositoryChildren(context, `repositories ${search}`, search),
  });
}

/** Whether one of several connections has to be chosen first. */
function isToChoose({ connections = [] }: RepositoryPages): boolean {
  return connections.length > 0;
}

function countText(
  { repositories, nextPage }: { repositories: readonly unknown[]; nextPage?: number },
  t: DataContext['t'],
): string {
  const { length } = repositories;
  return nextPage === undefined ? String(length) : t('{0} and more', length);
}

function repositoryChildren(
  context: DataContext,
  parent: string,
  search: string,
): readonly TreeNode[] {
  const { t, store } = context;
  const { value, error } = store.read('repositories', search);
  if (value === undefined) {
    if (error === undefined) return [loadingNode(context, parent)];
    return [problemNode(context, parent, { kind: 'repositories', id: search }, error)];
  }
  if (isToChoose(value)) {
    const label = t('Select a Connection…');
    const names = value.connections?.map(({ slug, name }) => name ?? slug) ?? [];
    return [
      makeNode({
        id: `${parent}/connections`,
        kind: 'connections',
        label,
        description: someNames(names, t),
        status: plain('plug'),
        command: { id: commands.searchRepositories, title: label },
      }),
    ];
  }
  const keyOf = createKeys(parent, 'repository');
  const nodes = value.repositories.map((one) =>
    repositoryNode(context, keyOf(one.id ?? one.fullName), one),
  );
  if (value.nextPage !== undefined) {
    const label = t('Load more…');
    nodes.push(
      makeNode({
        id: `${parent}/more`,
        kind: 'loadMore',
        label,
        status: plain('ellipsis'),
        target: { key: search },
        command: { id: commands.loadMore, title: label },
      }),
    );
  }
  return nodes.length > 0
    ? nodes
    : [noneNode(parent, search === '' ? t('No repositories') : t('No repository matches'))];
}

function repositoryNode(context: DataContext, id: string, repository: Repository): TreeNode {
  const { t } = context;
  const { fullName, name, defaultBranch, provider, private: isPrivate, webUrl } = repository;
  const label = fullName ?? name ?? repository.id ?? t('Repository');
  const words = isPrivate === undefined ? '' : isPrivate ? t('private') : t('public');

  return makeNode({
    id,
    kind: 'repository',
    label,
    description: dotted([defaultBranch, words, provider]),
    status: {
      ...plain(isPrivate === true ? 'lock' : 'repo'),
      words,
      states: words === '' ? [] : [words],
    },
    target: { id: repository.id, name: fullName ?? name, webUrl: httpsUrl(webUrl) },
    record: repository,
    details: () =>
      factsOf('Repository', repository, context, [
        [t('Default branch'), defaultBranch],
        [t('Provider'), provider],
        [t('Web page'), webUrl],
      ]),
  });
}
