import {
  type RowSeverity,
  severities,
  type ToPage,
  type View,
} from '../../src/logs/explorer/panel/messages';
import { createBuilder } from './builder';
import { createChips } from './chips';
import { element, setText } from './dom';
import { createHistogram } from './histogram';
import { severityParts } from './listElements';
import { createLiveRegion } from './liveRegion';
import type { Notices, NextStep } from './notices';
import type { Panel } from './panel';
import { createQueryBar } from './queryBar';
import type { PageQuery } from './pageQuery';
import type { Strings } from './strings';
import { createTimeRange, longerThan } from './timeRange';
import { createToolbar, type ToolbarHost } from './toolbar';
import { takeUndoKey } from './undoHistory';

/** Where the parts of the page stand, from top to bottom. */
export interface Page {
  /** The query bar, the chips and the builder. */
  readonly search: HTMLElement;
  readonly toolbar: HTMLElement;
  readonly notices: HTMLElement;
  readonly histogram: HTMLElement;
  /** The list and the details; it takes the room that the others leave. */
  readonly results: HTMLElement;
}

/** Makes the places of the parts. */
export function layOut(): Page {
  const root = document.getElementById('page') ?? document.body;
  const place = (name: string): HTMLElement => {
    const made = element('div', { class: name });
    root.append(made);
    return made;
  };
  return {
    search: place('search'),
    toolbar: place('toolbar'),
    notices: place('notices'),
    histogram: place('histogram'),
    results: place('results'),
  };
}

/** All that stands above the list. */
export interface QueryParts {
  show(view: View): void;
  setWrap(wrap: boolean): void;
  focus(): void;
}

interface QueryPartsHost extends Pick<
  ToolbarHost,
  'toggleWrap' | 'openFind' | 'toError' | 'focusList'
> {
  readonly ask: Panel['ask'];
  readonly search: PageQuery;
  readonly notices: Notices;
  readonly strings: Strings;
  readonly start: Pick<Extract<ToPage, { kind: 'start' }>, 'locale' | 'fields' | 'operators'>;
}

/** Fills the places of the page above the results. */
export function createQueryParts(page: Page, host: QueryPartsHost): QueryParts {
  const { ask, search, notices, strings, start } = host;
  const report = (error: unknown): void => {
    notices.fail(error instanceof Error ? error.message : String(error));
  };
  const bar = createQueryBar(search, ask, strings);
  const range = createTimeRange(search, ask, strings);
  const builder = createBuilder(search, start, strings);
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
  const progress = element('span', { class: 'progress' });
  const liveRegion = createLiveRegion();
  const running = element('div', { class: 'running' });
  page.search.setAttribute('role', 'search');
  page.search.setAttribute('aria-label', strings('query.area'));
  page.search.append(
    element('h1', { class: 'unseen', text: strings('title') }),
    element('div', { class: 'query-line' }, bar.element, range.element, run, cancel),
    range.form,
    element(
      'div',
      { class: 'filter-line' },
      createSeverities(search, strings),
      builder.toggle,
      progress,
    ),
    liveRegion.element,
    builder.element,
    createChips(search, strings, () => bar.focus()),
    running,
  );
  page.search.addEventListener('keydown', (event) => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || target instanceof HTMLInputElement) return;
    // The button was pressed by then. A box that it gave the focus to would open by the same key.
    const isPress = key === 'Enter' || key === ' ';
    if (isPress && target.localName === 'vscode-button') event.preventDefault();
    // What was clicked away or chosen can be taken back right there; in inputs it is what was typed.
    takeUndoKey(event, (direction) => {
      // Conditions are put together first, and searched for then.
      if (bar.step(direction) && !builder.element.contains(target)) void search.run();
    });
  });
  const toolbar = createToolbar({
    ...host,
    explain: (why) => notices.explain(why),
    request(kind) {
      if (kind === 'save' || kind === 'copyLink') {
        void search.hand((text) => ask(kind, { text }));
      } else ask(kind, {}).catch(report);
    },
  });
  page.toolbar.append(toolbar.element);
  let canGoBack = false;
  onBackKey(() => {
    if (canGoBack) ask('back', {}).catch(report);
    return canGoBack;
  });
  page.notices.append(notices.element);
  const histogram = createHistogram(search, strings, start.locale);
  page.histogram.append(histogram.element);
  cancel.hidden = true;
  const longer = (): NextStep | undefined => {
    const last = longerThan(search.said.range);
    if (last === undefined) return undefined;
    return {
      label: strings(`range.${last}`),
      run: () => search.narrow({ kind: 'range', range: { last } }),
    };
  };
  return {
    show(view) {
      const isRunning = view.progress !== undefined;
      setText(progress, view.progress ?? '');
      liveRegion.show(view);
      running.classList.toggle('on', isRunning);
      if (!isRunning && document.activeElement === cancel) run.focus();
      cancel.hidden = !isRunning;
      ({ canGoBack } = view);
      toolbar.show(view);
      notices.show(view, longer());
      histogram.show(view);
    },
    setWrap: (wrap) => toolbar.setWrap(wrap),
    focus: () => bar.focus(),
  };
}

/** A button for each severity that can be asked for; with none pressed, all are. */
function createSeverities(search: PageQuery, strings: Strings): HTMLElement {
  const buttons = severities.map((severity) => {
    const button = element(
      'button',
      {
        class: `toggle severity ${severity}`,
        attributes: { type: 'button', 'aria-pressed': 'false' },
        onClick: () =>
          search.narrow((said) => ({
            kind: 'severities',
            severities: toggled(said.severities, severity),
          })),
      },
      ...severityParts(severity, strings),
    );
    return { severity, button };
  });
  const draw = (): void => {
    for (const { severity, button } of buttons) {
      button.setAttribute('aria-pressed', String(search.said.severities.includes(severity)));
    }
  };
  search.onChange(draw);
  draw();
  return element(
    'div',
    {
      class: 'severities',
      attributes: { role: 'group', 'aria-label': strings('severities.label') },
    },
    ...buttons.map(({ button }) => button),
  );
}

function toggled(chosen: readonly RowSeverity[], one: RowSeverity): RowSeverity[] {
  const next = severities.filter((other) => chosen.includes(other) !== (other === one));
  return next.length === severities.length ? [] : next;
}

/**
 * Listens for the key that leads back in browsers and in VS Code: Alt with the left arrow. In a text it
 * stays what it is there, which on a Mac goes back by a word.
 *
 * @param goBack answers whether there was somewhere to go.
 */
function onBackKey(goBack: () => boolean): void {
  const listener = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (key !== 'ArrowLeft' || !altKey || ctrlKey || metaKey || shiftKey) return;
    if (event.composedPath()[0] instanceof HTMLInputElement || !goBack()) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Before the parts of the page, of which many go somewhere by the arrow alone.
  document.addEventListener('keydown', listener, { capture: true });
}
