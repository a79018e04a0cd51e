import { assert } from 'chai';
import { completed, groupsOf, stepped } from '../../../../media/logExplorer/suggestions';

const item = (kind: 'field' | 'operator' | 'value' | 'name' | 'word', text: string) => ({
  kind,
  label: text,
  text,
});
const chosen = (...of: Parameters<typeof item>) => ({ kind: 'item', item: item(...of) }) as const;

describe('suggestions for a query', () => {
  const all = { items: [item('field', 'env:')], recent: ['a', 'b', 'c', 'd', 'e', 'f'] };

  it('are recent queries, then fields, where nothing is typed', () => {
    const groups = groupsOf(' ', all, false);
    assert.deepEqual(
      groups.map(({ kind, suggestions }) => [kind, suggestions.length]),
      [
        ['recent', 5],
        ['item', 1],
      ],
    );
  });

  it('are what can stand there where something is typed, and recent queries alone on request', () => {
    assert.deepEqual(
      groupsOf('e', all, false).map(({ kind }) => kind),
      ['item'],
    );
    assert.deepEqual(
      groupsOf('e', all, true).map(({ kind, suggestions }) => [kind, suggestions.length]),
      [['recent', 6]],
    );
    assert.deepEqual(groupsOf('e', { items: [], recent: [] }, false), []);
  });

  it('are gone through in a circle that the bar itself is part of', () => {
    assert.equal(stepped(undefined, 1, 2), 0);
    assert.equal(stepped(0, 1, 2), 1);
    assert.equal(stepped(1, 1, 2), undefined);
    assert.equal(stepped(undefined, -1, 2), 1);
    assert.equal(stepped(0, -1, 2), undefined);
    assert.equal(stepped(undefined, 1, 0), undefined);
  });

  it('take the place of what was typed', () => {
    const place = { start: 2, end: 4 };
    assert.deepEqual(completed('a se b', place, chosen('field', 'severity:')), {
      text: 'a severity: b',
      caret: 11,
      goesOn: true,
    });
    assert.deepEqual(completed('a se', place, chosen('value', 'error')), {
      text: 'a error',
      caret: 7,
      goesOn: false,
    });
    assert.deepEqual(completed('a o', { start: 2, end: 3 }, chosen('word', 'or')), {
      text: 'a or ',
      caret: 5,
      goesOn: false,
    });
    assert.isFalse(completed('a', { start: 0, end: 1 }, chosen('operator', 'trace:*')).goesOn);
    assert.deepEqual(completed('a b', place, { kind: 'recent', query: 'env:production' }), {
      text: 'env:production',
      caret: 14,
      goesOn: false,
    });
  });
});
