import { assert } from 'chai';
import {
  completed,
  firstCompletion,
  groupsOf,
  indexOf,
  currentSpan,
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

  it('are recent queries, then fields, if the query is empty', () => {
    const groups = groupsOf(' ', all, false);
    assert.deepEqual(
      groups.map(({ kind, suggestions }) => [kind, suggestions.length]),
      [
        ['recent', 5],
        ['item', 1],
      ],
    );
  });

  it('are completions in a query, and only recent queries on request', () => {
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

  it('are selected in a circle that includes the query bar', () => {
    assert.equal(stepped(undefined, 1, 2), 0);
    assert.equal(stepped(0, 1, 2), 1);
    assert.equal(stepped(1, 1, 2), undefined);
    assert.equal(stepped(undefined, -1, 2), 1);
    assert.equal(stepped(0, -1, 2), undefined);
    assert.equal(stepped(undefined, 1, 0), undefined);
  });

  it('stay selected among later ones', () => {
    const later = [chosen('field', 'stream:'), { kind: 'recent', query: 'env:' } as const];
    assert.equal(indexOf(later, chosen('field', 'stream:')), 0);
    assert.equal(indexOf(later, { kind: 'recent', query: 'env:' }), 1);
    assert.isUndefined(indexOf(later, chosen('field', 'env:')));
  });

  it('replace the typed text', () => {
    assert.deepEqual(
      completed({ text: 'a se b', start: 2, end: 4 }, chosen('field', 'severity:')),
      {
        text: 'a severity: b',
        caret: 11,
        continues: true,
      },
    );
    assert.deepEqual(completed({ text: 'a se', start: 2, end: 4 }, chosen('value', 'error')), {
      text: 'a error',
      caret: 7,
      continues: false,
    });
    assert.deepEqual(completed({ text: 'a o', start: 2, end: 3 }, chosen('word', 'or')), {
      text: 'a or ',
      caret: 5,
      continues: false,
    });
    assert.isFalse(
      completed({ text: 'a', start: 0, end: 1 }, chosen('operator', 'trace:*')).continues,
    );
    assert.deepEqual(
      completed({ text: 'a b', start: 2, end: 3 }, { kind: 'recent', query: 'env:production' }),
      {
        text: 'env:production',
        caret: 14,
        continues: false,
      },
    );
  });

  it('are taken by Tab if they complete a word that was begun', () => {
    const span = { text: 'a se', start: 2, end: 4 };
    const first = chosen('field', 'severity:');
    assert.equal(firstCompletion([first, chosen('field', 'service:')], span), first);
    assert.equal(
      firstCompletion([chosen('field', 'stream:'), first], span),
      first,
      'of fewer letters',
    );
    // There, Tab moves on.
    assert.isUndefined(firstCompletion([first], { text: 'a ', start: 2, end: 2 }), 'no word');
    assert.isUndefined(firstCompletion([chosen('value', 'se')], span), 'a whole word');
    assert.isUndefined(firstCompletion([{ kind: 'recent', query: 'a sev' }], span), 'a query');
    assert.isUndefined(firstCompletion([], span), 'none');
    assert.isUndefined(firstCompletion([first], undefined), 'for another text');
  });

  it('replace the text that was typed since, and nothing else', () => {
    const now = (text: string) => currentSpan({ text: 'a se b', start: 2, end: 4 }, text);
    assert.deepEqual(now('a se b'), { text: 'a se b', start: 2, end: 4 });
    assert.deepEqual(now('a sev b'), { text: 'a sev b', start: 2, end: 5 });
    assert.deepEqual(now('a s b'), { text: 'a s b', start: 2, end: 3 });
    // Not where it became another word, or two, or is somewhere else.
    for (const text of ['a xy b', 'a se c b', 'a se bb', 'aa se b', 'a b', '']) {
      assert.isUndefined(now(text), text);
    }
    const atEnd = { text: 'severity:', start: 9, end: 9 };
    assert.deepEqual(currentSpan(atEnd, 'severity:w'), { text: 'severity:w', start: 9, end: 10 });
  });
});
