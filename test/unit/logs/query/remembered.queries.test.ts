import { assert } from 'chai';
import { unambiguousNames } from '../../../../src/logs/query/searchQuery';
import { readRecent, recentFor, withRecent } from '../../../../src/logs/query/remembered';

describe('recent queries', () => {
  it('are listed once each, the newest first, up to a limit', () => {
    let recent: readonly string[] = [];
    for (let index = 0; index < 25; index++) recent = withRecent(recent, `query ${index}`);
    assert.lengthOf(recent, 20);
    recent = withRecent(recent, ' query 10 ');
    assert.deepEqual(recent.slice(0, 3), ['query 10', 'query 24', 'query 23']);
    assert.lengthOf(recent, 20);
    assert.strictEqual(withRecent(recent, '  '), recent);
    assert.strictEqual(withRecent(recent, 'x'.repeat(70_000)), recent);
  });

  it('are offered if they contain the typed text', () => {
    const recent = ['severity:error', 'ERROR', 'trace:*'];
    assert.deepEqual(recentFor(recent, 'error '), ['severity:error', 'ERROR']);
    assert.deepEqual(recentFor(recent, 'trace:*'), []);
    assert.deepEqual(recentFor(recent, ''), recent);
  });

  it('are read from any stored value', () => {
    assert.deepEqual(readRecent(['a', 1, 'b', null, 'a', '']), ['a', 'b']);
    for (const kept of [undefined, null, 'a', { length: 1 }])
      assert.deepEqual(readRecent(kept), []);
  });
});

describe('names to print', () => {
  it('are those that resolve to one id', () => {
    const ids: Record<string, string[]> = { one: ['1'], twice: ['1', '2'], other: ['2'] };
    const names: Record<string, string> = { 1: 'one', 2: 'twice', 3: 'other', 4: 'gone', 5: '' };
    const nameOf = unambiguousNames({
      nameOf: (_, id) => names[id],
      idsOf: (_, name) => ids[name] ?? [],
    });
    const printed = ['1', '2', '3', '4', '5', '6'].map((id) => nameOf('workload', id));
    assert.deepEqual(printed, ['one', ...Array<undefined>(5).fill(undefined)]);
  });
});
