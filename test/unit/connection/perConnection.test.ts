import { assert } from 'chai';
import { mostConnections } from '../../../src/connection/connections';
import { StoredPerConnection, NotifiedStates } from '../../../src/connection/perConnection';
import { covers } from '../covers';
import type { SessionState } from '../../../src/connection/connections';

/** A storage of one value, as JSON. */
function storageOf(stored?: unknown) {
  return {
    stored,
    get() {
      return this.stored;
    },
    update(_: string, value: unknown) {
      this.stored = JSON.parse(JSON.stringify(value));
      return Promise.resolve();
    },
  };
}

function stateOf(name: string): SessionState {
  const origin = 'https://plane.example';
  return { kind: 'signedOut', connection: { name, baseUrl: origin, origin } };
}

describe('values by connection', () => {
  /** Texts by connection, in a storage that has `stored`. */
  function texts(stored?: unknown) {
    const session: { state: SessionState } = { state: { kind: 'none' } };
    const storage = storageOf(stored);
    const kept = new StoredPerConnection(session, storage, 'key', (one) =>
      typeof one === 'string' ? one : undefined,
    );
    return { kept, storage, use: (name: string) => (session.state = stateOf(name)) };
  }

  it('are separate, and none without a connection', () => {
    const { kept, use, storage } = texts();
    kept.set('of none');
    assert.isUndefined(storage.stored);
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
    const { kept, use, storage } = texts();
    for (let index = 0; index <= mostConnections; index++) {
      use(`c${index}`);
      kept.set('a');
    }
    assert.lengthOf(storage.stored as unknown[], mostConnections);
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

describe('What windows have told', () => {
  let storage: ReturnType<typeof storageOf>;
  beforeEach(() => (storage = storageOf()));
  const open = (name = 'one') => new NotifiedStates({ state: stateOf(name) }, storage, 'told');
  const claim = (window: NotifiedStates, ...things: [string, string][]): string[] =>
    window
      .claim(
        things,
        ([id]) => id,
        ([, now]) => now,
      )
      .map(([id]) => id);

  it('is no news in another window, until its state is another one', () => {
    const [first, second] = [open(), open()];
    assert.deepEqual(claim(first, ['rule', 'firing']), ['rule']);
    assert.isEmpty(claim(second, ['rule', 'firing']));
    assert.deepEqual(claim(second, ['rule', 'ok'], ['other', 'firing']), ['rule', 'other']);
    assert.deepEqual(claim(first, ['rule', 'firing'], ['other', 'firing']), ['rule']);
  });

  it('belongs to a connection', () => {
    assert.lengthOf(claim(open('one'), ['rule', 'firing']), 1);
    assert.lengthOf(claim(open('two'), ['rule', 'firing']), 1);
    assert.lengthOf(claim(open('one'), ['rule', 'firing']), 0);
  });

  it(`is bounded whatever the length of ids and states, which still tell things apart ${covers('F107', 'unit')}`, () => {
    const long = 'x'.repeat(65_536);
    const things = Array.from({ length: 100 }, (_, at): [string, string] => [
      `${long}${at}${long}`.slice(0, 65_536) + String(at),
      long,
    ]);
    assert.lengthOf(claim(open(), ...things), 100);
    assert.isBelow(JSON.stringify(storage.stored).length, 200_000);
    assert.isEmpty(claim(open(), ...things));
    const changed = things.map(([id, state]): [string, string] => [id, `${state}.`]);
    assert.lengthOf(claim(open(), ...changed), 100);
  });

  it('is bounded, and whatever is stored is read', () => {
    const things = Array.from({ length: 600 }, (_, at): [string, string] => [`${at}`, 'firing']);
    claim(open(), ...things);
    claim(open(), ['new', 'firing']);
    assert.isBelow(JSON.stringify(storage.stored).length, 500 * 24);
    assert.isEmpty(claim(open(), ['new', 'firing'], ['0', 'firing']));
    for (storage.stored of [null, 3, [['one', 'x']], [[4, []]]]) {
      assert.deepEqual(claim(open(), ['rule', 'firing']), ['rule']);
    }
  });
});
