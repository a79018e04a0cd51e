import type { Move } from './selection';

/** What a key does in the list. */
export type ListAction =
  | { readonly kind: 'move'; readonly move: Move }
  | { readonly kind: 'error'; readonly direction: 1 | -1 }
  | { readonly kind: 'found'; readonly direction: 1 | -1 }
  /** Shows the details; `enter` goes there too. */
  | { readonly kind: 'open'; readonly enter: boolean }
  | { readonly kind: 'find' | 'close' | 'copy' | 'wrap' };

/** Of a keyboard event. */
interface Key {
  readonly key: string;
  /** The key itself, whatever it types. */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

const moves: Readonly<Record<string, Move>> = {
  ArrowUp: 'previous',
  ArrowDown: 'next',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
  Home: 'first',
  End: 'last',
};

/** The keys are those of VS Code's own lists and editors. Undefined where a key is not ours. */
export function listAction(event: Key): ListAction | undefined {
  const { key, shiftKey, altKey } = event;
  const main = event.ctrlKey || event.metaKey;
  const direction = shiftKey ? -1 : 1;
  if (main) {
    if (shiftKey || altKey) return undefined;
    if (key === 'f') return { kind: 'find' };
    if (key === 'c') return { kind: 'copy' };
    const move = moves[key];
    return move === 'first' || move === 'last' ? { kind: 'move', move } : undefined;
  }
  // On a Mac it types something else together with Alt.
  if (altKey) return event.code === 'KeyZ' && !shiftKey ? { kind: 'wrap' } : undefined;
  if (key === 'F8') return { kind: 'error', direction };
  if (key === 'F3') return { kind: 'found', direction };
  if (shiftKey) return undefined;
  const move = moves[key];
  if (move !== undefined) return { kind: 'move', move };
  if (key === 'Enter') return { kind: 'open', enter: true };
  if (key === ' ') return { kind: 'open', enter: false };
  return key === 'Escape' ? { kind: 'close' } : undefined;
}
