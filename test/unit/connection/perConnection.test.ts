import { assert } from 'chai';
import { StoredPerConnection, mostConnections } from '../../../src/connection/perConnection';
import type { Session } from '../../../src/connection/session';

/** Texts by connection, in a storage that has `stored`. */
function texts(stored?: unknown): {
  readonly kept: StoredPerConnection<string>;
  readonly stored: () => unknown;
  /** Switches to a connection, or to none. */
  readonly use: (name?: string) => void;
} {
  let state: Session['state'] = { kind: 'none' };
  let now = stored;
  const session = {
    get state() {
      return state;
    },
  };
  const storage = {
    get: () => now,
    update(_: string, value: unknown) {
      now = JSON.parse(JSON.stringify(value));
      return Promise.resolve();
    },
  };
  return {
    kept: new StoredPerConnection(session, storage, 'key', (one) =>
      typeof one === 'string' ? one : undefined,
    ),
    stored: () => now,
    use(name) {
      const origin = 'https://plane.example';
      state =
        name === undefined
          ? { kind: 'none' }
          : { kind: 'signedOut', connection: { name, baseUrl: origin, origin } };
    },
  };
}

describe('values by connection', () => {
  it('are separate, and none without a connection', () => {
    const { kept, use, stored } = texts();
    kept.set('of none');
    assert.isUndefined(stored());
    use('one');
    kept.set('a');
    use('two');
    assert.isUndefined(kept.value);
    kept.set('b');
    use('one');
    assert.equal(kept.value, 'a');
    kept.set(undefined);
    assert.isUndefined(kept.value);
    use('two');
    assert.equal(kept.value, 'b');
  });

  it('are forgotten for the connections that changed longest ago', () => {
    const { kept, use, stored } = texts();
    for (let index = 0; index <= mostConnections; index++) {
      use(`c${index}`);
      kept.set('a');
    }
    assert.lengthOf(stored() as unknown[], mostConnections);
    use('c0');
    assert.isUndefined(kept.value);
    use('c1');
    assert.equal(kept.value, 'a');
  });

  it('are read from whatever is stored', () => {
    const all = [undefined, null, 'x', {}, [[]], [['one']], [[7, 'a']], [['one', 7]], ['one', 'a']];
    for (const one of all) {
      const { kept, use } = texts(one);
      use('one');
      assert.isUndefined(kept.value, JSON.stringify(one));
    }
  });
});
