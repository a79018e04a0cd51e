import { assert } from 'chai';
import { covers } from '../../covers';
import { numbers } from './searched';
import { endStreams, explored } from './explored';

describe('explorer session while following', () => {
  it(`reports when the server leaves out records ${covers('F29', 'unit')}`, async () => {
    const e = explored(3);
    await e.run();
    await e.after(() => e.explorer.follow());
    assert.isFalse(e.explorer.state.partial);
    e.server.on.page = (page) => ({ ...page, partial: true });
    await e.after(() => e.server.append(2));
    assert.deepEqual(e.numbers(), numbers(0, 5));
    assert.isTrue(e.explorer.state.partial);
    assert.isTrue(e.states.at(-1)?.partial, 'it was told');
  });

  it(`does not report the routine end of a stream ${covers('F14', 'unit')}`, async () => {
    const e = explored(3);
    await e.run();
    await e.after(() => e.explorer.follow());
    const { length } = e.states;
    for (let streams = 0; streams < 3; streams++) {
      await e.after(() => e.server.append(2));
      endStreams(e);
      for (let ms = 0; ms <= 1000; ms += 100) {
        await e.clock.advance(100);
        assert.equal(e.explorer.state.following?.state.kind, 'live');
      }
    }
    assert.lengthOf(e.server.connects, 4);
    assert.deepEqual(e.numbers(), numbers(0, 9));
    for (const { following } of e.states.slice(length)) assert.equal(following?.state.kind, 'live');
  });
});
