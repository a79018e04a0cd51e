import { assert } from 'chai';
import { Updates } from '../../../../media/logExplorer/patterns';
import { settle } from '../../fakeClock';

describe('updates of the patterns', () => {
  /** Updates whose loads end, and whose time passes, on request. */
  interface Updating {
    loads: number;
    isHeld: boolean;
    readonly updates: Updates;
    readonly end: () => Promise<void>;
    readonly advance: () => Promise<void>;
  }

  function updating(): Updating {
    let end: (() => void) | undefined;
    let call: (() => void) | undefined;
    const self: Updating = {
      loads: 0,
      isHeld: false,
      updates: new Updates(
        () => {
          self.loads++;
          return new Promise((resolve) => (end = resolve));
        },
        () => self.isHeld,
        (next) => (call = next),
      ),
      async end() {
        end?.();
        await settle();
      },
      async advance() {
        const due = call;
        call = undefined;
        due?.();
        await settle();
      },
    };
    return self;
  }

  it('come while records arrive all the time', async () => {
    const u = updating();
    for (let times = 1; times <= 3; times++) {
      u.updates.soon();
      u.updates.soon();
      await u.advance();
      assert.equal(u.loads, times);
      await u.end();
    }
  });

  it('come one after the other, however long each takes', async () => {
    const u = updating();
    void u.updates.now();
    void u.updates.now();
    await u.advance();
    u.updates.soon();
    await u.advance();
    assert.equal(u.loads, 1);
    await u.end();
    await u.end();
    assert.equal(u.loads, 2);
    await u.advance();
    assert.equal(u.loads, 3);
  });

  it('wait while the mouse is on the rows', async () => {
    const u = updating();
    u.isHeld = true;
    u.updates.soon();
    await u.advance();
    assert.equal(u.loads, 0);
    u.isHeld = false;
    await u.advance();
    assert.equal(u.loads, 1);
  });
});
