import { assert } from 'chai';
import { day, minute, second } from '../../../src/base/clock';
import { ServerClock } from '../../../src/api/sendRequest';
import { validateLogTail } from '../../../src/api/validateRequest';
import { defaultAhead, streamWindow } from '../../../src/logs/tail/history';
import { covers } from '../covers';
import { fakeClock, type FakeClock } from '../fakeClock';

/** A clock of this machine, and the one of a control plane that is ahead of it. */
function scene(): {
  clock: FakeClock;
  server: ServerClock;
  /** An answer of a control plane that is ahead by `ahead`, and takes `took` before and after. */
  answer: (ahead: number, took?: { before: number; after: number }) => Promise<void>;
  ahead: () => number;
} {
  const clock = fakeClock();
  const server = new ServerClock(clock);
  return {
    clock,
    server,
    async answer(ahead, { before, after } = { before: 0, after: 0 }) {
      const sentAt = clock.now();
      await clock.advance(before);
      const date = new Date(clock.now() + ahead).toUTCString();
      await clock.advance(after);
      server.update(date, sentAt);
    },
    ahead: () => server.now() - clock.now(),
  };
}

describe('ServerClock', () => {
  it(`is the clock of this machine until an answer says how far off that is ${covers('F83', 'unit')}`, async () => {
    for (const off of [-90, -10, 10, 90]) {
      const { answer, ahead, clock } = scene();
      assert.equal(ahead(), 0);
      await answer(off * minute);
      assert.closeTo(ahead(), off * minute, second);
      await clock.advance(minute);
      assert.closeTo(ahead(), off * minute, second);
    }
  });

  it(`is never further off than a day, whatever one answer says ${covers('F83, F108', 'unit')}`, async () => {
    const { answer, ahead, server, clock } = scene();
    for (const [date, days] of [
      ['Fri, 31 Dec 9999 23:59:59 GMT', 1],
      ['Thu, 01 Jan 1970 00:00:00 GMT', -1],
      ['Sat, 01 Jan 0001 00:00:00 GMT', -1],
    ] as const) {
      server.update(date, clock.now());
      assert.equal(ahead(), days * day, date);
      const window = streamWindow(server.now(), defaultAhead);
      assert.doesNotThrow(() => validateLogTail({ filters: window }));
      // The next answer says what is so.
      await answer(10 * minute);
      assert.closeTo(ahead(), 10 * minute, second);
    }
  });

  it('does not take a slow answer for another time', async () => {
    const { answer, ahead } = scene();
    await answer(0, { before: 30 * second, after: 0 });
    await answer(0, { before: 0, after: 30 * second });
    assert.equal(ahead(), 0);
    await answer(10 * minute);
    const before = ahead();
    await answer(10 * minute, { before: 30 * second, after: 0 });
    await answer(10 * minute, { before: 0, after: 30 * second });
    assert.equal(ahead(), before);
  });

  it('ignores small differences, and answers without a valid date', async () => {
    const { answer, ahead, server, clock } = scene();
    await answer(-3 * second);
    assert.equal(ahead(), 0);
    await answer(10 * minute);
    server.update(null, clock.now());
    server.update('soon', clock.now());
    assert.closeTo(ahead(), 10 * minute, second);
  });

  it('notices that the clock of this machine was set right', async () => {
    const { answer, ahead, clock } = scene();
    await answer(10 * minute);
    clock.jump(10 * minute);
    await answer(0);
    assert.equal(ahead(), 0);
  });
});
