import '@vscode-elements/elements/dist/vscode-button/index.js';
import type { ToPage, View } from '../../src/logs/explorer/panel/messages';
import { onBackKey } from './backKey';
import { createBuilder } from './builder';
import { createChips } from './chips';
import { element, setText } from './dom';
import { createHistogram } from './histogram';
import type { Notices, Offer } from './notices';
import type { Page } from './page';
import type { Panel } from './panel';
import { createQueryBar } from './queryBar';
import { longerThan } from './rangeChoices';
import type { Search } from './search';
import { createSeverities } from './severities';
import { createTimeRange } from './timeRange';
import { createTold } from './told';
import { createToolbar, type ToolbarHost } from './toolbar';
import { takeUndoKey } from './undoableInput';
import type { Words } from './words';

/** All that stands above the list. */
export interface QueryParts {
  show(view: View): void;
  setWrap(wrap: boolean): void;
  focus(): void;
}

export interface QueryPartsHost extends Pick<
  ToolbarHost,
  'toggleWrap' | 'openFind' | 'toError' | 'focusList'
> {
  readonly ask: Panel['ask'];
  readonly search: Search;
  readonly notices: Notices;
  readonly words: Words;
  readonly start: Pick<Extract<ToPage, { kind: 'start' }>, 'locale' | 'fields' | 'operators'>;
}

/** Fills the places of the page above the results. */
export function createQueryParts(page: Page, host: QueryPartsHost): QueryParts {
  const { ask, search, notices, words, start } = host;
  const report = (error: unknown): void => {
    notices.fail(error instanceof Error ? error.message : String(error));
  };
  const bar = createQueryBar(search, ask, words);
  const range = createTimeRange(search, ask, words);
  const builder = createBuilder(search, start, words);
  const run = element('vscode-button', {
    text: words('query.search'),
    onClick: () => search.run(),
  });
  const cancel = element('vscode-button', {
    text: words('query.cancel'),
    attributes: { secondary: '' },
    onClick: () => {
      run.focus();
      ask('cancel', {}).catch(report);
    },
  });
  const progress = element('span', { class: 'progress' });
  const told = createTold();
  const running = element('div', { class: 'running' });
  page.search.setAttribute('role', 'search');
  page.search.setAttribute('aria-label', words('query.area'));
  page.search.append(
    element('h1', { class: 'unseen', text: words('title') }),
    element('div', { class: 'query-line' }, bar.element, range.element, run, cancel),
    range.form,
    element(
      'div',
      { class: 'filter-line' },
      createSeverities(search, words),
      builder.toggle,
      progress,
    ),
    told.element,
    builder.element,
    createChips(search, words, () => bar.focus()),
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
  const histogram = createHistogram(search, words, start.locale);
  page.histogram.append(histogram.element);
  cancel.hidden = true;
  const longer = (): Offer | undefined => {
    const last = longerThan(search.said.range);
    if (last === undefined) return undefined;
    return {
      label: words(`range.${last}`),
      run: () => search.narrow({ kind: 'range', range: { last } }),
    };
  };
  return {
    show(view) {
      const isRunning = view.progress !== undefined;
      setText(progress, view.progress ?? '');
      told.show(view);
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
