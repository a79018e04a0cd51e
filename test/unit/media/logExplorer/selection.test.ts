import { assert } from 'chai';
import { Lines, RowStore } from '../../../../media/logExplorer/lines';
import { Selection, listAction, type ListAction } from '../../../../media/logExplorer/selection';
import { message, rows } from './rows';

describe('keys of the list', () => {
  function press(keys: string, hasSelectedText = false): ListAction | undefined {
    const parts = keys.split('+');
    const event = {
      key: parts.at(-1) === 'z' ? 'Ω' : parts.at(-1)!,
      code: `Key${parts.at(-1)!.toUpperCase()}`,
      ctrlKey: parts.includes('Ctrl'),
      metaKey: parts.includes('Cmd'),
      shiftKey: parts.includes('Shift'),
      altKey: parts.includes('Alt'),
    };
    return listAction(event, hasSelectedText);
  }

  it('move, expand, open, find, copy, wrap and close', () => {
    const expected: Record<string, ListAction> = {
      ArrowUp: { kind: 'move', move: 'previous' },
      ArrowDown: { kind: 'move', move: 'next' },
      PageUp: { kind: 'move', move: 'pageUp' },
      PageDown: { kind: 'move', move: 'pageDown' },
      Home: { kind: 'move', move: 'first' },
      'Ctrl+End': { kind: 'move', move: 'last' },
      ArrowRight: { kind: 'expand' },
      ArrowLeft: { kind: 'collapse' },
      Enter: { kind: 'open', enter: true },
      ' ': { kind: 'open', enter: false },
      F8: { kind: 'error', direction: 1 },
      'Shift+F8': { kind: 'error', direction: -1 },
      F3: { kind: 'found', direction: 1 },
      'Shift+F3': { kind: 'found', direction: -1 },
      'Ctrl+f': { kind: 'find' },
      'Cmd+f': { kind: 'find' },
      'Ctrl+c': { kind: 'copy' },
      'Alt+z': { kind: 'wrap' },
      Escape: { kind: 'close' },
    };
    for (const [keys, action] of Object.entries(expected)) {
      assert.deepEqual(press(keys), action, keys);
    }
  });

  it('copy no record while text is selected, but move as always', () => {
    assert.isUndefined(press('Ctrl+c', true));
    assert.isUndefined(press('Cmd+c', true));
    assert.deepEqual(press('ArrowUp', true), { kind: 'move', move: 'previous' });
    assert.deepEqual(press('Ctrl+f', true), { kind: 'find' });
  });

  it('leave other keys to VS Code', () => {
    for (const keys of [
      'F1',
      'Ctrl+p',
      'Ctrl+Shift+f',
      'Ctrl+ArrowUp',
      'Shift+Enter',
      'Tab',
      'x',
    ]) {
      assert.isUndefined(press(keys), keys);
    }
  });
});

function linesOf(store: RowStore): Lines {
  return new Lines(store, (first) => first);
}

describe('selected row', () => {
  function select(count: number) {
    const store = new RowStore();
    store.change(message('replace', rows(100, count)));
    return { store, selection: new Selection(linesOf(store)) };
  }

  it('moves by one, by a page and to the ends', () => {
    const { selection } = select(50);
    const moves = [
      ['next', 20],
      ['next', 21],
      ['previous', 20],
      ['pageDown', 30],
      ['pageDown', 40],
      ['pageDown', 49],
      ['first', 0],
      ['last', 49],
      ['pageUp', 39],
    ] as const;
    assert.equal(selection.index, -1);
    for (const [move, expected] of moves) {
      assert.isTrue(selection.move(move, 10, 20), move);
      assert.equal(selection.index, expected, move);
    }
    selection.move('last', 10, 0);
    assert.isFalse(selection.move('next', 10, 0));
    assert.isFalse(selection.move('pageDown', 10, 0));
    selection.move('first', 10, 0);
    assert.isFalse(selection.move('previous', 10, 0));
  });

  it('stays selected while rows come and go, until it is removed', () => {
    const { store, selection } = select(5);
    selection.select(1);
    store.change(message('older', rows(90, 10)));
    assert.equal(store.rows[selection.index]?.key, '101');
    store.change(message('newer', rows(105, 5), { dropped: 11 }));
    assert.equal(selection.index, 0);
    store.change(message('newer', rows(110, 5), { dropped: 1 }));
    assert.equal(selection.index, -1);
    store.change(message('older', rows(100, 2)));
    assert.equal(selection.index, 1, 'it comes back with its row');
    store.change(message('replace', rows(100, 5)));
    assert.equal(selection.index, -1, 'other rows are other rows');
  });

  it('moves to the next and the previous error, including fatal ones', () => {
    const store = new RowStore();
    const of = [
      ...rows(0, 3),
      ...rows(3, 1, { severity: 'error' }),
      ...rows(4, 3),
      ...rows(7, 1, { severity: 'fatal' }),
      ...rows(8, 2),
    ];
    store.change(message('replace', of));
    const selection = new Selection(linesOf(store));
    assert.isTrue(selection.moveToError(1, 3));
    assert.equal(selection.index, 3, 'where it begins counts');
    assert.isTrue(selection.moveToError(1, 0));
    assert.equal(selection.index, 7);
    assert.isFalse(selection.moveToError(1, 0));
    assert.equal(selection.index, 7);
    assert.isTrue(selection.moveToError(-1, 0));
    assert.equal(selection.index, 3);
    assert.isFalse(selection.moveToError(-1, 0));
  });

  it('moves to the errors of an open trace, not to its own line', () => {
    const store = new RowStore();
    const error = { severity: 'error', trace: 'a' } as const;
    store.change(message('replace', [...rows(0, 2), ...rows(2, 2, error), ...rows(4, 1)]));
    const lines = linesOf(store);
    lines.group(true);
    const selection = new Selection(lines);
    assert.isTrue(selection.moveToError(1, 0));
    assert.equal(selection.index, 2, 'a closed trace stands for its errors');
    lines.open(2, true);
    selection.select(0);
    assert.isTrue(selection.moveToError(1, 0));
    assert.equal(selection.index, 3);
  });

  it('is none without rows', () => {
    const { selection } = select(0);
    for (const move of ['next', 'last', 'pageUp'] as const) {
      assert.isFalse(selection.move(move, 10, 0));
    }
    assert.equal(selection.index, -1);
  });
});
