import { assert } from 'chai';
import { summarise } from '../../../../src/logs/search/summary';
import { sampleRecord } from '../sampleRecord';

const record = (body: string, severity: 'info' | 'warn' | 'error', workloadName = 'web-api') =>
  sampleRecord({ body, severity, workloadName });

describe('A summary of records', () => {
  it('counts by severity, gravest first, by workload and by shape, most first', () => {
    const last = record('took 7 ms', 'error', 'search');
    const summary = summarise([
      record('took 5 ms', 'info'),
      record('ready', 'info'),
      record('took 6 ms', 'warn'),
      last,
    ]);
    assert.equal(summary.records, 4);
    assert.deepEqual(summary.severities, [
      ['error', 1],
      ['warn', 1],
      ['info', 2],
    ]);
    assert.deepEqual(summary.workloads, [
      ['web-api', 3],
      ['search', 1],
    ]);
    assert.deepEqual(summary.shapes[0], {
      shape: 'took <n> ms',
      count: 3,
      severity: 'error',
      workloads: ['web-api', 'search'],
      example: last,
    });
    assert.equal(summary.shapes[1]?.shape, 'ready');
  });

  it('calls a workload without a name by its service', () => {
    const unnamed = sampleRecord({ workloadName: '', service: 'cron' });
    assert.deepEqual(summarise([unnamed]).workloads, [['cron', 1]]);
  });

  it('of nothing is empty', () => {
    assert.deepEqual(summarise([]), { records: 0, severities: [], workloads: [], shapes: [] });
  });
});
