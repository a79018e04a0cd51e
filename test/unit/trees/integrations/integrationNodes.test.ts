import { assert } from 'chai';
import type { RepositoryListing } from '../../../../src/api/types';
import {
  integrationNodes,
  integrationKeys,
} from '../../../../src/trees/integrations/integrationNodes';
import { uiText } from '../../../host/texts';
import { httpError } from '../../data/fakeClient';
import { find, gives, lines, read, scene, treeText } from '../treeText';

const repositoriesLabel = uiText('Repositories');
const noRepositories = uiText('No repositories');
const noCategory = uiText('No category');
const unnamedIntegration = uiText('Integration');
const unnamedRepository = uiText('Repository');
const loading = uiText('Loading…');
const loadMore = uiText('Load more…');
const topic = { kind: 'integrations', id: '' } as const;
const everything = { kind: 'repositories', id: '' } as const;

const pages: readonly RepositoryListing[] = [
  read('RepositoryListing', {
    repositories: [
      {
        id: '1',
        name: 'shop-web',
        fullName: 'example/shop-web',
        defaultBranch: 'main',
        private: true,
        provider: 'codehost-b',
        webUrl: 'https://codehost.example/example/shop-web',
      },
      { id: '2', fullName: 'example/docs', private: false, webUrl: 'http://codehost.example/docs' },
    ],
    nextPage: 2,
  }),
  read('RepositoryListing', { repositories: [{ id: '3', name: 'tools' }, { id: '3' }, {}] }),
];

const integrations = read('IntegrationListing', {
  integrations: [
    { category: 'git', provider: 'codehost-a' },
    { category: 'backup', provider: 'object-storage' },
    { category: 'git', provider: 'codehost-b' },
    { category: 'divination', provider: 'crystal-ball' },
    { provider: 'lonely' },
    {},
  ],
});

function catalogue(search = ''): ReturnType<typeof scene> {
  return scene(
    {
      listIntegrations: () => Promise.resolve(integrations),
      listRepositories: ({ page = 1, search: wanted }) =>
        Promise.resolve(wanted === undefined ? (pages[page - 1] ?? {}) : { repositories: [] }),
    },
    { search },
  );
}

/** The tree of a control plane with these answers. */
async function tree(integrations: object, repositories: object): Promise<string> {
  const { context, load } = scene({
    listIntegrations: gives('IntegrationListing', integrations),
    listRepositories: gives('RepositoryListing', repositories),
  });
  await load({ kind: 'integrations', id: '' }, { kind: 'repositories', id: '' });
  return treeText(integrationNodes(context));
}

describe('The tree of integrations', () => {
  it('shows providers by category, and the first page of repositories', async () => {
    const { context, load } = catalogue();
    await load(topic, everything);
    const nodes = integrationNodes(context);
    assert.equal(
      treeText(nodes),
      lines(`
        [source-control] git — codehost-a, codehost-b
          [plug] codehost-a
          [plug] codehost-b
        [archive] backup — object-storage
          [plug] object-storage
        [circle-large-outline] divination — crystal-ball
          [plug] crystal-ball
        [circle-large-outline] ${noCategory} — lonely
          [plug] lonely
          [plug] ${unnamedIntegration}
        [repo] ${repositoriesLabel} — ${uiText('{0} and more', 2)}
          [lock] example/shop-web — main · ${uiText('private')} · codehost-b
          [repo] example/docs — ${uiText('public')}
          [ellipsis] ${loadMore}
      `),
    );
    assert.equal(
      find(nodes, 'example/shop-web').target.webUrl,
      'https://codehost.example/example/shop-web',
    );
    assert.isUndefined(find(nodes, 'example/docs').target.webUrl);
    assert.equal(find(nodes, loadMore).target.key, '');
  });

  it('adds the next page, and refreshes all loaded pages', async () => {
    const { context, load, store, clock } = catalogue();
    await load(everything);
    await clock.run(store.loadMore(''));
    const expected = lines(`
      [lock] example/shop-web — main · ${uiText('private')} · codehost-b
      [repo] example/docs — ${uiText('public')}
      [repo] tools
      [repo] 3
      [repo] ${unnamedRepository}
    `);
    const shown = (): string =>
      treeText(find(integrationNodes(context), repositoriesLabel).children());
    assert.equal(shown(), expected);
    await load(everything);
    assert.equal(shown(), expected);
  });

  it('says what a search has found', async () => {
    const { context, load } = catalogue('nothing-like-it');
    await load(topic, { kind: 'repositories', id: 'nothing-like-it' });
    assert.include(
      treeText(integrationNodes(context)),
      lines(`
        [repo] ${repositoriesLabel} — ${uiText('search: {0}', 'nothing-like-it')} · 0
          [dash] ${uiText('No repository matches')}
      `),
    );
  });

  it('shows one of the two if the key lacks the permission for the other', async () => {
    const { context, load } = scene({ listIntegrations: () => Promise.resolve(integrations) });
    await load(topic, everything);
    assert.include(
      treeText(integrationNodes(context)),
      `[repo] ${repositoriesLabel}\n  [lock] ${uiText('Not allowed ({0})', 'repository.connect')}`,
    );
    const other = scene({ listRepositories: () => Promise.resolve({}) });
    await other.load(topic, everything);
    assert.equal(
      treeText(integrationNodes(other.context)),
      lines(`
        [lock] ${uiText('Not allowed ({0})', 'integration.manage')}
        [repo] ${repositoriesLabel} — 0
          [dash] ${noRepositories}
      `),
    );
  });

  it('requests repositories automatically only if the key lacks the permission for the rest', async () => {
    let may = false;
    const { context, load } = scene(
      {
        listIntegrations: () =>
          may ? Promise.resolve(integrations) : Promise.reject(httpError(403, 'forbidden')),
      },
      { search: 'shop' },
    );
    assert.deepEqual(integrationKeys(context), [topic]);
    await load(topic);
    assert.deepEqual(integrationKeys(context), [topic, { kind: 'repositories', id: 'shop' }]);
    may = true;
    await load(topic);
    assert.deepEqual(integrationKeys(context), [topic]);
    may = false;
    await load(topic);
    assert.deepEqual(integrationKeys(context), [topic], 'earlier rows are kept');
  });

  it('is loading until there is an answer', () => {
    assert.equal(
      treeText(integrationNodes(catalogue().context)),
      `[loading~spin] ${loading}\n[repo] ${repositoriesLabel}\n  [loading~spin] ${loading}`,
    );
  });

  it('says that there is nothing', async () => {
    assert.equal(
      await tree({ integrations: [] }, { repositories: [] }),
      lines(`
        [dash] ${uiText('No integrations')}
        [repo] ${repositoriesLabel} — 0
          [dash] ${noRepositories}
      `),
    );
  });

  it('shows the available data if every optional field is missing or null', async () => {
    assert.equal(
      await tree(
        { integrations: [{}, { category: null }] },
        { repositories: [{}, { webUrl: null }] },
      ),
      lines(`
        [circle-large-outline] ${noCategory}
          [plug] ${unnamedIntegration}
          [plug] ${unnamedIntegration}
        [repo] ${repositoriesLabel} — 2
          [repo] ${unnamedRepository}
          [repo] ${unnamedRepository}
      `),
    );
  });

  it('have a connection to choose where they are listed by connection, and then say which', async () => {
    const listRepositories = ({ search }: { search?: string }) =>
      Promise.resolve(
        search === undefined
          ? { connections: [{ slug: 'a' }, { slug: 'b', name: 'B' }, { slug: 'c' }] }
          : { repositories: [{ id: '1', name: 'web' }], connection: search },
      );
    const open = scene({ listRepositories });
    await open.load(everything);
    const select = uiText('Select a Connection…');
    const [row] = find(integrationNodes(open.context), repositoriesLabel).children();
    assert.include(row, {
      label: select,
      description: uiText('{0} and {1} more', 'a, B', 1),
    });
    assert.equal(row?.command?.id, 'controlPlane.searchRepositories');
    assert.equal(find(integrationNodes(open.context), repositoriesLabel).description ?? '', '');
    const chosen = scene({ listRepositories }, { search: 'b' });
    await chosen.load({ kind: 'repositories', id: 'b' });
    const node = find(integrationNodes(chosen.context), repositoriesLabel);
    assert.equal(node.description, 'b · 1');
    assert.equal(node.children()[0]?.label, 'web');
  });
});
