import { layOut } from './page';
import { connectPanel } from './panel';
import type { Panel } from './panel';
import { createResults, type Results } from './results';
import { createSearch } from './search';
import { createWords } from './words';

/** The parts of the page, which are built once the words are there. */
interface Parts {
  readonly results: Results;
}

let parts: Parts | undefined;

const panel = connectPanel((message) => {
  switch (message.kind) {
    case 'start':
      parts ??= build(panel, message.words);
      return;
    case 'view':
      parts?.results.show(message.view);
      return;
    case 'rows':
      parts?.results.change(message);
      return;
    case 'query':
  }
});

function build(panel: Panel, record: Readonly<Record<string, string>>): Parts {
  const ask: Panel['ask'] = (kind, rest) => panel.ask(kind, rest);
  const { state } = panel;
  const words = createWords(record);
  const page = layOut();
  document.title = words('title');
  const report = (error: unknown): void => console.error(error);
  const search = createSearch(ask, report, (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  });
  let wrap = state?.wrap ?? false;
  const results = createResults(page.results, {
    ask,
    words,
    report,
    queryText: () => search.text,
    takeQuery(model) {
      search.use(model);
      void search.run();
    },
    toggleWrap() {
      wrap = !wrap;
      results.setWrap(wrap);
      panel.keep({ query: search.text, wrap, ran: state?.ran ?? false });
    },
  });
  results.setWrap(wrap);
  return { results };
}
