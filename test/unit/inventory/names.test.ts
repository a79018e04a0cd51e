import { assert } from 'chai';
import { createNames } from '../../../src/inventory/names';

describe('names', () => {
  it('finds names by id and ids by name, whatever the case', () => {
    const names = createNames();
    names.learn('workload', '1', 'web-api');
    names.learn('workload', '2', 'Web-API');
    names.learn('server', '3', 'web-api');
    assert.equal(names.nameOf('workload', '2'), 'Web-API');
    assert.deepEqual(names.idsOf('workload', 'WEB-api'), ['1', '2']);
    assert.deepEqual(names.idsOf('server', 'web-api'), ['3']);
    assert.deepEqual(names.idsOf('deployment', 'web-api'), []);
    assert.isUndefined(names.nameOf('deployment', '1'));
  });

  it('takes a new name for an id', () => {
    const names = createNames();
    names.learn('workload', '1', 'old');
    names.learn('workload', '1', 'new');
    assert.deepEqual(names.idsOf('workload', 'old'), []);
    assert.equal(names.nameOf('workload', '1'), 'new');
  });

  it('lists what it knows of a kind, what was learnt last first', () => {
    const names = createNames();
    names.learn('server', '1', 'eu-1');
    names.learn('server', '2', 'eu-2');
    names.learn('workload', '3', 'web-api');
    assert.deepEqual(names.all('server'), [
      { id: '2', name: 'eu-2' },
      { id: '1', name: 'eu-1' },
    ]);
    assert.deepEqual(names.all('deployment'), []);
  });

  it('forgets the oldest beyond its bound', () => {
    const names = createNames();
    for (let id = 0; id <= 10_000; id++) names.learn('server', String(id), `name ${id}`);
    assert.isUndefined(names.nameOf('server', '0'));
    assert.equal(names.nameOf('server', '1'), 'name 1');
    assert.equal(names.nameOf('server', '10000'), 'name 10000');
  });
});
