import { assert } from 'chai';
import { listAction, type ListAction } from '../../../../media/logExplorer/list';

describe('keys of the list', () => {
  function press(keys: string): ListAction | undefined {
    const parts = keys.split('+');
    return listAction({
      key: parts.at(-1) === 'z' ? 'Ω' : parts.at(-1)!,
      code: `Key${parts.at(-1)!.toUpperCase()}`,
      ctrlKey: parts.includes('Ctrl'),
      metaKey: parts.includes('Cmd'),
      shiftKey: parts.includes('Shift'),
      altKey: parts.includes('Alt'),
    });
  }

  it('move, open, find, copy, wrap and close', () => {
    const expected: Record<string, ListAction> = {
      ArrowUp: { kind: 'move', move: 'previous' },
      ArrowDown: { kind: 'move', move: 'next' },
      PageUp: { kind: 'move', move: 'pageUp' },
      PageDown: { kind: 'move', move: 'pageDown' },
      Home: { kind: 'move', move: 'first' },
      'Ctrl+End': { kind: 'move', move: 'last' },
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
