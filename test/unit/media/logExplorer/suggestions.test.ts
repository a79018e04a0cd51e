import { assert } from 'chai';
import {
  completed,
  groupsOf,
  indexOf,
  placeNow,
  stepped,
} from '../../../../media/logExplorer/suggestions';

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

  it('are found again among those that come later', () => {
    const later = [chosen('field', 'stream:'), { kind: 'recent', query: 'env:' } as const];
    assert.equal(indexOf(later, chosen('field', 'stream:')), 0);
    assert.equal(indexOf(later, { kind: 'recent', query: 'env:' }), 1);
    assert.isUndefined(indexOf(later, chosen('field', 'env:')));
  });

  it('take the place of what was typed', () => {
    assert.deepEqual(
      completed({ text: 'a se b', start: 2, end: 4 }, chosen('field', 'severity:')),
      {
        text: 'a severity: b',
        caret: 11,
        goesOn: true,
      },
    );
    assert.deepEqual(completed({ text: 'a se', start: 2, end: 4 }, chosen('value', 'error')), {
      text: 'a error',
      caret: 7,
      goesOn: false,
    });
    assert.deepEqual(completed({ text: 'a o', start: 2, end: 3 }, chosen('word', 'or')), {
      text: 'a or ',
      caret: 5,
      goesOn: false,
    });
    assert.isFalse(
      completed({ text: 'a', start: 0, end: 1 }, chosen('operator', 'trace:*')).goesOn,
    );
    assert.deepEqual(
      completed({ text: 'a b', start: 2, end: 3 }, { kind: 'recent', query: 'env:production' }),
      {
        text: 'env:production',
        caret: 14,
        goesOn: false,
      },
    );
  });

  it('take the place of what was typed since, and of nothing else', () => {
    const now = (text: string) => placeNow({ text: 'a se b', start: 2, end: 4 }, text);
    assert.deepEqual(now('a se b'), { text: 'a se b', start: 2, end: 4 });
    assert.deepEqual(now('a sev b'), { text: 'a sev b', start: 2, end: 5 });
    assert.deepEqual(now('a s b'), { text: 'a s b', start: 2, end: 3 });
    // Not where it became another word, or two, or is somewhere else.
    for (const text of ['a xy b', 'a se c b', 'a se bb', 'aa se b', 'a b', '']) {
      assert.isUndefined(now(text), text);
    }
    const atEnd = { text: 'severity:', start: 9, end: 9 };
    assert.deepEqual(placeNow(atEnd, 'severity:w'), { text: 'severity:w', start: 9, end: 10 });
  });
});
