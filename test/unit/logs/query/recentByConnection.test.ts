import { assert } from 'chai';
import {
  maxConnections,
  readRecentByConnection,
  type RecentByConnection,
  recentOf,
  withQueries,
  withUsed,
} from '../../../../src/logs/query/recent';

describe('recent queries by connection', () => {
  it('are kept apart, the newest first', () => {
    let all: RecentByConnection = [];
    all = withUsed(all, 'one', 'a');
    all = withUsed(all, 'two', 'b');
    all = withUsed(all, 'one', 'c');
    assert.deepEqual(recentOf(all, 'one'), ['c', 'a']);
    assert.deepEqual(recentOf(all, 'two'), ['b']);
    assert.deepEqual(recentOf(all, 'three'), []);
  });

  it('are forgotten one by one, and a connection without any is none', () => {
    let all: RecentByConnection = [['one', ['a', 'b']]];
    all = withQueries(all, 'one', ['b']);
    assert.deepEqual(all, [['one', ['b']]]);
    assert.deepEqual(withQueries(all, 'one', []), []);
  });

  it('are forgotten for the connections that were used longest ago', () => {
    let all: RecentByConnection = [];
    for (let index = 0; index <= maxConnections; index++) all = withUsed(all, `c${index}`, 'a');
    assert.lengthOf(all, maxConnections);
    assert.deepEqual(recentOf(all, 'c0'), []);
    assert.deepEqual(recentOf(all, 'c1'), ['a']);
  });

  it('are read from whatever was kept', () => {
    assert.deepEqual(readRecentByConnection([['one', ['a', 1]], 'x', [2, ['b']], null]), [
      ['one', ['a']],
    ]);
    for (const kept of [undefined, null, 'a', { one: ['a'] }]) {
      assert.deepEqual(readRecentByConnection(kept), []);
    }
  });
});
