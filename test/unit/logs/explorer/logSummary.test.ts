import { assert } from 'chai';
import { summarise } from '../../../../src/logs/explorer/logSummary';
import { covers } from '../../covers';
import { sampleRecord } from '../sampleRecord';

const record = (body: string, severity: 'info' | 'warn' | 'error', workloadName = 'web-api') =>
  sampleRecord({ body, severity, workloadName });

const pause = (): Promise<void> => Promise.resolve();

describe('summary of records', () => {
  it('counts by severity, workload and template', async () => {
    const last = record('took 7 ms', 'error', 'search');
    const summary = await summarise(
      [record('took 5 ms', 'info'), record('ready', 'info'), record('took 6 ms', 'warn'), last],
      pause,
    );
    assert.deepEqual(summary.severities, [
      ['error', 1],
      ['warn', 1],
      ['info', 2],
    ]);
    assert.deepEqual(summary.workloads, [
      ['web-api', 3],
      ['search', 1],
    ]);
    assert.deepEqual(summary.templates[0], {
      template: 'took <n> ms',
      count: 3,
      severity: 'error',
      workloads: ['web-api', 'search'],
      example: last,
    });
    assert.equal(summary.templates[1]?.template, 'ready');
  });

  it('uses the service if a workload has no name', async () => {
    const unnamed = sampleRecord({ workloadName: '', service: 'cron' });
    assert.deepEqual((await summarise([unnamed], pause)).workloads, [['cron', 1]]);
  });

  it('is empty without records', async () => {
    assert.deepEqual(await summarise([], pause), {
      severities: [],
      workloads: [],
      templates: [],
    });
  });

  it(`lets other tasks run ${covers('F76', 'unit')}`, async () => {
    const body = `{"a":"${'x'.repeat(60_000)}"}`;
    let turns = 0;
    const records = Array.from({ length: 1000 }, () => record(body, 'error'));
    const { templates } = await summarise(records, () => {
      turns++;
      return Promise.resolve();
    });
    assert.equal(templates[0]?.count, 1000);
    assert.equal(turns, 18, 'after every hundred, for the patterns and for the counts');
  });
});
