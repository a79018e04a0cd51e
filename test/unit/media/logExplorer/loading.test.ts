import { assert } from 'chai';
import { createLoading } from '../../../../media/logExplorer/loading';
import type { View } from '../../../../src/panels/logExplorer/messages';

describe('loading more at an end of the list', () => {
  function view(rest: Partial<View> = {}): View {
    return {
      life: 1,
      state: 'ready',
      query: '',
      canGoBack: false,
      older: { text: '', canLoad: true },
      newer: { text: '', canLoad: false },
      cannotFollow: '',
      notices: [],
      summary: '',
      ...rest,
    };
  }

  function loading() {
    const asked: string[] = [];
    const reported: unknown[] = [];
    let settle: { resolve(): void; reject(error: unknown): void } | undefined;
    const it = createLoading(
      (end) => {
        asked.push(end);
        return new Promise<void>((resolve, reject) => void (settle = { resolve, reject }));
      },
      (error) => reported.push(error),
    );
    it.take(view());
    const end = async (error?: Error): Promise<void> => {
      if (error === undefined) settle?.resolve();
      else settle?.reject(error);
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { it, asked, reported, end };
  }

  it('asks once at a time, and only where there is more', async () => {
    const { it, asked, end } = loading();
    it.reached('older');
    it.reached('older');
    it.reached('newer');
    it.load('older');
    assert.deepEqual(asked, ['older']);
    await end();
    it.reached('older');
    assert.deepEqual(asked, ['older', 'older']);
    await end();
    it.take(view({ progress: 'Loading…' }));
    it.load('older');
    assert.lengthOf(asked, 2);
    assert.isFalse(it.canLoad('older'));
  });

  it('does not ask again by itself for what failed, until somebody comes back', async () => {
    const { it, asked, reported, end } = loading();
    it.reached('older');
    await end(new Error('no'));
    assert.lengthOf(reported, 1);
    it.reached('older');
    assert.lengthOf(asked, 1);
    it.load('older');
    assert.lengthOf(asked, 2, 'a button does');
    await end(new Error('no'));
    it.left();
    it.reached('older');
    assert.lengthOf(asked, 3);
  });

  it('nor for what brought no rows: it failed, was cancelled, or there were too few', async () => {
    const { it, asked, end } = loading();
    for (const brings of [true, false]) {
      it.reached('older');
      await end();
      it.take(view({ progress: 'Loading…' }));
      if (brings) it.brought();
      it.take(view());
    }
    assert.lengthOf(asked, 2);
    it.reached('older');
    assert.lengthOf(asked, 2);
    it.left();
    it.reached('older');
    assert.lengthOf(asked, 3);
  });

  it('asks at one end whatever the other one brought', async () => {
    const { it, asked, end } = loading();
    const both = { newer: { text: '', canLoad: true } };
    it.take(view(both));
    it.reached('newer');
    await end();
    it.take(view({ ...both, progress: 'Loading…' }));
    it.take(view(both));
    it.reached('newer');
    it.reached('older');
    assert.deepEqual(asked, ['newer', 'older']);
  });
});
