import type { StartMessage } from '../../src/logs/explorer/protocol/messages';
import type { View } from '../../src/logs/explorer/protocol/view';
import { element } from './dom';
import { Histogram } from './histogram';
import type { Notices, NextStep } from './notices';
import type { PageContext } from './pageQuery';
import { QueryArea } from './queryArea';
import type { Results } from './results';
import { longerThan } from './timeRange';
import { Toolbar } from './toolbar';
import { handleUndoKey } from './undoHistory';

/** Creates the containers of the parts of the page, from top to bottom. That of the results takes the remaining space. */
export function layOut() {
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

interface QueryPartsHost {
  readonly notices: Notices;
  readonly start: StartMessage;
  readonly results: Results;
}

/** Everything above the list. */
export class QueryParts {
  private readonly area: QueryArea;
  private readonly toolbar: Toolbar;
  private readonly histogram: Histogram;
  private canGoBack = false;

  constructor(
    page: ReturnType<typeof layOut>,
    private readonly context: PageContext,
    private readonly host: QueryPartsHost,
  ) {
    const { notices, start, results } = host;
    const { ask, report } = context;
    this.area = new QueryArea(context, start, () => results.focus());
    this.histogram = new Histogram(context, start.isFolded);
    const { histogram } = this;
    this.toolbar = new Toolbar(context, {
      results,
      notices,
      histogram,
      builder: this.area.builder,
    });
    page.search.append(this.area);
    page.toolbar.append(this.toolbar);
    page.notices.append(notices);
    page.histogram.append(histogram);
    results.onView((span) => histogram.markView(span));
    document.addEventListener('keydown', (event) => this.undo(event));
    onErrorKey((direction) => results.toError(direction));
    onBackKey(() => {
      if (this.canGoBack) ask('back', {}).catch(report);
      return this.canGoBack;
    });
  }

  show(view: View): void {
    this.canGoBack = view.canGoBack;
    this.area.show(view);
    this.toolbar.show(view);
    this.host.notices.show(view, this.longer());
    this.histogram.show(view);
  }

  focus(): void {
    this.area.bar.focus();
  }

  /** Shows a query, before which there was none. */
  restart(query: string): void {
    this.area.bar.undoable.restart(query);
  }

  /** Every change of the query can be undone where it was made; in inputs, the key undoes typing. */
  private undo(event: KeyboardEvent): void {
    const [target] = event.composedPath();
    if (!(target instanceof HTMLElement) || target instanceof HTMLInputElement) return;
    const { bar, builder } = this.area;
    handleUndoKey(event, (direction) => {
      // Conditions do not run until they are complete.
      if (bar.undoable.step(direction) && !builder.contains(target)) void this.context.search.run();
    });
  }

  private longer(): NextStep | undefined {
    const { search, strings } = this.context;
    const last = longerThan(search.parsed.range);
    if (last === undefined) return undefined;
    return {
      label: strings(`range.${last}`),
      run: () => search.narrow({ kind: 'range', range: { last } }),
    };
  }
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
