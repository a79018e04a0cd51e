import { assert } from 'chai';
import { capabilitiesOf } from '../../../../src/logs/explorer/rows';
import { withOnly } from '../../../../src/logs/query/narrow';
import { sampleRecord } from '../sampleRecord';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const container = 'ab'.repeat(32);
const deploymentId = '7c2b3f91-1d2e-4f30-9b4c-5d6e7f809102';

describe('What there is of a record', () => {
  it('is all that it has', () => {
    const record = sampleRecord({ traceId: trace, containerId: container, deploymentId });
    assert.deepEqual(capabilitiesOf(record), {
      hasTrace: true,
      hasContext: true,
      hasDeployment: true,
      hasResource: true,
    });
  });

  it('is nothing of what it does not have', () => {
    const none = {
      hasTrace: false,
      hasContext: false,
      hasDeployment: false,
      hasResource: false,
    };
    for (const missing of [null, '']) {
      const ids = { traceId: missing, deploymentId: missing, workloadId: '', containerId: '' };
      assert.deepEqual(capabilitiesOf(sampleRecord(ids)), none);
    }
  });

  it('is what can be asked for: the contract takes it, and zeros are no trace', () => {
    for (const value of [trace, trace.toUpperCase(), trace.slice(1), `${trace} `, 'x']) {
      const { hasTrace } = capabilitiesOf(sampleRecord({ traceId: value }));
      assert.equal(hasTrace, withOnly({}, { field: 'trace', value }) !== undefined, value);
    }
    for (const value of [container, container.toUpperCase(), container.slice(1), 'web']) {
      const { hasContext } = capabilitiesOf(sampleRecord({ containerId: value }));
      assert.equal(hasContext, withOnly({}, { field: 'container', value }) !== undefined, value);
    }
    assert.isFalse(capabilitiesOf(sampleRecord({ traceId: '0'.repeat(32) })).hasTrace);
  });

  it('is no surroundings where no time of it can be asked for (F68)', () => {
    const far = '9999-12-31T23:59:59Z';
    for (const [timestamp, ingestedAt, hasContext] of [
      ['never', 'soon', false],
      ['', '', false],
      [far, far, false],
      ['+099999-01-01T00:00:00Z', '', false],
      ['never', '2026-11-20T12:00:00Z', true],
    ] as const) {
      assert.equal(capabilitiesOf(sampleRecord({ timestamp, ingestedAt })).hasContext, hasContext);
    }
  });
});
