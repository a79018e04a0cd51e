import { assert } from 'chai';
import * as v from 'valibot';
import { readStored, StoredValue } from '../../../src/base/storedValue';

describe('A stored value', () => {
  /** A storage that keeps JSON, as that of VS Code does. */
  function storage(before: Readonly<Record<string, unknown>> = {}) {
    const all = new Map(Object.entries(before));
    return {
      all,
      get: (key: string) => all.get(key),
      update(key: string, value: unknown) {
        if (value === undefined) all.delete(key);
        else all.set(key, JSON.parse(JSON.stringify(value)));
        return Promise.resolve();
      },
    };
  }
  const isOpen = (kept: ReturnType<typeof storage>): StoredValue<boolean> =>
    new StoredValue(kept, 'isOpen', (value) => readStored(v.boolean(), value));

  it('is read at once after it was set, by each that has the storage, until it is removed', async () => {
    const kept = storage();
    assert.isUndefined(isOpen(kept).value);
    await isOpen(kept).set(true);
    assert.isTrue(isOpen(kept).value);
    await isOpen(kept).set(undefined);
    assert.isUndefined(isOpen(kept).value);
    assert.isEmpty([...kept.all]);
  });

  it('is none if what is stored is not valid, and the rest of the storage is not its own', () => {
    for (const wrong of ['true', 1, null, {}, [true]]) {
      assert.isUndefined(isOpen(storage({ isOpen: wrong })).value);
    }
    assert.isUndefined(isOpen(storage({ other: true })).value);
  });
});
