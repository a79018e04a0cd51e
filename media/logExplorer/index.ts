import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import type { ToPage } from '../../src/logs/explorer/panel/messages';
import { createNotices } from './notices';
import { createPageState, type SavedState } from './pageState';
import { connectPanel, type Panel } from './panel';
import { createQueryParts, layOut, type QueryParts } from './queryParts';
import { createResults, type Results } from './results';
import { createPageQuery, type PageQuery } from './pageQuery';
import { createStrings } from './strings';

/** The parts of the page, which are built once the words are there. */
interface Parts {
  readonly search: PageQuery;
  readonly above: QueryParts;
  readonly results: Results;
  readonly pageState: SavedState;
}

let parts: Parts | undefined;

const panel = connectPanel((message) => {
  switch (message.kind) {
    case 'start':
      parts ??= build(panel, message);
      return;
    case 'view':
      parts?.above.show(message.view);
      parts?.results.show(message.view);
      parts?.pageState.saw(message.view);
      return;
    case 'rows':
      parts?.results.change(message);
      return;
    case 'query':
      void parts?.search.read(message.text);
  }
});

function build(panel: Panel, start: Extract<ToPage, { readonly kind: 'start' }>): Parts {
  const ask: Panel['ask'] = (kind, rest) => panel.ask(kind, rest);
  const strings = createStrings(start.strings);
  const page = layOut();
  document.title = strings('title');
  const notices = createNotices(ask, strings);
  const report = (error: unknown): void => {
    notices.fail(error instanceof Error ? error.message : String(error));
  };
  const search = createPageQuery(ask, report, (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  });
  const before = panel.state;
  const pageState = createPageState(before, (state) => panel.keep(state));
  // The panel says whether it is to be searched for again.
  if (before !== undefined) void search.read(before.query);
  const setWrap = (wrap: boolean): void => {
    results.setWrap(wrap);
    above.setWrap(wrap);
  };
  const toggleWrap = (): void => {
    pageState.changed(search.text, !pageState.wrap);
    setWrap(pageState.wrap);
  };
  const above = createQueryParts(page, {
    ask,
    search,
    notices,
    strings,
    start,
    toggleWrap,
    openFind: () => results.openFind(),
    toError: (direction) => results.toError(direction),
    focusList: () => results.focus(),
  });
  const results = createResults(page.results, {
    ask,
    strings,
    report,
    queryText: () => search.text,
    takeQuery(model) {
      search.use(model);
      void search.run();
    },
    toggleWrap,
  });
  setWrap(pageState.wrap);
  search.onChange(() => {
    notices.forget();
    pageState.changed(search.text, pageState.wrap);
  });
  returnFocus(() => above.focus());
  return { search, above, results, pageState };
}

/**
 * Gives the focus to a part of the page whenever the page gets it as a whole: to what had it last, as
 * where a menu of VS Code was open over the list, or else to the bar. It takes it from nobody.
 */
function returnFocus(focusBar: () => void): void {
  let last: HTMLElement | undefined;
  document.addEventListener('focusin', (event) => {
    // The one within a component, which does not always hand it on.
    const [target] = event.composedPath();
    if (target instanceof HTMLElement) last = target;
  });
  const isNowhere = (): boolean => document.activeElement === document.body;
  const focusPart = (): void => {
    if (!document.hasFocus() || !isNowhere()) return;
    last?.focus();
    // It may be gone or hidden by now.
    if (isNowhere()) focusBar();
  };
  window.addEventListener('focus', focusPart);
  focusPart();
}
