import type { ToPage } from '../../src/panels/logExplorer/messages';
import { createMemory, type Memory } from './memory';
import { createNotices } from './notices';
import { layOut } from './page';
import { connectPanel } from './panel';
import type { Panel } from './panel';
import { createQueryParts, type QueryParts } from './queryParts';
import { createResults, type Results } from './results';
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
      parts?.memory.forget();
      void parts?.search.read(message.text);
      parts?.above.focus();
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
  const memory = createMemory(panel.state, {
    keep: (state) => panel.keep(state),
    read: (query) => search.read(query),
    run: () => search.run(),
  });
  const setWrap = (wrap: boolean): void => {
    memory.changed(search.text, wrap);
    results.setWrap(wrap);
    above.setWrap(wrap);
  };
  const toggleWrap = (): void => setWrap(!memory.wrap);
  const above = createQueryParts(page, { ask, search, notices, words, start, toggleWrap });
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
  above.focus();
  return { search, above, results, memory };
}
