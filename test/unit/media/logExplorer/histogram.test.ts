import { assert } from 'chai';
import { Zoom } from '../../../../media/logExplorer/histogram';

const day = { last: '24h' };
const hour = { from: '2026-11-20T10:00:00.000Z', to: '2026-11-20T10:59:59.999Z' };
const minute = { from: '2026-11-20T10:05:00.000Z', to: '2026-11-20T10:05:59.999Z' };

describe('zoom of the histogram', () => {
  it('goes back through every range', () => {
    const zoom = new Zoom();
    zoom.into(day, hour);
    zoom.saw(hour);
    zoom.into(hour, minute);
    zoom.saw({ from: '2026-11-20T10:05:00Z', to: '2026-11-20T10:05:59.999Z' });
    assert.deepEqual(zoom.out(), hour);
    zoom.saw(hour);
    assert.isTrue(zoom.canGoBack);
    assert.deepEqual(zoom.out(), day);
    assert.isFalse(zoom.canGoBack);
    assert.isUndefined(zoom.out());
  });

  it('drops a step when it is undone in the query bar', () => {
    const zoom = new Zoom();
    zoom.into(day, hour);
    zoom.saw(day);
    assert.isTrue(zoom.canGoBack);
    zoom.saw(hour);
    zoom.saw(day);
    assert.isFalse(zoom.canGoBack);
  });

  it('ends when another range is chosen', () => {
    const zoom = new Zoom();
    zoom.into(day, hour);
    zoom.saw(hour);
    zoom.saw({ last: '15m' });
    assert.isFalse(zoom.canGoBack);
  });
});
