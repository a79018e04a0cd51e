import { assert } from 'chai';
import { mostConnections } from '../../../src/connection/perConnection';
import type { SessionState } from '../../../src/connection/session';
import { ToldStates } from '../../../src/connection/toldStates';

describe('What windows have told', () => {
  let stored: unknown;
  beforeEach(() => (stored = undefined));
  const storage = {
    get: () => stored,
    update: (_key: string, value: unknown) => {
      stored = JSON.parse(JSON.stringify(value));
      return Promise.resolve();
    },
  };
  const state = (name: string): { state: SessionState } => ({
    state: {
      kind: 'signedOut',
      connection: { name, baseUrl: 'https://a.example', origin: 'https://a.example' },
    },
  });
  const open = (name = 'one'): ToldStates => new ToldStates(state(name), storage, 'told');
  const tell = (window: ToldStates, ...things: [string, string][]): string[] =>
    window
      .claim(
        things,
        ([id]) => id,
        ([, now]) => now,
      )
      .map(([id]) => id);

  it('is no news in another window, until its state is another one', () => {
    const [first, second] = [open(), open()];
    assert.deepEqual(tell(first, ['rule', 'firing']), ['rule']);
    assert.isEmpty(tell(second, ['rule', 'firing']));
    assert.deepEqual(tell(second, ['rule', 'ok'], ['other', 'firing']), ['rule', 'other']);
    assert.deepEqual(tell(first, ['rule', 'firing'], ['other', 'firing']), ['rule']);
  });

  it('belongs to a connection', () => {
    assert.lengthOf(tell(open('one'), ['rule', 'firing']), 1);
    assert.lengthOf(tell(open('two'), ['rule', 'firing']), 1);
    assert.lengthOf(tell(open('one'), ['rule', 'firing']), 0);
  });

  it('is bounded, and whatever is stored is read', () => {
    const things = Array.from({ length: 600 }, (_, at): [string, string] => [`${at}`, 'firing']);
    tell(open(), ...things);
    tell(open(), ['new', 'firing']);
    assert.isBelow(JSON.stringify(stored).length, 500 * 24);
    assert.isEmpty(tell(open(), ['new', 'firing'], ['0', 'firing']));
    for (stored of [null, 3, [['one', 'x']], [[4, []]]]) {
      assert.deepEqual(tell(open(), ['rule', 'firing']), ['rule']);
    }
    for (let at = 0; at < mostConnections + 1; at++) tell(open(`${at}`), ['rule', 'firing']);
    assert.lengthOf(stored as unknown[], mostConnections);
  });
});
