import { assert } from 'chai';
import { revealRow } from '../../../src/logs/explorer/ui/recordDetails';
import { uiText } from '../../host/texts';
import { deployments, resources, source, sources } from '../../unit/data/shop';
import { scene, uuid } from '../../unit/trees/treeText';
import { sampleRecord } from '../../unit/logs/sampleRecord';

describe('row of a record', () => {
  const record = sampleRecord({ workloadId: uuid(10), deploymentId: uuid(101) });

  /** Reveals in trees of which nothing is known yet; answers with the path and what was asked for. */
  async function reveal(what: 'deployment' | 'resource', changes: object = {}) {
    const asked: string[] = [];
    const revealed: (readonly string[])[] = [];
    const { store, context } = scene(
      {
        listResources: ({ sourceId: id }) => {
          asked.push(`resources ${id}`);
          return Promise.resolve(resources);
        },
        listDeployments: ({ resourceId: id }) => {
          asked.push(`deployments ${id}`);
          return Promise.resolve(id === uuid(10) ? deployments : {});
        },
      },
      { sources },
    );
    const data = { store, context, targets: { sources: () => sources } };
    const views = {
      view: () => ({
        reveal: (path: readonly string[]) => Promise.resolve(void revealed.push(path)),
      }),
    };
    await revealRow(data as never, views as never, { ...record, ...changes }, what);
    return { asked, path: revealed[0]?.at(-1) };
  }

  it('is shown in its tree, and loaded first if it is unknown', async () => {
    const app = await reveal('resource');
    assert.deepEqual(app.asked, [`resources ${source}`]);
    assert.match(app.path ?? '', new RegExp(`/resource ${uuid(10)}$`));
    const deployment = await reveal('deployment');
    assert.deepEqual(deployment.asked, [`resources ${source}`, `deployments ${uuid(10)}`]);
    assert.match(deployment.path ?? '', new RegExp(`/deployment ${uuid(101)}$`));
  });

  it('may be in no known source', async () => {
    for (const [what, text] of [
      ['resource', uiText('This workload is not in the Sources view.')],
      ['deployment', uiText('This deployment is not in the Sources view.')],
    ] as const) {
      let message = '';
      try {
        await reveal(what, { workloadId: uuid(99), deploymentId: uuid(98) });
      } catch (error) {
        message = error instanceof Error ? error.message : '';
      }
      assert.equal(message, text);
    }
  });
});
