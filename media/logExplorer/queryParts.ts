import type { StartMessage } from '../../src/logs/explorer/protocol/messages';
import type { View } from '../../src/logs/explorer/protocol/view';
import { ConditionBuilder } from './builder';
import { element } from './dom';
import { createHistogram } from './histogram';
import { LiveRegion, type Notices, type NextStep } from './notices';
import type { PageContext } from './pageQuery';
import { QueryBar } from './queryBar';
import type { Results } from './results';
import { rove } from './roving';
import { longerThan, RangeBox } from './timeRange';
import { Toolbar } from './toolbar';
import { takeUndoKey } from './undoHistory';

/** The containers of the parts of the page, from top to bottom. */
export interface Page {
  /** The query bar, the chips and the builder. */
  readonly search: HTMLElement;
  readonly toolbar: HTMLElement;
  readonly notices: HTMLElement;
  readonly histogram: HTMLElement;
  /** The list and the details; it takes the remaining space. */
  readonly results: HTMLElement;
}

/** Creates the containers. */
export function layOut(): Page {
  const root = document.getElementById('page') ?? document.body;
  const container = (name: string): HTMLElement => {
    const created = element('div', { class: name });
    root.append(created);
    return created;
  };
  return {
    search: container('search'),
    toolbar: container('toolbar'),
    notices: container('notices'),
    histogram: container('histogram'),
    results: container('results'),
  };
}

/** Everything above the list. */
export interface QueryParts {
  show(view: View): void;
  focus(): void;
  /** Shows a query, before which there was none. */
  restart(query: string): void;
}

interface QueryPartsHost {
  readonly notices: Notices;
  readonly start: StartMessage;
  readonly results: Results;
}

/** Creates everything above the list. */
export function createQueryParts(
  page: Page,
  context: PageContext,
  { notices, start, results }: QueryPartsHost,
): QueryParts {
  const { ask, search, strings, report } = context;
  const bar = new QueryBar(context, () => results.focus());
  const range = new RangeBox(context);
  const builder = new ConditionBuilder(context, start);
  const run = element('vscode-button', {
    text: strings('query.search'),
    onClick: () => search.run(),
  });
  const cancel = element('vscode-button', {
    text: strings('query.cancel'),
    attributes: { secondary: '' },
    onClick: () => {
      run.focus();
      ask('cancel', {}).catch(report);
    },
  });
  cancel.hidden = true;
  const fromFolder = element('span', {
    class: 'from-folder',
    text: strings('query.fromFolder'),
    attributes: { title: strings('query.fromFolderHint') },
  });
  let folderQuery: string | undefined;
  const showFromFolder = (): void => void (fromFolder.hidden = search.text !== folderQuery);
  search.onChange(showFromFolder);
  showFromFolder();
  const liveRegion = new LiveRegion();
  const running = element('div', { class: 'running' });
  page.search.setAttribute('role', 'search');
  page.search.setAttribute('aria-label', strings('query.area'));
  page.search.append(
    element('h1', { class: 'unseen', text: strings('title') }),
    element('div', { class: 'query-line' }, bar, fromFolder, range, run, cancel),
    range.form,
    liveRegion,
    builder,
    createChips(context, bar),
    running,
  );
  page.search.addEventListener('keydown', (event) => {
    const { target, key } = event;
    // The key already pressed the button; a select that gets the focus would open with it.
    const isPress = key === 'Enter' || key === ' ';
    if (isPress && target instanceof HTMLElement && target.localName === 'vscode-button') {
      event.preventDefault();
    }
  });
  // Every change of the query can be undone where it was made; in inputs, the key undoes typing.
  document.addEventListener('keydown', (event) => {
    const [target] = event.composedPath();
    if (!(target instanceof HTMLElement) || target instanceof HTMLInputElement) return;
    takeUndoKey(event, (direction) => {
      // Conditions do not run until they are complete.
      if (bar.step(direction) && !builder.contains(target)) void search.run();
    });
  });
  const histogram = createHistogram(context, start.isFolded);
  const toolbar = new Toolbar(context, {
    results,
    notices,
    histogram,
    builder,
  });
  page.toolbar.append(toolbar);
  let canGoBack = false;
  onErrorKey((direction) => results.toError(direction));
  onBackKey(() => {
    if (canGoBack) ask('back', {}).catch(report);
    return canGoBack;
  });
  page.notices.append(notices);
  page.histogram.append(histogram.element);
  results.onView((span) => histogram.markView(span));
  const longer = (): NextStep | undefined => {
    const last = longerThan(search.parsed.range);
    if (last === undefined) return undefined;
    return {
      label: strings(`range.${last}`),
      run: () => search.narrow({ kind: 'range', range: { last } }),
    };
  };
  return {
    show(view) {
      const isRunning = view.progress !== undefined;
      liveRegion.show(view);
      running.classList.toggle('on', isRunning);
      if (!isRunning && document.activeElement === cancel) run.focus();
      cancel.hidden = !isRunning;
      ({ canGoBack } = view);
      folderQuery = view.isFromFolder === true ? view.query : undefined;
      showFromFolder();
      toolbar.show(view);
      notices.show(view, longer());
      histogram.show(view);
    },
    focus: () => bar.focus(),
    restart: (query) => bar.restart(query),
  };
}

/** Listens for F8 and Shift+F8 in the whole page; the list handles its own. */
function onErrorKey(go: (direction: 1 | -1) => void): void {
  document.addEventListener('keydown', (event) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (key !== 'F8' || altKey || ctrlKey || metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    go(shiftKey ? -1 : 1);
  });
}

/**
 * Listens for Alt+Left, which goes back in browsers and in VS Code, except in text inputs, where it moves
 * the cursor on a Mac.
 *
 * @param goBack returns whether it went back.
 */
function onBackKey(goBack: () => boolean): void {
  const listener = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (key !== 'ArrowLeft' || !altKey || ctrlKey || metaKey || shiftKey) return;
    if (event.composedPath()[0] instanceof HTMLInputElement || !goBack()) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Captured, because many parts of the page handle the arrow key.
  document.addEventListener('keydown', listener, { capture: true });
}

/**
 * Creates the chips of a query that is longer than the query bar, with a button to remove each. Tab moves
 * to one of them, arrow keys to the others. While a chip has the focus, the chips stay.
 */
function createChips({ search, strings }: PageContext, bar: QueryBar): HTMLElement {
  const list = element('ul', {
    class: 'chips',
    attributes: { role: 'list', 'aria-label': strings('chips.label') },
  });
  const roving = rove(list, () => [list]);
  let shown = '';
  /** The chip that was removed last, in whose place the next one gets the focus. */
  let removed = 0;

  const buttons = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('button')];
  const remove = async (index: number): Promise<void> => {
    removed = index;
    await search.narrow({ kind: 'removeChip', index });
  };
  const fit = (hasFocus = list.contains(document.activeElement)): void => {
    const isNeeded = bar.isCut() || hasFocus;
    list.hidden = list.childElementCount === 0 || !isNeeded;
  };
  const draw = (): void => {
    const { chips } = search.parsed;
    list.classList.toggle('old', search.errors.length > 0);
    const key = JSON.stringify(chips);
    if (key === shown) {
      fit();
      return;
    }
    shown = key;
    const hadFocus = list.contains(document.activeElement);
    list.replaceChildren(
      ...chips.map(({ text, joinedBy }, index) =>
        element(
          'li',
          {},
          ...(index === 0
            ? []
            : [element('span', { class: 'joined', text: strings(`chips.${joinedBy}`) })]),
          element(
            'span',
            { class: 'chip' },
            element('span', { class: 'chip-text', text, attributes: { title: text } }),
            element('button', {
              class: 'codicon codicon-close',
              attributes: { type: 'button', 'aria-label': strings('chips.remove', text) },
              onClick: () => remove(index),
            }),
          ),
        ),
      ),
    );
    fit(hadFocus);
    roving.update();
    if (!hadFocus) return;
    const next = buttons()[Math.min(removed, chips.length - 1)];
    if (next === undefined) bar.focus();
    else next.focus();
  };
  list.addEventListener('keydown', (event) => {
    const at = buttons().findIndex((button) => button === document.activeElement);
    if (at < 0 || (event.key !== 'Delete' && event.key !== 'Backspace')) return;
    event.preventDefault();
    void remove(at);
  });
  new ResizeObserver(() => fit()).observe(bar);
  search.onChange(() => void bar.updateComplete.then(draw));
  list.hidden = true;
  void bar.updateComplete.then(draw);
  return list;
}
