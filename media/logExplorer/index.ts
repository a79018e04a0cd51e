import type { ToPage } from '../../src/logs/explorer/panel/messages';
import { createMemory, type Memory } from './memory';
import { createNotices } from './notices';
import { layOut } from './page';
import { connectPanel, type Panel } from './panel';
import { createQueryParts, type QueryParts } from './queryParts';
import { createResults, type Results } from './results';
import { returnFocus } from './returnFocus';
import { createSearch, type Search } from './search';
import { createWords } from './words';

/** The parts of the page, which are built once the words are there. */
interface Parts {
  readonly search: Search;
  readonly above: QueryParts;
  readonly results: Results;
  readonly memory: Memory;
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
      parts?.memory.saw(message.view);
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
  const words = createWords(start.words);
  const page = layOut();
  document.title = words('title');
  const notices = createNotices(ask, words);
  const report = (error: unknown): void => {
    notices.fail(error instanceof Error ? error.message : String(error));
  };
  const search = createSearch(ask, report, (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  });
  const before = panel.state;
  const memory = createMemory(before, (state) => panel.keep(state));
  // The panel says whether it is to be searched for again.
  if (before !== undefined) void search.read(before.query);
  const setWrap = (wrap: boolean): void => {
    results.setWrap(wrap);
    above.setWrap(wrap);
  };
  const toggleWrap = (): void => {
    memory.changed(search.text, !memory.wrap);
    setWrap(memory.wrap);
  };
  const above = createQueryParts(page, {
    ask,
    search,
    notices,
    words,
    start,
    toggleWrap,
    openFind: () => results.openFind(),
    toError: (direction) => results.toError(direction),
    focusList: () => results.focus(),
  });
  const results = createResults(page.results, {
    ask,
    words,
    report,
    queryText: () => search.text,
    takeQuery(model) {
      search.use(model);
      void search.run();
    },
    toggleWrap,
  });
  setWrap(memory.wrap);
  search.onChange(() => {
    notices.forget();
    memory.changed(search.text, memory.wrap);
  });
  returnFocus(() => above.focus());
  return { search, above, results, memory };
}
