import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import 'uplot/dist/uPlot.min.css';
import './base.css';
import './list.css';
import './patterns.css';
import './details.css';
import './query.css';
import './aboveList.css';
import './waterfall.css';
import { readPageState, type StartMessage } from '../../src/logs/explorer/protocol/messages';
import { ConditionBuilder } from './builder';
import { ColumnHeader } from './columnHeader';
import { Layout } from './columns';
import { DetailTable, RecordDetails } from './details';
import { FindBar } from './find';
import { DeploymentButtons, Histogram } from './histogram';
import { HistogramBars } from './histogramBars';
import { ListFrame, terminalStyles } from './listElements';
import { Menu } from './menu';
import { LiveRegion, Notices } from './notices';
import { connectPanel, SavedState, createStrings, type Panel } from './panel';
import { PatternsView } from './patterns';
import { QueryArea, QueryChips } from './queryArea';
import { QueryBar } from './queryBar';
import { layOut, QueryParts } from './queryParts';
import { Results, Splitter } from './results';
import { PageQuery } from './pageQuery';
import { RangeForm, RangeBox } from './timeRange';
import { Toolbar } from './toolbar';
import { WaterfallView } from './waterfall';

const components = {
  'log-notices': Notices,
  'live-region': LiveRegion,
  'query-area': QueryArea,
  'query-bar': QueryBar,
  'query-chips': QueryChips,
  'range-box': RangeBox,
  'range-form': RangeForm,
  'condition-builder': ConditionBuilder,
  'popup-menu': Menu,
  'log-toolbar': Toolbar,
  'record-details': RecordDetails,
  'detail-table': DetailTable,
  'log-patterns': PatternsView,
  'trace-waterfall': WaterfallView,
  'find-bar': FindBar,
  'column-header': ColumnHeader,
  'list-frame': ListFrame,
  'split-bar': Splitter,
  'log-histogram': Histogram,
  'histogram-bars': HistogramBars,
  'deployment-marks': DeploymentButtons,
};
for (const [name, part] of Object.entries(components)) customElements.define(name, part);

/** The parts of the page, created when its texts have arrived. */
interface Parts {
  readonly notices: Notices;
  readonly search: PageQuery;
  readonly above: QueryParts;
  readonly results: Results;
  readonly pageState: SavedState;
  readonly layout: Layout;
}

let parts: Parts | undefined;

const panel: Panel = connectPanel(
  {
    start: (message) => void (parts ??= build(panel, message)),
    view({ view }) {
      parts?.above.show(view);
      parts?.results.show(view);
      parts?.pageState.saw(view);
    },
    select: ({ key }) => parts?.results.select(key),
    rows: (message) => parts?.results.change(message),
    layout: ({ layout }) => parts?.layout.apply(layout),
    query({ text, isRestart }) {
      if (isRestart) parts?.above.restart(text);
      void parts?.search.read(text);
    },
    problem: ({ message }) => parts?.notices.fail(message),
  },
  readPageState,
);

function build(panel: Panel, start: StartMessage): Parts {
  const ask: Panel['ask'] = (kind, rest) => panel.ask(kind, rest);
  const strings = createStrings(start.strings, start.locale);
  const page = layOut();
  document.title = strings('title');
  document.adoptedStyleSheets.push(terminalStyles());
  const notices = new Notices(ask, strings);
  const report = (error: unknown): void => notices.fail(error);
  const search = new PageQuery(ask, report, (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  });
  const before = panel.state;
  const pageState = new SavedState(before, (state) => panel.save(state));
  // The panel decides whether to run it again.
  if (before !== undefined) void search.read(before.query);
  const layout = new Layout(
    start.layout,
    (next) => void ask('layOut', { layout: next }).catch(report),
  );
  const toggleWrap = (): void => {
    pageState.changed(search.text, !pageState.wrap);
    results.setWrap(pageState.wrap);
  };
  const wrap = { isOn: () => pageState.wrap, toggle: toggleWrap };
  const context = { ask, strings, locale: start.locale, report, search, layout, wrap };
  const results = new Results(page.results, context);
  const above = new QueryParts(page, context, { notices, start, results });
  results.setWrap(pageState.wrap);
  search.onChange(() => {
    notices.forget();
    pageState.changed(search.text, pageState.wrap);
  });
  returnFocus(() => above.focus());
  return { notices, search, above, results, pageState, layout };
}

/**
 * When the page gets the focus as a whole, for example after a menu of VS Code, gives it to the part that
 * had it last, or to the query bar.
 */
function returnFocus(focusBar: () => void): void {
  let last: HTMLElement | undefined;
  document.addEventListener('focusin', (event) => {
    // The element within a component, which may not forward the focus.
    const [target] = event.composedPath();
    if (target instanceof HTMLElement) last = target;
  });
  const isNowhere = (): boolean => document.activeElement === document.body;
  const focusPart = (): void => {
    if (!document.hasFocus() || !isNowhere()) return;
    // The focus often comes with a press of the mouse, which would miss what moves away under it.
    last?.focus({ preventScroll: true });
    // The element may be gone or hidden.
    if (isNowhere()) focusBar();
  };
  window.addEventListener('focus', focusPart);
  focusPart();
}
