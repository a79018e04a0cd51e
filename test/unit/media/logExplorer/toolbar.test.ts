import { assert } from 'chai';
import { followChoices } from '../../../../media/logExplorer/toolbar';

describe('buttons for following', () => {
  it('depend on the state', () => {
    assert.deepEqual(followChoices(undefined), ['follow']);
    assert.deepEqual(followChoices('live'), ['pause', 'stop']);
    assert.deepEqual(followChoices('waiting'), ['pause', 'stop']);
    assert.deepEqual(followChoices('paused'), ['resume', 'stop']);
    assert.deepEqual(followChoices('ended'), ['follow']);
  });
});
