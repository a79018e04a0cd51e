import { assert } from 'chai';
import { minute } from '../../../../src/base/clock';
import { covers } from '../../covers';
import { explored } from './explored';
import { numbers } from './searched';

describe('The Log Explorer on a machine whose clock is wrong', () => {
  for (const off of [-90, -10, 10, 90]) {
    const scene = (): ReturnType<typeof explored> => explored(12, { off: off * minute });

    it(`searches the range of the control plane's clock, by ${off} minutes ${covers('F83', 'unit')}`, async () => {
      const e = scene();
      e.server.append(1, { timestamp: new Date(e.clock.now()).toISOString() });
      // The first answer tells the time.
      await e.run('last:30m');
      assert.deepEqual(e.numbers(), numbers(8, 13));
      const { filters } = e.server.queries.at(-1)!;
      assert.closeTo(Date.parse(filters.to), e.clock.now(), 1000);
      assert.closeTo(Date.parse(filters.from), e.clock.now() - 30 * minute, 1000);
      assert.isUndefined(e.explorer.state.failure);
    });

    it(`loads and follows the newest records, by ${off} minutes ${covers('F83', 'unit')}`, async () => {
      const e = scene();
      await e.run();
      await e.clock.advance(2 * minute);
      e.server.append(2, { timestamp: new Date(e.clock.now() - minute).toISOString() });
      await e.after(() => e.explorer.load('newer'));
      assert.deepEqual(e.numbers(), numbers(7, 14));
      assert.isUndefined(e.explorer.state.failure);
      await e.after(() => e.explorer.follow());
      const { filters } = e.server.connects.at(-1)!.request;
      assert.isAbove(Date.parse(filters.to), e.clock.now());
      e.server.append(2);
      await e.clock.advance(1000);
      assert.deepEqual(e.numbers(), numbers(7, 16));
    });

    it(`shows the newest records around one of them, by ${off} minutes ${covers('F83', 'unit')}`, async () => {
      const e = scene();
      await e.run();
      await e.after(() => e.explorer.showContext(e.explorer.records.at(-1)!));
      const newer = e.server.queries.find(({ direction }) => direction === 'newer');
      assert.closeTo(Date.parse(newer!.filters.to), e.clock.now(), 1000);
      assert.deepEqual(e.numbers(), numbers(0, 12));
    });
  }
});
