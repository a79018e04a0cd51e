import { isErrorSeverity } from '../../src/logs/record/severity';
import type { Lines } from './lines';

export type Move = 'previous' | 'next' | 'pageUp' | 'pageDown' | 'first' | 'last';

/** The selected line, which stays selected while lines come or go. */
export class Selection {
  /** The number of the line. */
  private selected: number | undefined;

  /** @param lines the lines that it selects from. */
  constructor(private readonly lines: Pick<Lines, 'count' | 'at' | 'numberAt' | 'indexAt'>) {}

  /** Its index; -1 if none is selected or it is gone. */
  get index(): number {
    return this.selected === undefined ? -1 : this.lines.indexAt(this.selected);
  }

  /** @returns whether it is another line than before. */
  select(index: number): boolean {
    if (index < 0 || index >= this.lines.count || index === this.index) return false;
    this.selected = this.lines.numberAt(index);
    return true;
  }

  /**
   * Moves the selection, from `from` if no line is selected.
   *
   * @param page the number of lines of a page.
   * @returns whether it moved.
   */
  move(move: Move, page: number, from: number): boolean {
    const last = this.lines.count - 1;
    const now = this.index;
    if (move === 'first') return this.select(0);
    if (move === 'last') return this.select(last);
    if (now === -1) return this.select(Math.max(0, Math.min(from, last)));
    const step = move === 'previous' || move === 'next' ? 1 : Math.max(1, page);
    const to = move === 'previous' || move === 'pageUp' ? now - step : now + step;
    return this.select(Math.max(0, Math.min(to, last)));
  }

  /** Selects the nearest error or closed trace with one in a direction. @returns whether there is one. */
  moveToError(direction: 1 | -1, from: number): boolean {
    const now = this.index;
    for (let place = now === -1 ? from : now + direction; ; place += direction) {
      const line = this.lines.at(place);
      if (line === undefined) return false;
      // The errors of an open trace are below it.
      if (isErrorSeverity(line.row.severity) && line.isOpen !== true) return this.select(place);
    }
  }
}

export type ListAction =
  | { readonly kind: 'move'; readonly move: Move }
  | { readonly kind: 'error'; readonly direction: 1 | -1 }
  | { readonly kind: 'found'; readonly direction: 1 | -1 }
  /** Shows the details; `enter`: and moves the focus there. */
  | { readonly kind: 'open'; readonly enter: boolean }
  /** Opens or closes a trace. */
  | { readonly kind: 'expand' | 'collapse' }
  | { readonly kind: 'find' | 'close' | 'copy' | 'wrap' };

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

const moves: Readonly<Record<string, Move>> = {
  ArrowUp: 'previous',
  ArrowDown: 'next',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
  Home: 'first',
  End: 'last',
};

/**
 * The action of a key, as in the lists and editors of VS Code; undefined if it has none.
 *
 * @param hasSelectedText whether text is selected, which the browser copies.
 */
export function listAction(event: Key, hasSelectedText: boolean): ListAction | undefined {
  const { key, shiftKey, altKey } = event;
  const main = event.ctrlKey || event.metaKey;
  const direction = shiftKey ? -1 : 1;
  if (main) {
    if (shiftKey || altKey) return undefined;
    if (key === 'f') return { kind: 'find' };
    if (key === 'c') return hasSelectedText ? undefined : { kind: 'copy' };
    const move = moves[key];
    return move === 'first' || move === 'last' ? { kind: 'move', move } : undefined;
  }
  // On a Mac, Alt changes the character of a key.
  if (altKey) return event.code === 'KeyZ' && !shiftKey ? { kind: 'wrap' } : undefined;
  if (key === 'F8') return { kind: 'error', direction };
  if (key === 'F3') return { kind: 'found', direction };
  if (shiftKey) return undefined;
  const move = moves[key];
  if (move !== undefined) return { kind: 'move', move };
  if (key === 'ArrowRight') return { kind: 'expand' };
  if (key === 'ArrowLeft') return { kind: 'collapse' };
  if (key === 'Enter') return { kind: 'open', enter: true };
  if (key === ' ') return { kind: 'open', enter: false };
  return key === 'Escape' ? { kind: 'close' } : undefined;
}
