import { assert } from 'chai';
import {
  textChangeOf,
  UndoHistory,
  undoKeyOf,
  type TextChange,
} from '../../../../media/logExplorer/undoHistory';

const caretAt = (place: number) => ({ start: place, end: place });

/** Types or deletes at a place as a user does, one character after the other. */
function type(history: UndoHistory, typed: string, place = history.now.end): void {
  for (const [index, one] of Array.from(typed).entries()) {
    const at = place + index;
    const { text } = history.now;
    const next = text.slice(0, at) + one + text.slice(at);
    history.changed('insert', caretAt(at), { text: next, ...caretAt(at + 1) });
  }
}

function put(history: UndoHistory, text: string, change: TextChange = 'other'): void {
  const { start, end } = history.now;
  history.changed(change, { start, end }, { text, ...caretAt(text.length) });
}

/** All texts on the way back. */
function way(history: UndoHistory, direction: 'undo' | 'redo' = 'undo'): string[] {
  const texts: string[] = [];
  for (let one = history[direction](); one !== undefined; one = history[direction]()) {
    texts.push(one.text);
  }
  return texts;
}

describe('undo history of the query', () => {
  it('undoes one typed word at a time', () => {
    const history = new UndoHistory('');
    type(history, 'level:error  api');
    assert.deepEqual(way(history), ['level:error  ', '']);
    assert.deepEqual(way(history, 'redo'), ['level:error  ', 'level:error  api']);
  });

  it('undoes an inserted text alone', () => {
    const history = new UndoHistory('last:6h');
    type(history, ' se');
    put(history, 'last:6h severity:');
    type(history, 'er');
    put(history, 'last:6h severity:error');
    assert.deepEqual(way(history), [
      'last:6h severity:er',
      'last:6h severity:',
      'last:6h se',
      'last:6h ',
      'last:6h',
    ]);
  });

  it('undoes a run of deletions in one step, in each direction', () => {
    const history = new UndoHistory('abc');
    history.changed('delete', caretAt(3), { text: 'ab', ...caretAt(2) });
    history.changed('delete', caretAt(2), { text: 'a', ...caretAt(1) });
    history.changed('delete', caretAt(0), { text: '', ...caretAt(0) });
    type(history, 'x');
    assert.deepEqual(way(history), ['', 'a', 'abc']);
  });

  it('undoes typing at another position in its own step, with the cursor there', () => {
    const history = new UndoHistory('');
    type(history, 'ad');
    type(history, 'bc', 1);
    assert.deepEqual(history.undo(), { text: 'ad', ...caretAt(1) });
    assert.deepEqual(history.redo(), { text: 'abcd', ...caretAt(3) });
  });

  it('restores a selection that was typed over', () => {
    const history = new UndoHistory('abc');
    history.changed('insert', { start: 0, end: 3 }, { text: 'x', ...caretAt(1) });
    type(history, 'y');
    assert.deepEqual(history.undo(), { text: 'abc', start: 0, end: 3 });
  });

  it('undoes a composition as a whole', () => {
    const history = new UndoHistory('');
    put(history, 'に', 'compose');
    put(history, 'にほ', 'compose');
    put(history, '日本', 'compose');
    history.rest();
    put(history, '日本ご', 'compose');
    put(history, '日本語', 'compose');
    assert.deepEqual(way(history), ['日本', '']);
  });

  it('undoes what is typed after an undo or redo in its own step', () => {
    const history = new UndoHistory('');
    type(history, 'ab');
    type(history, 'c', 0);
    history.undo();
    type(history, 'd');
    assert.deepEqual(way(history), ['ab', '']);
    history.redo();
    type(history, 'e');
    assert.deepEqual(way(history), ['ab', '']);
  });

  it('clears redo after another change', () => {
    const history = new UndoHistory('a');
    put(history, 'b');
    history.undo();
    put(history, 'c');
    assert.isUndefined(history.redo());
    assert.deepEqual(way(history), ['a']);
  });

  it('brings back nothing from before a new start', () => {
    const history = new UndoHistory('');
    type(history, 'secret of one connection');
    history.undo();
    history.restart('last:1h');
    assert.deepEqual([...way(history), ...way(history, 'redo')], []);
    put(history, 'last:2h');
    assert.deepEqual(way(history), ['last:1h']);
  });

  it('ignores changes without effect and has a maximum length', () => {
    const history = new UndoHistory('0');
    put(history, '0');
    assert.isUndefined(history.undo());
    for (let step = 1; step <= 150; step++) put(history, String(step));
    assert.lengthOf(way(history), 100);
    assert.equal(history.now.text, '50');
  });
});

describe('change of a text', () => {
  it('is known by the type of the event', () => {
    assert.equal(textChangeOf('insertText', false), 'insert');
    assert.equal(textChangeOf('insertText', true), 'compose');
    assert.equal(textChangeOf('deleteContentForward', false), 'delete');
    assert.equal(textChangeOf('deleteWordBackward', false), 'other');
    assert.equal(textChangeOf('insertFromPaste', false), 'other');
  });
});

describe('undo and redo keys', () => {
  const key = (name: string, held: string, isMac = false) =>
    undoKeyOf(
      {
        key: name,
        ctrlKey: held.includes('ctrl'),
        metaKey: held.includes('meta'),
        shiftKey: held.includes('shift'),
        altKey: held.includes('alt'),
      },
      isMac,
    );

  it('are those of the system', () => {
    assert.equal(key('z', 'ctrl'), 'undo');
    assert.equal(key('Z', 'ctrl shift'), 'redo');
    assert.equal(key('y', 'ctrl'), 'redo');
    assert.equal(key('z', 'meta', true), 'undo');
    assert.equal(key('z', 'meta shift', true), 'redo');
  });

  it('are no others', () => {
    for (const held of ['', 'shift', 'alt', 'meta', 'ctrl alt', 'ctrl meta']) {
      assert.isUndefined(key('z', held), held);
    }
    assert.isUndefined(key('x', 'ctrl'));
    assert.isUndefined(key('y', 'meta', true));
    assert.isUndefined(key('z', 'ctrl', true));
  });
});
