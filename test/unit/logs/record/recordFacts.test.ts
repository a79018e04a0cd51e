import { assert } from 'chai';
import { Names } from '../../../../src/data/knownNames';
import { recordFacts } from '../../../../src/logs/record/recordFacts';
import { deployments } from '../../data/shop';
import { scene, uuid } from '../../trees/treeText';
import { sampleRecord } from '../sampleRecord';

describe('Where a record comes from', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const record = sampleRecord({ workloadId: uuid(10), serverId: uuid(20), traceId });
  const known = scene({ listDeployments: () => Promise.resolve(deployments) });
  const names = new Names();
  const valuesOf = (changes: Parameters<typeof sampleRecord>[0]): string[] =>
    recordFacts({ ...record, ...changes }, { context: known.context, names }).map(
      ([label, value]) => `${label}: ${value}`,
    );

  before(async () => {
    names.remember('server', uuid(20), 'app-1');
    names.remember('workload', uuid(11), 'search');
    names.remember('deployment', uuid(109), '9999999');
    await known.load({ kind: 'deployments', id: uuid(10) });
  });

  it('says workload, commit and age of the deployment, server and trace by their names', () => {
    assert.deepEqual(valuesOf({ deploymentId: uuid(102).toUpperCase() }), [
      'Workload: web-api',
      'Deployment: 2222222 · 3 min. ago',
      'Server: app-1',
      `Trace: ${traceId}`,
    ]);
  });

  it('says the beginning of an id where no name is known, and nothing for what is missing', () => {
    assert.deepEqual(
      valuesOf({
        workloadName: '',
        service: '',
        serverId: uuid(21),
        deploymentId: uuid(103),
        traceId: null,
      }),
      [
        `Workload: ${uuid(10).slice(0, 8)}`,
        `Deployment: ${uuid(103).slice(0, 8)}`,
        `Server: ${uuid(21).slice(0, 8)}`,
      ],
    );
    assert.deepEqual(
      valuesOf({ workloadName: '', workloadId: uuid(11), deploymentId: uuid(109) }).slice(0, 2),
      ['Workload: search', 'Deployment: 9999999'],
    );
    assert.notInclude(valuesOf({ deploymentId: null }).join('\n'), 'Deployment');
  });
});
