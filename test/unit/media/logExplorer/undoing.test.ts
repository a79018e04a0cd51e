import { assert } from 'chai';
import {
  changeOf,
  createUndoing,
  undoKeyOf,
  type TextChange,
  type Undoing,
} from '../../../../media/logExplorer/undoing';

const caretAt = (place: number) => ({ start: place, end: place });

/** Types or deletes at a place as somebody does, a character after the other. */
function type(undoing: Undoing, typed: string, place = undoing.now.end): void {
  for (const [index, one] of Array.from(typed).entries()) {
    const at = place + index;
    const { text } = undoing.now;
    const next = text.slice(0, at) + one + text.slice(at);
    undoing.changed('insert', caretAt(at), { text: next, ...caretAt(at + 1) });
  }
}

function put(undoing: Undoing, text: string, change: TextChange = 'other'): void {
  const { start, end } = undoing.now;
  undoing.changed(change, { start, end }, { text, ...caretAt(text.length) });
}

/** All texts on the way back. */
function way(undoing: Undoing, direction: 'undo' | 'redo' = 'undo'): string[] {
  const texts: string[] = [];
  for (let one = undoing[direction](); one !== undefined; one = undoing[direction]()) {
    texts.push(one.text);
  }
  return texts;
}

describe('the way back through what a query was', () => {
  it('takes back a word that was typed, then the one before it', () => {
    const undoing = createUndoing('');
    type(undoing, 'level:error  api');
    assert.deepEqual(way(undoing), ['level:error  ', '']);
    assert.deepEqual(way(undoing, 'redo'), ['level:error  ', 'level:error  api']);
  });

  it('takes back what was put there, and only that', () => {
    const undoing = createUndoing('last:6h');
    type(undoing, ' se');
    put(undoing, 'last:6h severity:');
    type(undoing, 'er');
    put(undoing, 'last:6h severity:error');
    assert.deepEqual(way(undoing), [
      'last:6h severity:er',
      'last:6h severity:',
      'last:6h se',
      'last:6h ',
      'last:6h',
    ]);
  });

  it('takes back in one go what was deleted in one go, each way', () => {
    const undoing = createUndoing('abc');
    undoing.changed('delete', caretAt(3), { text: 'ab', ...caretAt(2) });
    undoing.changed('delete', caretAt(2), { text: 'a', ...caretAt(1) });
    undoing.changed('delete', caretAt(0), { text: '', ...caretAt(0) });
    type(undoing, 'x');
    assert.deepEqual(way(undoing), ['', 'a', 'abc']);
  });

  it('takes back what was typed elsewhere by itself, and leaves the caret there', () => {
    const undoing = createUndoing('');
    type(undoing, 'ad');
    type(undoing, 'bc', 1);
    assert.deepEqual(undoing.undo(), { text: 'ad', ...caretAt(1) });
    assert.deepEqual(undoing.redo(), { text: 'abcd', ...caretAt(3) });
  });

  it('gives a selection back that was typed over', () => {
    const undoing = createUndoing('abc');
    undoing.changed('insert', { start: 0, end: 3 }, { text: 'x', ...caretAt(1) });
    type(undoing, 'y');
    assert.deepEqual(undoing.undo(), { text: 'abc', start: 0, end: 3 });
  });

  it('takes back a composition as a whole, but not two', () => {
    const undoing = createUndoing('');
    put(undoing, 'に', 'compose');
    put(undoing, 'にほ', 'compose');
    put(undoing, '日本', 'compose');
    undoing.rest();
    put(undoing, '日本ご', 'compose');
    put(undoing, '日本語', 'compose');
    assert.deepEqual(way(undoing), ['日本', '']);
  });

  it('leads forward no more once something else was typed', () => {
    const undoing = createUndoing('a');
    put(undoing, 'b');
    undoing.undo();
    put(undoing, 'c');
    assert.isUndefined(undoing.redo());
    assert.deepEqual(way(undoing), ['a']);
  });

  it('does not count what changes nothing, and is of bounded length', () => {
    const undoing = createUndoing('0');
    put(undoing, '0');
    assert.isUndefined(undoing.undo());
    for (let step = 1; step <= 150; step++) put(undoing, String(step));
    assert.lengthOf(way(undoing), 100);
    assert.equal(undoing.now.text, '50');
  });
});

describe('what changes a text', () => {
  it('is told by the type of the event', () => {
    assert.equal(changeOf('insertText', false), 'insert');
    assert.equal(changeOf('insertText', true), 'compose');
    assert.equal(changeOf('deleteContentForward', false), 'delete');
    assert.equal(changeOf('deleteWordBackward', false), 'other');
    assert.equal(changeOf('insertFromPaste', false), 'other');
  });
});

describe('the keys that undo', () => {
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
