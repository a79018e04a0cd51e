/** What Tab and the arrow keys move to. Some have their button inside. */
const itemSelector = 'button, vscode-toolbar-button';

/**
 * Makes a grid or a toolbar one stop of Tab: Tab moves to the button that had the focus last, and the arrow
 * keys, Home and End to the others.
 *
 * @param rows of a grid, by default its children. A toolbar is one row.
 * @returns `update` is called when there may be others, or some are hidden or shown.
 */
export function rove(
  place: HTMLElement,
  rows: () => readonly Element[] = () => [...place.children],
): { readonly update: () => void } {
  let stop: HTMLElement | undefined;
  const setStop = (next: HTMLElement | undefined): void => {
    if (stop !== next) stop?.setAttribute('tabindex', '-1');
    stop = next;
    // Without the attribute, Chromium would take the focus from what is inside a toolbar button.
    stop?.setAttribute('tabindex', '0');
  };
  const grid = (): HTMLElement[][] =>
    rows().map((row) => [...row.querySelectorAll<HTMLElement>(itemSelector)].filter(isThere));
  place.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && grid().flat().includes(target)) setStop(target);
  });
  place.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const buttons = grid();
    const row = buttons.findIndex((all) => all.some((button) => button === event.target));
    const column = buttons[row]?.findIndex((button) => button === event.target) ?? -1;
    const next = column === -1 ? undefined : nextButton(buttons, row, column, event.key);
    if (next === undefined) return;
    (next.shadowRoot?.querySelector('button') ?? next).focus();
    event.preventDefault();
    event.stopPropagation();
  });
  return {
    update() {
      const all = grid().flat();
      for (const button of all) if (button !== stop) button.setAttribute('tabindex', '-1');
      setStop(stop !== undefined && all.includes(stop) ? stop : all[0]);
    },
  };
}

/** The items of a menu have keys of their own. */
function isThere(button: HTMLElement): boolean {
  return button.closest('[hidden], [role=menu]') === null;
}

export function nextButton<Button>(
  grid: readonly (readonly Button[])[],
  row: number,
  column: number,
  key: string,
): Button | undefined {
  const inRow = (buttons: readonly Button[] | undefined): Button | undefined =>
    buttons?.[Math.min(column, buttons.length - 1)];
  const isToolbar = grid.length === 1;
  switch (key) {
    case 'ArrowUp':
      return inRow(grid[row - 1]);
    case 'ArrowDown':
      return inRow(grid[row + 1]);
    case 'ArrowLeft':
      return grid[row]?.[column - 1];
    case 'ArrowRight':
      return grid[row]?.[column + 1];
    case 'Home':
      return isToolbar ? grid[0]?.[0] : inRow(grid[0]);
    case 'End':
      return isToolbar ? grid[0]?.at(-1) : inRow(grid.at(-1));
    default:
      return undefined;
  }
}
