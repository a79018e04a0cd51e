import { assert } from 'chai';
import { nearest } from '../../../src/base/textFormat';

const fields = ['workload', 'server', 'severity', 'service', 'env', 'stream', 'trace', 'last'];

describe('nearest word', () => {
  for (const [typed, meant] of [
    ['wrkload', 'workload'],
    ['Worklaod', 'workload'],
    ['severty', 'severity'],
    ['serverity', 'severity'],
    ['servr', 'server'],
    ['evn', 'env'],
    ['traec', 'trace'],
    ['lst', 'last'],
    ['status', undefined],
    ['http', undefined],
    ['to', undefined],
    ['', undefined],
    ['w'.repeat(100_000), undefined],
  ] as const) {
    it(`to ${typed.slice(0, 10)} is ${meant ?? 'none'}`, () =>
      assert.equal(nearest(typed, fields), meant));
  }
});
