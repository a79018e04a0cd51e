import { assert } from 'chai';
import { integrationNodes } from '../../../../src/inventory/integrations/integrationNodes';
import { lines, read, scene, treeText } from '../treeText';

/** The tree of a control plane that answers this. */
async function tree(integrations: object, repositories: object): Promise<string> {
  const { context, load } = scene({
    listIntegrations: () => Promise.resolve(read('IntegrationListing', integrations)),
    listRepositories: () => Promise.resolve(read('RepositoryListing', repositories)),
  });
  await load({ kind: 'integrations' }, { kind: 'repositories', search: '' });
  return treeText(integrationNodes(context));
}

describe('the tree of integrations', () => {
  it('says that there is nothing', async () => {
    assert.equal(
      await tree({ integrations: [] }, { repositories: [] }),
      lines(`
        [dash] No integrations
        [repo] Repositories — 0
          [dash] No repositories
      `),
    );
  });

  it('shows what there is where every optional field is missing or null', async () => {
    assert.equal(
      await tree(
        { integrations: [{}, { category: null }] },
        { repositories: [{}, { webUrl: null }] },
      ),
      lines(`
        [circle-large-outline] No category
          [plug] Integration
          [plug] Integration
        [repo] Repositories — 2
          [repo] Repository
          [repo] Repository
      `),
    );
  });
});
