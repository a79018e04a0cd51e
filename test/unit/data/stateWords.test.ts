import { assert } from 'chai';
import { stateInWords, workText } from '../../../src/data/stateWords';
import { driftStates, healthStates, ingressStates, runtimeStates } from '../../../src/trees/status';
import { uiText } from '../../host/texts';

const t = (message: string, ...args: (string | number)[]): string =>
  `<${[message, ...args].join('|')}>`;

describe('A state in words', () => {
  it('is in the language of the user, however it is spelled', () => {
    for (const state of ['timed_out', 'timed-out', 'timedOut', 'TIMED OUT']) {
      assert.equal(stateInWords(state, t), `<${uiText('timed out')}>`, state);
    }
  });

  it('is there for each state that has an icon', () => {
    const all = [runtimeStates, healthStates, driftStates, ingressStates].flatMap(Object.keys);
    const unsaid = all.filter((state) => stateInWords(state, t) === state);
    assert.deepEqual(unsaid, []);
  });

  it('is what the server says, if it is not known', () => {
    assert.equal(stateInWords('De-Frosting', t), 'De-Frosting');
    assert.equal(stateInWords('constructor', t), 'constructor');
  });

  it('is named as a state where its meaning is not known', () => {
    assert.equal(workText('succeeded', t), `<${uiText('succeeded')}>`);
    assert.equal(workText('parked', t), `<in state {0}|parked>`);
    assert.isUndefined(workText(undefined, t));
  });
});
