import { html, nothing, type TemplateResult } from 'lit';
import type { ListLayout, LogRow, View } from '../../src/logs/explorer/protocol/view';
import type { ColumnHeader } from './columnHeader';
import { element } from './dom';
import { PagePart } from './pagePart';
import type { Strings } from './panel';
import { iconTemplate } from './templates';

type End = 'older' | 'newer';

interface ListFrameActions {
  readonly load: (end: End) => void;
  readonly resume: () => void;
}

/** What is around the rows of the list. Its class says how the rows look. */
export class ListFrame extends PagePart {
  static override readonly properties = {
    view: { state: true },
    size: { state: true },
    isTree: { state: true },
    inView: { state: true },
  };

  declare private view: View | undefined;
  declare private size: { readonly lines: number; readonly columns: number };
  declare private isTree: boolean;
  /** The ends in view. Tab must not scroll to one, which would load more. */
  declare private inView: ReadonlySet<End>;
  private canLoad: (end: End) => boolean = () => false;

  constructor(
    private readonly strings: Strings,
    private readonly header: ColumnHeader,
    private readonly actions: ListFrameActions,
  ) {
    super();
    this.className = 'list';
    this.size = { lines: 0, columns: 1 };
    this.isTree = false;
    this.inView = new Set();
    // The rows need their place at once.
    this.performUpdate();
    const ends = new IntersectionObserver((changes) => this.endsMoved(changes), {
      root: this.grid,
    });
    for (const end of this.ends) ends.observe(end);
  }

  /** The element that has the focus and scrolls. */
  get grid(): HTMLElement {
    return this.child('.grid');
  }

  get body(): HTMLElement {
    return this.child('.rows');
  }

  /** The height of what covers the top of the grid, in pixels. */
  get headerHeight(): number {
    return this.header.offsetHeight;
  }

  /** @param canLoad whether there is a button to load at an end. */
  show(view: View, canLoad: (end: End) => boolean): void {
    this.view = view;
    this.canLoad = canLoad;
  }

  /** Shows the view, for so many rows: they are drawn where it leaves room for them. */
  setSize(lines: number, columns: number): void {
    if (lines !== this.size.lines || columns !== this.size.columns) this.size = { lines, columns };
    this.performUpdate();
  }

  setLook({ isByTrace, time }: ListLayout, wrap: boolean): void {
    this.isTree = isByTrace;
    this.classList.toggle('by-trace', isByTrace);
    this.classList.toggle('both-times', time === 'both');
    this.classList.toggle('wrap', wrap);
  }

  protected override willUpdate(): void {
    const focused = document.activeElement;
    const end = this.ends.find((one) => one.contains(focused));
    // When its button disappears, the focus moves to the list.
    if (end !== undefined && !this.canLoad(endOf(end))) this.grid.focus();
  }

  protected override render(): TemplateResult {
    const { strings, view, header, isTree, size } = this;
    return html`<div
        class="grid"
        role=${isTree ? 'treegrid' : 'grid'}
        tabindex="0"
        aria-label=${strings('listLabel')}
        aria-keyshortcuts="Enter Space F8 Shift+F8 Control+F Control+C Alt+Z Alt+ArrowLeft"
        aria-busy=${view?.state === 'loading'}
        aria-rowcount=${size.lines + 1}
      >
        ${header}${this.end('older')}
        <div class="rows" role="rowgroup"></div>
        ${this.end('newer')}
      </div>
      ${header.others}
      <p class="empty" ?hidden=${!this.isIdle}>${this.isIdle ? strings('listIdle') : nothing}</p>
      ${this.resume(view?.following)}`;
  }

  private get ends(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('.end')];
  }

  /** That a search found nothing is above the list. */
  private get isIdle(): boolean {
    return this.size.lines === 0 && this.view?.state === 'idle';
  }

  /** A row with one cell over all columns: a text, or a button if more can be loaded. */
  private end(end: End): TemplateResult {
    const { text = '', isLoading = false } = this.view?.[end] ?? {};
    const canLoad = this.canLoad(end);
    return html`<div class="end ${end}" role="row" ?hidden=${text === ''}>
      <div role="gridcell" aria-colspan=${this.size.columns}>
        ${isLoading ? iconTemplate('loading codicon-modifier-spin') : nothing}
        <span>${canLoad ? '' : text}</span>
        <button
          class="link"
          tabindex=${this.inView.has(end) ? 0 : -1}
          ?hidden=${!canLoad}
          @click=${() => this.actions.load(end)}
          .textContent=${canLoad ? text : ''}
        ></button>
      </div>
    </div>`;
  }

  private resume(following: View['following']): TemplateResult | typeof nothing {
    if (following?.state !== 'paused') return nothing;
    const { newRecords } = following;
    const { strings } = this;
    // The button covers the list and must not stop the wheel.
    const scroll = ({ deltaY }: WheelEvent): void => this.grid.scrollBy({ top: deltaY });
    return html`<button
      class="go-on"
      @click=${this.actions.resume}
      @wheel=${{ handleEvent: scroll, passive: true }}
    >
      ${iconTemplate('arrow-down')}${
        newRecords === 0 ? strings('resume') : strings('newRecords', newRecords)
      }
    </button>`;
  }

  private endsMoved(changes: readonly IntersectionObserverEntry[]): void {
    const inView = new Set(this.inView);
    for (const { target, isIntersecting } of changes) {
      if (isIntersecting) inView.add(endOf(target));
      else inView.delete(endOf(target));
    }
    this.inView = inView;
  }
}

function endOf(element: Element): End {
  return element.classList.contains('older') ? 'older' : 'newer';
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
