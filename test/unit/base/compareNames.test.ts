import { assert } from 'chai';
import { compareNames } from '../../../src/base/compareNames';

describe('Names in lists', () => {
  it('are in the order in which people count, ignoring case', () => {
    const sorted = ['Rule 0', 'rule 1', 'Rule 2', 'rule 10', 'rule 11', 'web-1', 'Web-2'];
    assert.deepEqual([...sorted].reverse().sort(compareNames), sorted);
  });

  it('have one order, also if they differ in case or leading zeros only', () => {
    const alike = ['API', 'Api', 'api', 'v01', 'v1'];
    assert.deepEqual([...alike].reverse().sort(compareNames), alike);
    assert.equal(compareNames('api', 'api'), 0);
  });
});
