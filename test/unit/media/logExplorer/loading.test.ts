import { assert } from 'chai';
import { createLoading } from '../../../../media/logExplorer/loading';
import { viewWith } from './views';

describe('loading at an end of the list', () => {
  function loading() {
    const asked: string[] = [];
    const reported: unknown[] = [];
    const later: (() => void)[] = [];
    let size = 10;
    let settle: { resolve(): void; reject(error: unknown): void } | undefined;
    const it = createLoading({
      ask(end) {
        asked.push(end);
        return new Promise<void>((resolve, reject) => void (settle = { resolve, reject }));
      },
      size: () => size,
      report: (error) => reported.push(error),
      after: (_, call) => void later.push(call),
    });
    it.take(viewWith());
    /** It comes to its end, with so many rows. */
    const end = async (rows: number | Error): Promise<void> => {
      if (typeof rows === 'number') settle?.resolve();
      else settle?.reject(rows);
      await new Promise((resolve) => setImmediate(resolve));
      if (typeof rows === 'number') size += rows;
    };
    return { it, asked, reported, end, later };
  }

  it('sends one request at a time, and only if there is more', async () => {
    const { it, asked, end } = loading();
    it.reached('older');
    it.reached('older');
    it.reached('newer');
    it.load('older');
    assert.deepEqual(asked, ['older']);
    await end(5);
    it.reached('older');
    assert.deepEqual(asked, ['older', 'older']);
    await end(5);
    it.take(viewWith({ progress: 'Loading…' }));
    it.load('older');
    assert.lengthOf(asked, 2);
    assert.isFalse(it.canLoad('older'));
  });

  it('waits for a request of the user if the view says so', () => {
    const { it, asked, later } = loading();
    const older = { text: '', canLoad: true, isOnRequest: true };
    it.take(viewWith({ older }));
    it.reached('older');
    it.take(viewWith({ older, progress: 'Loading…' }));
    it.reached('older');
    it.take(viewWith({ older }));
    for (const call of later) call();
    assert.deepEqual(asked, []);
    it.load('older');
    assert.deepEqual(asked, ['older']);
  });

  it('does not repeat failed or empty loads automatically', async () => {
    const { it, asked, reported, end } = loading();
    it.reached('older');
    await end(new Error('no'));
    assert.lengthOf(reported, 1);
    it.reached('older');
    assert.lengthOf(asked, 1);
    it.load('older');
    assert.lengthOf(asked, 2, 'a button does');
    await end(0);
    it.reached('older');
    assert.lengthOf(asked, 2);
    it.left();
    it.reached('older');
    assert.lengthOf(asked, 3, 'and who comes back');
  });

  it('loads at one end whatever the other brought', async () => {
    const { it, asked, end } = loading();
    it.take(viewWith({ newer: { text: '', canLoad: true } }));
    it.reached('newer');
    await end(0);
    it.reached('newer');
    it.reached('older');
    assert.deepEqual(asked, ['newer', 'older']);
  });

  it('loads later if the user reached an end during a load, unless rows arrived', async () => {
    for (const [rows, expected] of [
      [0, ['newer', 'older']],
      [5, ['newer']],
    ] as const) {
      const { it, asked, end, later } = loading();
      it.take(viewWith({ newer: { text: '', canLoad: true } }));
      it.load('newer');
      it.take(viewWith({ progress: 'Loading…' }));
      it.reached('older');
      it.take(viewWith());
      await end(rows);
      for (const call of later) call();
      assert.deepEqual(asked, [...expected]);
    }
  });
});
