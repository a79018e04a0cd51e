import type { ListLayout, LogRow, View } from '../../src/logs/explorer/protocol/view';
import type { ColumnHeader } from './columnHeader';
import { element, icon, setText } from './dom';
import type { Strings } from './panel';

/** An end of the list: a text, or a button if more can be loaded. */
interface ListEnd {
  readonly row: HTMLElement;
  show(end: View['older'], canLoad: boolean): void;
  /** Sets whether Tab moves to the button. */
  setTabbable(isTabbable: boolean): void;
}

interface ListFrame {
  readonly element: HTMLElement;
  /** The element that has the focus and scrolls. */
  readonly grid: HTMLElement;
  readonly body: HTMLElement;
  /** @param canLoad whether there is a button to load at an end. */
  show(view: View, canLoad: (end: 'older' | 'newer') => boolean): void;
  setSize(size: { readonly lines: number; readonly columns: number }): void;
  setLook(layout: ListLayout, wrap: boolean): void;
}

/** Creates a row with one cell over all columns. */
function listEnd(className: string, onLoad: () => void): ListEnd {
  const text = element('span');
  const spinner = icon('loading codicon-modifier-spin');
  const button = element('button', { class: 'link', onClick: onLoad });
  button.tabIndex = -1;
  const cell = element('div', { attributes: { role: 'gridcell' } }, spinner, text, button);
  const row = element('div', { class: `end ${className}`, attributes: { role: 'row' } }, cell);
  return {
    row,
    show({ text: shown, isLoading = false }, canLoad) {
      // When the button disappears, the focus moves to the list.
      if (!canLoad && button === document.activeElement) row.parentElement?.focus();
      setText(text, canLoad ? '' : shown);
      spinner.hidden = !isLoading;
      setText(button, canLoad ? shown : '');
      button.hidden = !canLoad;
      row.hidden = shown === '';
    },
    setTabbable(isTabbable) {
      button.tabIndex = isTabbable ? 0 : -1;
    },
  };
}

interface ListFrameActions {
  readonly load: (end: 'older' | 'newer') => void;
  readonly resume: () => void;
}

/** Creates the elements of the list. */
export function listFrame(
  strings: Strings,
  { row: header, others }: Pick<ColumnHeader, 'row' | 'others'>,
  actions: ListFrameActions,
): ListFrame {
  const older = listEnd('older', () => actions.load('older'));
  const newer = listEnd('newer', () => actions.load('newer'));
  const body = element('div', { class: 'rows', attributes: { role: 'rowgroup' } });
  const grid = element(
    'div',
    {
      class: 'grid',
      attributes: {
        role: 'grid',
        tabindex: '0',
        'aria-label': strings('listLabel'),
        'aria-keyshortcuts': 'Enter Space F8 Shift+F8 Control+F Control+C Alt+Z Alt+ArrowLeft',
      },
    },
    header,
    older.row,
    body,
    newer.row,
  );
  // Tab must not scroll to an end of the list, which would load more.
  const ends = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        (target === older.row ? older : newer).setTabbable(isIntersecting);
      }
    },
    { root: grid },
  );
  for (const { row } of [older, newer]) ends.observe(row);
  const empty = element('p', { class: 'empty' });
  const resume = element('button', { class: 'go-on', onClick: actions.resume });
  // The button covers the list and must not stop the wheel.
  resume.addEventListener('wheel', ({ deltaY }) => grid.scrollBy({ top: deltaY }), {
    passive: true,
  });
  const list = element('div', { class: 'list' }, grid, ...others, empty, resume);
  let state: View['state'] | undefined;
  const showNew = (following: View['following']): void => {
    resume.hidden = following?.state !== 'paused';
    if (following === undefined || resume.hidden) return;
    const { newRecords } = following;
    const label = newRecords === 0 ? strings('resume') : strings('newRecords', newRecords);
    resume.replaceChildren(icon('arrow-down'), label);
  };
  return {
    element: list,
    grid,
    body,
    show(view, canLoad) {
      ({ state } = view);
      older.show(view.older, canLoad('older'));
      newer.show(view.newer, canLoad('newer'));
      grid.setAttribute('aria-busy', String(state === 'loading'));
      showNew(view.following);
    },
    setLook({ isByTrace, time }, wrap) {
      grid.setAttribute('role', isByTrace ? 'treegrid' : 'grid');
      list.classList.toggle('by-trace', isByTrace);
      list.classList.toggle('both-times', time === 'both');
      list.classList.toggle('wrap', wrap);
    },
    setSize({ lines, columns }) {
      grid.setAttribute('aria-rowcount', String(lines + 1));
      for (const { row } of [older, newer]) {
        row.firstElementChild?.setAttribute('aria-colspan', String(columns));
      }
      // That a search found nothing is above the list.
      empty.hidden = lines > 0 || state !== 'idle';
      setText(empty, empty.hidden ? '' : strings('listIdle'));
    },
  };
}

/**
 * Measures the height of a row of one line with an invisible row, since the font is that of the editor and
 * can change.
 *
 * @param onChange called when the height changes.
 */
export function probeRowHeight(
  parent: HTMLElement,
  onChange: () => void,
): { readonly height: number } {
  let height = 22;
  const cell = element('div', { class: 'cell body', text: 'M' });
  const probe = element('div', { class: 'row probe', attributes: { 'aria-hidden': 'true' } }, cell);
  parent.append(probe);
  new ResizeObserver(() => {
    const { offsetHeight } = probe;
    if (offsetHeight === 0 || offsetHeight === height) return;
    height = offsetHeight;
    onChange();
  }).observe(probe);
  return {
    get height() {
      return height;
    },
  };
}

/** The terminal colors of themes, in the order of their numbers. */
const terminalColors = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White'];

/** The colors of the classes of terminal colors; see `StyledSpan` in `logs/record/terminalColors.ts`. */
export function terminalStyles(): CSSStyleSheet {
  const rules = [...terminalColors, ...terminalColors.map((name) => `Bright${name}`)].flatMap(
    (name, index) =>
      ['fg', 'bg'].map(
        (part) => `.sgr-${part}-${index} { --sgr-${part}: var(--vscode-terminal-ansi${name}); }`,
      ),
  );
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.join('\n'));
  return sheet;
}

/** The context that decides which items the menu of a row has (`webview/context` in package.json). */
export function menuContext({ key, trace, hasContext }: LogRow): Record<string, unknown> {
  return {
    webviewSection: 'controlPlaneRecord',
    recordKey: key,
    controlPlaneRecordHasTrace: trace !== undefined,
    controlPlaneRecordHasContext: hasContext,
  };
}
