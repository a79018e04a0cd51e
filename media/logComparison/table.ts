import { html, nothing, type PropertyValues, svg, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type {
  ApartRow,
  ChangeRow,
  ComparisonView,
  SideName,
} from '../../src/logs/explorer/protocol/comparisonMessages';
import type { Strings } from '../logExplorer/panel';
import { PagePart } from '../logExplorer/pagePart';
import { rove } from '../logExplorer/roving';
import { iconTemplate, severityIconTemplate } from '../logExplorer/templates';
import { apartTemplate } from './apart';
import type { Act } from './panel';

/** The same icons as in the view Errors. */
const icons: Readonly<Record<ChangeRow['change'], string>> = {
  new: 'diff-added',
  more: 'arrow-up',
  gone: 'pass',
  fewer: 'arrow-down',
  same: 'dash',
  rare: 'question',
};

/** The patterns of both sides. A click on a pattern shows what sets it apart. */
export class ComparisonTable extends PagePart {
  static override readonly properties = {
    view: { attribute: false },
    open: { state: true },
    apart: { state: true },
  };

  declare strings: Strings;
  declare act: Act;
  /** What sets a pattern apart; undefined if that cannot be said. */
  declare apartOf: (key: string) => Promise<readonly ApartRow[] | undefined>;
  declare view: ComparisonView;
  /** The key of the pattern whose details are open, and what sets it apart, once that is known. */
  declare private open: string | undefined;
  declare private apart: readonly ApartRow[] | undefined;
  private roving: ReturnType<typeof rove> | undefined;
  private focused: Element | null = null;

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get('view') as ComparisonView | undefined;
    if (before !== undefined && before.epoch !== this.view.epoch) this.toggle(undefined);
    else if (this.open !== undefined && isOther(before?.rows, this.view.rows))
      void this.readApart();
    this.focused = this.contains(document.activeElement) ? document.activeElement : null;
  }

  protected override firstUpdated(): void {
    const rows = this.querySelector<HTMLElement>('.change-rows');
    if (rows !== null) this.roving = rove(rows);
  }

  protected override updated(): void {
    this.roving?.update();
    // An element that gets another place loses the focus.
    const { focused } = this;
    if (focused instanceof HTMLElement && this.contains(focused)) focused.focus();
  }

  protected override render(): TemplateResult {
    const { strings, view } = this;
    return html`<div class="changes" role="grid" aria-label=${strings('comparison.changes')}>
        <div class="header-rows" role="rowgroup">${this.header()}</div>
        <div class="change-rows" role="rowgroup">
          ${repeat(
            view.rows,
            ({ key }) => key,
            (row) => this.row(row),
          )}
        </div>
      </div>
      <div class="rest muted">${view.rest}</div>`;
  }

  private header(): TemplateResult {
    const { strings } = this;
    const { now, before } = this.view.sides ?? {};
    const heading = (text: string, style = ''): TemplateResult =>
      html`<div class=${style} role="columnheader">${text}</div>`;
    return html`<div class="change header" role="row">
      ${heading(strings('comparison.change'))}
      <div role="columnheader"><span class="unseen">${strings('listSeverity')}</span></div>
      ${heading(strings('comparison.times'), 'times')} ${heading(now?.name ?? '', 'count')}
      ${heading(before?.name ?? '', 'count')} ${heading(strings('comparison.pattern'))}
      ${heading(strings('comparison.code'))}
    </div>`;
  }

  private row(change: ChangeRow): TemplateResult {
    const { strings, open } = this;
    const { key, template, words, severity, times } = change;
    const severityName = strings(`severity.${severity}`);
    const toggle = (): void => this.toggle(open === key ? undefined : key);
    return html`<div class="change ${change.change}" role="row">
      <div class="words" role="gridcell" title=${words}>
        ${iconTemplate(icons[change.change])}<span class="text">${words}</span>
      </div>
      <div class="severity ${severity}" role="gridcell" title=${severityName}>
        ${severityIconTemplate(severity)}<span class="unseen">${severityName}</span>
      </div>
      <div class="sparks" role="gridcell">
        ${spark('now', times.now)}${spark('before', times.before)}
      </div>
      ${this.count('now', change)} ${this.count('before', change)}
      <div class="message" role="gridcell">
        <button
          class="text-button template"
          type="button"
          tabindex="-1"
          aria-expanded=${open === key}
          @click=${toggle}
          .textContent=${template}
        ></button>
      </div>
      <div class="code" role="gridcell">${this.code(change)}</div>
      ${open === key ? this.details(change) : nothing}
    </div>`;
  }

  private count(side: SideName, { key, counts }: ChangeRow): TemplateResult {
    const name = this.view.sides?.[side].name ?? '';
    const hint = this.strings('comparison.showRecords', counts[side], name);
    return html`<div class="count ${side}" role="gridcell">
      <button
        class="text-button"
        type="button"
        tabindex="-1"
        title=${hint}
        aria-label=${hint}
        @click=${() => this.act('records', { side, key })}
        .textContent=${counts[side]}
      ></button>
    </div>`;
  }

  private code({ key, place }: ChangeRow): TemplateResult {
    const hint = this.strings('comparison.openCode');
    const label = place === undefined ? hint : `${hint}: ${place}`;
    return html`<button
      class="text-button"
      type="button"
      tabindex="-1"
      title=${label}
      aria-label=${label}
      @click=${() => this.act('openCode', { key })}
    >
      ${iconTemplate('go-to-file')}${place === undefined ? nothing : html`<span class="place">${place}</span>`}
    </button>`;
  }

  /** The whole pattern and what sets it apart, below its row. */
  private details({ template }: ChangeRow): TemplateResult {
    const { strings, apart } = this;
    const none = strings('comparison.apartNone');
    return html`<div class="details" role="gridcell" aria-live="polite">
      <div class="whole">${template}</div>
      ${apart === undefined ? nothing : apartTemplate(apart, strings, none)}
    </div>`;
  }

  private toggle(key: string | undefined): void {
    this.open = key;
    this.apart = undefined;
    if (key !== undefined) void this.readApart();
  }

  private async readApart(): Promise<void> {
    const { open } = this;
    if (open === undefined) return;
    const apart = await this.apartOf(open);
    if (apart !== undefined && open === this.open) this.apart = apart;
  }
}

function isOther(before: readonly ChangeRow[] | undefined, now: readonly ChangeRow[]): boolean {
  return before !== undefined && JSON.stringify(before) !== JSON.stringify(now);
}

/** The height of a spark; each of its parts is 1 wide. */
const height = 10;

/** A bar for each part of the time of a side, as high as its share of the most. */
function spark(side: SideName, shares: readonly number[]): TemplateResult {
  const path = shares
    .map((share, index) => {
      const high = share === 0 ? 0 : Math.max(1, share * height);
      return `M${index} ${height}v${-high}h0.8v${high}z`;
    })
    .join('');
  return html`<svg
    class="spark ${side}"
    viewBox="0 0 ${Math.max(1, shares.length)} ${height}"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${svg`<path d=${path}></path>`}
  </svg>`;
}
